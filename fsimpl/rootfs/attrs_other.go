//go:build !linux

package rootfs

import "os"

func copyAttributes(from, to *os.File) (lost []string, err error) {
	return copyOwnerAndMode(from, to)
}
