package rootfs

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	// confined keeps resolution below the directory, on its mount, and off the
	// links of /proc that lead to open files.
	confined = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_XDEV | unix.RESOLVE_NO_MAGICLINKS

	// maxRetries bounds how often resolution starts again after the kernel saw
	// a rename while it looked at a "..".
	maxRetries = 256
)

// openat2 resolves by the system call of that name: one call, no race.
type openat2 struct {
	dir *os.File
	fd  int // of dir
}

// newOpenat2 fails where the kernel lacks the call or a filter forbids it.
func newOpenat2(root *os.Root) (*openat2, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	o := &openat2{dir: dir, fd: int(dir.Fd())}
	fd, err := o.open(".", unix.O_PATH, 0)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	closeFD(fd)
	return o, nil
}

func (o *openat2) close() error { return o.dir.Close() }

func (o *openat2) open(name string, flags int, perm uint32) (int, error) {
	return resolveAt(o.fd, name, flags, perm, confined)
}

func (o *openat2) at(dir int, base string, flags int, perm uint32) (int, error) {
	return resolveAt(dir, base, flags|unix.O_NOFOLLOW, perm, confined|unix.RESOLVE_NO_SYMLINKS)
}

func resolveAt(dir int, name string, flags int, perm uint32, resolve uint64) (int, error) {
	how := unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC), Resolve: resolve}
	if flags&unix.O_CREAT != 0 {
		how.Mode = uint64(perm)
	}
	for retries := 0; ; retries++ {
		fd, err := unix.Openat2(dir, name, &how)
		switch {
		case err == nil:
			return fd, nil
		case errors.Is(err, unix.EXDEV):
			return -1, errBeyond
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN) && retries < maxRetries:
		default:
			return -1, err
		}
	}
}
