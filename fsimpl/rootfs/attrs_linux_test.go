package rootfs

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// filePair makes two files and opens them.
func filePair(t *testing.T) (f *FS, from, to *os.File) {
	t.Helper()
	f = variants()[0].open(t, t.TempDir(), nil)
	for i, file := range []**os.File{&from, &to} {
		opened, _, err := f.OpenRegular([]string{"from", "to"}[i], os.O_RDWR|os.O_CREATE, 0o600)
		check(t, err)
		t.Cleanup(func() { opened.Close() })
		*file = opened
	}
	return f, from, to
}

func TestCopyAttributes(t *testing.T) {
	f, from, to := filePair(t)
	check(t, from.Chmod(0o751|fs.ModeSetuid|fs.ModeSetgid))
	value := []byte("a comment of some length\x00with a NUL")
	if err := unix.Fsetxattr(int(from.Fd()), "user.comment", value, 0); err != nil {
		t.Skipf("this file system has no extended attributes: %v", err)
	}
	long := make([]byte, 2000)
	check(t, unix.Fsetxattr(int(from.Fd()), "user.long", long, 0))
	lost, err := f.CopyAttributes(from, to)
	if err != nil || len(lost) > 0 {
		t.Fatalf("lost %q, %v", lost, err)
	}
	info, err := to.Stat()
	check(t, err)
	if info.Mode() != 0o751 {
		t.Errorf("mode %v, want -rwxr-x--x without set-id bits", info.Mode())
	}
	buf := make([]byte, 4096)
	for name, want := range map[string][]byte{"user.comment": value, "user.long": long} {
		if n, err := unix.Fgetxattr(int(to.Fd()), name, buf); err != nil || !slices.Equal(buf[:n], want) {
			t.Errorf("%s: %q, %v", name, buf[:max(n, 0)], err)
		}
	}
}

// TestCopyACL keeps a list that gives one user more than the group has.
func TestCopyACL(t *testing.T) {
	f, from, to := filePair(t)
	acl := setACL(t, from)
	lost, err := f.CopyAttributes(from, to)
	if err != nil || len(lost) > 0 {
		t.Fatalf("lost %q, %v", lost, err)
	}
	buf := make([]byte, 256)
	n, err := unix.Fgetxattr(int(to.Fd()), accessACL, buf)
	if err != nil || !slices.Equal(buf[:n], acl) {
		t.Errorf("%x, %v, want %x", buf[:max(n, 0)], err, acl)
	}
}

// setACL gives one user more than the group has: the mode becomes 0660, though
// the group has no right.
func setACL(t *testing.T, file *os.File) []byte {
	t.Helper()
	acl := binary.LittleEndian.AppendUint32(nil, 2) // version
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{0x01, 6, ^uint32(0)}, {0x02, 6, 4711}, {0x04, 0, ^uint32(0)}, {0x10, 6, ^uint32(0)}, {0x20, 0, ^uint32(0)}} {
		acl = binary.LittleEndian.AppendUint16(acl, e.tag)
		acl = binary.LittleEndian.AppendUint16(acl, e.perm)
		acl = binary.LittleEndian.AppendUint32(acl, e.id)
	}
	if err := unix.Fsetxattr(int(file.Fd()), accessACL, acl, 0); err != nil {
		t.Skipf("this file system has no access control lists: %v", err)
	}
	return acl
}

// TestLostACL: without its list, a file must not give the group what the list
// gave one user.
func TestLostACL(t *testing.T) {
	f, from, _ := filePair(t)
	setACL(t, from)
	r, w, err := os.Pipe() // has permissions, but no lists
	check(t, err)
	defer r.Close()
	defer w.Close()
	lost, err := f.CopyAttributes(from, w)
	if err != nil || !slices.Equal(lost, []string{"xattr " + accessACL}) {
		t.Errorf("lost %q, %v", lost, err)
	}
	info, err := w.Stat()
	check(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode().Perm())
	}
}

// TestLostACLStays tells when the group's rights could not be taken back.
func TestLostACLStays(t *testing.T) {
	f, from, to := filePair(t)
	setACL(t, from)
	withFailures(t, []syscallFails{
		{nr: unix.SYS_FSETXATTR, errno: unix.EOPNOTSUPP},
		{nr: unix.SYS_FCHMOD, errno: unix.EIO, arg: 2, value: 0o600}, // after 0660
	}, func() {
		lost, err := f.CopyAttributes(from, to)
		if !errors.Is(err, unix.EIO) || !slices.Equal(lost, []string{"xattr " + accessACL}) {
			t.Errorf("lost %q, %v", lost, err)
		}
	})
}

// TestCopyAttributesOfOthers: a file cannot be given away, so its group gets
// nothing, and what cannot be read is named.
func TestCopyAttributesOfOthers(t *testing.T) {
	f, from, to := filePair(t)
	check(t, from.Chmod(0o660))
	want := []string{"group", "owner"}
	if unix.Fsetxattr(int(from.Fd()), "user.comment", []byte("x"), 0) == nil {
		want = append(want, "xattr user.comment")
	}
	if os.Getuid() == 0 {
		check(t, to.Chown(stranger, stranger))
	}
	asStranger(t, func() {
		lost, err := f.CopyAttributes(from, to)
		if err != nil || !slices.Equal(lost, want) {
			t.Errorf("lost %q, %v, want %q", lost, err, want)
		}
	})
	info, err := to.Stat()
	check(t, err)
	st := info.Sys().(*syscall.Stat_t)
	if st.Uid != stranger || st.Gid != stranger || info.Mode() != 0o600 {
		t.Errorf("%d:%d %v", st.Uid, st.Gid, info.Mode())
	}
}

// TestXattrsUnlisted tells a file system without attributes, where nothing is
// lost, from one that does not answer.
func TestXattrsUnlisted(t *testing.T) {
	f, from, to := filePair(t)
	for errno, want := range map[unix.Errno][]string{unix.ENOTSUP: nil, unix.EIO: {"xattr *"}} {
		withFailures(t, []syscallFails{{nr: unix.SYS_FLISTXATTR, errno: errno}}, func() {
			if lost, err := f.CopyAttributes(from, to); err != nil || !slices.Equal(lost, want) {
				t.Errorf("%v: lost %q, %v, want %q", errno, lost, err, want)
			}
		})
	}
}

// TestCopyOwner keeps the owner for root, and tells of its loss to others.
func TestCopyOwner(t *testing.T) {
	if os.Getuid() != 0 {
		f, _, to := filePair(t)
		passwd, err := os.Open("/etc/passwd") // root's, readable by all
		check(t, err)
		defer passwd.Close()
		lost, err := f.CopyAttributes(passwd, to)
		if err != nil || !slices.Contains(lost, "owner") || !slices.Contains(lost, "group") {
			t.Errorf("lost %q, %v, want owner and group", lost, err)
		}
		return
	}
	f, from, to := filePair(t)
	check(t, from.Chown(1234, 5678))
	check(t, from.Chmod(0o640))
	lost, err := f.CopyAttributes(from, to)
	if err != nil || len(lost) > 0 {
		t.Fatalf("lost %q, %v", lost, err)
	}
	info, err := to.Stat()
	check(t, err)
	st := info.Sys().(*syscall.Stat_t)
	if st.Uid != 1234 || st.Gid != 5678 || info.Mode() != 0o640 {
		t.Errorf("%d:%d %v", st.Uid, st.Gid, info.Mode())
	}
}

func TestCopyAttributesOfClosed(t *testing.T) {
	f, from, to := filePair(t)
	check(t, from.Close())
	for _, pair := range [][2]*os.File{{from, to}, {to, from}} {
		if _, err := f.CopyAttributes(pair[0], pair[1]); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s to %s: %v, want ErrClosed", pair[0].Name(), pair[1].Name(), err)
		}
	}
}

// TestCapabilitiesStay: what makes a program privileged is bound to its
// content.
func TestCapabilitiesStay(t *testing.T) {
	for name, want := range map[string]bool{
		"security.capability": true, "security.ima": true, "trusted.overlay.opaque": true,
		"user.comment": false, accessACL: false, "security.selinux": false,
	} {
		if bound(name) != want {
			t.Errorf("bound(%q) = %v", name, !want)
		}
	}
}

// TestHandleFallbacks uses /proc as older kernels need it.
func TestHandleFallbacks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	fd, err := unix.Open(file, unix.O_PATH|unix.O_CLOEXEC, 0)
	check(t, err)
	defer unix.Close(fd)
	check(t, unix.Fchmodat(unix.AT_FDCWD, procPath(fd), 0o640, 0))
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestDeepTree makes and removes 1,500 nested directories.
func TestDeepTree(t *testing.T) {
	dir := t.TempDir()
	f := variants()[0].open(t, dir, nil)
	path := "d"
	for len(path) < 3000 {
		path += "/d"
	}
	check(t, f.MkdirAll(path, 0o755))
	if _, err := f.Stat(path); err != nil {
		t.Error(err)
	}
	check(t, f.RemoveAll("d"))
	if _, err := os.Lstat(filepath.Join(dir, "d")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
