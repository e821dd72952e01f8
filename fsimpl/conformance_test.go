package fsimpl_test

import (
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
)

func TestConformanceOnDirectory(t *testing.T) {
	facadetest.TestFiles(t, facadetest.FilesHarness{New: func(t testing.TB) *facadetest.FilesFixture {
		dir := t.TempDir()
		files, err := fsimpl.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = files.Close() })
		return &facadetest.FilesFixture{Tools: files, Store: facadetest.NewDirStore(dir), HostPath: dir, Confined: true}
	}})
}

func TestConformanceInMemory(t *testing.T) {
	facadetest.TestFiles(t, facadetest.FilesHarness{New: func(t testing.TB) *facadetest.FilesFixture {
		mem := afero.NewMemMapFs()
		files, err := fsimpl.New(mem, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = files.Close() })
		return &facadetest.FilesFixture{Tools: files, Store: facadetest.NewFsStore(mem)}
	}})
}
