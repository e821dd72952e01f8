package rootfs

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/afero"
)

// File is an open file or directory. Its name and its errors do not show the
// root, and its entries are described without resolving host paths.
type File struct {
	f    *os.File
	fs   *FS
	name string
}

var (
	_ afero.File     = (*File)(nil)
	_ fs.ReadDirFile = (*File)(nil)
	_ io.ReaderFrom  = (*File)(nil)
	_ io.WriterTo    = (*File)(nil)
)

// Name returns the name that the file was opened by.
func (f *File) Name() string { return f.name }

// File returns the handle, for calls that take one; closing it closes f. Off
// Linux its errors may show host paths. The Info of the entries that its own
// ReadDir returns goes by a path from the process's current directory and must
// not be used: describe entries by [FS.Lstat] or take [File.ReadDir].
func (f *File) File() *os.File { return f.f }

// fix gives an error the file's name. io.EOF stays as it is.
func (f *File) fix(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	if errors.Is(err, fs.ErrClosed) {
		err = fs.ErrClosed
	}
	return fail(op, f.name, err)
}

// Close implements [io.Closer].
func (f *File) Close() error { return f.fix("close", f.f.Close()) }

// Read implements [io.Reader].
func (f *File) Read(p []byte) (int, error) {
	n, err := f.f.Read(p)
	return n, f.fix("read", err)
}

// ReadAt implements [io.ReaderAt].
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.f.ReadAt(p, off)
	return n, f.fix("read", err)
}

// Seek implements [io.Seeker].
func (f *File) Seek(offset int64, whence int) (int64, error) {
	n, err := f.f.Seek(offset, whence)
	return n, f.fix("seek", err)
}

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	return n, f.fix("write", err)
}

// WriteAt implements [io.WriterAt].
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.f.WriteAt(p, off)
	return n, f.fix("write", err)
}

// WriteString implements [io.StringWriter].
func (f *File) WriteString(s string) (int, error) {
	n, err := f.f.WriteString(s)
	return n, f.fix("write", err)
}

// ReadFrom implements [io.ReaderFrom]; files are copied in the kernel.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	if src, ok := r.(*File); ok {
		r = src.f
	}
	n, err := f.f.ReadFrom(r)
	return n, f.fix("write", err)
}

// WriteTo implements [io.WriterTo].
func (f *File) WriteTo(w io.Writer) (int64, error) {
	n, err := f.f.WriteTo(w)
	return n, f.fix("read", err)
}

// Stat describes the open file.
func (f *File) Stat() (fs.FileInfo, error) {
	info, err := f.f.Stat()
	if err != nil {
		return nil, f.fix("stat", err)
	}
	return info, nil
}

// Sync makes the content durable.
func (f *File) Sync() error { return f.fix("sync", f.f.Sync()) }

// Truncate sets the size in bytes.
func (f *File) Truncate(size int64) error { return f.fix("truncate", f.f.Truncate(size)) }

// Chmod sets the permissions of the open file.
func (f *File) Chmod(mode fs.FileMode) error { return f.fix("chmod", f.f.Chmod(mode)) }

// Readdir returns the next n entries described as by [FS.Lstat], or all the
// rest if n <= 0. An entry that is gone by then is left out.
func (f *File) Readdir(n int) ([]fs.FileInfo, error) {
	infos, err := f.f.Readdir(n)
	return infos, f.fix("readdir", err)
}

// Readdirnames returns the next n names, or all the rest if n <= 0.
func (f *File) Readdirnames(n int) ([]string, error) {
	names, err := f.f.Readdirnames(n)
	return names, f.fix("readdir", err)
}

// ReadDir returns the next n entries, or all the rest if n <= 0. An entry's
// Info describes what has its name by then, by way of [FS.Lstat], and works
// after f is closed.
func (f *File) ReadDir(n int) ([]fs.DirEntry, error) {
	entries, err := f.f.ReadDir(n)
	for i, e := range entries {
		entries[i] = &dirEntry{DirEntry: e, dir: f}
	}
	return entries, f.fix("readdir", err)
}

// dirEntry takes its name and type from the directory.
type dirEntry struct {
	fs.DirEntry
	dir *File
}

// Info replaces that of package os, which goes by host path.
func (e *dirEntry) Info() (fs.FileInfo, error) {
	return e.dir.fs.Lstat(join(e.dir.name, e.Name()))
}

func (e *dirEntry) String() string { return fs.FormatDirEntry(e) }
