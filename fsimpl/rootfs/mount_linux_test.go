package rootfs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// TestMounts runs the payloads with bind mounts. The portable way is not
// among those tested: it cannot tell a bind mount of the same device.
func TestMounts(t *testing.T) {
	if !escapetest.InMountNamespace(t) {
		return
	}
	for _, v := range linuxVariants() {
		for _, name := range escapetest.Mounts() {
			t.Run(v.name+"/"+name, func(t *testing.T) { runPayload(t, v, nil, name) })
		}
	}
}

// TestMountCode tells a mount from other ways out.
func TestMountCode(t *testing.T) {
	if !escapetest.InMountNamespace(t) {
		return
	}
	for _, v := range linuxVariants() {
		t.Run(v.name, func(t *testing.T) {
			w := escapetest.Build(t, escapetest.TempDir(t), "through bind mount", "above bind mount")
			f := v.open(t, w.Root, nil)
			_, err := f.Open("mnt2/secret.txt")
			if got := facade.CodeOf(err); got != facade.CodeOutsideRoot {
				t.Errorf("open: code %q, want outside_root (%v)", got, err)
			}
			if want := "open mnt2/secret.txt: the path leads to another mounted file system"; err == nil || err.Error() != want {
				t.Errorf("open: %v, want %s", err, want)
			}
			if err := f.RemoveAll("mnt5"); facade.CodeOf(err) == "" {
				t.Error("RemoveAll removes a directory with a mount below")
			}
			if _, err := os.Stat(filepath.Join(w.Root, "mnt5/dir/mnt/secret.txt")); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMountPortable: the portable way tells other devices below the root, and
// does nothing there.
func TestMountPortable(t *testing.T) {
	if !escapetest.InMountNamespace(t) {
		return
	}
	dir := escapetest.TempDir(t)
	mnt := filepath.Join(dir, "sub/mnt")
	check(t, os.MkdirAll(mnt, 0o755))
	check(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	if err := unix.Mount("tmpfs", mnt, "tmpfs", 0, ""); err != nil {
		t.Skipf("no mounts for this user: %v", err)
	}
	defer func() { check(t, unix.Unmount(mnt, unix.MNT_DETACH)) }()
	check(t, os.WriteFile(filepath.Join(mnt, "file"), []byte("kept"), 0o644))
	f := variant{"portable", newPortableBackend}.open(t, dir, nil)
	_, openErr := f.Open("sub/mnt/file")
	_, createErr := f.Create("sub/mnt/new")
	_, statErr := f.Stat("sub/mnt/file")
	for name, err := range map[string]error{
		"Open": openErr, "Create": createErr, "Stat": statErr,
		"Mkdir": f.Mkdir("sub/mnt/new", 0o755), "MkdirAll": f.MkdirAll("sub/mnt/new/er", 0o755),
		"Symlink": f.Symlink("x", "sub/mnt/new"), "Rename": f.Rename("sub/mnt/file", "new"),
		"Chmod": f.Chmod("sub/mnt/file", 0o777), "Remove": f.Remove("sub/mnt/file"),
		"RemoveAll file": f.RemoveAll("sub/mnt/file"), "RemoveAll mnt": f.RemoveAll("sub/mnt"), "RemoveAll sub": f.RemoveAll("sub"),
	} {
		if facade.CodeOf(err) != facade.CodeOutsideRoot || !errors.Is(err, unix.EXDEV) {
			t.Errorf("%s: code %q (%v), want outside_root", name, facade.CodeOf(err), err)
		}
	}
	entries, err := os.ReadDir(mnt)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	content(t, filepath.Join(mnt, "file"), "kept")
}
