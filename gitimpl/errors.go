package gitimpl

import (
	"errors"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
)

// The sentinels tell failures apart with errors.Is. The error itself is a
// *[facade.Error] whose code says how to react.
var (
	ErrNoGit           = errors.New("git is missing or too old")
	ErrNotRepository   = errors.New("not a git repository")
	ErrUntrustedOwner  = errors.New("the repository belongs to another user")
	ErrOutsideRoot     = errors.New("outside the root")
	ErrUnbornHead      = errors.New("the branch has no commits yet")
	ErrUnknownRevision = errors.New("unknown revision")
	ErrUnknownRemote   = errors.New("unknown remote")
	ErrUnknownIdentity = errors.New("nobody is set as author")
	ErrNothingToCommit = errors.New("nothing to commit")
	ErrConflict        = errors.New("conflicting changes")
	ErrDirty           = errors.New("local changes would be overwritten")
	ErrDiverged        = errors.New("both sides have new commits")
	ErrRejected        = errors.New("the remote rejected the push")
	ErrAuth            = errors.New("the remote refused access")
	ErrNetwork         = errors.New("the remote cannot be reached")
	ErrLocked          = errors.New("another program holds a lock")
	ErrNoOperation     = errors.New("nothing to abort")
	ErrPathNotFound    = errors.New("no such path")
	ErrStaleHead       = errors.New("HEAD has moved")
	ErrScriptFailed    = errors.New("the script failed")
	ErrScriptChanged   = errors.New("the script has changed")
)

// GitError is a git command that failed. It is the cause inside a
// *[facade.Error], for logs; [GitError.Error] is short and safe to show.
type GitError struct {
	// Verb is the git command, as "commit".
	Verb string
	// ExitCode is git's, or -1 when a signal ended it.
	ExitCode int
	// Stderr is the end of what git said, in English, without host paths,
	// passwords and control characters.
	Stderr string

	kind error
}

// Error returns one line.
func (e *GitError) Error() string {
	return fmt.Sprintf("git %s ended with exit code %d", e.Verb, e.ExitCode)
}

// Unwrap returns the sentinel that fits, or nil.
func (e *GitError) Unwrap() error { return e.kind }

// fail returns an error with a code whose cause is a sentinel.
func fail(code facade.Code, sentinel error, format string, args ...any) *facade.Error {
	e := facade.Errorf(code, format, args...)
	e.Err = sentinel
	return e
}

// failed turns a failed command into an error for the model. State that says
// more than the exit code has been looked at before by the action.
func (r *repo) failed(ge *GitError) *facade.Error {
	switch {
	case r.lockHeld(ge):
		return r.lockedError(ge)
	case isAuth(ge.Stderr):
		return cause(fail(facade.CodePermissionDenied, nil, "the remote refused access: %s", lastLine(ge.Stderr)).
			WithHint("the host has to provide credentials for this remote"), ErrAuth, ge)
	case isNetwork(ge.Stderr):
		return cause(fail(facade.CodeUnavailable, nil, "the remote cannot be reached: %s", lastLine(ge.Stderr)), ErrNetwork, ge)
	}
	message := lastLine(ge.Stderr)
	if message == "" {
		message = ge.Error()
	}
	return cause(fail(facade.CodeIO, nil, "git %s failed: %s", ge.Verb, message), nil, ge)
}

// cause sets the error's cause to the failed command, marked with a sentinel.
func cause(e *facade.Error, sentinel error, ge *GitError) *facade.Error {
	marked := *ge
	marked.kind = sentinel
	e.Err = &marked
	return e
}

// gitError returns the failed command in err, or nil.
func gitError(err error) *GitError {
	ge, _ := errors.AsType[*GitError](err)
	return ge
}

// exitedWith1 reports whether err is a git command that ended with status 1,
// by which many commands answer no.
func exitedWith1(err error) bool {
	ge := gitError(err)
	return ge != nil && ge.ExitCode == 1
}
