package walk

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	resolve   = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_XDEV
	dirFlags  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	fileFlags = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	dirBuffer = 32 << 10 // bytes for one getdents call
)

// beneathTree opens directories below a handle.
type beneathTree struct {
	root    *os.File // kept for its descriptor's life
	fd      int
	buffers sync.Pool // of *[]byte, for getdents
}

// newBeneathTree takes over f; it returns nil, and leaves f to the caller,
// when the kernel or its seccomp filter has no openat2.
func newBeneathTree(f *os.File) tree {
	t := &beneathTree{root: f, fd: int(f.Fd())}
	t.buffers.New = func() any { return new(make([]byte, dirBuffer)) }
	fd, err := openBeneath(t.fd, ".", dirFlags)
	if err != nil {
		return nil
	}
	_ = unix.Close(fd)
	return t
}

func (t *beneathTree) close() error { return t.root.Close() }

func (t *beneathTree) dir(rel string) (directory, error) {
	if rel == "" {
		rel = "."
	}
	fd, err := openBeneath(t.fd, rel, dirFlags)
	if errors.Is(err, unix.EXDEV) {
		err = errMount
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: rel, Err: err}
	}
	return &beneathDir{tree: t, fd: fd}, nil
}

// openBeneath is openat2 with retries: the kernel gives up with EAGAIN when a
// rename happens while it resolves.
func openBeneath(fd int, name string, flags uint64) (int, error) {
	how := unix.OpenHow{Flags: flags, Resolve: resolve}
	for tries := 0; ; tries++ {
		got, err := openat2(fd, name, &how)
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) && tries < 16 {
			continue
		}
		return got, err
	}
}

// pathRoom is the length of paths that are opened without an allocation.
const pathRoom = 256

// openat2 is [unix.Openat2], which makes a copy of each name on the heap: for
// a tree of small files that is most of what is allocated.
func openat2(fd int, name string, how *unix.OpenHow) (int, error) {
	var path [pathRoom]byte
	if copy(path[:pathRoom-1], name) < len(name) || strings.IndexByte(name, 0) >= 0 {
		return unix.Openat2(fd, name, how)
	}
	got, _, errno := unix.Syscall6(unix.SYS_OPENAT2, uintptr(fd), uintptr(unsafe.Pointer(&path)), uintptr(unsafe.Pointer(how)), unix.SizeofOpenHow, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(got), nil
}

// beneathDir is a directory as a bare descriptor.
type beneathDir struct {
	tree *beneathTree
	fd   int
}

func (d *beneathDir) close() error { return unix.Close(d.fd) }

func (d *beneathDir) read(l *listing) error {
	buf := d.tree.buffers.Get().(*[]byte)
	defer d.tree.buffers.Put(buf)
	n, err := unix.Getdents(d.fd, *buf)
	switch {
	case err == unix.EINTR:
		return nil
	case err != nil:
		return err
	case n == 0:
		return io.EOF
	}
	return parseDirents((*buf)[:n], l)
}

// The layout of struct linux_dirent64.
const (
	direntLength = 16 // offset of the record's length, 2 bytes
	direntType   = 18 // offset of the type
	direntName   = 19 // offset of the name, which ends in NUL
	direntAlign  = 8  // what a record's length is a multiple of
)

// parseDirents appends the entries of a getdents64 buffer, but "." and "..".
func parseDirents(b []byte, l *listing) error {
	for len(b) > direntName {
		length := int(binary.NativeEndian.Uint16(b[direntLength:]))
		if length <= direntName || length > len(b) {
			return nil
		}
		name := direntText(b[direntName:length])
		typ, known := direntKind(b[direntType])
		b = b[length:]
		if len(name) == 0 || name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.') {
			continue
		}
		if err := add(l, name, typ, known); err != nil {
			return err
		}
	}
	return nil
}

// direntText is what precedes the NUL in the rest of a record, which the
// kernel fills up to a multiple of eight bytes: all but the last eight are
// part of the name.
func direntText(b []byte) []byte {
	for i := max(0, len(b)-direntAlign); i < len(b); i++ {
		if b[i] == 0 {
			return b[:i]
		}
	}
	return b
}

func direntKind(t byte) (typ Type, known bool) {
	switch t {
	case unix.DT_REG:
		return File, true
	case unix.DT_DIR:
		return Directory, true
	case unix.DT_LNK:
		return Symlink, true
	}
	return Other, t != unix.DT_UNKNOWN
}

func (d *beneathDir) open(name string) (Readable, error) {
	fd, err := openBeneath(d.fd, name, fileFlags)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return rawFile{fd: fd}, nil
}

func (d *beneathDir) stat(name string) (*Info, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return &Info{
		Size:     st.Size,
		Mode:     fileMode(st.Mode),
		Modified: time.Unix(st.Mtim.Unix()),
	}, nil
}

// fileMode translates a mode of the kernel.
func fileMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	if m&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if m&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if m&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

// rawFile is a descriptor that is read without the runtime's poller, which
// costs more than reading a small file. It is no pointer, so that a small one
// is not allocated as a [Readable].
type rawFile struct{ fd int }

func (f rawFile) Close() error { return unix.Close(f.fd) }

func (f rawFile) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(f.fd, p)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (f rawFile) Regular() error {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return errNotRegular
	}
	return nil
}
