package fsimpl

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// What is not known to be untouched counts as touched.
func TestUntouchedUnknown(t *testing.T) {
	fsys := afero.NewMemMapFs()
	must(t, afero.WriteFile(fsys, "/f", []byte("x"), 0o644))
	inMemory, err := fsys.Stat("/f")
	must(t, err)
	name := filepath.Join(t.TempDir(), "f")
	must(t, os.WriteFile(name, []byte("x"), 0o600))
	onDisk, err := os.Stat(name)
	must(t, err)
	later := time.Now().Add(time.Hour)
	if !untouched(onDisk, onDisk, later) {
		t.Error("the same file is touched")
	}
	if untouched(inMemory, onDisk, later) || untouched(onDisk, inMemory, later) || untouched(inMemory, inMemory, later) {
		t.Error("a file without the system's times counts as untouched")
	}
	closed, err := os.Open(name)
	must(t, err)
	must(t, closed.Close())
	if settle(nil) || settle(closed) {
		t.Error("settled without an open file")
	}
}
