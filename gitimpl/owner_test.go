//go:build unix

package gitimpl_test

import (
	"os"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// TestForeignOwner refuses somebody else's repository unless the host trusts
// its owner.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const stranger = 54321
	l := newLab(t)
	l.repo("r", "a", "1\n")
	if err := os.Chown(l.path("r/.git"), stranger, stranger); err != nil {
		t.Skipf("this system does not let root give files away: %v", err)
	}
	_, err := l.open("r", nil).Status(t.Context(), facade.GitStatusInput{})
	wantError(t, err, facade.CodePermissionDenied, gitimpl.ErrUntrustedOwner)
	trusting := l.open("r", &gitimpl.Options{TrustedOwners: []int{stranger}})
	must[facade.GitStatusOutput](t)(trusting.Status(t.Context(), facade.GitStatusInput{}))
}
