package rootfs

import (
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// The interfaces below are what [FS] can do beyond [afero.Fs]. Code that works
// on any afero.Fs asserts for them one by one and has a way without.
type (
	// RegularOpener opens a regular file without waiting and tells its size
	// and kind from the same handle.
	RegularOpener interface {
		OpenRegular(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error)
	}
	// DirOpener opens a directory for reading in portions.
	DirOpener interface {
		OpenDir(name string) (*File, error)
	}
	// TempCreator makes a new file with a name of its own choice.
	TempCreator interface {
		CreateTemp(dir, pattern string) (*os.File, error)
	}
	// NoReplaceRenamer renames without replacing.
	NoReplaceRenamer interface {
		RenameNoReplace(oldname, newname string) error
	}
	// DirSyncer makes a directory's entries durable.
	DirSyncer interface {
		SyncDir(name string) error
	}
	// AttributeCopier copies what a file has beside its content.
	AttributeCopier interface {
		CopyAttributes(from, to *os.File) (lost []string, err error)
	}
)

var _ interface {
	RegularOpener
	DirOpener
	TempCreator
	NoReplaceRenamer
	DirSyncer
	AttributeCopier
} = (*FS)(nil)

// OpenRegular is [FS.OpenFile] for regular files only: a directory is refused
// with [facade.CodeIsDirectory]. The description belongs to the open file, so
// its size can be judged before a read. The file's name is the given one.
func (f *FS) OpenRegular(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	file, info, err := f.open(name, flag, perm, false)
	if err != nil {
		return nil, nil, fail("open", name, err)
	}
	return file, info, nil
}

// OpenDir opens a directory and fails with ENOTDIR for anything else.
func (f *FS) OpenDir(name string) (*File, error) {
	file, _, err := f.open(asDir(name), os.O_RDONLY, 0, true)
	if err != nil {
		return nil, fail("open", name, err)
	}
	return &File{f: file, fs: f, name: name}, nil
}

// asDir makes resolution insist on a directory.
func asDir(name string) string {
	if name == "" || strings.HasSuffix(name, "/") {
		return name
	}
	return name + "/"
}

// ReadFile returns the content of a regular file. A file of more than limit
// bytes, as it is opened or grown while it is read, fails with
// [facade.CodeTooLarge] before more than limit bytes were read.
func (f *FS) ReadFile(name string, limit int64) ([]byte, error) {
	file, info, err := f.open(name, os.O_RDONLY, 0, false)
	if err != nil {
		return nil, fail("open", name, err)
	}
	defer file.Close()
	data, err := readAll(file, info.Size(), limit)
	return data, fail("read", name, err)
}

// readAll reads to the end. Files of /proc and the like have size 0.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, tooLarge(limit)
	}
	data := make([]byte, 0, max(size+1, 512))
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, tooLarge(limit)
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func tooLarge(limit int64) error {
	return facade.Errorf(facade.CodeTooLarge, "the file has more than %d bytes", limit)
}

// CreateTemp creates a file for reading and writing, with permissions 0600, in
// a directory. The last "*" of pattern becomes a random string, which is
// appended if there is none. The file's Name, relative to the root, is its
// address; removing it is up to the caller.
func (f *FS) CreateTemp(dir, pattern string) (*os.File, error) {
	prefix, suffix := pattern, ""
	if i := strings.LastIndexByte(pattern, '*'); i >= 0 {
		prefix, suffix = pattern[:i], pattern[i+1:]
	}
	if strings.IndexByte(pattern, '/') >= 0 {
		return nil, fail("createtemp", pattern, &facade.Error{Code: facade.CodeInvalidArgument, Message: "the pattern has a slash"})
	}
	for range 100 {
		name := join(dir, prefix+rand.Text()[:12]+suffix)
		file, _, err := f.open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600, false)
		if err == nil {
			return file, nil
		}
		if facade.CodeOf(err) != facade.CodeAlreadyExists {
			return nil, fail("createtemp", name, err)
		}
	}
	return nil, fail("createtemp", join(dir, pattern), fs.ErrExist)
}

// SyncDir makes the entries of a directory durable, as after a rename in it.
// On Windows, which has no such call, it does nothing.
func (f *FS) SyncDir(name string) error {
	file, _, err := f.open(asDir(name), os.O_RDONLY, 0, true)
	if err != nil {
		return fail("sync", name, err)
	}
	defer file.Close()
	return fail("sync", name, syncDir(file))
}

// CopyAttributes gives one open file the owner, group, permissions and, on
// Linux, extended attributes with access control lists of another. The
// set-user-id and set-group-id bits and file capabilities are left out, as the
// kernel drops them when a file is written. What the system does not permit is
// left out and named in lost, as "owner" or "xattr user.comment"; err is for
// failures of the permissions themselves.
func (f *FS) CopyAttributes(from, to *os.File) (lost []string, err error) {
	lost, err = copyAttributes(from, to)
	return lost, fail("copy attributes", to.Name(), err)
}

// SameFile reports whether two descriptions, of [FS], its files or package os,
// are of one file. [os.SameFile] does not know those of FS.
func SameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) || sameInode(a, b) }
