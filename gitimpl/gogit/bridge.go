package gogit

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/go-git/go-billy/v5"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

var _ billy.Filesystem = bridge{}

// bridge makes a directory of an afero file system look as go-git wants it.
// Names never lead above the directory.
type bridge struct {
	volume
	root string // '/'-separated, absolute
}

// volume is a file system and how it wants its names: most of afero's take
// absolute ones, a rootfs.FS those from its root.
type volume struct {
	fs       afero.Fs
	relative bool
}

func newVolume(fsys afero.Fs) volume {
	_, err := fsys.Stat(string(filepath.Separator))
	return volume{fs: fsys, relative: facade.CodeOf(err) == facade.CodeOutsideRoot}
}

// dir is the directory of that name, as a file system of its own.
func (v volume) dir(name string) bridge { return bridge{v, path.Join("/", name)} }

// host is the name that the file system below knows.
func (b bridge) host(name string) string {
	full := path.Join(b.root, path.Join("/", filepath.ToSlash(name)))
	if b.relative {
		full = path.Join(".", full[1:])
	}
	return filepath.FromSlash(full)
}

// Create implements [billy.Basic].
func (b bridge) Create(name string) (billy.File, error) {
	const mode = 0o666
	return b.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, mode)
}

// Open implements [billy.Basic].
func (b bridge) Open(name string) (billy.File, error) { return b.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile implements [billy.Basic]. It makes missing parents, as go-git
// expects of a new file.
func (b bridge) OpenFile(name string, flag int, mode fs.FileMode) (billy.File, error) {
	if flag&os.O_CREATE != 0 {
		if err := b.fs.MkdirAll(filepath.Dir(b.host(name)), dirMode); err != nil {
			return nil, err
		}
	}
	f, err := b.fs.OpenFile(b.host(name), flag, mode)
	if err != nil {
		return nil, err
	}
	return file{f, name}, nil
}

// Modes of what go-git makes in a git directory, less the umask.
const (
	dirMode  = 0o777
	fileMode = 0o666
)

// Stat implements [billy.Basic].
func (b bridge) Stat(name string) (fs.FileInfo, error) { return b.fs.Stat(b.host(name)) }

// Rename implements [billy.Basic].
func (b bridge) Rename(from, to string) error {
	if err := b.fs.MkdirAll(filepath.Dir(b.host(to)), dirMode); err != nil {
		return err
	}
	return b.fs.Rename(b.host(from), b.host(to))
}

// Remove implements [billy.Basic].
func (b bridge) Remove(name string) error { return b.fs.Remove(b.host(name)) }

// Join implements [billy.Basic].
func (b bridge) Join(elem ...string) string { return path.Join(elem...) }

// TempFile implements [billy.TempFile].
func (b bridge) TempFile(dir, prefix string) (billy.File, error) {
	const tries = 100
	for range tries {
		f, err := b.OpenFile(path.Join(dir, prefix+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fs.ErrExist
}

// ReadDir implements [billy.Dir].
func (b bridge) ReadDir(name string) ([]fs.FileInfo, error) { return afero.ReadDir(b.fs, b.host(name)) }

// MkdirAll implements [billy.Dir].
func (b bridge) MkdirAll(name string, mode fs.FileMode) error {
	return b.fs.MkdirAll(b.host(name), mode)
}

// Lstat implements [billy.Symlink].
func (b bridge) Lstat(name string) (fs.FileInfo, error) {
	if l, ok := b.fs.(afero.Lstater); ok {
		fi, _, err := l.LstatIfPossible(b.host(name))
		return fi, err
	}
	return b.Stat(name)
}

// Symlink implements [billy.Symlink].
func (b bridge) Symlink(target, link string) error {
	l, ok := b.fs.(afero.Linker)
	if !ok {
		return billy.ErrNotSupported
	}
	return l.SymlinkIfPossible(target, b.host(link))
}

// Readlink implements [billy.Symlink].
func (b bridge) Readlink(link string) (string, error) {
	l, ok := b.fs.(afero.LinkReader)
	if !ok {
		return "", billy.ErrNotSupported
	}
	return l.ReadlinkIfPossible(b.host(link))
}

// Chroot implements [billy.Chroot].
func (b bridge) Chroot(name string) (billy.Filesystem, error) { return b.below(name), nil }

func (b bridge) below(name string) bridge {
	return b.dir(path.Join(b.root, path.Join("/", filepath.ToSlash(name))))
}

// Root implements [billy.Chroot].
func (b bridge) Root() string { return b.root }

// file is an open file under the name that go-git gave it.
type file struct {
	afero.File
	name string
}

// Name implements [billy.File].
func (f file) Name() string { return f.name }

// Lock implements [billy.File]. Actions that write hold a lock of their own,
// and an index.lock in the git directory.
func (f file) Lock() error { return nil }

// Unlock implements [billy.File].
func (f file) Unlock() error { return nil }
