package fsimpl

import (
	"io/fs"
	"syscall"
	"time"
)

// birthAndAccess returns the times beyond fs.FileInfo. Linux's stat has no
// time of birth; statx needs a path or a handle, which a FileInfo is not.
func birthAndAccess(info fs.FileInfo) (birth, access *time.Time) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return nil, timeOrNil(st.Atim.Unix())
	}
	return nil, nil
}
