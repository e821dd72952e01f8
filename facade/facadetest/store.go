package facadetest

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// Store is how the suite prepares and inspects the files that an implementation
// works on. Paths are '/'-separated and relative to the root.
type Store interface {
	// WriteFile sets a file's content and mode, and makes its parents.
	WriteFile(path string, content []byte, mode fs.FileMode) error
	// ReadFile returns a file's content.
	ReadFile(path string) ([]byte, error)
	// MkdirAll makes a directory and its parents.
	MkdirAll(path string) error
	// Chtimes sets the time of modification.
	Chtimes(path string, modified time.Time) error
	// Snapshot describes everything below the root by path: type, mode, and
	// content or link target. Times are not part of it.
	Snapshot() (map[string]string, error)
}

// LinkStore is a store with symbolic links.
type LinkStore interface {
	Store
	// Symlink makes a link; its parents exist.
	Symlink(target, path string) error
	// Remove removes a file, a link or an empty directory.
	Remove(path string) error
}

// OutsideStore is a store whose root lies in a directory that tests may use to
// put things outside the root.
type OutsideStore interface {
	Store
	// Outside is a store on the directory that holds the root.
	Outside() Store
	// RootName is the root's name in that directory.
	RootName() string
	// OutsidePath is that directory's path on the host.
	OutsidePath() string
}

// FIFOStore is a store with named pipes.
type FIFOStore interface {
	Store
	// Mkfifo makes a named pipe.
	Mkfifo(path string) error
}

// FsStore is a [Store] on an afero file system whose "/" is the root. It has no
// links and nothing outside.
type FsStore struct{ fs afero.Fs }

var _ Store = FsStore{}

// NewFsStore returns a store on fs.
func NewFsStore(fsys afero.Fs) FsStore { return FsStore{fsys} }

func rooted(p string) string { return path.Join("/", p) }

// WriteFile implements [Store].
func (s FsStore) WriteFile(p string, content []byte, mode fs.FileMode) error {
	if err := s.MkdirAll(path.Dir(p)); err != nil {
		return err
	}
	if err := afero.WriteFile(s.fs, rooted(p), content, mode); err != nil {
		return err
	}
	return s.fs.Chmod(rooted(p), mode)
}

// ReadFile implements [Store].
func (s FsStore) ReadFile(p string) ([]byte, error) { return afero.ReadFile(s.fs, rooted(p)) }

// MkdirAll implements [Store].
func (s FsStore) MkdirAll(p string) error {
	if rooted(p) == "/" {
		return nil
	}
	return s.fs.MkdirAll(rooted(p), 0o755)
}

// Remove removes a file or an empty directory.
func (s FsStore) Remove(p string) error { return s.fs.Remove(rooted(p)) }

// Chtimes implements [Store].
func (s FsStore) Chtimes(p string, modified time.Time) error {
	return s.fs.Chtimes(rooted(p), modified, modified)
}

// Snapshot implements [Store].
func (s FsStore) Snapshot() (map[string]string, error) {
	out := map[string]string{}
	err := afero.Walk(s.fs, "/", func(p string, info fs.FileInfo, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(p), "/")
		if err != nil || name == "" {
			if errors.Is(err, fs.ErrNotExist) && name == "" {
				return nil // an empty MemMapFs has no root yet
			}
			return err
		}
		if info.IsDir() {
			out[name] = "directory"
			return nil
		}
		content, err := afero.ReadFile(s.fs, p)
		out[name] = describeFile(info.Mode(), content)
		return err
	})
	return out, err
}

func describeFile(mode fs.FileMode, content []byte) string {
	return "file " + mode.Perm().String() + " " + string(content)
}

// DirStore is a [Store] on a directory of the host. It has links, named pipes
// where the host has them, and the directory around it as the outside.
type DirStore struct{ dir string }

var (
	_ LinkStore    = DirStore{}
	_ OutsideStore = DirStore{}
)

// NewDirStore returns a store on dir, which exists. The directory that holds
// dir should be the test's own, as in filepath.Join(t.TempDir(), "root").
func NewDirStore(dir string) DirStore { return DirStore{dir} }

func (s DirStore) host(p string) string { return filepath.Join(s.dir, filepath.FromSlash(p)) }

// WriteFile implements [Store].
func (s DirStore) WriteFile(p string, content []byte, mode fs.FileMode) error {
	if err := s.MkdirAll(path.Dir(p)); err != nil {
		return err
	}
	if err := os.WriteFile(s.host(p), content, mode); err != nil {
		return err
	}
	return os.Chmod(s.host(p), mode) // whatever the umask
}

// ReadFile implements [Store].
func (s DirStore) ReadFile(p string) ([]byte, error) { return os.ReadFile(s.host(p)) }

// MkdirAll implements [Store].
func (s DirStore) MkdirAll(p string) error { return os.MkdirAll(s.host(p), 0o755) }

// Chtimes implements [Store].
func (s DirStore) Chtimes(p string, modified time.Time) error {
	return os.Chtimes(s.host(p), modified, modified)
}

// Symlink implements [LinkStore].
func (s DirStore) Symlink(target, p string) error { return os.Symlink(target, s.host(p)) }

// Remove implements [LinkStore].
func (s DirStore) Remove(p string) error { return os.Remove(s.host(p)) }

// Outside implements [OutsideStore].
func (s DirStore) Outside() Store { return DirStore{filepath.Dir(s.dir)} }

// RootName implements [OutsideStore].
func (s DirStore) RootName() string { return filepath.Base(s.dir) }

// OutsidePath implements [OutsideStore].
func (s DirStore) OutsidePath() string { return filepath.Dir(s.dir) }

// Snapshot implements [Store]. Links are not followed.
func (s DirStore) Snapshot() (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == s.dir {
			return err
		}
		rel, err := filepath.Rel(s.dir, p)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(rel)], err = describeEntry(p, d)
		return err
	})
	return out, err
}

func describeEntry(p string, d fs.DirEntry) (string, error) {
	switch {
	case d.IsDir():
		return "directory", nil
	case d.Type()&fs.ModeSymlink != 0:
		target, err := os.Readlink(p)
		return "link " + target, err
	case !d.Type().IsRegular():
		return "other", nil
	}
	info, err := d.Info()
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(p)
	return describeFile(info.Mode(), content), err
}
