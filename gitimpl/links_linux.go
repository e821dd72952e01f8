package gitimpl

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"syscall"
)

// linksIn returns the names of the links in dir. Most git directories have
// none, and each action looks: so the kinds are read as the kernel lists them,
// without a value per entry.
func linksIn(dir string) ([]string, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(dir, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_DIRECTORY, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	defer regular(fd).close()
	const size = 4 << 10
	buf := make([]byte, size)
	var names []string
	for {
		n, err := retry(func() (int, error) { return syscall.ReadDirent(fd, buf) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: dir, Err: err}
		}
		if n <= 0 {
			return names, nil
		}
		more, known := linksAmong(buf[:n])
		if !known { // a file system that does not list kinds
			return readLinks(dir)
		}
		names = append(names, more...)
	}
}

// linksAmong returns the names of the links in what getdents64 has written,
// and whether it tells the kind of every entry.
func linksAmong(list []byte) (names []string, known bool) {
	// struct linux_dirent64: inode, offset, length, kind, name ended by NUL.
	const lengthAt, kindAt, nameAt = 16, 18, 19
	for len(list) >= nameAt {
		length := int(binary.NativeEndian.Uint16(list[lengthAt:]))
		if length < nameAt || length > len(list) {
			return nil, false
		}
		switch list[kindAt] {
		case syscall.DT_UNKNOWN:
			return nil, false
		case syscall.DT_LNK:
			name, _, _ := bytes.Cut(list[nameAt:length], []byte{0})
			names = append(names, string(name))
		}
		list = list[length:]
	}
	return names, len(list) == 0
}
