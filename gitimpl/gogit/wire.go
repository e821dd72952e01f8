package gogit

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// wire is a remote at an https or ssh address.
type wire struct {
	r      *repo
	remote *git.Remote
	name   string
	auth   transport.AuthMethod
}

var _ endpoint = (*wire)(nil)

func newWire(r *repo, name, address string, auth transport.AuthMethod) *wire {
	c := &config.RemoteConfig{Name: name, URLs: []string{address}}
	return &wire{r: r, remote: git.NewRemote(r.store, c), name: name, auth: auth}
}

// credentials asks the host. The answer goes to this address only.
func (r *repo) credentials(ctx context.Context, name string, u *url.URL, push bool) (transport.AuthMethod, error) {
	if r.g.opts.Credentials == nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil, nil
	}
	bare := *u
	bare.User = nil
	c, err := r.g.opts.Credentials(ctx, gitimpl.CredentialRequest{Remote: name, URL: bare.String(), Push: push})
	if err != nil {
		return nil, fail(facade.CodePermissionDenied, err, "the host has no credentials for remote '%s'", name)
	}
	if c == (gitimpl.Credential{}) {
		return nil, nil
	}
	return &http.BasicAuth{Username: c.Username, Password: c.Password}, nil
}

func (w *wire) list(ctx context.Context) (map[plumbing.ReferenceName]plumbing.Hash, error) {
	refs, err := w.remote.ListContext(ctx, &git.ListOptions{Auth: w.auth})
	if err != nil && !errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return nil, w.failed(ctx, err)
	}
	list := map[plumbing.ReferenceName]plumbing.Hash{}
	for _, ref := range refs {
		if ref.Type() == plumbing.HashReference && (ref.Name().IsBranch() || ref.Name().IsTag()) {
			list[ref.Name()] = ref.Hash()
		}
	}
	return list, nil
}

func (w *wire) fetch(ctx context.Context, specs []config.RefSpec, prune, tags bool) error {
	o := &git.FetchOptions{
		RemoteName: w.name, RefSpecs: specs, Auth: w.auth, Progress: listener{gitrule.NewProgress(ctx)},
		Tags: git.TagFollowing, Prune: prune,
	}
	if tags {
		o.Tags = git.AllTags
	}
	err := w.remote.FetchContext(ctx, o)
	if errors.Is(err, git.NoErrAlreadyUpToDate) || errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return nil
	}
	return w.failed(ctx, err)
}

func (w *wire) update(ctx context.Context, ref plumbing.ReferenceName, from, to plumbing.Hash) error {
	o := &git.PushOptions{
		RemoteName: w.name, Auth: w.auth, Progress: listener{gitrule.NewProgress(ctx)}, Force: true,
		RefSpecs: []config.RefSpec{config.RefSpec("+" + ref.String() + ":" + ref.String())},
	}
	if !from.IsZero() {
		o.RequireRemoteRefs = []config.RefSpec{config.RefSpec(from.String() + ":" + ref.String())}
	}
	err := w.remote.PushContext(ctx, o)
	switch {
	case err == nil, errors.Is(err, git.NoErrAlreadyUpToDate):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case strings.HasPrefix(err.Error(), "command error on "):
		_, reason, _ := strings.Cut(strings.TrimPrefix(err.Error(), "command error on "), ": ")
		return rejected(reason)
	}
	return w.failed(ctx, err)
}

// failed explains an error of the transport. Its own words are not shown: they
// can hold the address with a password.
func (w *wire) failed(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed), errors.Is(err, transport.ErrInvalidAuthMethod):
		return fail(facade.CodePermissionDenied, gitimpl.ErrAuth, "remote '%s' refused access", w.name).
			WithHint("the host has to provide credentials for this remote")
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return fail(facade.CodeUnavailable, gitimpl.ErrNetwork, "there is no repository at the address of remote '%s'", w.name)
	}
	return fail(facade.CodeUnavailable, gitimpl.ErrNetwork, "remote '%s' cannot be reached", w.name)
}

// listener is a Progress as go-git wants it.
type listener struct{ *gitrule.Progress }

// Write implements [io.Writer].
func (l listener) Write(b []byte) (int, error) {
	l.Progress.Write(b)
	return len(b), nil
}

// tagTarget reads what an annotated tag marks.
func tagTarget(obj plumbing.EncodedObject) (plumbing.Hash, error) {
	var tag object.Tag
	err := tag.Decode(obj)
	return tag.Target, err
}
