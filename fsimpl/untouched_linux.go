package fsimpl

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tick is longer than the steps in which the kernel's clock for files goes on:
// two changes within one step leave the same times.
const tick = 20 * time.Millisecond

// settle makes sure that the next write to an open file, through a memory map
// too, moves its times: a page moves them when it becomes dirty, and here none
// is left that is so already. It reports false for file systems that are not
// known to do that.
func settle(f *os.File) bool {
	if f == nil {
		return false
	}
	var st unix.Statfs_t
	if unix.Fstatfs(int(f.Fd()), &st) != nil {
		return false
	}
	switch st.Type {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC:
	default:
		return false
	}
	const all = unix.SYNC_FILE_RANGE_WAIT_BEFORE | unix.SYNC_FILE_RANGE_WRITE | unix.SYNC_FILE_RANGE_WAIT_AFTER
	return unix.SyncFileRange(int(f.Fd()), 0, 0, all) == nil
}

// untouched reports that a file whose description was taken at a time and again
// now is certainly the same one with the same content. False means that its
// content has to be compared.
func untouched(then, now fs.FileInfo, at time.Time) bool {
	a, ok := then.Sys().(*syscall.Stat_t)
	b, ok2 := now.Sys().(*syscall.Stat_t)
	if !ok || !ok2 {
		return false
	}
	// The time of the last change of attributes moves with every write, and no
	// program can set it.
	return a.Dev == b.Dev && a.Ino == b.Ino && a.Size == b.Size && a.Mtim == b.Mtim && a.Ctim == b.Ctim &&
		at.Sub(time.Unix(a.Ctim.Unix())) >= tick
}
