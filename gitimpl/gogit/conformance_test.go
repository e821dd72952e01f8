package gogit_test

import (
	"testing"

	"github.com/go-git/go-git/v5/config"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/gogit"
)

// cannot are the rules that need the git program.
var cannot = map[string]string{
	"pull/conflict": "go-git cannot merge",
}

// place is a file system, how the suite reaches it, and where it is on the
// host.
type place struct {
	fs    afero.Fs
	store facadetest.Store
	host  string
}

// TestConformance runs the suite of the git contract in memory and on a
// directory.
func TestConformance(t *testing.T) {
	for name, newPlace := range map[string]func(testing.TB) place{"memory": inMemory, "directory": onDisk} {
		t.Run(name, func(t *testing.T) {
			facadetest.TestGit(t, facadetest.GitHarness{Skip: cannot, New: func(t testing.TB) *facadetest.GitFixture {
				remotes := newPlace(t)
				gogit.InitForTest(t, remotes.fs, "/remote.git", true)
				fixture := func() *facadetest.GitFixture {
					p := newPlace(t)
					gogit.InitForTest(t, p.fs, "/", false, &config.RemoteConfig{Name: "origin", URLs: []string{"/remote.git"}})
					g := open(t, p.fs, &gogit.Options{Remotes: remotes.fs})
					return &facadetest.GitFixture{Tools: g, Store: p.store, HostPath: p.host}
				}
				first := fixture()
				first.Peer = fixture
				return first
			}})
		})
	}
}

func inMemory(testing.TB) place {
	fsys := afero.NewMemMapFs()
	return place{fs: fsys, store: facadetest.NewFsStore(fsys)}
}

func onDisk(t testing.TB) place {
	dir := t.TempDir()
	fsys, err := rootfs.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fsys.Close() })
	return place{fs: fsys, store: facadetest.NewDirStore(dir), host: dir}
}

// open returns the library with an author and all its actions.
func open(t testing.TB, fsys afero.Fs, opts *gogit.Options) *gogit.Extended {
	t.Helper()
	if opts == nil {
		opts = &gogit.Options{}
	}
	opts.Identity = &gitimpl.Identity{Name: "Ada", Email: "ada@example.org"}
	g, err := gogit.New(fsys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return g.Extended()
}
