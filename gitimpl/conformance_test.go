package gitimpl_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// TestConformance runs the suite of the git contract.
func TestConformance(t *testing.T) {
	facadetest.TestGit(t, facadetest.GitHarness{New: func(t testing.TB) *facadetest.GitFixture {
		l := newLab(t)
		l.git(".", "init", "-q", "--bare", "remote.git")
		fixture := func(name string) *facadetest.GitFixture {
			l.git(".", "init", "-q", name)
			l.git(name, "remote", "add", "origin", l.path("remote.git"))
			return &facadetest.GitFixture{
				Tools: l.open(name, &gitimpl.Options{FileRemotes: true}), Store: facadetest.NewDirStore(l.path(name)), HostPath: l.path(name),
			}
		}
		first := fixture("first")
		first.Peer = func() *facadetest.GitFixture { return fixture("second") }
		return first
	}})
}
