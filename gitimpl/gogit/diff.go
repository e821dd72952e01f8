package gogit

import (
	"context"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/memory"
	"github.com/go-git/go-git/v5/storage/transactional"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Diff implements [facade.GitReader].
func (g *Git) Diff(ctx context.Context, in facade.GitDiffInput) (facade.GitDiffOutput, error) {
	in = facade.Defaulted(in)
	if in.IgnoreSpace {
		return facade.GitDiffOutput{}, inField(unsupported("differences in white space cannot be ignored"), "ignore_space")
	}
	r, err := g.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	d := r.differ(paths)
	d.context, d.output, d.patchRoom = *in.Context, in.Output, gitrule.PatchRoom(ctx, in.MaxBytes)
	d.room = gitrule.NewRoom(ctx, gitrule.HalfRoom)
	if in.Output != "patch" {
		d.room = gitrule.NewRoom(ctx, gitrule.MostRoom)
	}
	from, to, err := r.sides(ctx, in, d)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	return d.run(ctx, from, to)
}

// sides are the files that a diff compares. The side that is not given is the
// index or the work tree.
func (r *repo) sides(ctx context.Context, in facade.GitDiffInput, d *differ) (from, to files, err error) {
	s, err := r.staging()
	if err != nil {
		return nil, nil, err
	}
	base, other, err := r.ends(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case base == nil && in.Staged:
		h, err := r.head()
		if err != nil {
			return nil, nil, err
		}
		from, err = r.filesOf(ctx, h.hash)
		return from, s.tree(), err
	case base == nil:
		from = s.tree()
	default:
		if from, err = r.filesOf(ctx, base.Hash); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case other != nil:
		to, err = r.filesOf(ctx, other.Hash)
	case in.Staged:
		to = s.tree()
	default:
		to, err = d.worktree(ctx, s)
	}
	return from, to, err
}

// ends resolves the commits of a diff; nil for one that is not given.
func (r *repo) ends(ctx context.Context, in facade.GitDiffInput) (from, to *object.Commit, err error) {
	if in.From == "" && in.To == "" {
		return nil, nil, nil
	}
	if from, err = r.resolve(ctx, "from", orHead(in.From)); err != nil {
		return nil, nil, err
	}
	if in.To != "" {
		if to, err = r.resolve(ctx, "to", in.To); err != nil {
			return nil, nil, err
		}
	}
	if !in.MergeBase {
		return from, to, nil
	}
	other := to
	if other == nil {
		if other, err = r.resolve(ctx, "to", "HEAD"); err != nil {
			return nil, nil, err
		}
	}
	from, err = r.mergeBase(from, other)
	return from, to, err
}

// differ compares two sets of files. Objects that it makes stay in memory.
type differ struct {
	r         *repo
	paths     []string
	context   int
	output    string
	patchRoom int
	room      *gitrule.Room
	objects   storer.EncodedObjectStorer
}

func (r *repo) differ(paths []string) *differ {
	return &differ{r: r, paths: paths, objects: transactional.NewObjectStorage(r.store, memory.NewStorage())}
}

// worktree is the index with the changes of the work tree.
func (d *differ) worktree(ctx context.Context, s *staging) (files, error) {
	out := s.tree()
	for name, versions := range s.unmerged { // compared with our version
		for _, v := range versions {
			if v.Stage == ours {
				s.entries[name] = v
				out[name] = blob{mode: v.Mode, hash: v.Hash}
			}
		}
	}
	c := scan{r: d.r, s: s, paths: d.paths, trackedOnly: true}
	c.each = func(name string, letter byte, fi fs.FileInfo) error {
		if letter == 'D' {
			delete(out, name)
			return nil
		}
		mode, ok := d.r.modeOf(fi, out[name].mode)
		if !ok {
			return nil
		}
		hash, err := d.r.keep(d.objects, name, fi)
		out[name] = blob{mode: mode, hash: hash}
		return err
	}
	return out, c.run(ctx)
}

// ours is the stage of our version of a file with conflicts.
const ours = 2

// run compares and shows what differs.
func (d *differ) run(ctx context.Context, from, to files) (facade.GitDiffOutput, error) {
	changes, err := d.changes(ctx, from, to)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	p := patcher{differ: d}
	p.out.Files = []facade.GitFileChange{}
	for _, c := range changes {
		if err := p.add(ctx, c); err != nil {
			return facade.GitDiffOutput{}, err
		}
	}
	p.out.Patch = gitrule.Text(p.text)
	return p.out, nil
}

// changes lists what differs, renamed files as such.
func (d *differ) changes(ctx context.Context, from, to files) (object.Changes, error) {
	only := func(f files) files {
		out := files{}
		for name, b := range f {
			if covered(name, d.paths) {
				out[name] = b
			}
		}
		return out
	}
	left, right := only(from), only(to)
	names := right.changed(left)
	l, r := files{}, files{}
	for _, name := range names { // nothing else needs trees
		if b, ok := left[name]; ok {
			l[name] = b
		}
		if b, ok := right[name]; ok {
			r[name] = b
		}
	}
	a, err := d.tree(l)
	if err != nil {
		return nil, broken(err)
	}
	b, err := d.tree(r)
	if err != nil {
		return nil, broken(err)
	}
	const (
		similar = 50 // percent, as git
		most    = 400
	)
	changes, err := object.DiffTreeWithOptions(ctx, a, b, &object.DiffTreeOptions{
		DetectRenames: true, RenameScore: similar, RenameLimit: most, OnlyExactRenames: d.output == "names" || len(names) > most,
	})
	return changes, or(ctx, err)
}

func (d *differ) tree(f files) (*object.Tree, error) {
	hash, err := build(d.objects, f)
	if err != nil {
		return nil, err
	}
	return object.GetTree(d.objects, hash)
}

// changesBetween lists the files that differ between two commits; the zero
// hash is a commit without files.
func (r *repo) changesBetween(ctx context.Context, from, to plumbing.Hash, room *gitrule.Room) (list []facade.GitFileChange, hidden int, err error) {
	d := r.differ(nil)
	d.output, d.room = "stat", room
	out, err := d.between(ctx, from, to)
	return out.Files, out.Hidden, err
}

func (d *differ) between(ctx context.Context, from, to plumbing.Hash) (facade.GitDiffOutput, error) {
	left, err := d.r.filesOf(ctx, from)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	right, err := d.r.filesOf(ctx, to)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	return d.run(ctx, left, right)
}
