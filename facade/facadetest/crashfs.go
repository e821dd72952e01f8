package facadetest

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/afero"
)

// CrashFs is an in-memory [afero.Fs] that knows what a power failure leaves.
// It is strict: the bytes and the mode of a file are on the disk once the file
// is synced, its name once the directory is synced (open the directory, Sync).
// It records every change, and [CrashFs.CrashClone] returns the image that a
// crash after any of them leaves.
//
// It behaves like the operating system where tests of a write path could tell:
// parents must exist, O_EXCL holds, a rename replaces a file, an open file
// outlives its name. It has no links, no permissions and no quota; put a
// [FaultFs] over it for those failures. It is safe for concurrent use.
type CrashFs struct {
	mu    sync.Mutex
	base  *state // before the first step
	now   *state
	steps []step
}

var (
	_ afero.Fs      = (*CrashFs)(nil)
	_ afero.Lstater = (*CrashFs)(nil)
)

// NewCrashFs returns an empty file system.
func NewCrashFs() *CrashFs { return openState(newState()) }

func openState(s *state) *CrashFs { return &CrashFs{base: s, now: s.clone()} }

// Operations returns the changes and syncs so far, in their order.
func (c *CrashFs) Operations() []Operation {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Operation
	for i, st := range c.steps {
		out = append(out, Operation{N: i + 1, Op: st.op, Path: st.path, To: st.to, Bytes: len(st.data)})
	}
	return out
}

// Settle syncs everything and forgets the operations: what is there now is what
// every later crash leaves at least.
func (c *CrashFs) Settle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.now.inodes {
		n.sync()
	}
	c.base, c.steps = c.now.clone(), nil
}

// CrashClone returns the file system that a machine finds which crashed after
// the first n operations, all of them when n is beyond. c goes on unharmed.
func (c *CrashFs) CrashClone(n int, loss Loss) *CrashFs {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.base.clone()
	for _, st := range c.steps[:min(n, len(c.steps))] {
		s.apply(st)
	}
	return openState(s.crash(loss))
}

// CrashPoint is one of the images of [CrashFs.Crashes].
type CrashPoint struct {
	// N is how many operations were done.
	N int
	// Name says after which operation the crash came and what it took.
	Name string
}

// Crashes yields the image of a crash before the first operation and after
// each: with everything unsynced lost, nothing lost, and seeds random parts.
func (c *CrashFs) Crashes(seeds int) iter.Seq2[CrashPoint, *CrashFs] {
	ops := c.Operations()
	return func(yield func(CrashPoint, *CrashFs) bool) {
		for n := range len(ops) + 1 {
			at := "before the first operation"
			if n > 0 {
				at = fmt.Sprintf("after %d (%s %s)", n, ops[n-1].Op, ops[n-1].Path)
			}
			for seed := -2; seed < seeds; seed++ {
				loss, what := LoseSome(uint64(max(seed, 0))), fmt.Sprintf("some lost, seed %d", seed)
				switch seed {
				case -2:
					loss, what = LoseAll(), "all unsynced lost"
				case -1:
					loss, what = LoseNone(), "nothing lost"
				}
				if !yield(CrashPoint{n, at + ", " + what}, c.CrashClone(n, loss)) {
					return
				}
			}
		}
	}
}

// do records a change and makes it. The caller holds the lock.
func (c *CrashFs) do(st step) {
	st.time = orNow(st.time)
	c.steps = append(c.steps, st)
	c.now.apply(st)
}

func orNow(t time.Time) time.Time {
	if t.IsZero() {
		return time.Now()
	}
	return t
}

func clean(name string) string { return path.Join("/", filepath.ToSlash(name)) }

// lookup returns the inode number of a path, that of its directory, and its
// name there. id is -1 when only the path itself is missing.
func (c *CrashFs) lookup(op Op, name string) (dir, id int, base string, err error) {
	full := clean(name)
	if full == "/" {
		return 0, 0, "", nil
	}
	parts := strings.Split(full[1:], "/")
	for i, part := range parts {
		n := c.now.inodes[dir]
		if !n.isDir {
			return 0, -1, "", &os.PathError{Op: string(op), Path: name, Err: syscall.ENOTDIR}
		}
		child, ok := n.names[part]
		switch last := i == len(parts)-1; {
		case last && ok:
			return dir, child, part, nil
		case last:
			return dir, -1, part, nil
		case !ok:
			return 0, -1, "", &os.PathError{Op: string(op), Path: name, Err: syscall.ENOENT}
		}
		dir = child
	}
	return dir, -1, "", nil
}

// existing is lookup of something that has to be there.
func (c *CrashFs) existing(op Op, name string) (dir, id int, base string, err error) {
	dir, id, base, err = c.lookup(op, name)
	if err == nil && id < 0 {
		err = &os.PathError{Op: string(op), Path: name, Err: syscall.ENOENT}
	}
	return dir, id, base, err
}

// Name implements [afero.Fs].
func (c *CrashFs) Name() string { return "CrashFs" }

// Create implements [afero.Fs].
func (c *CrashFs) Create(name string) (afero.File, error) {
	return c.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open implements [afero.Fs].
func (c *CrashFs) Open(name string) (afero.File, error) { return c.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile implements [afero.Fs].
func (c *CrashFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dir, id, base, err := c.lookup(OpOpen, name)
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	fail := func(err error) (afero.File, error) {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	switch {
	case err != nil:
		return nil, err
	case id < 0 && flag&os.O_CREATE == 0:
		return fail(syscall.ENOENT)
	case id >= 0 && flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		return fail(syscall.EEXIST)
	case id >= 0 && c.now.inodes[id].isDir && (writes || flag&os.O_CREATE != 0):
		return fail(syscall.EISDIR)
	case id < 0:
		id = c.now.next
		c.do(step{op: OpCreate, path: clean(name), id: id, dir: dir, name: base, mode: perm.Perm()})
	case writes && flag&os.O_TRUNC != 0 && len(c.now.inodes[id].now.data) > 0:
		c.do(step{op: OpTruncate, path: clean(name), id: id})
	}
	return &crashFile{fs: c, id: id, path: name, flag: flag}, nil
}

// Mkdir implements [afero.Fs].
func (c *CrashFs) Mkdir(name string, perm os.FileMode) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	dir, id, base, err := c.lookup(OpMkdir, name)
	if err == nil && id >= 0 {
		err = &os.PathError{Op: "mkdir", Path: name, Err: syscall.EEXIST}
	}
	if err != nil {
		return err
	}
	c.do(step{op: OpMkdir, path: clean(name), id: c.now.next, dir: dir, name: base, isDir: true, mode: perm.Perm()})
	return nil
}

// MkdirAll implements [afero.Fs].
func (c *CrashFs) MkdirAll(name string, perm os.FileMode) error {
	full := clean(name)
	if full == "/" {
		return nil
	}
	if info, err := c.Stat(full); err == nil {
		if info.IsDir() {
			return nil
		}
		return &os.PathError{Op: "mkdir", Path: name, Err: syscall.ENOTDIR}
	}
	if err := c.MkdirAll(path.Dir(full), perm); err != nil {
		return err
	}
	if err := c.Mkdir(full, perm); err != nil && !os.IsExist(err) {
		return err
	}
	return nil
}

// Remove implements [afero.Fs].
func (c *CrashFs) Remove(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	dir, id, base, err := c.existing(OpRemove, name)
	switch {
	case err != nil:
		return err
	case id == 0:
		return &os.PathError{Op: "remove", Path: name, Err: syscall.EBUSY}
	case len(c.now.inodes[id].names) > 0:
		return &os.PathError{Op: "remove", Path: name, Err: syscall.ENOTEMPTY}
	}
	c.do(step{op: OpRemove, path: clean(name), dir: dir, name: base})
	return nil
}

// RemoveAll implements [afero.Fs]. Each removal is an operation of its own.
func (c *CrashFs) RemoveAll(name string) error {
	c.mu.Lock()
	_, id, _, err := c.lookup(OpRemove, name)
	var children []string
	if err == nil && id >= 0 {
		for child := range c.now.inodes[id].names {
			children = append(children, child)
		}
	}
	c.mu.Unlock()
	if err != nil || id < 0 {
		return nil
	}
	slices.Sort(children)
	for _, child := range children {
		if err := c.RemoveAll(path.Join(clean(name), child)); err != nil {
			return err
		}
	}
	return c.Remove(name)
}

// Rename implements [afero.Fs].
func (c *CrashFs) Rename(from, to string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	fail := func(err error) error { return &os.LinkError{Op: "rename", Old: from, New: to, Err: err} }
	dir, id, base, err := c.existing(OpRename, from)
	if err != nil {
		return fail(syscall.ENOENT)
	}
	toDir, target, toBase, err := c.lookup(OpRename, to)
	if err != nil {
		return fail(syscall.ENOENT)
	}
	isDir := c.now.inodes[id].isDir
	switch {
	case id == 0 || target == 0 || isDir && strings.HasPrefix(clean(to)+"/", clean(from)+"/") && id != target:
		return fail(syscall.EINVAL)
	case id == target:
		return nil
	case target >= 0 && c.now.inodes[target].isDir:
		return fail(syscall.EEXIST) // as os.Rename, which replaces files only
	case target >= 0 && isDir:
		return fail(syscall.ENOTDIR)
	}
	c.do(step{op: OpRename, path: clean(from), to: clean(to), id: id, dir: dir, name: base, toDir: toDir, toNew: toBase})
	return nil
}

// Stat implements [afero.Fs].
func (c *CrashFs) Stat(name string) (os.FileInfo, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, id, _, err := c.existing(OpStat, name)
	if err != nil {
		return nil, err
	}
	return c.info(id, path.Base(clean(name))), nil
}

// LstatIfPossible implements [afero.Lstater]; there are no links.
func (c *CrashFs) LstatIfPossible(name string) (os.FileInfo, bool, error) {
	info, err := c.Stat(name)
	return info, true, err
}

// Chmod implements [afero.Fs].
func (c *CrashFs) Chmod(name string, mode os.FileMode) error {
	return c.change(step{op: OpChmod, mode: mode.Perm()}, name)
}

// Chown implements [afero.Fs].
func (c *CrashFs) Chown(name string, uid, gid int) error {
	return c.change(step{op: OpChown, uid: uid, gid: gid}, name)
}

// Chtimes implements [afero.Fs]. The time of the last read is not kept.
func (c *CrashFs) Chtimes(name string, _, modified time.Time) error {
	return c.change(step{op: OpChtimes, time: modified}, name)
}

func (c *CrashFs) change(st step, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, id, _, err := c.existing(st.op, name)
	if err != nil {
		return err
	}
	st.id, st.path = id, clean(name)
	c.do(st)
	return nil
}

// info describes an inode. The caller holds the lock.
func (c *CrashFs) info(id int, name string) fs.FileInfo {
	n := c.now.inodes[id]
	mode := n.now.mode
	if n.isDir {
		mode |= fs.ModeDir
	}
	return crashInfo{name: name, size: int64(len(n.now.data)), mode: mode, mtime: n.now.mtime}
}
