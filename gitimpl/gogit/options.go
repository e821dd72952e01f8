package gogit

import (
	"context"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/gitimpl"
)

// Options are the choices of a host. Nil means the zero Options.
type Options struct {
	// Identity is the author and committer; by default user.name and
	// user.email of the repository's configuration say who commits.
	Identity *gitimpl.Identity
	// Remotes is where remotes that are directories are looked for; by default
	// in the file system of the repositories.
	Remotes afero.Fs
	// InsecureHTTP lets remotes use http. By default they use https or ssh.
	InsecureHTTP bool
	// Credentials is asked before an action talks to an https remote; nil
	// means that no credentials are sent. A remote reached by ssh gets the
	// keys of the user's agent.
	Credentials func(context.Context, gitimpl.CredentialRequest) (gitimpl.Credential, error)
}
