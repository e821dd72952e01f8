package gitimpl

import (
	"context"
	"path/filepath"
	"slices"
)

// repo is an opened repository: a place that was checked, and the environment
// to run git in. It lives for one action.
type repo struct {
	*place
	g        *Git
	program  string
	env      []string // for commands that stay on this machine
	settings []setting
	mask     masker
	release  func()
}

// open finds and checks the repository of an action. An action that writes
// holds the repository's lock until close.
func (g *Git) open(ctx context.Context, repoPath string, write bool) (*repo, error) {
	git, err := g.program.find(ctx)
	if err != nil {
		return nil, err
	}
	p, err := g.locate(repoPath)
	if err != nil {
		return nil, err
	}
	r := &repo{place: p, g: g, program: git, release: func() {}}
	if write {
		if r.release, err = g.locks.Acquire(ctx, p.common); err != nil {
			return nil, err
		}
	}
	if err := r.prepare(ctx, write); err != nil {
		r.release()
		return nil, err
	}
	return r, nil
}

func (r *repo) close() { r.release() }

// prepare makes the environment.
func (r *repo) prepare(ctx context.Context, write bool) error {
	if err := r.g.checkLinks(r.place, write); err != nil {
		return err
	}
	r.mask = masker{r.gitDir, ".git", r.common, ".git", r.top + string(filepath.Separator), "", r.top, "."}
	if r.g.root != filepath.Dir(r.g.root) {
		r.mask = append(r.mask, r.g.root, "<root>")
	}
	if r.g.opts.Trust == TrustConfig {
		return r.prepareTrusted(ctx)
	}
	if write {
		if err := r.ensureLogs(); err != nil {
			return err
		}
	}
	sh, list, err := r.g.shadowOf(ctx, r.program, r.place)
	if err != nil {
		return err
	}
	user, err := r.g.userFile(ctx, r.program)
	if err != nil {
		return err
	}
	r.settings = list
	r.mask = append(masker{sh.dir, ".git"}, r.mask...)
	r.env = slices.Concat(r.g.env.whole, []string{
		"GIT_DIR=" + r.gitDir, "GIT_COMMON_DIR=" + sh.dir, "GIT_WORK_TREE=" + r.top,
		"GIT_CONFIG_GLOBAL=" + user, homeVar() + "=" + filepath.Dir(user),
	})
	return nil
}

// prepareTrusted lets the configuration of system, user and repository hold.
func (r *repo) prepareTrusted(ctx context.Context) error {
	r.env = slices.Concat(r.g.env.base, r.g.env.trusted, identity(r.g.opts.Identity), []string{
		settings(steady), "GIT_DIR=" + r.gitDir, "GIT_WORK_TREE=" + r.top,
	})
	raw, local, err := readConfigs(r.place)
	if err != nil {
		return err
	}
	for _, text := range [][]byte{raw, local} {
		list, err := r.g.parseConfig(ctx, r.program, text)
		if err != nil {
			return err
		}
		r.settings = append(r.settings, list...)
	}
	return nil
}

// setting returns the last value of a setting; a repository may set it more
// than once.
func (r *repo) setting(key, sub string) string {
	for _, s := range slices.Backward(r.settings) {
		if s.key() == key && s.sub == sub {
			return s.value
		}
	}
	return ""
}

// with returns the variable of a command that needs further settings.
func (r *repo) with(extra ...pair) string {
	if r.g.opts.Trust == TrustConfig {
		return settings(steady, extra)
	}
	return settings(denied, steady, extra)
}
