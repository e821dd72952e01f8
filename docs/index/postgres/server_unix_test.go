//go:build unix

package postgres_test

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
	"testing"
)

// ordinary lets programs run as somebody who is not root, who gets the
// directory.
func ordinary(tb testing.TB, dir string) *syscall.SysProcAttr {
	tb.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			tb.Fatal(err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			tb.Fatal(err)
		}
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			tb.Fatal(err)
		}
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	tb.Fatal("there is no ordinary user to run PostgreSQL as")
	return nil
}
