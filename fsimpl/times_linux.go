package fsimpl

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// birthAndAccess returns the times beyond fs.FileInfo. Linux's stat has no
// time of birth, see birthOf.
func birthAndAccess(info fs.FileInfo) (birth, access *time.Time) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return nil, timeOrNil(st.Atim.Unix())
	}
	return nil, nil
}

// birthOf returns a file's time of birth, or nil where the file system does not
// record it.
func birthOf(file *os.File) *time.Time {
	var st unix.Statx_t
	err := unix.Statx(int(file.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &st)
	if err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return nil
	}
	return timeOrNil(st.Btime.Sec, int64(st.Btime.Nsec))
}
