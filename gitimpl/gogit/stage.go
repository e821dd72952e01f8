package gogit

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Stage implements [facade.GitWriter].
func (g *Git) Stage(ctx context.Context, in facade.GitStageInput) (facade.GitStageOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitStageOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitStageOutput{}, err
	}
	out := facade.GitStageOutput{Staged: []string{}, Ignored: []string{}, Missing: []string{}}
	err = r.changing(func(s *staging) error {
		paths, err := r.stageable(ctx, s, paths, &out)
		if err != nil {
			return err
		}
		changed, err := r.stage(ctx, s, paths)
		out.Staged, out.Hidden = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.HalfRoom), shownAll(changed))
		return err
	})
	return out, err
}

// stageable checks paths before anything changes. It notes in out those that
// do not exist, which is an error, and leaves out those that are ignored.
func (r *repo) stageable(ctx context.Context, s *staging, paths []string, out *facade.GitStageOutput) ([]string, error) {
	if absent := r.absent(s, paths, true, nil); len(absent) > 0 {
		out.Missing = shownAll(absent)
		return nil, r.pathError(ctx, s, "files", absent)
	}
	if len(paths) == 0 {
		return nil, nil
	}
	var kept []string
	for _, p := range paths {
		fi, err := r.lstat(p)
		if err == nil && !s.tracks(p) && r.ignored(p, fi.IsDir()) {
			out.Ignored = append(out.Ignored, shown(p))
			continue
		}
		kept = append(kept, p)
	}
	if len(kept) == 0 {
		return nil, facade.InvalidArgument("files", "ignore rules exclude every one of the files: %s", strings.Join(out.Ignored, ", ")).
			WithHint("change .gitignore if they belong into the repository")
	}
	return kept, nil
}

// stage puts the state of paths into the index, or of everything when there
// are none, and returns what that has changed.
func (r *repo) stage(ctx context.Context, s *staging, paths []string) ([]string, error) {
	type found struct {
		name   string
		letter byte
		info   fs.FileInfo
	}
	var list []found
	c := scan{r: r, s: s, paths: paths, whole: true}
	c.each = func(name string, letter byte, fi fs.FileInfo) error {
		if !strings.HasSuffix(name, "/") { // a repository of its own
			list = append(list, found{name, letter, fi})
		}
		return nil
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	for name := range s.unmerged {
		if covered(name, paths) {
			fi, err := r.lstat(name)
			if err != nil {
				fi = nil
			}
			list = append(list, found{name, 'M', fi})
		}
	}
	before := s.tree()
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if f.info == nil {
			s.remove(f.name)
			continue
		}
		e, err := r.stageFile(s, f.name, f.info)
		if err != nil {
			return nil, err
		}
		s.put(e)
	}
	changed := s.tree().changed(before)
	slices.Sort(changed)
	return changed, nil
}

// stageFile stores one file and describes it.
func (r *repo) stageFile(s *staging, name string, fi fs.FileInfo) (*index.Entry, error) {
	old := s.entries[name]
	mode, ok := r.modeOf(fi, 0)
	if old != nil {
		mode, ok = r.modeOf(fi, old.Mode)
	}
	if !ok {
		return nil, facade.Errorf(facade.CodeNotRegular, "'%s' is neither a file nor a symbolic link", shown(name)).WithPath(shown(name))
	}
	hash, err := r.keep(r.store, name, fi)
	if err != nil {
		return nil, err
	}
	return entry(name, fi, mode, hash), nil
}

// Unstage implements [facade.GitWriter].
func (g *Git) Unstage(ctx context.Context, in facade.GitUnstageInput) (facade.GitUnstageOutput, error) {
	in = facade.Defaulted(in)
	out := facade.GitUnstageOutput{Unstaged: []string{}, Missing: []string{}}
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return out, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	h, err := r.head()
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	committed, err := r.filesOf(ctx, h.hash)
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	err = r.changing(func(s *staging) error {
		if absent := r.absent(s, paths, false, committed); len(absent) > 0 {
			out.Missing = shownAll(absent)
			return r.pathError(ctx, s, "files", absent)
		}
		changed := s.reset(committed, paths)
		out.Unstaged, out.Hidden = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.MostRoom), shownAll(changed))
		return nil
	})
	return out, err
}

// reset sets the entries of paths to those of a tree and returns what that has
// changed.
func (s *staging) reset(to files, paths []string) []string {
	var changed []string
	for name := range s.unmerged {
		if covered(name, paths) {
			delete(s.unmerged, name)
			changed = append(changed, name)
		}
	}
	for _, name := range s.tree().changed(to) {
		if !covered(name, paths) {
			continue
		}
		if b, ok := to[name]; ok {
			s.put(entry(name, nil, b.mode, b.hash))
		} else {
			s.remove(name)
		}
		changed = append(changed, name)
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// MergeAbort implements [facade.GitWriter]. Operations that the git program
// has begun are unsupported, and this implementation begins none.
func (g *Git) MergeAbort(ctx context.Context, in facade.GitMergeAbortInput) (facade.GitMergeAbortOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitMergeAbortOutput{}, err
	}
	defer r.close()
	return facade.GitMergeAbortOutput{}, fail(facade.CodeNotFound, gitimpl.ErrNoOperation, "no merge, rebase, cherry-pick, revert or am is in progress")
}
