package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// linuxBackend resolves a name to a handle by its opener and does the rest
// relative to handles.
type linuxBackend struct {
	opener
	root *os.Root
}

var _ backend = (*linuxBackend)(nil)

// opener turns names into descriptors, which are always close-on-exec.
type opener interface {
	// open resolves a name below the root and follows links that stay there,
	// unless flags have O_NOFOLLOW, which keeps the last one.
	open(name string, flags int, perm uint32) (int, error)
	// at opens one entry of an open directory, never following a link.
	at(dir int, base string, flags int, perm uint32) (int, error)
	close() error
}

func newBackend(root *os.Root) (backend, error) {
	o, err := newOpenat2(root)
	if err != nil {
		return newRootOpenerBackend(root)
	}
	return &linuxBackend{opener: o, root: root}, nil
}

// newRootOpenerBackend does without openat2.
func newRootOpenerBackend(root *os.Root) (backend, error) {
	o, err := newRootOpener(root)
	if err != nil {
		return nil, err
	}
	return &linuxBackend{opener: o, root: root}, nil
}

func (b *linuxBackend) close() error {
	return errors.Join(b.opener.close(), b.root.Close())
}

func (b *linuxBackend) open(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	fd, err := b.opener.open(name, flag|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_LARGEFILE, unixMode(perm))
	if err != nil {
		return nil, nil, err
	}
	info, err := fdInfo(fd, name)
	if err != nil {
		closeFD(fd)
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), name), info, nil
}

func (b *linuxBackend) stat(name string, last follow) (fs.FileInfo, error) {
	fd, err := b.handle(name, last)
	if err != nil {
		return nil, err
	}
	defer closeFD(fd)
	return fdInfo(fd, name)
}

// handle opens an entry of any kind without effect on it: a handle only names.
func (b *linuxBackend) handle(name string, last follow) (int, error) {
	flags := unix.O_PATH
	if last == keepLast {
		flags |= unix.O_NOFOLLOW
	}
	return b.opener.open(name, flags, 0)
}

func (b *linuxBackend) readlink(name string) (string, error) {
	fd, err := b.handle(name, keepLast)
	if err != nil {
		return "", err
	}
	defer closeFD(fd)
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", buf)
	if errors.Is(err, unix.ENOENT) { // the kernel's answer for what is no link
		err = unix.EINVAL
	}
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

// parent opens the directory that holds the entry. The base it returns keeps
// one trailing slash, so that the kernel insists on a directory; none of the
// calls it is for follows a link there.
func (b *linuxBackend) parent(name string) (int, string, error) {
	dir, base, slash := split(name)
	fd, err := b.opener.open(dir, unix.O_PATH|unix.O_DIRECTORY, 0)
	if slash {
		base += "/"
	}
	return fd, base, err
}

func (b *linuxBackend) mkdir(name string, perm fs.FileMode) error {
	dir, base, err := b.parent(name)
	if err != nil {
		return err
	}
	defer closeFD(dir)
	return unix.Mkdirat(dir, base, unixMode(perm))
}

func (b *linuxBackend) symlink(target, name string) error {
	dir, base, err := b.parent(name)
	if err != nil {
		return err
	}
	defer closeFD(dir)
	return unix.Symlinkat(target, dir, base)
}

func (b *linuxBackend) rename(oldname, newname string, noReplace bool) error {
	from, oldbase, err := b.parent(oldname)
	if err != nil {
		return err
	}
	defer closeFD(from)
	to, newbase, err := b.parent(newname)
	if err != nil {
		return err
	}
	defer closeFD(to)
	if noReplace {
		return renameNoReplace(from, oldbase, to, newbase)
	}
	if err := checkReplace(from, oldbase, to, newbase); err != nil {
		return err
	}
	return unix.Renameat(from, oldbase, to, newbase)
}

// checkReplace refuses a directory as the destination, as os.Rename does, but
// for another spelling of the same one, as a file system may fold case.
func checkReplace(from int, oldbase string, to int, newbase string) error {
	var dst, src unix.Stat_t
	if unix.Fstatat(to, newbase, &dst, unix.AT_SYMLINK_NOFOLLOW) != nil || dst.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil
	}
	if err := unix.Fstatat(from, oldbase, &src, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	same := src.Dev == dst.Dev && src.Ino == dst.Ino
	if !same || strings.TrimSuffix(oldbase, "/") == strings.TrimSuffix(newbase, "/") {
		return unix.EEXIST
	}
	return nil
}

// renameNoReplace leaves what has the new name.
func renameNoReplace(from int, oldbase string, to int, newbase string) error {
	err := unix.Renameat2(from, oldbase, to, newbase, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return renameChecked(from, oldbase, to, newbase)
	}
	return err
}

// renameChecked serves file systems without RENAME_NOREPLACE. A file gets a
// second name, which fails if that is taken, and then loses the first. A
// directory cannot have two: the new name is looked up before.
func renameChecked(from int, oldbase string, to int, newbase string) error {
	var src, dst unix.Stat_t
	if err := unix.Fstatat(from, oldbase, &src, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if src.Mode&unix.S_IFMT != unix.S_IFDIR {
		if err := unix.Linkat(from, oldbase, to, newbase, 0); err != nil {
			return err
		}
		return unix.Unlinkat(from, oldbase, 0)
	}
	if err := unix.Fstatat(to, newbase, &dst, unix.AT_SYMLINK_NOFOLLOW); err == nil {
		return unix.EEXIST
	}
	return unix.Renameat(from, oldbase, to, newbase)
}

func closeFD(fd int) { _ = unix.Close(fd) } // nothing was written through it
