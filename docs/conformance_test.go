package docs_test

import (
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

func TestConformanceInMemory(t *testing.T) {
	facadetest.TestDocument(t, facadetest.DocumentHarness{New: func(tb testing.TB) *facadetest.DocumentFixture {
		tb.Helper()
		fs := afero.NewMemMapFs()
		return &facadetest.DocumentFixture{Tools: newTools(tb, fs, nil), Store: facadetest.NewFsStore(fs)}
	}})
}

func TestConformanceOnDisk(t *testing.T) {
	facadetest.TestDocument(t, facadetest.DocumentHarness{New: func(tb testing.TB) *facadetest.DocumentFixture {
		tb.Helper()
		dir := tb.TempDir()
		root, err := rootfs.Open(dir, nil)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			if err := root.Close(); err != nil {
				tb.Error(err)
			}
		})
		return &facadetest.DocumentFixture{
			Tools: newTools(tb, root, &docs.Options{HostPath: dir}), Store: facadetest.NewDirStore(dir), HostPath: dir,
		}
	}})
}

func newTools(tb testing.TB, fs afero.Fs, opts *docs.Options) *docs.Tools {
	tb.Helper()
	tools, err := docs.New(fs, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := tools.Close(); err != nil {
			tb.Error(err)
		}
	})
	return tools
}
