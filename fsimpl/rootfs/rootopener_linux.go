package rootfs

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// rootOpener resolves by [os.Root] and compares mounts afterwards. It serves
// where openat2 is not to be had.
type rootOpener struct {
	root   *os.Root
	escape error // what root's methods return when a name leaves it
	mount  mountID
}

func newRootOpener(root *os.Root) (*rootOpener, error) {
	o := &rootOpener{root: root, escape: escapeError(root)}
	fd, err := o.resolve(".", unix.O_PATH, 0)
	if err != nil {
		return nil, err
	}
	defer closeFD(fd)
	o.mount, err = mountOf(fd)
	return o, err
}

// escapeError provokes the error that package os keeps to itself.
func escapeError(root *os.Root) error {
	_, err := root.Lstat("..")
	return bare(err)
}

func (o *rootOpener) close() error { return nil }

func (o *rootOpener) open(name string, flags int, perm uint32) (int, error) {
	dir, base, slash := split(name)
	if flags&unix.O_NOFOLLOW != 0 && !slash && !isDots(base) {
		// os.Root follows the last link in spite of the flag.
		return o.within(dir, base, flags, 0)
	}
	flags &^= unix.O_NOFOLLOW
	fd, err := o.resolve(name, flags&^(unix.O_CREAT|unix.O_EXCL), 0)
	if flags&unix.O_CREAT == 0 {
		if err != nil {
			return -1, err
		}
		return o.sameMount(fd)
	}
	switch {
	case err == nil && flags&unix.O_EXCL != 0:
		closeFD(fd)
		return -1, unix.EEXIST
	case err == nil:
		return o.sameMount(fd)
	case slash && errors.Is(err, fs.ErrNotExist):
		return -1, unix.EISDIR
	case !errors.Is(err, fs.ErrNotExist):
		return -1, err
	}
	fd, err = o.within(dir, base, flags|unix.O_EXCL, perm)
	if errors.Is(err, unix.EEXIST) && flags&unix.O_EXCL == 0 {
		// A link without a target, or a file that just appeared: FS looks.
		return -1, errBeyond
	}
	return fd, err
}

// within opens an entry of the directory with the given name.
func (o *rootOpener) within(dir, base string, flags int, perm uint32) (int, error) {
	parent, err := o.resolve(dir, unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		return -1, err
	}
	if parent, err = o.sameMount(parent); err != nil {
		return -1, err
	}
	defer closeFD(parent)
	return o.at(parent, base, flags, perm)
}

func (o *rootOpener) at(dir int, base string, flags int, perm uint32) (int, error) {
	fd, err := unix.Openat(dir, base, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, perm)
	if err != nil {
		return -1, err
	}
	return o.sameMount(fd)
}

// resolve has no say on mounts.
func (o *rootOpener) resolve(name string, flags int, perm fs.FileMode) (int, error) {
	f, err := o.root.OpenFile(name, flags, perm)
	if err != nil {
		return -1, settle(err, o.escape)
	}
	// A descriptor of our own: the file's would be closed with it.
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err := errors.Join(err, f.Close()); err != nil {
		return -1, err
	}
	if flags&(unix.O_PATH|unix.O_DIRECTORY) == unix.O_PATH && isLink(fd) {
		// The one case in which os.Root does not follow: FS does it instead.
		closeFD(fd)
		return -1, errBeyond
	}
	return fd, nil
}

func isLink(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// sameMount closes fd and returns errBeyond if it is on another mount.
func (o *rootOpener) sameMount(fd int) (int, error) {
	mount, err := mountOf(fd)
	if err == nil && mount != o.mount {
		err = errBeyond
	}
	if err != nil {
		closeFD(fd)
		return -1, err
	}
	return fd, nil
}

// mountID tells mounts apart. A kernel before 5.8 leaves id at 0, and then a
// bind mount from the same device is not told.
type mountID struct {
	id           uint64
	major, minor uint32
}

func mountOf(fd int) (mountID, error) {
	var st unix.Statx_t
	if err := unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &st); err != nil {
		return mountID{}, err
	}
	m := mountID{major: st.Dev_major, minor: st.Dev_minor}
	if st.Mask&unix.STATX_MNT_ID != 0 {
		m.id = st.Mnt_id
	}
	return m, nil
}
