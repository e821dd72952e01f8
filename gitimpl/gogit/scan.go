package gogit

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// scan compares the work tree with the index.
type scan struct {
	r     *repo
	s     *staging
	paths []string // what to look at; none for everything
	// each is given every file that differs, and every one that is not
	// tracked: its letter is M, T, D, '?' or '!', its info nil when it is gone.
	// A directory's name ends in '/'.
	each func(name string, letter byte, fi fs.FileInfo) error
	// whole lists every untracked file, not directories as one entry.
	whole bool
	// ignored lists what ignore rules exclude too.
	ignored bool
	// untracked can be switched off.
	trackedOnly bool

	dirs map[string]bool // those with something tracked below
}

// run visits tracked files in the order of their names, then the untracked.
func (c *scan) run(ctx context.Context) error {
	names := make([]string, 0, len(c.s.entries))
	c.dirs = map[string]bool{}
	for name := range c.s.entries {
		names = append(names, name)
		c.noteDirs(name)
	}
	for name := range c.s.unmerged {
		c.noteDirs(name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if e := c.s.entries[name]; covered(name, c.paths) && !e.SkipWorktree {
			if err := c.tracked(name, e); err != nil {
				return err
			}
		}
	}
	if c.trackedOnly {
		return nil
	}
	return c.dir(ctx, ".", c.r.repositoryRules())
}

func (c *scan) noteDirs(name string) {
	for dir := path.Dir(name); dir != "." && !c.dirs[dir]; dir = path.Dir(dir) {
		c.dirs[dir] = true
	}
}

// tracked compares one file with its entry.
func (c *scan) tracked(name string, e *index.Entry) error {
	if e.Mode == filemode.Submodule {
		return nil // has a repository of its own
	}
	fi, err := c.r.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && fi.IsDir():
		return c.each(name, 'D', nil)
	case err != nil:
		return broken(err)
	}
	letter, err := c.r.compare(c.s, e, fi)
	if err != nil || letter == 0 {
		return err
	}
	return c.each(name, letter, fi)
}

// lstat looks at a file of the work tree. What lies beyond a symbolic link is
// not in the tree.
func (r *repo) lstat(name string) (fs.FileInfo, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		fi, err := r.tree.Lstat(dir)
		if err == nil && !fi.IsDir() {
			return nil, fs.ErrNotExist
		}
	}
	fi, err := r.tree.Lstat(name)
	if err != nil && isNotDirectory(err) {
		return nil, fs.ErrNotExist
	}
	return fi, err
}

func isNotDirectory(err error) bool { return facade.CodeOf(err) == facade.CodeNotDirectory }

// compare returns M or T when a file is not as its entry says, and 0 else.
func (r *repo) compare(s *staging, e *index.Entry, fi fs.FileInfo) (byte, error) {
	mode, ok := r.modeOf(fi, e.Mode)
	if !ok || isLink(mode) != isLink(e.Mode) {
		return 'T', nil
	}
	if mode != canonical(e.Mode) {
		return 'M', nil
	}
	same := e.Size == uint32(fi.Size()) && e.ModifiedAt.Equal(fi.ModTime()) //nolint:gosec // git keeps 32 bits of it too
	if same && e.ModifiedAt.Before(s.written) {
		return 0, nil
	}
	hash, err := r.hash(e.Name, fi)
	if err != nil || hash == e.Hash {
		return 0, err
	}
	return 'M', nil
}

func isLink(m filemode.FileMode) bool { return m == filemode.Symlink }

// modeOf is the mode that a file has for git. Where the executable bit says
// nothing, that of old stays. It reports false for what git does not store.
func (r *repo) modeOf(fi fs.FileInfo, old filemode.FileMode) (filemode.FileMode, bool) {
	const anyExec = 0o111
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return filemode.Symlink, true
	case !fi.Mode().IsRegular():
		return 0, false
	case !r.fileModes() && (old == filemode.Executable || old == filemode.Regular):
		return old, true
	case fi.Mode()&anyExec != 0:
		return filemode.Executable, true
	}
	return filemode.Regular, true
}

// longestFile is what may be staged: go-git holds it in memory.
const longestFile = 256 << 20

// content opens a file as git stores it: that of a symbolic link is its
// target.
func (r *repo) content(name string, fi fs.FileInfo) (io.ReadCloser, int64, error) {
	if fi.Mode()&fs.ModeSymlink != 0 {
		target, err := r.tree.Readlink(name)
		return io.NopCloser(strings.NewReader(target)), int64(len(target)), err
	}
	if fi.Size() > longestFile {
		return nil, 0, facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes, the limit is %d", shown(name), fi.Size(), longestFile)
	}
	f, err := r.tree.Open(name)
	return f, fi.Size(), err
}

// hash computes the id that the content of a file has.
func (r *repo) hash(name string, fi fs.FileInfo) (plumbing.Hash, error) {
	f, size, err := r.content(name, fi)
	if err != nil {
		return plumbing.ZeroHash, unreadable(name, err)
	}
	defer f.Close()
	h := plumbing.NewHasher(plumbing.BlobObject, size)
	if _, err := io.CopyN(h, f, size); err != nil {
		return plumbing.ZeroHash, unreadable(name, err)
	}
	return h.Sum(), nil
}

func unreadable(name string, err error) error {
	if e, ok := errors.AsType[*facade.Error](err); ok {
		return e
	}
	return fail(facade.CodeOf(err), err, "'%s' cannot be read", shown(name)).WithPath(shown(name))
}

// keep stores the content of a file as a blob.
func (r *repo) keep(to storer.EncodedObjectStorer, name string, fi fs.FileInfo) (plumbing.Hash, error) {
	f, size, err := r.content(name, fi)
	if err != nil {
		return plumbing.ZeroHash, unreadable(name, err)
	}
	defer f.Close()
	obj := to.NewEncodedObject()
	obj.SetType(plumbing.BlobObject)
	obj.SetSize(size)
	w, err := obj.Writer()
	if err != nil {
		return plumbing.ZeroHash, broken(err)
	}
	_, err = io.CopyN(w, f, size)
	if err = errors.Join(err, w.Close()); err != nil {
		return plumbing.ZeroHash, unreadable(name, err)
	}
	hash, err := to.SetEncodedObject(obj)
	if err != nil {
		return plumbing.ZeroHash, broken(err)
	}
	return hash, nil
}

// absent picks the paths that neither the index, nor the work tree if looked
// at, nor the given files have.
func (r *repo) absent(s *staging, paths []string, inTree bool, also files) []string {
	var list []string
	for _, p := range paths {
		if s.tracks(p) || also.has(p) {
			continue
		}
		if _, err := r.lstat(p); inTree && err == nil && !isGitName(p) {
			continue
		}
		list = append(list, p)
	}
	return list
}

// pathError reports paths that do not exist, with the nearest name that does.
func (r *repo) pathError(ctx context.Context, s *staging, field string, absent []string) *facade.Error {
	list := shownAll(absent)
	e := inField(fail(facade.CodeNotFound, gitimpl.ErrPathNotFound, "no such file in the repository: %s", strings.Join(list, ", ")).WithPath(list[0]), field)
	var all []string
	for name := range s.entries {
		all = append(all, shown(name))
	}
	c := scan{r: r, s: s, whole: true, each: func(name string, _ byte, _ fs.FileInfo) error { all = append(all, shown(name)); return nil }}
	if c.run(ctx) == nil {
		if near := facade.Nearest(list[0], all); near != "" {
			e.Hint = "did you mean '" + near + "'?"
		}
	}
	return e
}
