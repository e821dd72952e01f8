package gogit

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// place makes a file of the work tree what it is in want, or removes it, and
// notes in its index entry how it looks now.
func (r *repo) place(ctx context.Context, s *staging, name string, want files) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := checkName(name); err != nil {
		return err
	}
	b, ok := want[name]
	if !ok {
		return r.removeFile(name)
	}
	if b.mode == filemode.Submodule {
		return nil
	}
	if err := r.makeParents(name); err != nil {
		return err
	}
	if err := r.writeFile(name, b); err != nil {
		return err
	}
	if e := s.entries[name]; e != nil && e.Hash == b.hash {
		fi, err := r.tree.Lstat(name)
		if err != nil {
			return broken(err)
		}
		s.entries[name] = entry(name, fi, b.mode, b.hash)
	}
	return nil
}

// makeParents makes the directories above a file. One of them that is a
// symbolic link is an error: what git writes stays in the tree.
func (r *repo) makeParents(name string) error {
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	for d := dir; d != "."; d = path.Dir(d) {
		if fi, err := r.tree.Lstat(d); err == nil && !fi.IsDir() {
			return facade.Errorf(facade.CodeNotDirectory, "'%s' is no directory, so '%s' cannot be written", shown(d), shown(name)).WithPath(shown(d))
		}
	}
	if err := r.tree.MkdirAll(dir, dirMode); err != nil {
		return fail(facade.CodeOf(err), err, "the directory '%s' cannot be made", shown(dir))
	}
	return nil
}

// writeFile puts the content of a blob into a new file, which then takes the
// place of the old one.
func (r *repo) writeFile(name string, b blob) error {
	content, err := object.GetBlob(r.store, b.hash)
	if err != nil {
		return broken(err)
	}
	in, err := content.Reader()
	if err != nil {
		return broken(err)
	}
	defer in.Close()
	if isLink(b.mode) {
		return r.writeLink(name, in)
	}
	f, err := r.tree.TempFile(path.Dir(name), ".toolfacade-")
	if err != nil {
		return unwritable(name, err)
	}
	_, err = io.Copy(f, in)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = r.setMode(f.Name(), b.mode)
	}
	if err == nil {
		err = r.tree.Rename(f.Name(), name)
	}
	if err != nil {
		return unwritable(name, errors.Join(err, r.tree.Remove(f.Name())))
	}
	return nil
}

func (r *repo) setMode(name string, mode filemode.FileMode) error {
	const plain, program = 0o644, 0o755
	if mode == filemode.Executable {
		return r.tree.fs.Chmod(r.tree.host(name), program)
	}
	return r.tree.fs.Chmod(r.tree.host(name), plain)
}

func (r *repo) writeLink(name string, in io.Reader) error {
	const longest = 4 << 10
	target, err := io.ReadAll(io.LimitReader(in, longest))
	if err != nil {
		return broken(err)
	}
	if err := r.tree.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unwritable(name, err)
	}
	if err := r.tree.Symlink(string(target), name); err != nil {
		return fail(facade.CodeUnsupported, err, "'%s' is a symbolic link, which this file system does not take", shown(name)).WithPath(shown(name))
	}
	return nil
}

// removeFile removes a file, and the directories that become empty.
func (r *repo) removeFile(name string) error {
	if _, err := r.lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := r.tree.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return unwritable(name, err)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		list, err := r.tree.ReadDir(dir)
		if err != nil || len(list) > 0 || r.tree.Remove(dir) != nil {
			break
		}
	}
	return nil
}

func unwritable(name string, err error) error {
	return fail(facade.CodeOf(err), err, "'%s' cannot be written", shown(name)).WithPath(shown(name))
}

// advance takes index and work tree from one commit's files to another's. It
// refuses before anything changes when that would lose something.
func (r *repo) advance(ctx context.Context, s *staging, from, to files) error {
	if err := s.conflictError(); err != nil {
		return err
	}
	names := to.changed(from)
	staged := s.tree()
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		if staged[name] == to[name] {
			continue
		}
		same, _, err := r.holds(s, name, from)
		if err == nil && !same {
			same, _, err = r.holds(s, name, to)
		}
		if err != nil {
			return err
		}
		if staged[name] != from[name] || !same {
			return fail(facade.CodeConflict, gitimpl.ErrDirty, "local changes would be overwritten: %s", shown(name)).
				WithPath(shown(name)).WithHint("commit them, or discard them with restore")
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return later(to, a) - later(to, b) })
	for i, name := range names {
		if b, ok := to[name]; ok {
			s.put(entry(name, nil, b.mode, b.hash))
		} else {
			s.remove(name)
		}
		if err := r.place(ctx, s, name, to); err != nil {
			for _, name := range slices.Backward(names[:i+1]) { // as it was, as far as that goes
				_ = r.place(context.WithoutCancel(ctx), s, name, from)
			}
			return err
		}
	}
	return nil
}

// later puts removals first: a directory may take a file's place.
func later(to files, name string) int {
	if _, ok := to[name]; ok {
		return 1
	}
	return 0
}
