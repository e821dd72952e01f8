package rootfs

import (
	"bytes"
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// accessACL holds an access control list. With one, the group bits of the mode
// are a mask over all its entries.
const accessACL = "system.posix_acl_access"

// copyAttributes sets the owner first, which clears bits of the mode, and the
// extended attributes last, of which the list refines the mode.
func copyAttributes(from, to *os.File) (lost []string, err error) {
	lost, err = copyOwnerAndMode(from, to)
	if err != nil {
		return lost, err
	}
	lostX := copyXattrs(int(from.Fd()), int(to.Fd()))
	for _, name := range lostX {
		lost = append(lost, "xattr "+name)
		if name == accessACL {
			// Without the list, its mask would become rights of the group.
			info, err := to.Stat()
			if err == nil {
				err = to.Chmod(info.Mode().Perm() &^ 0o070)
			}
			if err != nil {
				return lost, err
			}
		}
	}
	return lost, nil
}

// copyXattrs returns the names it could not copy.
func copyXattrs(from, to int) (lost []string) {
	list, err := growing(func(buf []byte) (int, error) { return unix.Flistxattr(from, buf) })
	if err != nil {
		if errors.Is(err, unix.ENOTSUP) {
			return nil
		}
		return []string{"*"}
	}
	for raw := range bytes.SplitSeq(list, []byte{0}) {
		name := string(raw)
		if name == "" || bound(name) {
			continue
		}
		value, err := growing(func(buf []byte) (int, error) { return unix.Fgetxattr(from, name, buf) })
		if err == nil {
			err = unix.Fsetxattr(to, name, value, 0)
		}
		if err != nil {
			lost = append(lost, name)
		}
	}
	return lost
}

// bound reports whether an attribute belongs to the content it was set for:
// capabilities and integrity hashes.
func bound(name string) bool {
	switch name {
	case "security.capability", "security.ima", "security.evm":
		return true
	}
	return strings.HasPrefix(name, "trusted.overlay.")
}

// growing calls read with larger buffers until its answer fits.
func growing(read func([]byte) (int, error)) ([]byte, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := read(buf)
		if err == nil {
			return buf[:n], nil
		}
		if !errors.Is(err, unix.ERANGE) || size > 1<<20 {
			return nil, err
		}
	}
}
