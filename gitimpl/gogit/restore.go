package gogit

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Restore implements [facade.GitWriter].
func (g *Git) Restore(ctx context.Context, in facade.GitRestoreInput) (facade.GitRestoreOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, !in.DryRun)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	commit, err := r.restoreSource(ctx, in)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	out := facade.GitRestoreOutput{Restored: []string{}, Backup: []facade.GitBackup{}, DryRun: in.DryRun}
	work := func(s *staging) error { return r.restore(ctx, s, in, commit, paths, &out) }
	if !in.DryRun {
		return out, r.changing(work)
	}
	s, err := r.staging()
	if err != nil {
		return out, err
	}
	return out, work(s)
}

// restoreSource resolves the commit to restore from; nil stands for the index.
func (r *repo) restoreSource(ctx context.Context, in facade.GitRestoreInput) (*object.Commit, error) {
	if in.Source == "" && !in.Staged {
		return nil, nil
	}
	c, err := r.resolve(ctx, "source", orHead(in.Source))
	if errors.Is(err, gitimpl.ErrUnbornHead) {
		return nil, fail(facade.CodeNotFound, gitimpl.ErrUnbornHead, "the current branch has no commits yet to restore from").
			WithHint("unstage takes files out of the index")
	}
	return c, err
}

// restore finds what differs from the source, keeps what will be lost and
// overwrites it.
func (r *repo) restore(ctx context.Context, s *staging, in facade.GitRestoreInput, commit *object.Commit, paths []string, out *facade.GitRestoreOutput) error {
	want := s.tree()
	if commit != nil {
		var err error
		if want, err = r.filesOf(ctx, commit.Hash); err != nil {
			return err
		}
	}
	if absent := r.absent(s, paths, false, want); len(absent) > 0 {
		return r.pathError(ctx, s, "files", absent)
	}
	for name := range s.unmerged {
		if covered(name, paths) && commit == nil {
			return fail(facade.CodeConflict, gitimpl.ErrConflict, "%s has conflicting versions in the index", shown(name)).
				WithHint("give source=HEAD for our version")
		}
	}
	lost, err := r.differing(ctx, s, want, paths)
	if err != nil {
		return err
	}
	kept, err := r.overwrite(ctx, s, in, want, paths, lost, out)
	out.Backup, _ = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.HalfRoom), kept)
	return err
}

// differing lists the files of the work tree that are not as wanted, among
// those that the index or the wanted tree has.
func (r *repo) differing(ctx context.Context, s *staging, want files, paths []string) (map[string]fs.FileInfo, error) {
	lost := map[string]fs.FileInfo{}
	names := s.tree()
	for name, b := range want {
		names[name] = b
	}
	for name := range names {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if !covered(name, paths) {
			continue
		}
		same, fi, err := r.holds(s, name, want)
		if err != nil {
			return nil, err
		}
		if !same {
			lost[name] = fi
		}
	}
	return lost, nil
}

// holds reports whether the work tree has a file as it is in want, which may
// not have it at all. The info is nil when there is no file.
func (r *repo) holds(s *staging, name string, want files) (bool, fs.FileInfo, error) {
	b, ok := want[name]
	fi, err := r.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return !ok, nil, nil
	case err != nil:
		return false, nil, broken(err)
	case !ok:
		return fi.IsDir(), fi, nil
	}
	e := entry(name, nil, b.mode, b.hash)
	if old := s.entries[name]; old != nil && old.Hash == b.hash {
		e = old
	}
	if fi.IsDir() {
		return false, fi, nil
	}
	letter, err := r.compare(s, e, fi)
	return letter == 0 && canonical(b.mode) == canonical(e.Mode), fi, err
}

// overwrite sets index entries and files, as asked for.
func (r *repo) overwrite(ctx context.Context, s *staging, in facade.GitRestoreInput, want files, paths []string, lost map[string]fs.FileInfo, out *facade.GitRestoreOutput) ([]facade.GitBackup, error) {
	names := map[string]bool{}
	var kept []facade.GitBackup
	if in.Staged {
		before := s.tree()
		for _, name := range s.reset(want, paths) {
			names[name] = true
			if b, ok := before[name]; ok {
				kept = append(kept, facade.GitBackup{Path: shown(name), OID: b.hash.String(), Staged: true})
			}
		}
	}
	var todo []string
	for name := range lost {
		if *in.Worktree {
			names[name] = true
			todo = append(todo, name)
		}
	}
	slices.Sort(todo)
	restored := make([]string, 0, len(names))
	for name := range names {
		restored = append(restored, shown(name))
	}
	slices.Sort(restored)
	out.Restored, out.Hidden = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.HalfRoom), restored)
	if in.DryRun {
		return nil, nil
	}
	for _, name := range todo {
		if fi := lost[name]; fi != nil {
			hash, err := r.keepLost(name, fi)
			if err != nil {
				return kept, err
			}
			kept = append(kept, facade.GitBackup{Path: shown(name), OID: hash})
		}
	}
	for _, name := range todo {
		if err := r.place(ctx, s, name, want); err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// keepLost stores a file that is about to be overwritten.
func (r *repo) keepLost(name string, fi fs.FileInfo) (string, error) {
	if fi.IsDir() {
		return "", facade.Errorf(facade.CodeIsDirectory, "'%s' is a directory now, whose files would be lost", shown(name)).
			WithPath(shown(name)).WithHint("move the directory away first")
	}
	hash, err := r.keep(r.store, name, fi)
	return hash.String(), err
}
