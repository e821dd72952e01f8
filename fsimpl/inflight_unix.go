//go:build unix

package fsimpl

import (
	"errors"

	"golang.org/x/sys/unix"
)

// descriptor is a file of the operating system.
type descriptor interface{ Fd() uintptr }

// tryLock takes the advisory lock of an open file or directory, for as long as
// it is open. known is false where there are no such locks.
func tryLock(file any) (got, known bool) {
	f, ok := file.(descriptor)
	if !ok {
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
