//go:build unix

package rootfs

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFlags keeps an open from waiting for the other end of a FIFO and from
// making a terminal the process's own.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY

func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) //nolint:unconvert // of another type on some systems
	}
	return 1
}

func device(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev) //nolint:unconvert // of another type on some systems
	}
	return 0
}

func sameInode(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	y, ok := b.Sys().(*syscall.Stat_t)
	return ok && x.Dev == y.Dev && x.Ino == y.Ino
}

func syncDir(dir *os.File) error { return dir.Sync() }

// renamed moves a file's handle to an [os.File] of the given name.
func renamed(f *os.File, name string) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, false) // kqueue has trouble with regular files
	}
	if err != nil {
		return f, err
	}
	_ = f.Close() // the handle lives on in its duplicate
	return os.NewFile(uintptr(fd), name), nil
}
