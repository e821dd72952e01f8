package gitrule

import (
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Count counts an entry of a status by what it is.
func Count(n *facade.GitStatusCounts, e facade.GitStatusEntry) {
	switch e.Kind {
	case "untracked":
		n.Untracked++
	case "ignored":
		n.Ignored++
	case "unmerged":
		n.Unmerged++
	default:
		if e.Index != "." {
			n.Staged++
		}
		if e.Worktree != "." {
			n.Unstaged++
		}
	}
}

// RemoteHint tells which remote to name in the place of one that is not among
// all.
func RemoteHint(name string, all []string) string {
	switch near := facade.Nearest(name, all); {
	case near != "":
		return "did you mean '" + near + "'?"
	case len(all) > 0:
		return "remotes: " + strings.Join(all, ", ")
	}
	return "the repository has no remotes"
}
