package fssync_test

import (
	"testing"

	"github.com/spf13/afero"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/fssync"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// relative lets the suite use the names without a slash in front, which are other
// files in memory.
func relative(fs afero.Fs) afero.Fs { return afero.NewBasePathFs(fs, "/") }

func open(t testing.TB, source, target afero.Fs, opts *fssync.Options) *fssync.Syncer {
	t.Helper()
	s, err := fssync.New(source, target, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestMemory(t *testing.T) {
	facadetest.TestSync(t, facadetest.SyncHarness{New: func(t testing.TB) *facadetest.SyncFixture {
		source, target := afero.NewMemMapFs(), afero.NewMemMapFs()
		for _, side := range []afero.Fs{source, target} {
			if err := side.MkdirAll("/", 0o755); err != nil {
				t.Fatal(err)
			}
		}
		return &facadetest.SyncFixture{Tools: open(t, source, target, nil), Source: relative(source), Target: relative(target)}
	}})
}

func TestDisk(t *testing.T) {
	facadetest.TestSync(t, facadetest.SyncHarness{New: func(t testing.TB) *facadetest.SyncFixture {
		var sides [2]*rootfs.FS
		var dirs [2]string
		for i := range sides {
			dirs[i] = t.TempDir()
			var err error
			if sides[i], err = rootfs.Open(dirs[i], nil); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = sides[i].Close() })
		}
		s := open(t, sides[0], sides[1], &fssync.Options{
			SourceDir: dirs[0], TargetDir: dirs[1], State: afero.NewMemMapFs(), StateFile: "/state/pair.json",
		})
		return &facadetest.SyncFixture{
			Tools: s, Source: afero.NewBasePathFs(afero.NewOsFs(), dirs[0]), Target: afero.NewBasePathFs(afero.NewOsFs(), dirs[1]),
		}
	}})
}
