package gogit

import (
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/spf13/afero"
)

// InitForTest makes a repository on branch main.
func InitForTest(t testing.TB, fsys afero.Fs, dir string, bare bool, remotes ...*config.RemoteConfig) {
	t.Helper()
	o := git.InitOptions{DefaultBranch: plumbing.Main}
	tree := newVolume(fsys).dir(dir)
	var r *git.Repository
	var err error
	if bare {
		r, err = git.InitWithOptions(openStore(tree), nil, o)
	} else {
		r, err = git.InitWithOptions(openStore(tree.below(".git")), tree, o)
	}
	for i := 0; i < len(remotes) && err == nil; i++ {
		_, err = r.CreateRemote(remotes[i])
	}
	if err != nil {
		t.Fatal(err)
	}
}
