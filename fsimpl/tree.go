package fsimpl

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// tree is the file system below the root. Names are relative and
// '/'-separated, "." for the root. What a file system can do beyond
// afero.Fs is found by assertion; everything works without.
type tree struct {
	fs     afero.Fs
	prefix string   // put before names: "/" for file systems that want absolute ones
	host   []string // absolute host paths that mean the root
	sync   bool
}

// regularOpener opens a file without ever blocking on a FIFO, and refuses
// what is not regular.
type regularOpener interface {
	OpenRegular(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error)
}

// dirSyncer makes the names in a directory durable.
type dirSyncer interface{ SyncDir(name string) error }

// exclusiveRenamer renames unless the new name is taken, in one step.
type exclusiveRenamer interface {
	RenameNoReplace(oldname, newname string) error
}

// attributeCopier gives a new file the mode, owner and extended attributes of
// the file it is about to replace, as far as the system permits.
type attributeCopier interface {
	CopyAttributes(from, to *os.File) (lost []string, err error)
}

// handle returns the operating system's file behind an open one, or nil.
func handle(file afero.File) *os.File {
	switch f := file.(type) {
	case *os.File:
		return f
	case interface{ File() *os.File }:
		return f.File()
	}
	return nil
}

func (t *tree) at(name string) string {
	if t.prefix == "" {
		return name
	}
	if name == "." {
		return t.prefix
	}
	return t.prefix + name
}

func (t *tree) lstat(name string) (fs.FileInfo, error) {
	if l, ok := t.fs.(afero.Lstater); ok {
		info, _, err := l.LstatIfPossible(t.at(name))
		return info, err
	}
	return t.fs.Stat(t.at(name))
}

func (t *tree) stat(name string) (fs.FileInfo, error) { return t.fs.Stat(t.at(name)) }

func (t *tree) readlink(name string) (string, error) {
	if l, ok := t.fs.(afero.LinkReader); ok {
		return l.ReadlinkIfPossible(t.at(name))
	}
	return "", errors.ErrUnsupported
}

// open opens a regular file for reading.
func (t *tree) open(name string) (afero.File, fs.FileInfo, error) {
	if o, ok := t.fs.(regularOpener); ok {
		file, info, err := o.OpenRegular(t.at(name), os.O_RDONLY, 0)
		if err != nil {
			return nil, nil, err
		}
		return file, info, nil
	}
	info, err := t.stat(name)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(name, info); err != nil {
		return nil, nil, err
	}
	file, err := t.fs.Open(t.at(name))
	return file, info, err
}

// regular reports why info is not a regular file.
func regular(name string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return facade.Errorf(facade.CodeIsDirectory, "'%s' is a directory", named(name)).
			WithPath(shown(name)).WithHint("use list to see what is in it")
	}
	return facade.Errorf(facade.CodeNotRegular, "'%s' is no regular file but a %s", named(name), special(info.Mode())).
		WithPath(shown(name)).WithHint("only regular files can be read and written")
}

func special(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "FIFO"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// readAll reads a regular file of at most limit bytes. The size is checked
// before and the reading bounded, since a file may grow or claim a terabyte.
func (t *tree) readAll(name string, limit int64) ([]byte, fs.FileInfo, error) {
	file, info, err := t.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	tooLarge := facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes, the limit for this action is %d", named(name), info.Size(), limit).
		WithPath(shown(name)).WithHint("read a window of it with start_line and end_line, or modify a range of bytes")
	if info.Size() > limit {
		return nil, nil, tooLarge
	}
	data := make([]byte, info.Size(), info.Size()+1)
	n, err := io.ReadFull(file, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	data = data[:n]
	if n == int(info.Size()) { // it may have grown, or be one of the files without a size
		rest, err := io.ReadAll(io.LimitReader(file, limit-int64(n)+1))
		if err != nil {
			return nil, nil, err
		}
		if data = append(data, rest...); int64(len(data)) > limit {
			return nil, nil, tooLarge
		}
	}
	return data, info, nil
}

// someNames lists at most a thousand names of a directory, sorted.
func (t *tree) someNames(dir string) ([]string, error) {
	d, err := t.fs.Open(t.at(dir))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(1000)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	names = slices.DeleteFunc(names, isTemp)
	slices.Sort(names)
	return names, err
}

// Names of files in flight. They carry nothing of the target's name, which may
// be as long as a name can be.
const (
	tempPrefix, tempSuffix = ".toolfacade-", ".tmp"
	// asideSuffix ends the name of a directory with something to move back.
	asideSuffix = ".old.tmp"
	tempPattern = tempPrefix + "*" + tempSuffix
)

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

func asideName(dir string) string { return path.Join(dir, tempPrefix+rand.Text()+asideSuffix) }

func tempName(dir string) string { return path.Join(dir, tempPrefix+rand.Text()+tempSuffix) }

// symlink makes a symbolic link, where the file system has them.
func (t *tree) symlink(target, name string) error {
	if l, ok := t.fs.(afero.Linker); ok {
		return l.SymlinkIfPossible(target, t.at(name))
	}
	return errors.ErrUnsupported
}

func (t *tree) rename(oldname, newname string) error {
	return t.fs.Rename(t.at(oldname), t.at(newname))
}

// renameNoReplace renames unless the new name is taken.
func (t *tree) renameNoReplace(oldname, newname string) error {
	if r, ok := t.fs.(exclusiveRenamer); ok {
		return r.RenameNoReplace(t.at(oldname), t.at(newname))
	}
	if _, err := t.lstat(newname); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return t.rename(oldname, newname)
}

func (t *tree) syncDir(name string) error {
	if !t.sync {
		return nil
	}
	if s, ok := t.fs.(dirSyncer); ok {
		return s.SyncDir(t.at(name))
	}
	d, err := t.fs.Open(t.at(name))
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}

// isDir reports whether name is a directory, links followed.
func (t *tree) isDir(name string) bool {
	info, err := t.stat(name)
	return err == nil && info.IsDir()
}
