//go:build unix

package rootfs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// TestHardLinks: a file that may also be outside is read, replaced, renamed
// and removed, but never changed in place.
func TestHardLinks(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		top := t.TempDir()
		outside, dir := filepath.Join(top, "outside"), filepath.Join(top, "root")
		check(t, os.Mkdir(dir, 0o755))
		check(t, os.WriteFile(outside, []byte("old"), 0o644))
		check(t, os.Link(outside, filepath.Join(dir, "hard")))
		before, err := os.Stat(outside)
		check(t, err)

		f := v.open(t, dir, nil)
		if data, err := f.ReadFile("hard", 10); string(data) != "old" {
			t.Errorf("read: %q, %v", data, err)
		}
		_, truncate := f.Create("hard")
		_, write := f.OpenFile("hard", os.O_WRONLY, 0)
		_, appending := f.OpenFile("hard", os.O_APPEND|os.O_RDWR, 0)
		for i, err := range []error{truncate, write, appending, f.Chmod("hard", 0o600), f.Chown("hard", -1, -1), f.Chtimes("hard", time.Now(), time.Now())} {
			if facade.CodeOf(err) != facade.CodePermissionDenied {
				t.Errorf("change %d: %v", i, err)
			}
		}
		after, err := os.Stat(outside)
		check(t, err)
		if data, err := os.ReadFile(outside); string(data) != "old" || after.ModTime() != before.ModTime() || after.Mode() != before.Mode() {
			t.Errorf("outside: %q, %v, %v", data, after, err)
		}

		file, err := f.CreateTemp(".", "tmp-*")
		check(t, err)
		_, err = file.WriteString("new")
		check(t, err)
		check(t, file.Close())
		check(t, f.Rename(file.Name(), "hard"))
		if data, err := os.ReadFile(outside); string(data) != "old" {
			t.Errorf("outside after replacing: %q, %v", data, err)
		}
		check(t, afero.WriteFile(f, "hard", []byte("newer"), 0o644)) // a file of its own now
		check(t, f.Remove("hard"))
	})
}

func TestStrictHardLinks(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.WriteFile(filepath.Join(dir, "one"), []byte("x"), 0o644))
		check(t, os.WriteFile(filepath.Join(dir, "hard"), []byte("x"), 0o644))
		check(t, os.Link(filepath.Join(dir, "hard"), filepath.Join(dir, "hard2")))
		f := v.open(t, dir, &Options{StrictHardLinks: true})
		if _, err := f.ReadFile("one", 10); err != nil {
			t.Error(err)
		}
		if _, err := f.ReadFile("hard", 10); facade.CodeOf(err) != facade.CodePermissionDenied {
			t.Errorf("hard link: %v", err)
		}
		if info, err := f.Stat("hard"); err != nil || info.Size() != 1 {
			t.Errorf("Stat: %v", err)
		}
		check(t, f.Remove("hard2"))
		if _, err := f.ReadFile("hard", 10); err != nil {
			t.Errorf("with one link left: %v", err)
		}
	})
}
