package fsimpl

import (
	"io/fs"
	"syscall"
	"time"
)

// birthAndAccess returns the times beyond fs.FileInfo.
func birthAndAccess(info fs.FileInfo) (birth, access *time.Time) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return timeOrNil(st.Birthtimespec.Unix()), timeOrNil(st.Atimespec.Unix())
	}
	return nil, nil
}
