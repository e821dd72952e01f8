package rootfs

import (
	"io/fs"
	"os"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// Open opens a file for reading, or a directory.
func (f *FS) Open(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDONLY, 0)
}

// Create creates a file or truncates it, and opens it for reading and writing.
func (f *FS) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// OpenFile opens a regular file or a directory with the flags of package os.
// With os.O_TRUNC the file is truncated after it was found to be regular and
// to have one link.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	file, _, err := f.open(name, flag, perm, true)
	if err != nil {
		return nil, fail("open", name, err)
	}
	return &File{f: file, fs: f, name: name}, nil
}

// open opens what admit agrees to. The error is a bare cause.
func (f *FS) open(name string, flag int, perm fs.FileMode, dirOK bool) (file *os.File, info fs.FileInfo, err error) {
	err = f.do(name, followLast, func(b backend, plain string) (err error) {
		file, info, err = b.open(plain, flag&^os.O_TRUNC, perm.Perm())
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	err = f.admit(info, writes(flag))
	if err == nil && info.IsDir() && !dirOK {
		err = &facade.Error{Code: facade.CodeIsDirectory, Message: "is a directory"}
	}
	if err == nil && flag&os.O_TRUNC != 0 && info.Size() > 0 {
		if err = bare(file.Truncate(0)); err == nil {
			info, err = file.Stat()
		}
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, nil, err
	}
	return file, info, nil
}

// writes reports whether flags ask for more than reading.
func writes(flag int) bool {
	return flag&(os.O_WRONLY|os.O_RDWR|os.O_APPEND|os.O_TRUNC) != 0
}

// admit decides by a handle's description whether a file may be opened, and
// whether it may be changed.
func (f *FS) admit(info fs.FileInfo, write bool) error {
	switch {
	case info.IsDir():
		return nil
	case !info.Mode().IsRegular():
		return errIrregular
	case (write || f.opts.StrictHardLinks) && links(info) > 1:
		return errHardLink
	}
	return nil
}

// Stat describes the entry that name leads to, of any kind.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	info, err := f.stat(name, followLast)
	return info, fail("stat", name, err)
}

// Lstat is Stat but describes a link itself.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	info, err := f.stat(name, keepLast)
	return info, fail("lstat", name, err)
}

// LstatIfPossible implements [afero.Lstater] by Lstat.
func (f *FS) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	info, err := f.Lstat(name)
	return info, true, err
}

func (f *FS) stat(name string, last follow) (info fs.FileInfo, err error) {
	err = f.do(name, last, func(b backend, plain string) (err error) {
		info, err = b.stat(plain, last)
		return err
	})
	if err != nil {
		return nil, err
	}
	return info, nil
}

// Mkdir makes a directory.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	return fail("mkdir", name, f.doEntry(name, func(b backend, name string) error { return b.mkdir(name, perm) }))
}

// MkdirAll makes a directory and its missing parents. It fails with ENOTDIR
// where something else has the name of one of them.
func (f *FS) MkdirAll(name string, perm fs.FileMode) error {
	return fail("mkdir", name, f.do(name, followLast, func(b backend, name string) error { return b.mkdirAll(name, perm) }))
}

// Remove removes a file, a link or an empty directory, but not the root.
func (f *FS) Remove(name string) error {
	return fail("remove", name, f.doEntry(name, backend.remove))
}

// RemoveAll removes an entry and all below it. It removes links but never
// follows one, stops at other mounts, and refuses the root. What does not
// exist is no error. With a trailing slash, only a directory is removed.
func (f *FS) RemoveAll(name string) error {
	return fail("remove", name, f.doEntry(name, backend.removeAll))
}

// Rename gives an entry another name and replaces a file or link of that
// name. A directory of that name is an error that matches [fs.ErrExist].
// errors.Is(err, syscall.EXDEV) tells that the two names are on different
// file systems, which overlays cause too: copy instead.
func (f *FS) Rename(oldname, newname string) error {
	return f.rename("rename", oldname, newname, false)
}

// RenameNoReplace is Rename but fails with [fs.ErrExist] when anything has the
// new name. On Linux that is one step, where the file system has it. Elsewhere
// a file is linked to the new name and unlinked from the old, and for a
// directory the new name is looked up before.
func (f *FS) RenameNoReplace(oldname, newname string) error {
	return f.rename("rename", oldname, newname, true)
}

func (f *FS) rename(op, oldname, newname string, noReplace bool) error {
	err := f.doEntry(oldname, func(_ backend, oldplain string) error {
		return f.renameFrom(oldplain, newname, noReplace)
	})
	return failLink(op, oldname, newname, err)
}

// Chmod sets the permissions, and the set-user-id, set-group-id and sticky
// bits, of a file with one link or of a directory.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	return fail("chmod", name, f.change(name, attributes{mode: &mode}))
}

// Chown sets the owner and group of a file with one link or of a directory;
// -1 keeps one.
func (f *FS) Chown(name string, uid, gid int) error {
	return fail("chown", name, f.change(name, attributes{owner: &[2]int{uid, gid}}))
}

// Chtimes sets the times of a file with one link or of a directory; a zero
// time keeps one.
func (f *FS) Chtimes(name string, atime, mtime time.Time) error {
	return fail("chtimes", name, f.change(name, attributes{atime: atime, mtime: mtime}))
}

func (f *FS) change(name string, c attributes) error {
	admit := func(info fs.FileInfo) error { return f.admit(info, true) }
	return f.do(name, followLast, func(b backend, name string) error { return b.change(name, admit, c) })
}
