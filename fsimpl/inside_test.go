package fsimpl

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
)

// What tests from inside the package share.

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// failing is the tool on files in memory whose operations can be made to fail.
func failing(t *testing.T, content map[string]string) (*Files, *facadetest.FaultFs) {
	t.Helper()
	fsys := facadetest.NewFaultFs(facadetest.NewCrashFs())
	return working(t, fsys, nil, content), fsys
}

// working is the tool on a file system that holds the given files.
func working(t *testing.T, fsys afero.Fs, opts *Options, content map[string]string) *Files {
	t.Helper()
	for name, text := range content {
		must(t, fsys.MkdirAll("/"+filepath.ToSlash(filepath.Dir(name)), 0o755))
		must(t, afero.WriteFile(fsys, "/"+name, []byte(text), 0o644))
	}
	f, err := New(fsys, opts)
	return closing(t, f, err)
}

// opened is the tool on a directory.
func opened(t *testing.T, dir string, opts *Options) *Files {
	t.Helper()
	f, err := Open(dir, opts)
	return closing(t, f, err)
}

// closing closes the tool at the end of the test.
func closing(t *testing.T, f *Files, err error) *Files {
	t.Helper()
	must(t, err)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// contains checks the content of a file.
func contains(t *testing.T, f *Files, name, want string) {
	t.Helper()
	if got, err := afero.ReadFile(f.tree.fs, f.tree.at(name)); err != nil || string(got) != want {
		t.Errorf("%s has %q, %v; want %q", name, got, err, want)
	}
}

// lacks checks that nothing is at a name.
func lacks(t *testing.T, f *Files, name string) {
	t.Helper()
	if _, err := f.tree.lstat(name); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", name, err)
	}
}

// untidy reports temporary files in a directory.
func untidy(t *testing.T, f *Files, dir string) {
	t.Helper()
	infos, err := afero.ReadDir(f.tree.fs, f.tree.at(dir))
	must(t, err)
	for _, info := range infos {
		if isTemp(info.Name()) {
			t.Errorf("%s is left in %s", info.Name(), dir)
		}
	}
}

// coded checks the code of an error.
func coded(t *testing.T, err error, want facade.Code) {
	t.Helper()
	if got := facade.CodeOf(err); err == nil || got != want {
		t.Errorf("code %q of %v, want %q", got, err, want)
	}
}

// lying claims that files are empty until they are read.
type lying struct{ afero.Fs }

func (l lying) Stat(name string) (fs.FileInfo, error) {
	info, err := l.Fs.Stat(name)
	if err != nil || info.IsDir() {
		return info, err
	}
	return emptyInfo{info}, nil
}

type emptyInfo struct{ fs.FileInfo }

func (emptyInfo) Size() int64 { return 0 }

// readerFunc is an io.Reader made of a function.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

var _ io.Reader = readerFunc(nil)
