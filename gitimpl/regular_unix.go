//go:build unix

package gitimpl

import (
	"errors"
	"io/fs"
	"syscall"
)

// noFollow makes opening a symbolic link fail and opening a FIFO not block.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// regular is an open regular file. It is a bare descriptor: package os asks
// the system five things more about a file, and each action reads a handful.
type regular int

// openRegular opens a file and tells its size; what is no regular file is
// fs.ErrInvalid.
func openRegular(path string) (regular, int64, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|noFollow, 0)
	})
	if err != nil {
		return 0, 0, err
	}
	var st syscall.Stat_t
	if err = syscall.Fstat(fd, &st); err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = fs.ErrInvalid
	}
	if err != nil {
		regular(fd).close()
		return 0, 0, err
	}
	return regular(fd), st.Size, nil
}

// read returns 0 at the end of the file.
func (f regular) read(b []byte) (int, error) {
	n, err := retry(func() (int, error) { return syscall.Read(int(f), b) })
	return max(n, 0), err
}

func (f regular) close() { _ = syscall.Close(int(f)) }

// retry repeats a system call that a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
