package gitimpl

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/toolfacade/toolfacade/facade"
)

// Remotes implements [facade.GitRemoteLister].
func (x *Extended) Remotes(ctx context.Context, in facade.GitRemotesInput) (facade.GitRemotesOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitRemotesOutput{}, err
	}
	defer r.close()
	out := facade.GitRemotesOutput{Remotes: []facade.GitRemoteInfo{}}
	for _, name := range r.remoteNames() {
		url, push := r.setting("remote.url", name), r.setting("remote.pushurl", name)
		m := facade.GitRemoteInfo{Name: name, URL: r.address(url), Usable: true}
		if push != "" && push != url {
			m.PushURL = r.address(push)
		}
		if _, err := r.remote(name); err != nil {
			m.Usable, m.Reason = false, cmp.Or(r.refuses(url), r.refuses(cmp.Or(push, url)))
		}
		out.Remotes = append(out.Remotes, m)
	}
	return out, nil
}

// address is how an address is shown: without password, and without the path
// of a directory of the host.
func (r *repo) address(url string) string {
	dir := r.local(url)
	if dir == "" {
		return r.mask.clean(url)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil && within(r.g.root, real) {
		if rel, err := filepath.Rel(r.g.root, real); err == nil {
			return "/" + shown([]byte(filepath.ToSlash(rel)))
		}
	}
	return "a directory outside the root"
}
