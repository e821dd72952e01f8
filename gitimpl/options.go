package gitimpl

import (
	"context"
	"time"
)

// Trust says how much of a repository's own configuration git may obey.
type Trust int

const (
	// Untrusted is for repositories of any origin. Git sees only these
	// settings of the repository, each checked: the format of the repository
	// (core.repositoryFormatVersion, extensions.*), properties of the file
	// system (core.fileMode, symlinks, ignoreCase, precomposeUnicode,
	// autocrlf, eol, safecrlf, sharedRepository, trustctime, checkStat),
	// sparse checkout, untracked cache, logging of refs, user, author and
	// committer, the remote and merge of branches, and address, refspec and
	// partial-clone filter of remotes. Of the user's own configuration it
	// sees identity, ignore rules, proxy and certificates. No hook, filter,
	// driver, helper, alias or include takes effect. So Git LFS does not work:
	// files keep the content that is stored, and are stored as they are, which
	// stage reports as unfiltered.
	Untrusted Trust = iota
	// TrustConfig is for repositories whose content the host answers for.
	// Git obeys the configuration of the system, the user and the repository.
	// Hooks, filters (Git LFS), merge drivers, credential helpers and signing
	// work. Whoever can write to such a repository can run programs as the
	// current user.
	TrustConfig
)

// Options are the choices of a host. Nil means the zero Options.
type Options struct {
	// Program is the path of git; by default it is looked for in PATH.
	Program string
	// Trust is [Untrusted] unless set.
	Trust Trust
	// ExtraRoots are directories, beside the root, in which git directories
	// and alternate object stores may lie: for work trees linked to a
	// repository elsewhere, and for clones that share objects.
	ExtraRoots []string
	// TrustedOwners are user ids that may own a repository, beside the
	// current user. Systems without user ids ignore it.
	TrustedOwners []int
	// FileRemotes lets remotes be directories outside the root. Inside it
	// they always may; then their hooks do not run.
	FileRemotes bool
	// InsecureHTTP lets remotes use http. By default they use https or ssh.
	InsecureHTTP bool
	// Credentials is asked before an action talks to an https remote; nil
	// means that no credentials are sent.
	Credentials func(context.Context, CredentialRequest) (Credential, error)
	// SSHCommand replaces "ssh -oBatchMode=yes". A shell interprets it.
	SSHCommand string
	// Identity is the author and committer; by default the repository's or
	// the user's configuration says who commits.
	Identity *Identity
	// CommitScript makes commits in the place of git commit.
	CommitScript *Script
	// PushScript pushes in the place of git push.
	PushScript *Script
	// TempDir is where private files are kept until Close; by default the
	// system's. It must not be inside the root.
	TempDir string
	// Grace is how long git may clean up when a call is cancelled; 0 means
	// 5 seconds.
	Grace time.Duration
	// LockWait is how long to wait for another program's lock on the
	// repository; 0 means 1.3 seconds.
	LockWait time.Duration
}

// Identity is who commits.
type Identity struct {
	Name, Email string
}

// CredentialRequest says what credentials are for.
type CredentialRequest struct {
	// Remote is the configured name.
	Remote string
	// URL is the address, without user and password.
	URL string
	// Push says that the call will push.
	Push bool
}

// Credential is sent to one remote, for one call. It never appears in a
// command line, an error or a result.
type Credential struct {
	Username, Password string
}

// Script is a program of the host that commits or pushes. It is read when
// [New] is called and runs from a private copy; an action fails with
// [ErrScriptChanged] when the file has changed since.
//
// It runs in the top of the work tree, with the environment that this package
// gives git, so that nested git commands are hardened alike; that is a
// precaution, not a sandbox. These variables tell it what to do:
//
//	TOOLFACADE_MESSAGE_FILE  commit: a file that holds the message
//	TOOLFACADE_AMEND         commit: 1 to replace the last commit, else 0
//	TOOLFACADE_ALLOW_EMPTY   commit: 1 to commit without changes, else 0
//	TOOLFACADE_AUTHOR        commit: "Name <email>", or empty
//	TOOLFACADE_REMOTE        push: name of the remote
//	TOOLFACADE_REFSPEC       push: what to push
//	TOOLFACADE_LEASE         push: value for --force-with-lease, or empty
//	TOOLFACADE_DRY_RUN       push: 1 to change nothing, else 0
//
// What it says about itself counts for nothing: a commit is a commit when HEAD
// has moved, and a push is one when the remote has the commit.
type Script struct {
	// Path is the file, with execute permission. It must be outside the root,
	// unless SHA256 is set.
	Path string
	// SHA256 is the hexadecimal digest that the file must have; "" takes the
	// file as it is when New is called.
	SHA256 string
	// Timeout is 10 minutes unless set.
	Timeout time.Duration
	// Env are further variables, as "NAME=value".
	Env []string
}
