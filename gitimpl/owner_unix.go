//go:build unix

package gitimpl

import (
	"os"
	"slices"
	"syscall"

	"github.com/toolfacade/toolfacade/facade"
)

// checkOwners does what git leaves out when it is told where the repository
// is: somebody else's repository is not used.
func (g *Git) checkOwners(p *place) error {
	me := os.Geteuid()
	for _, dir := range slices.Compact([]string{p.top, p.gitDir, p.common}) {
		fi, err := os.Lstat(dir)
		if err != nil {
			return fail(facade.CodeNotFound, ErrNotRepository, "the repository cannot be read")
		}
		st, ok := fi.Sys().(*syscall.Stat_t)
		if !ok || int(st.Uid) == me || slices.Contains(g.opts.TrustedOwners, int(st.Uid)) {
			continue
		}
		return fail(facade.CodePermissionDenied, ErrUntrustedOwner, "the repository belongs to user %d, not to user %d who runs git", st.Uid, me).
			WithHint("the host can name the user a trusted owner")
	}
	return nil
}
