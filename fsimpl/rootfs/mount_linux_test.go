package rootfs

import (
	"os"
	"path/filepath"
	"testing"

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
