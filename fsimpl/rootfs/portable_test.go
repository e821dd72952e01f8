package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/toolfacade/toolfacade/facade"
)

// TestPortableClosedRoot gives no backend for a root that is closed.
func TestPortableClosedRoot(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	check(t, err)
	check(t, root.Close())
	if b, err := newPortableBackend(root); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v, %v", b, err)
	}
}

// TestOpenWithoutBackend closes the root when nothing can resolve below it.
func TestOpenWithoutBackend(t *testing.T) {
	var taken *os.Root
	failed := errors.New("no backend")
	f, err := open(t.TempDir(), nil, func(root *os.Root) (backend, error) { taken = root; return nil, failed })
	if f != nil || !errors.Is(err, failed) {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := taken.Stat("."); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the root is open: %v", err)
	}
}

// TestCauses: no layer that may name a host path is left, and codes are known.
func TestCauses(t *testing.T) {
	err := fail("open", "x", &fs.PathError{Op: "open", Path: "/host", Err: &os.SyscallError{Syscall: "openat", Err: syscall.EROFS}})
	if facade.CodeOf(err) != facade.CodePermissionDenied || err.Error() != "open x: the file system is read-only" {
		t.Errorf("code %q (%v)", facade.CodeOf(err), err)
	}
}

// TestReadAllFails returns nothing but the error when reading breaks off.
func TestReadAllFails(t *testing.T) {
	broken := errors.New("broken")
	if data, err := readAll(iotest.ErrReader(broken), 10, 100); data != nil || !errors.Is(err, broken) {
		t.Errorf("%q, %v", data, err)
	}
}

// taken is a directory in which each name is taken.
type taken struct {
	backend
	tries int
}

func (b *taken) open(string, int, fs.FileMode) (*os.File, fs.FileInfo, error) {
	b.tries++
	return nil, nil, syscall.EEXIST
}

// TestCreateTempTaken gives up when no name is free.
func TestCreateTempTaken(t *testing.T) {
	b := &taken{}
	f := &FS{b: b, opts: Options{MaxPath: DefaultMaxPath}}
	file, err := f.CreateTemp("dir", "x-*")
	if file != nil || facade.CodeOf(err) != facade.CodeAlreadyExists || err.Error() != "createtemp dir/x-*: file already exists" {
		t.Errorf("%v, code %q (%v)", file, facade.CodeOf(err), err)
	}
	if b.tries < 2 {
		t.Errorf("%d tries", b.tries)
	}
}

// TestRelative gives the whole path where there is no way to it.
func TestRelative(t *testing.T) {
	for _, tt := range []struct{ dir, full, want string }{{"a", "b/c", "../b/c"}, {".", "b", "b"}, {"..", "b", "b"}} {
		if got := relative(tt.dir, tt.full); got != tt.want {
			t.Errorf("relative(%q, %q) = %q, want %q", tt.dir, tt.full, got, tt.want)
		}
	}
}
