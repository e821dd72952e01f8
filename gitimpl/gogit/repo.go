package gogit

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// repo is an opened repository. It lives for one action.
type repo struct {
	g       *Git
	top     string // of the work tree, from the root
	tree    bridge // the work tree
	git     bridge // the git directory
	store   *filesystem.Storage
	config  *config.Config
	release func()
}

// open finds the repository of an action. An action that writes holds the
// repository's lock until close.
func (g *Git) open(ctx context.Context, repoPath string, write bool) (*repo, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	top, err := g.locate(repoPath)
	if err != nil {
		return nil, inField(err.WithPath(repoPath), "repo_path")
	}
	r := &repo{g: g, top: top, tree: g.files.dir(top), release: func() {}}
	r.git = r.tree.below(".git")
	if write {
		release, err := g.locks.Acquire(ctx, r.git.root)
		if err != nil {
			return nil, err
		}
		r.release = release
	}
	if err := r.prepare(write); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *repo) close() {
	r.release()
	if r.store != nil {
		_ = r.store.Close()
	}
}

// locate finds the top of the work tree that repoPath is in.
func (g *Git) locate(repoPath string) (string, *facade.Error) {
	dir := path.Join("/", pathname.Unescape(repoPath))
	if clean := path.Clean(strings.TrimLeft(pathname.Unescape(repoPath), "/")); clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fail(facade.CodeOutsideRoot, gitimpl.ErrOutsideRoot, "'%s' is outside the root", repoPath)
	}
	fi, err := g.files.dir(dir).Stat(".")
	switch {
	case err != nil && dir != "/": // an empty MemMapFs has no root
		return "", fail(facade.CodeNotFound, gitimpl.ErrNotRepository, "'%s' does not exist", repoPath)
	case err == nil && !fi.IsDir():
		return "", fail(facade.CodeNotDirectory, gitimpl.ErrNotRepository, "'%s' is not a directory", repoPath)
	}
	for {
		if fi, err := g.files.dir(dir).Lstat(".git"); err == nil {
			if !fi.IsDir() {
				return "", unsupported("'%s' is a linked work tree or a submodule", repoPath)
			}
			return dir, nil
		}
		if dir == "/" {
			return "", fail(facade.CodeNotFound, gitimpl.ErrNotRepository, "'%s' is not in a git repository", repoPath).
				WithHint("give the directory of a repository as repo_path; bare repositories are not supported")
		}
		dir = path.Dir(dir)
	}
}

// prepare reads the configuration and checks what is there.
func (r *repo) prepare(write bool) error {
	r.store = openStore(r.git)
	c, err := r.store.Config()
	if err != nil {
		return fail(facade.CodeConflict, gitimpl.ErrNotRepository, "the repository's configuration is malformed")
	}
	r.config = c
	if err := r.checkFormat(); err != nil {
		return err
	}
	if op := r.operation(); write && op != "none" && op != "bisect" {
		return unsupported("a %s is in progress", op)
	}
	return nil
}

// openStore opens the objects and refs in a git directory. Object stores that
// it borrows from must lie in the git directory itself: go-git finds no others.
func openStore(dir bridge) *filesystem.Storage {
	return filesystem.NewStorageWithOptions(dir, cache.NewObjectLRUDefault(), filesystem.Options{AlternatesFS: dir})
}

// checkFormat refuses repositories that would be misread.
func (r *repo) checkFormat() error {
	for _, section := range r.config.Raw.Sections {
		switch {
		case strings.EqualFold(section.Name, "extensions"):
			for _, o := range section.Options {
				if !strings.EqualFold(o.Key, "noop") && !strings.EqualFold(o.Key, "preciousObjects") && !strings.EqualFold(o.Key, "relativeWorktrees") {
					return unsupported("the repository uses the extension '%s'", o.Key)
				}
			}
		case strings.EqualFold(section.Name, "core"):
			if v := strings.ToLower(section.Option("autocrlf")); v != "" && v != "false" && v != "no" && v != "off" && v != "0" {
				return unsupported("the repository converts line ends (core.autocrlf)")
			}
		}
	}
	return nil
}

// fileModes reports whether the repository cares for the executable bit.
func (r *repo) fileModes() bool {
	return !strings.EqualFold(r.config.Raw.Section("core").Option("filemode"), "false")
}

// operation tells what waits to be continued or aborted.
func (r *repo) operation() string {
	for _, s := range []struct{ file, name string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply/applying", "am"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"BISECT_LOG", "bisect"},
	} {
		if _, err := r.git.Lstat(s.file); err == nil {
			return s.name
		}
	}
	return "none"
}

// path turns a path of the caller into one from the top of the work tree. One
// that starts with '/' is from the root.
func (r *repo) path(field, text string) (string, error) {
	name := pathname.Unescape(text)
	if strings.ContainsRune(name, 0) {
		return "", facade.InvalidArgument(field, "a path holds a NUL character")
	}
	if name == "" {
		return "", facade.InvalidArgument(field, "a path is empty").WithHint("'.' stands for the whole work tree")
	}
	outside := inField(fail(facade.CodeOutsideRoot, gitimpl.ErrOutsideRoot, "'%s' is outside the repository", text).WithPath(text), field)
	if strings.HasPrefix(name, "/") {
		name = path.Clean(name)
		if name == r.top {
			return ".", nil
		}
		below, ok := strings.CutPrefix(name, strings.TrimSuffix(r.top, "/")+"/")
		if !ok {
			return "", outside
		}
		return below, nil
	}
	name = path.Clean(name)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", outside
	}
	return name, nil
}

func (r *repo) pathList(field string, texts []string) ([]string, error) {
	out := make([]string, len(texts))
	for i, text := range texts {
		p, err := r.path(field, text)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// covered reports whether name is one of paths or below one. No paths cover
// everything.
func covered(name string, paths []string) bool {
	for _, dir := range paths {
		if dir == "." || name == dir || strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return len(paths) == 0
}

// readAll reads a file of the work tree or the git directory, up to a limit.
func (b bridge) readAll(name string, limit int64) ([]byte, error) {
	fi, err := b.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, fs.ErrInvalid
	case fi.Size() > limit:
		return nil, errTooLong
	}
	return afero.ReadFile(b.fs, b.host(name))
}

var errTooLong = errors.New("file is too long")

func shown(name string) string { return pathname.Escape(name) }

func shownAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = shown(name)
	}
	return out
}
