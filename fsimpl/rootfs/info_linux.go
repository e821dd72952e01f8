package rootfs

import (
	"io/fs"
	"path"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// info is a file's description as the kernel gives it for a handle. Package os
// makes its own only for files it opened itself, at twice the cost.
type info struct {
	name string
	st   syscall.Stat_t
}

var _ fs.FileInfo = (*info)(nil)

func fdInfo(fd int, name string) (*info, error) {
	i := &info{name: path.Base(name)}
	for {
		if err := syscall.Fstat(fd, &i.st); err != syscall.EINTR {
			if err != nil {
				return nil, err
			}
			return i, nil
		}
	}
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.st.Size }
func (i *info) Mode() fs.FileMode  { return fileMode(i.st.Mode) }
func (i *info) ModTime() time.Time { return time.Unix(i.st.Mtim.Unix()) }
func (i *info) IsDir() bool        { return i.st.Mode&unix.S_IFMT == unix.S_IFDIR }
func (i *info) Sys() any           { return &i.st }

// fileMode is the portable form of a kernel's mode.
func fileMode(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	}
	for _, bit := range specialBits {
		if mode&bit.unix != 0 {
			m |= bit.mode
		}
	}
	return m
}

// unixMode is the kernel's form of permissions and special bits.
func unixMode(mode fs.FileMode) uint32 {
	m := uint32(mode.Perm())
	for _, bit := range specialBits {
		if mode&bit.mode != 0 {
			m |= bit.unix
		}
	}
	return m
}

var specialBits = []struct {
	mode fs.FileMode
	unix uint32
}{
	{fs.ModeSetuid, unix.S_ISUID},
	{fs.ModeSetgid, unix.S_ISGID},
	{fs.ModeSticky, unix.S_ISVTX},
}
