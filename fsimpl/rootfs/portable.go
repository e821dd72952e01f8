package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"sort"
	"strings"
	"syscall"
)

// portableBackend does everything by [os.Root]. Its checks of mounts precede
// the operations; see [FS] for what that leaves open.
type portableBackend struct {
	root   *os.Root
	escape error // what root's methods return when a name leaves it
	device uint64
}

var _ backend = (*portableBackend)(nil)

func newPortableBackend(root *os.Root) (backend, error) {
	self, err := root.Stat(".")
	if err != nil {
		return nil, err
	}
	_, escape := root.Lstat("..")
	return &portableBackend{root: root, escape: bare(escape), device: device(self)}, nil
}

func (b *portableBackend) close() error { return b.root.Close() }

// settle turns an error of os.Root into one of a backend.
func (b *portableBackend) settle(err error) error { return settle(err, b.escape) }

// settle hands to FS what os.Root does not resolve: ways outside, of which
// some lead back in, and chains of more than eight links.
func settle(err, escape error) error {
	if err = bare(err); errors.Is(err, escape) || errors.Is(err, syscall.ELOOP) {
		return errBeyond
	}
	return err
}

// sameMount passes what is on the root's device.
func (b *portableBackend) sameMount(info fs.FileInfo) error {
	if device(info) != b.device {
		return errBeyond
	}
	return nil
}

// checkParent looks at the mount of the directory that holds an entry.
func (b *portableBackend) checkParent(name string) error {
	dir, _, _ := split(name)
	info, err := b.root.Stat(dir)
	if err != nil {
		return b.settle(err)
	}
	if !info.IsDir() {
		return syscall.ENOTDIR
	}
	return b.sameMount(info)
}

func (b *portableBackend) open(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	if flag&os.O_CREATE != 0 {
		if strings.HasSuffix(name, "/") {
			return nil, nil, syscall.EISDIR
		}
		if err := b.checkParent(name); err != nil {
			return nil, nil, err
		}
	}
	f, err := b.root.OpenFile(name, flag|openFlags, perm)
	if err != nil {
		return nil, nil, b.settle(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = b.sameMount(info)
	}
	if err == nil && !info.IsDir() {
		// Directories keep their handle, which describes entries safely; File
		// covers its name.
		f, err = renamed(f, name)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func (b *portableBackend) stat(name string, last follow) (fs.FileInfo, error) {
	stat := b.root.Stat
	if last == keepLast {
		stat = b.root.Lstat
	}
	info, err := stat(name)
	if err != nil {
		return nil, b.settle(err)
	}
	if err := b.sameMount(info); err != nil {
		return nil, err
	}
	return info, nil
}

func (b *portableBackend) readlink(name string) (string, error) {
	target, err := b.root.Readlink(name)
	return target, b.settle(err)
}

func (b *portableBackend) mkdir(name string, perm fs.FileMode) error {
	if err := b.checkParent(name); err != nil {
		return err
	}
	return b.settle(b.root.Mkdir(name, perm.Perm()))
}

func (b *portableBackend) mkdirAll(name string, perm fs.FileMode) error {
	elems := elements(name)
	prefix := func(n int) string { return "./" + strings.Join(elems[:n], "/") }
	missing := sort.Search(len(elems), func(i int) bool {
		_, err := b.root.Stat(prefix(i + 1))
		return err != nil
	})
	info, err := b.root.Stat(prefix(missing))
	if err != nil {
		return b.settle(err)
	}
	if !info.IsDir() {
		return syscall.ENOTDIR
	}
	if err := b.sameMount(info); err != nil {
		return err
	}
	return b.settle(b.root.MkdirAll(name, perm.Perm()))
}

func (b *portableBackend) symlink(target, name string) error {
	if err := b.checkParent(name); err != nil {
		return err
	}
	return b.settle(b.root.Symlink(target, name))
}

func (b *portableBackend) rename(oldname, newname string, noReplace bool) error {
	for _, name := range []string{oldname, newname} {
		if err := b.checkParent(name); err != nil {
			return err
		}
	}
	if !noReplace {
		return b.settle(b.root.Rename(oldname, newname))
	}
	info, err := b.root.Lstat(oldname)
	if err != nil {
		return b.settle(err)
	}
	if !info.IsDir() {
		if err := b.root.Link(oldname, newname); err != nil {
			return b.settle(err)
		}
		return b.settle(b.root.Remove(oldname))
	}
	if _, err := b.root.Lstat(newname); err == nil {
		return syscall.EEXIST
	}
	return b.settle(b.root.Rename(oldname, newname))
}

func (b *portableBackend) change(name string, admit func(fs.FileInfo) error, c attributes) error {
	info, err := b.stat(name, followLast)
	if err != nil {
		return err
	}
	if err := admit(info); err != nil {
		return err
	}
	switch {
	case c.mode != nil:
		return b.settle(b.root.Chmod(name, *c.mode))
	case c.owner != nil:
		return b.settle(b.root.Chown(name, c.owner[0], c.owner[1]))
	default:
		return b.settle(b.root.Chtimes(name, c.atime, c.mtime))
	}
}

func (b *portableBackend) remove(name string) error {
	if err := b.checkEntry(name); err != nil {
		return err
	}
	return b.settle(b.root.Remove(name))
}

// checkEntry refuses a file or link whose name has a trailing slash, which
// os.Root would follow, and entries of other mounts.
func (b *portableBackend) checkEntry(name string) error {
	if err := b.checkParent(name); err != nil {
		return err
	}
	dir, base, slash := split(name)
	info, err := b.root.Lstat(join(dir, base))
	if err != nil {
		return b.settle(err)
	}
	if slash && !info.IsDir() {
		return syscall.ENOTDIR
	}
	return b.sameMount(info)
}

func (b *portableBackend) removeAll(name string) error {
	err := b.checkEntry(name)
	if err == nil {
		dir, base, _ := split(name)
		name = join(dir, base)
		if err = b.checkTree(name); err == nil {
			err = b.settle(b.root.RemoveAll(name))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// checkTree looks for mounts below a directory; os.Root.RemoveAll, which does
// not follow links, would empty them.
func (b *portableBackend) checkTree(name string) error {
	info, err := b.root.Lstat(name)
	if err != nil || !info.IsDir() {
		return b.settle(err)
	}
	if b.sameMount(info) != nil {
		return errMount
	}
	d, err := b.root.Open(name)
	if err != nil {
		return b.settle(err)
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if err := b.checkTree(join(name, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
