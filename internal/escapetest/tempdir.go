package escapetest

import (
	"os"
	"path/filepath"
	"testing"
)

// TempDir is [testing.TB.TempDir], in memory where the system has a place for
// that: worlds are built by the thousand. The path has no links.
func TempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "escapetest-") //nolint:usetesting // t.TempDir is on disk
	if err != nil {
		dir, err = filepath.EvalSymlinks(t.TempDir())
		check(t, err)
		return dir
	}
	t.Cleanup(func() { check(t, os.RemoveAll(dir)) })
	return dir
}
