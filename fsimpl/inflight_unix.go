//go:build unix

package fsimpl

import (
	"errors"

	"github.com/spf13/afero"
	"golang.org/x/sys/unix"
)

// tryLock takes the advisory lock of an open file or directory, for as long as
// it is open. known is false where there are no such locks.
func tryLock(file afero.File) (got, known bool) {
	f := handle(file)
	if f == nil {
		return true, true // a file system within this process, see New
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, true
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, true
		default:
			return false, false
		}
	}
}
