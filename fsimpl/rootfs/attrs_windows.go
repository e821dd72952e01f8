package rootfs

import "os"

// copyOwnerAndMode keeps the read-only attribute; a new file inherits its
// access control list from the directory.
func copyOwnerAndMode(from, to *os.File) (lost []string, err error) {
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	return nil, to.Chmod(info.Mode().Perm())
}
