package gogit

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// endpoint is the other end of a fetch or a push.
type endpoint interface {
	// list returns the branches and tags of the remote.
	list(ctx context.Context) (map[plumbing.ReferenceName]plumbing.Hash, error)
	// fetch gets what the refspecs name, and tags.
	fetch(ctx context.Context, specs []config.RefSpec, prune, tags bool) error
	// update sets a branch of the remote, if it still is as before.
	update(ctx context.Context, ref plumbing.ReferenceName, from, to plumbing.Hash) error
}

// remoteNames lists the configured remotes, in order.
func (r *repo) remoteNames() []string {
	var list []string
	for name, m := range r.config.Remotes {
		if len(m.URLs) > 0 && !strings.HasPrefix(name, "-") {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// remote finds a remote by its name; addresses are not taken.
func (r *repo) remote(name string) (*config.RemoteConfig, error) {
	all := r.remoteNames()
	if slices.Contains(all, name) {
		return r.config.Remotes[name], nil
	}
	e := inField(fail(facade.CodeNotFound, gitimpl.ErrUnknownRemote, "there is no remote '%s'", name), "remote")
	e.Hint = gitrule.RemoteHint(name, all)
	return nil, e
}

// address is where a remote is, as its configuration says: a URL, or a
// directory of the file system of remotes.
type address struct {
	url *url.URL
	dir string
}

// judge tells where a remote is, and why it may not be used, if so.
func (r *repo) judge(text string) (a address, reason string) {
	if strings.Contains(text, "::") {
		return a, "it names a program"
	}
	if u, ok := secureShell(text); ok {
		return address{url: u}, ""
	}
	scheme, rest, ok := strings.Cut(text, "://")
	switch {
	case ok && scheme == "file":
		return r.judgeDir(rest)
	case !ok:
		return r.judgeDir(text)
	case scheme == "http" && !r.g.opts.InsecureHTTP:
		return a, "http is not encrypted"
	case scheme != "https" && scheme != "http" && scheme != "ssh":
		return a, "the scheme '" + scheme + "' is not supported"
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || strings.HasPrefix(u.Hostname(), "-") {
		return a, "it has no host"
	}
	return address{url: u}, ""
}

// secureShell reads user@host:path.
func secureShell(text string) (*url.URL, bool) {
	where, dir, ok := strings.Cut(text, ":")
	if !ok || dir == "" || strings.ContainsAny(where, "/\\") || strings.HasPrefix(dir, "//") {
		return nil, false
	}
	u := &url.URL{Scheme: "ssh", Host: where, Path: "/" + strings.TrimPrefix(dir, "/")}
	if user, host, ok := strings.Cut(where, "@"); ok {
		u.User, u.Host = url.User(user), host
	}
	return u, u.Host != "" && !strings.HasPrefix(u.Host, "-")
}

// judgeDir finds a remote that is a directory. A relative one starts at the
// work tree.
func (r *repo) judgeDir(dir string) (a address, reason string) {
	if !strings.HasPrefix(dir, "/") {
		dir = path.Join(r.top, dir)
	}
	b := r.g.remotes.dir(dir)
	for _, b := range []bridge{b.below(".git"), b} {
		if fi, err := b.Lstat("objects"); err == nil && fi.IsDir() {
			return address{dir: b.root}, ""
		}
	}
	return a, "there is no repository in that directory of this tool's file system"
}

// reach connects to a remote.
func (r *repo) reach(ctx context.Context, m *config.RemoteConfig, push bool) (endpoint, error) {
	text := m.URLs[0]
	a, reason := r.judge(text)
	if reason != "" {
		return nil, inField(fail(facade.CodeDenied, gitimpl.ErrUnknownRemote, "the address of remote '%s' is not allowed: %s", m.Name, reason), "remote")
	}
	if a.url == nil {
		b := r.g.remotes.dir(a.dir)
		return &directory{r: r, git: b, store: openStore(b), name: m.Name}, nil
	}
	auth, err := r.credentials(ctx, m.Name, a.url, push)
	if err != nil {
		return nil, err
	}
	return newWire(r, m.Name, text, auth), nil
}

// specs are the refspecs of a remote, or the one of a branch of it.
func specs(m *config.RemoteConfig, branch plumbing.ReferenceName) []config.RefSpec {
	if branch != "" {
		return []config.RefSpec{config.RefSpec("+" + branch.String() + ":" + tracking(m.Name, branch).String())}
	}
	var list []config.RefSpec
	for _, s := range m.Fetch { // only what follows the remote
		if s.Validate() == nil && strings.HasPrefix(s.Dst("refs/heads/x").String(), "refs/remotes/") {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		list = append(list, config.RefSpec("+refs/heads/*:refs/remotes/"+m.Name+"/*"))
	}
	return list
}

// tracking is the ref that follows a branch of a remote.
func tracking(remote string, branch plumbing.ReferenceName) plumbing.ReferenceName {
	return plumbing.NewRemoteReferenceName(remote, branch.Short())
}
