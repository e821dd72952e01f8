package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits until this process alone holds the file's lock.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}

func unlockFile(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, new(windows.Overlapped))
}

// syncDir does nothing: Windows has no way to make a directory's names durable
// at once.
func syncDir(string) error { return nil }
