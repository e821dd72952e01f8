package walk

import (
	"io"
	"io/fs"
	"path"
	"syscall"

	"github.com/spf13/afero"
)

// readCount is how many entries are read from a directory at once.
const readCount = 1024

// handleTree opens each directory by name as an os.File.
type handleTree struct {
	fsys   afero.Fs
	opener DirOpener
	start  string
}

func (t *handleTree) close() error { return nil }

func (t *handleTree) dir(rel string) (directory, error) {
	name := join(t.start, rel)
	f, err := t.opener.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &namedDir{fsys: t.fsys, name: name, file: f, list: f.ReadDir}, nil
}

// plainTree opens directories through afero alone.
type plainTree struct {
	fsys  afero.Fs
	start string
}

func newPlainTree(fsys afero.Fs, start string) (tree, error) {
	info, err := fsys.Stat(start)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: start, Err: syscall.ENOTDIR}
	}
	return &plainTree{fsys: fsys, start: start}, nil
}

func (t *plainTree) close() error { return nil }

func (t *plainTree) dir(rel string) (directory, error) {
	name := join(t.start, rel)
	f, err := t.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	d := &namedDir{fsys: t.fsys, name: name, file: f}
	if r, ok := f.(fs.ReadDirFile); ok {
		d.list = r.ReadDir
	} else {
		d.list = func(n int) ([]fs.DirEntry, error) { return readInfos(f, n) }
	}
	return d, nil
}

// readInfos reads entries of files that know Readdir only.
func readInfos(f afero.File, n int) ([]fs.DirEntry, error) {
	infos, err := f.Readdir(n)
	entries := make([]fs.DirEntry, len(infos))
	for i, info := range infos {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, err
}

// namedDir is a directory whose entries are opened by their whole names.
type namedDir struct {
	fsys afero.Fs
	name string
	file io.Closer
	list func(n int) ([]fs.DirEntry, error)
}

func (d *namedDir) close() error { return d.file.Close() }

func (d *namedDir) read(l *listing) error {
	entries, err := d.list(readCount)
	for _, e := range entries {
		if huge := add(l, e.Name(), typeOf(e.Type()), true); huge != nil {
			return huge
		}
	}
	if err == nil && len(entries) == 0 {
		return io.EOF
	}
	return err
}

func (d *namedDir) open(name string) (Readable, error) {
	return openFile(d.fsys, path.Join(d.name, name))
}

func (d *namedDir) stat(name string) (*Info, error) {
	info, err := lstat(d.fsys, path.Join(d.name, name))
	if err != nil {
		return nil, err
	}
	return infoOf(info), nil
}
