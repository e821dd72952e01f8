package facadetest

import (
	"testing"

	"github.com/spf13/afero"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// reference is a harness for the reference implementation in memory.
func reference() FilesHarness {
	return FilesHarness{New: func(testing.TB) *FilesFixture {
		fsys := afero.NewMemMapFs()
		return &FilesFixture{Tools: newRef(fsys), Store: NewFsStore(fsys)}
	}}
}

func TestReferencePasses(t *testing.T) { TestFiles(t, reference()) }
