package walk

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"syscall"

	"github.com/spf13/afero"
)

// DirOpener is implemented by file systems that hand out directory handles.
type DirOpener interface {
	// OpenDir opens a directory for reading.
	OpenDir(name string) (*os.File, error)
}

// RegularOpener is implemented by file systems that open regular files
// without ever blocking on a FIFO or a device.
type RegularOpener interface {
	// OpenRegular opens a regular file for reading; others are an error.
	OpenRegular(name string) (*os.File, error)
}

// Readable is an open file.
type Readable interface {
	io.ReadCloser
	// Regular returns an error when the file is not a regular one, which may
	// happen when it was replaced after it was listed.
	Regular() error
}

// errNotRegular is the reason of [Readable.Regular].
var errNotRegular = errors.New("not a regular file")

// errMount says that a directory belongs to another mount.
var errMount = errors.New("another file system is mounted here")

// tree opens the directories below a start.
type tree interface {
	// dir opens the directory at rel, relative to the start, "" for itself.
	dir(rel string) (directory, error)
	close() error
}

// directory is an open directory.
type directory interface {
	// read appends some entries to l; io.EOF says that there are no more.
	read(l *listing) error
	open(name string) (Readable, error)
	stat(name string) (*Info, error)
	close() error
}

// listing holds raw entries of one directory, with their names in one text.
type listing struct {
	names []byte
	items []item
}

type item struct {
	start, end uint32
	typ        Type
	known      bool // typ is known
}

func (l *listing) reset() { l.names, l.items = l.names[:0], l.items[:0] }

// errHuge says that the names of one directory take more than 4 GiB.
var errHuge = errors.New("the directory is too large")

// add appends an entry to a list.
func add[T string | []byte](l *listing, name T, typ Type, known bool) error {
	start, end := len(l.names), len(l.names)+len(name)
	if end > math.MaxUint32 {
		return errHuge
	}
	l.names = append(l.names, name...)
	l.items = append(l.items, item{start: uint32(start), end: uint32(end), typ: typ, known: known})
	return nil
}

func (l *listing) name(i int) []byte { return l.names[l.items[i].start:l.items[i].end] }

// newTree opens the tree at start with the fastest means fsys has.
func newTree(fsys afero.Fs, start string) (tree, error) {
	opener, ok := fsys.(DirOpener)
	if !ok {
		return newPlainTree(fsys, start)
	}
	f, err := opener.OpenDir(start)
	if err != nil {
		return nil, err
	}
	if t := newBeneathTree(f); t != nil {
		return t, nil
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return &handleTree{fsys: fsys, opener: opener, start: start}, nil
}

// notDirectory reports whether err says that a path is not a directory.
func notDirectory(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// openFile opens a regular file by its path.
func openFile(fsys afero.Fs, name string) (Readable, error) {
	if opener, ok := fsys.(RegularOpener); ok {
		f, err := opener.OpenRegular(name)
		if err != nil {
			return nil, err
		}
		return checkedFile{f}, nil
	}
	info, err := lstat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return checkedFile{f}, nil
}

// checkedFile is a file known to be regular.
type checkedFile struct{ io.ReadCloser }

func (checkedFile) Regular() error { return nil }

// lstat describes name itself, where the file system can tell links.
func lstat(fsys afero.Fs, name string) (fs.FileInfo, error) {
	if l, ok := fsys.(afero.Lstater); ok {
		info, _, err := l.LstatIfPossible(name)
		return info, err
	}
	return fsys.Stat(name)
}

func infoOf(info fs.FileInfo) *Info {
	return &Info{Size: info.Size(), Mode: info.Mode(), Modified: info.ModTime()}
}

// join appends rel to the start of a walk.
func join(start, rel string) string {
	if rel == "" {
		return start
	}
	return path.Join(start, rel)
}
