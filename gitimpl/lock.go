package gitimpl

import (
	"os"
	"path/filepath"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// lockHeld reports whether a command failed because of another program's lock.
// Locks are never deleted: who holds one may still be alive.
func (r *repo) lockHeld(ge *GitError) bool {
	if ge.ExitCode == 0 {
		return false
	}
	return saysLocked(ge.Stderr)
}

// lockedError tells how old the lock is, so that somebody can judge whether
// its owner is gone.
func (r *repo) lockedError(ge *GitError) *facade.Error {
	const again = 2 * time.Second
	message, hint := "another program has locked the repository", "try again soon"
	for _, name := range []string{"index.lock", "HEAD.lock", "packed-refs.lock"} {
		fi, err := os.Lstat(filepath.Join(r.gitDir, name))
		if err != nil {
			continue
		}
		age := time.Since(fi.ModTime()).Round(time.Second)
		message += "; .git/" + name + " is " + age.String() + " old"
		hint += "; if no git is running, somebody has to delete .git/" + name
		break
	}
	e := cause(facade.Errorf(facade.CodeLocked, "%s", message).WithHint("%s", hint), ErrLocked, ge)
	e.RetryAfter = again
	return e
}
