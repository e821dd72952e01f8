package rootfs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRenameChecked does without RENAME_NOREPLACE.
func TestRenameChecked(t *testing.T) {
	dir := t.TempDir()
	plantKinds(t, dir)
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC, 0)
	check(t, err)
	defer closeFD(fd)
	for _, tt := range []struct {
		old, name string
		want      error
	}{
		{"file", "dir", unix.EEXIST},
		{"file", "out", unix.EEXIST},
		{"dir", "file", unix.EEXIST},
		{"missing", "new", unix.ENOENT},
		{"dir", "dir/sub/x", unix.EINVAL},
		{"file", "new", nil},
		{"dir", "newdir", nil},
		{"loop", "newloop", nil},
	} {
		err := renameChecked(fd, tt.old, fd, tt.name)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s to %s: %v, want %v", tt.old, tt.name, err, tt.want)
		}
		_, oldErr := os.Lstat(filepath.Join(dir, tt.old))
		if err == nil && !os.IsNotExist(oldErr) {
			t.Errorf("%s is still there", tt.old)
		}
	}
}

// TestWithoutOpenat2 opens a root where the system call fails.
func TestWithoutOpenat2(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	check(t, err)
	b, err := newRootOpenerBackend(root)
	check(t, err)
	if _, ok := b.(*linuxBackend).opener.(*rootOpener); !ok {
		t.Errorf("opener %T", b.(*linuxBackend).opener)
	}
	check(t, b.close())
	if b, err := newBackend(root); err == nil {
		t.Errorf("a closed root gives %T", b)
	}
}

// TestMountID tells /proc from the rest of the system.
func TestMountID(t *testing.T) {
	var ids []mountID
	for _, name := range []string{t.TempDir(), "/proc", "/proc/self"} {
		fd, err := unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0)
		check(t, err)
		id, err := mountOf(fd)
		check(t, err)
		closeFD(fd)
		ids = append(ids, id)
	}
	if ids[0] == ids[1] || ids[1] != ids[2] {
		t.Errorf("mounts %v", ids)
	}
}

// TestCheckReplace lets a directory have another spelling of its own name.
func TestCheckReplace(t *testing.T) {
	dir := t.TempDir()
	plantKinds(t, dir)
	top, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC, 0)
	check(t, err)
	defer closeFD(top)
	sub, err := unix.Open(filepath.Join(dir, "dir"), unix.O_PATH|unix.O_CLOEXEC, 0)
	check(t, err)
	defer closeFD(sub)
	for _, tt := range []struct {
		old  string
		to   int
		name string
		want error
	}{
		{"dir", sub, ".", nil}, // stands for a name in other letters
		{"dir", top, "dir", unix.EEXIST},
		{"dir", top, "dir/", unix.EEXIST},
		{"file", top, "dir", unix.EEXIST},
		{"missing", top, "dir", unix.ENOENT},
		{"dir", top, "missing", nil},
		{"dir", top, "file", nil}, // up to the kernel
	} {
		if err := checkReplace(top, tt.old, tt.to, tt.name); !errors.Is(err, tt.want) {
			t.Errorf("%s to %s: %v, want %v", tt.old, tt.name, err, tt.want)
		}
	}
}
