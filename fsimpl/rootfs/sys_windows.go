package rootfs

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const openFlags = 0

// links is not in what Windows tells with a description.
func links(fs.FileInfo) uint64 { return 1 }

func device(fs.FileInfo) uint64 { return 0 }

func sameInode(a, b fs.FileInfo) bool { return false }

func syncDir(*os.File) error { return nil }

// renamed moves a file's handle to an [os.File] of the given name.
func renamed(f *os.File, name string) (*os.File, error) {
	var dup windows.Handle
	self := windows.CurrentProcess()
	err := windows.DuplicateHandle(self, windows.Handle(f.Fd()), self, &dup, 0, false, windows.DUPLICATE_SAME_ACCESS)
	if err != nil {
		return f, err
	}
	_ = f.Close() // the handle lives on in its duplicate
	return os.NewFile(uintptr(dup), name), nil
}
