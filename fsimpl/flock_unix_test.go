//go:build unix

package fsimpl_test

import (
	"os"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// lockDirectory holds a directory's lock as another process would.
func lockDirectory(t *testing.T, dir string) (release func()) {
	t.Helper()
	d, err := os.Open(dir)
	check(t, err)
	check(t, unix.Flock(int(d.Fd()), unix.LOCK_EX))
	release = sync.OnceFunc(func() { check(t, d.Close()) })
	t.Cleanup(release)
	return release
}
