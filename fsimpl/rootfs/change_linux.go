package rootfs

import (
	"errors"
	"io/fs"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// change sets attributes through a handle, which needs no right to read the
// file and opens no device.
func (b *linuxBackend) change(name string, admit func(fs.FileInfo) error, c attributes) error {
	fd, err := b.handle(name, followLast)
	if err != nil {
		return err
	}
	defer closeFD(fd)
	info, err := fdInfo(fd, name)
	if err != nil {
		return err
	}
	if err := admit(info); err != nil {
		return err
	}
	switch {
	case c.mode != nil:
		return chmodHandle(fd, unixMode(*c.mode))
	case c.owner != nil:
		return unix.Fchownat(fd, "", c.owner[0], c.owner[1], unix.AT_EMPTY_PATH)
	default:
		return chtimesHandle(fd, c.atime, c.mtime)
	}
}

// chmodHandle needs Linux 6.6, or else /proc.
func chmodHandle(fd int, mode uint32) error {
	err := unix.Fchmodat(fd, "", mode, unix.AT_EMPTY_PATH)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EPERM) {
		if perr := unix.Fchmodat(unix.AT_FDCWD, procPath(fd), mode, 0); !errors.Is(perr, unix.ENOENT) {
			return perr
		}
	}
	return err
}

// chtimesHandle needs Linux 5.8, or else /proc.
func chtimesHandle(fd int, atime, mtime time.Time) error {
	times := []unix.Timespec{timespec(atime), timespec(mtime)}
	err := unix.UtimesNanoAt(fd, "", times, unix.AT_EMPTY_PATH)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EBADF) {
		if perr := unix.UtimesNanoAt(unix.AT_FDCWD, procPath(fd), times, 0); !errors.Is(perr, unix.ENOENT) {
			return perr
		}
	}
	return err
}

func procPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// timespec keeps a time that is zero as it is in the file, like os.Chtimes.
func timespec(t time.Time) unix.Timespec {
	if t.IsZero() {
		return unix.Timespec{Nsec: unix.UTIME_OMIT}
	}
	return unix.NsecToTimespec(t.UnixNano())
}
