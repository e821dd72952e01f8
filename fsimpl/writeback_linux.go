package fsimpl

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriteback has the disk begin to write a part of a file that is synced
// later on, which is a hint: errors are left to the sync.
func startWriteback(f *os.File, offset, length int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, length, unix.SYNC_FILE_RANGE_WRITE)
}
