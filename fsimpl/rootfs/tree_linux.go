package rootfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// maxDepth bounds the descent of removeAll, which holds one descriptor for
	// each directory it is in.
	maxDepth = 2048
	// maxPasses bounds how often a directory is read again while somebody else
	// keeps adding to it.
	maxPasses = 64
)

func (b *linuxBackend) remove(name string) error {
	dir, base, err := b.parent(name)
	if err != nil {
		return err
	}
	defer closeFD(dir)
	err = unix.Unlinkat(dir, base, 0)
	if !isDirError(err) {
		return err
	}
	if rerr := unix.Unlinkat(dir, base, unix.AT_REMOVEDIR); !errors.Is(rerr, unix.ENOTDIR) {
		return rerr
	}
	return err
}

// isDirError reports whether unlink failed because of a directory: EISDIR on
// Linux's own file systems, EPERM by the letter of POSIX.
func isDirError(err error) bool {
	return errors.Is(err, unix.EISDIR) || errors.Is(err, unix.EPERM)
}

func (b *linuxBackend) removeAll(name string) error {
	dir, base, err := b.parent(name)
	if err == nil {
		defer closeFD(dir)
		err = b.removeTree(dir, base, 0)
	}
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

// removeTree removes an entry and all below it, each by its name in an open
// directory, so that no exchange of names on the way leads it elsewhere.
func (b *linuxBackend) removeTree(dir int, base string, depth int) error {
	err := unix.Unlinkat(dir, base, 0)
	if !isDirError(err) {
		return err
	}
	if depth == maxDepth {
		return unix.ENAMETOOLONG
	}
	fd, oerr := b.at(dir, strings.TrimSuffix(base, "/"), unix.O_RDONLY|unix.O_DIRECTORY, 0)
	switch {
	case errors.Is(oerr, errBeyond):
		return errMount
	case errors.Is(oerr, unix.ENOTDIR), errors.Is(oerr, unix.ELOOP):
		return err // EPERM was about a file
	case oerr != nil:
		return oerr
	}
	d := os.NewFile(uintptr(fd), base)
	defer d.Close()
	for range maxPasses {
		removed, err := b.removeEntries(d, depth)
		if err != nil {
			return err
		}
		err = unix.Unlinkat(dir, base, unix.AT_REMOVEDIR)
		if !errors.Is(err, unix.ENOTEMPTY) || removed == 0 {
			return err
		}
	}
	return unix.ENOTEMPTY
}

// removeEntries goes through a directory once and on after an entry that
// cannot be removed; it returns the first such error.
func (b *linuxBackend) removeEntries(d *os.File, depth int) (removed int, first error) {
	if _, err := d.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	for {
		names, err := d.Readdirnames(1024)
		for _, name := range names {
			switch err := b.removeTree(int(d.Fd()), name, depth+1); {
			case err == nil:
				removed++
			case first == nil && !errors.Is(err, unix.ENOENT):
				first = err
			}
		}
		if errors.Is(err, io.EOF) {
			return removed, first
		}
		if err != nil {
			return removed, err
		}
	}
}

// mkdirAll finds the longest part of name that is there, then makes one
// directory in the other.
func (b *linuxBackend) mkdirAll(name string, perm fs.FileMode) error {
	elems := elements(name)
	dir, n, err := b.deepest(elems)
	if err != nil {
		return err
	}
	defer func() { closeFD(dir) }()
	for _, elem := range elems[n:] {
		if elem == ".." {
			return unix.ENOENT // below what is missing, as for mkdir(1) -p
		}
		if err := unix.Mkdirat(dir, elem, unixMode(perm)); err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
		next, err := b.at(dir, elem, unix.O_PATH|unix.O_DIRECTORY, 0)
		if err != nil {
			return err
		}
		closeFD(dir)
		dir = next
	}
	return nil
}

// deepest opens the longest existing directory among the prefixes of elems.
// A binary search, as names may have two thousand elements.
func (b *linuxBackend) deepest(elems []string) (dir, n int, err error) {
	open := func(n int) (int, error) {
		return b.opener.open("./"+strings.Join(elems[:n], "/"), unix.O_PATH|unix.O_DIRECTORY, 0)
	}
	if dir, err = open(len(elems)); !errors.Is(err, unix.ENOENT) {
		return dir, len(elems), err
	}
	missing := sort.Search(len(elems), func(i int) bool {
		fd, oerr := open(i + 1)
		if oerr == nil {
			closeFD(fd)
		}
		return oerr != nil
	})
	dir, err = open(missing)
	return dir, missing, err
}
