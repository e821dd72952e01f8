//go:build unix

package engine

import (
	"os"
	"syscall"
)

// private reports whether a directory is this user's, and nobody else may write
// to it.
func private(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
