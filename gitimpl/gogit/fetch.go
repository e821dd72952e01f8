package gogit

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Fetch implements [facade.GitRemote].
func (g *Git) Fetch(ctx context.Context, in facade.GitFetchInput) (facade.GitFetchOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitFetchOutput{}, err
	}
	defer r.close()
	names := []string{in.Remote}
	if in.FetchAll {
		names = r.remoteNames()
	}
	before, err := r.refs("refs/remotes/", "refs/tags/")
	if err != nil {
		return facade.GitFetchOutput{}, err
	}
	var ferr error
	for _, name := range names {
		if ferr = r.fetch(ctx, name, in); ferr != nil {
			break
		}
	}
	if ferr != nil && len(names) < 2 {
		return facade.GitFetchOutput{}, ferr
	}
	// What the remotes before a failing one have sent is there, and is told.
	out := facade.GitFetchOutput{}
	out.Updates, out.Hidden, err = r.updates(ctx, before, gitrule.NewRoom(ctx, gitrule.MostRoom))
	if ferr != nil {
		err = ferr
	}
	return out, err
}

// fetch gets the commits of one remote.
func (r *repo) fetch(ctx context.Context, name string, in facade.GitFetchInput) error {
	m, err := r.remote(name)
	if err != nil {
		return err
	}
	var branch plumbing.ReferenceName
	if in.Branch != "" {
		if branch, err = branchRef(in.Branch); err != nil {
			return err
		}
	}
	far, err := r.reach(ctx, m, false)
	if err != nil {
		return err
	}
	if branch != "" {
		theirs, err := far.list(ctx)
		if err != nil {
			return err
		}
		if _, ok := theirs[branch]; !ok {
			return inField(fail(facade.CodeNotFound, gitimpl.ErrUnknownRevision, "remote '%s' has no branch '%s'", name, in.Branch), "branch")
		}
	}
	return far.fetch(ctx, specs(m, branch), in.Prune, in.Tags)
}

// updates compares the refs with those before.
func (r *repo) updates(ctx context.Context, before map[string]plumbing.Hash, room *gitrule.Room) (list []facade.GitRefUpdate, hidden int, err error) {
	after, err := r.refs("refs/remotes/", "refs/tags/")
	if err != nil {
		return nil, 0, err
	}
	list = []facade.GitRefUpdate{}
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] == after[name] || strings.HasSuffix(name, "/HEAD") {
			continue
		}
		u := facade.GitRefUpdate{Ref: shown(name), Old: idOf(before[name]), New: idOf(after[name])}
		if hidden > 0 || !room.Take(u) {
			hidden++
			continue
		}
		if u.Kind, err = r.updateKind(ctx, name, before[name], after[name]); err != nil {
			return nil, 0, err
		}
		list = append(list, u)
	}
	return list, hidden, nil
}

func idOf(hash plumbing.Hash) string {
	if hash.IsZero() {
		return ""
	}
	return hash.String()
}

func (r *repo) updateKind(ctx context.Context, name string, before, after plumbing.Hash) (string, error) {
	switch {
	case after.IsZero():
		return "pruned", nil
	case strings.HasPrefix(name, "refs/tags/"):
		return "tag", nil
	case before.IsZero():
		return "new", nil
	}
	forward, err := r.isAncestor(ctx, before, after)
	if forward {
		return "fast_forward", err
	}
	return "forced", err
}
