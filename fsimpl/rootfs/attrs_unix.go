//go:build unix

package rootfs

import (
	"os"
	"syscall"
)

// copyOwnerAndMode leaves the file the caller's where the system does not let
// it be given away.
func copyOwnerAndMode(from, to *os.File) (lost []string, err error) {
	src, err := from.Stat()
	if err != nil {
		return nil, err
	}
	dst, err := to.Stat()
	if err != nil {
		return nil, err
	}
	want, ok := src.Sys().(*syscall.Stat_t)
	have, ok2 := dst.Sys().(*syscall.Stat_t)
	if ok && ok2 {
		if want.Gid != have.Gid && to.Chown(-1, int(want.Gid)) != nil {
			lost = append(lost, "group")
		}
		if want.Uid != have.Uid && to.Chown(int(want.Uid), -1) != nil {
			lost = append(lost, "owner")
		}
	}
	mode := src.Mode() & (os.ModePerm | os.ModeSticky)
	if len(lost) > 0 && lost[0] == "group" {
		mode &^= 0o070 // rights meant for another group
	}
	return lost, to.Chmod(mode)
}
