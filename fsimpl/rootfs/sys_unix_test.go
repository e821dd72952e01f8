//go:build unix

package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// TestForeignInfo takes descriptions that are not of this system for files
// with one name that are no other's.
func TestForeignInfo(t *testing.T) {
	m := afero.NewMemMapFs()
	check(t, afero.WriteFile(m, "file", nil, 0o644))
	foreign, err := m.Stat("file")
	check(t, err)
	real, err := os.Stat(t.TempDir())
	check(t, err)
	if n := links(foreign); n != 1 {
		t.Errorf("%d links", n)
	}
	if d := device(foreign); d != 0 {
		t.Errorf("device %d", d)
	}
	if SameFile(foreign, real) || SameFile(real, foreign) {
		t.Error("a file in memory is one of the system")
	}
}

// TestRenamedClosed leaves a closed file as it is.
func TestRenamedClosed(t *testing.T) {
	f, err := os.Open(t.TempDir())
	check(t, err)
	check(t, f.Close())
	if got, err := renamed(f, "name"); got != f || err == nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestRemovedWorkingDir opens a root of which no host path is known: absolute
// links lead outside then.
func TestRemovedWorkingDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	check(t, os.Mkdir(dir, 0o755))
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Skipf("a directory in use cannot be removed: %v", err)
	}
	f, err := Open(".", nil)
	if err != nil {
		t.Skipf("no handle for a directory without a name: %v", err)
	}
	defer func() { check(t, f.Close()) }()
	if len(f.paths) > 0 {
		t.Errorf("paths %q", f.paths)
	}
	if _, err := f.Stat("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat: %v", err)
	}
}

// TestRenameOntoItself: a directory is not renamed onto itself, however that
// is spelled, nor below itself.
func TestRenameOntoItself(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.MkdirAll(filepath.Join(dir, "d/sub"), 0o755))
		f := v.open(t, dir, nil)
		for _, name := range []string{"d", "d/", "./d", "d/../d"} {
			if err := f.Rename("d", name); !errors.Is(err, fs.ErrExist) {
				t.Errorf("to %s: %v, want ErrExist", name, err)
			}
		}
		for _, err := range []error{f.Rename("d", "d/sub/x"), f.RenameNoReplace("d", "d/sub/x")} {
			if facade.CodeOf(err) != facade.CodeInvalidArgument {
				t.Errorf("below itself: code %q (%v)", facade.CodeOf(err), err)
			}
		}
		if err := f.RenameNoReplace("d", "d"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("NoReplace onto itself: %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, "d/sub")); err != nil {
			t.Error(err)
		}
	})
}
