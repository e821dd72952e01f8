package facadetest

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/afero"
)

// crashFile is an open file of a [CrashFs].
type crashFile struct {
	fs     *CrashFs
	id     int
	path   string
	flag   int
	off    int64 // in a directory, how many entries were read
	closed bool
}

var _ afero.File = (*crashFile)(nil)

// crashInfo describes a file of a [CrashFs].
type crashInfo struct {
	name  string
	size  int64
	mode  fs.FileMode
	mtime time.Time
}

func (i crashInfo) Name() string       { return i.name }
func (i crashInfo) Size() int64        { return i.size }
func (i crashInfo) Mode() fs.FileMode  { return i.mode }
func (i crashInfo) ModTime() time.Time { return i.mtime }
func (i crashInfo) IsDir() bool        { return i.mode.IsDir() }
func (i crashInfo) Sys() any           { return nil }

// open locks the file system and returns the inode, or why the operation cannot
// be done. The caller unlocks in either case.
func (f *crashFile) open(op Op, ok bool, refuse error) (*inode, error) {
	f.fs.mu.Lock()
	switch {
	case f.closed:
		return nil, &os.PathError{Op: string(op), Path: f.path, Err: fs.ErrClosed}
	case !ok:
		return nil, &os.PathError{Op: string(op), Path: f.path, Err: refuse}
	}
	return f.fs.now.inodes[f.id], nil
}

func (f *crashFile) Name() string { return f.path }

func (f *crashFile) Close() error {
	defer f.fs.mu.Unlock()
	_, err := f.open(OpClose, true, nil)
	f.closed = true
	return err
}

func (f *crashFile) Stat() (os.FileInfo, error) {
	defer f.fs.mu.Unlock()
	if _, err := f.open(OpStat, true, nil); err != nil {
		return nil, err
	}
	return f.fs.info(f.id, path.Base(clean(f.path))), nil
}

func (f *crashFile) Sync() error {
	defer f.fs.mu.Unlock()
	if _, err := f.open(OpSync, true, nil); err != nil {
		return err
	}
	f.fs.do(step{op: OpSync, path: clean(f.path), id: f.id})
	return nil
}

func (f *crashFile) Read(p []byte) (int, error) {
	n, err := f.readAt(p, f.off)
	f.off += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (f *crashFile) ReadAt(p []byte, off int64) (int, error) { return f.readAt(p, off) }

func (f *crashFile) readAt(p []byte, off int64) (int, error) {
	defer f.fs.mu.Unlock()
	n, err := f.open(OpRead, f.flag&os.O_WRONLY == 0, syscall.EBADF)
	switch {
	case err != nil:
		return 0, err
	case n.isDir:
		return 0, &os.PathError{Op: "read", Path: f.path, Err: syscall.EISDIR}
	case len(p) == 0:
		return 0, nil
	case off >= int64(len(n.now.data)):
		return 0, io.EOF
	}
	got := copy(p, n.now.data[off:])
	if got < len(p) {
		return got, io.EOF
	}
	return got, nil
}

func (f *crashFile) Seek(offset int64, whence int) (int64, error) {
	defer f.fs.mu.Unlock()
	n, err := f.open("seek", true, nil)
	if err != nil {
		return 0, err
	}
	switch whence {
	case io.SeekCurrent:
		offset += f.off
	case io.SeekEnd:
		offset += int64(len(n.now.data))
	}
	if offset < 0 {
		return 0, &os.PathError{Op: "seek", Path: f.path, Err: syscall.EINVAL}
	}
	f.off = offset
	return offset, nil
}

const writable = os.O_WRONLY | os.O_RDWR

func (f *crashFile) Write(p []byte) (int, error) {
	return f.writeAt(p, func(n *inode) int64 {
		if f.flag&os.O_APPEND != 0 {
			f.off = int64(len(n.now.data))
		}
		at := f.off
		f.off += int64(len(p))
		return at
	})
}

func (f *crashFile) WriteAt(p []byte, off int64) (int, error) {
	return f.writeAt(p, func(*inode) int64 { return off })
}

func (f *crashFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *crashFile) writeAt(p []byte, at func(*inode) int64) (int, error) {
	defer f.fs.mu.Unlock()
	n, err := f.open(OpWrite, f.flag&writable != 0, syscall.EBADF)
	if err != nil {
		return 0, err
	}
	if len(p) > 0 {
		f.fs.do(step{op: OpWrite, path: clean(f.path), id: f.id, off: at(n), data: slices.Clone(p)})
	}
	return len(p), nil
}

func (f *crashFile) Truncate(size int64) error {
	defer f.fs.mu.Unlock()
	_, err := f.open(OpTruncate, f.flag&writable != 0 && size >= 0, syscall.EINVAL)
	if err == nil {
		f.fs.do(step{op: OpTruncate, path: clean(f.path), id: f.id, off: size})
	}
	return err
}

func (f *crashFile) Readdir(count int) ([]os.FileInfo, error) {
	defer f.fs.mu.Unlock()
	n, err := f.open(OpReadDir, true, nil)
	if err != nil {
		return nil, err
	}
	if !n.isDir {
		return nil, &os.PathError{Op: "readdir", Path: f.path, Err: syscall.ENOTDIR}
	}
	names := slices.Sorted(maps.Keys(n.names))
	names = names[min(int(f.off), len(names)):]
	if count > 0 {
		if len(names) == 0 {
			return nil, io.EOF
		}
		names = names[:min(count, len(names))]
	}
	f.off += int64(len(names))
	var infos []os.FileInfo
	for _, name := range names {
		infos = append(infos, f.fs.info(n.names[name], name))
	}
	return infos, nil
}

func (f *crashFile) Readdirnames(count int) ([]string, error) {
	infos, err := f.Readdir(count)
	var names []string
	for _, i := range infos {
		names = append(names, i.Name())
	}
	return names, err
}
