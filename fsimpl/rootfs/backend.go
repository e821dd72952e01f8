package rootfs

import (
	"io/fs"
	"os"
	"time"
)

// backend performs single operations below the root. Names have passed
// checkName. Errors may name host paths; FS strips them. errBeyond means that
// resolution left the root or its mount and that nothing was done.
type backend interface {
	// open returns a file with its description, opened without waiting and
	// without truncating. The file's name is the given one.
	open(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error)
	// stat describes an entry of any kind.
	stat(name string, last follow) (fs.FileInfo, error)
	readlink(name string) (string, error)

	mkdir(name string, perm fs.FileMode) error
	mkdirAll(name string, perm fs.FileMode) error
	symlink(target, name string) error
	rename(oldname, newname string, noReplace bool) error
	// change sets attributes of the file that admit has agreed to.
	change(name string, admit func(fs.FileInfo) error, c attributes) error

	// remove and removeAll work on the entry and never follow a link.
	remove(name string) error
	removeAll(name string) error

	close() error
}

// attributes is a change of one of mode, owner and times.
type attributes struct {
	mode         *fs.FileMode
	owner        *[2]int // user and group; -1 keeps
	atime, mtime time.Time
}
