package gitimpl

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
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
	before, err := r.refs(ctx)
	if err != nil {
		return facade.GitFetchOutput{}, err
	}
	var ferr error
	for _, name := range names {
		if ferr = r.fetch(ctx, name, in); ferr != nil {
			break
		}
	}
	out := facade.GitFetchOutput{Updates: []facade.GitRefUpdate{}}
	if ferr != nil && len(names) < 2 {
		return facade.GitFetchOutput{}, ferr
	}
	// What the remotes before a failing one have sent is there, and is told.
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
	refspecs := m.fetch
	if in.Branch != "" {
		ref, err := branchRef(in.Branch)
		if err != nil {
			return err
		}
		refspecs = []string{"+" + string(ref) + ":" + string(m.tracking(ref))}
	}
	c := r.git("fetch", "--progress", "--no-recurse-submodules", "--no-auto-maintenance", "--no-write-commit-graph", "--refmap=")
	if r.g.opts.Trust == Untrusted {
		c.flags("--upload-pack=git-upload-pack")
	}
	c.flags(choose(in.Prune, "--prune", "--no-prune"))
	if in.Tags {
		c.flags("--tags")
	}
	if err := r.reach(ctx, c, m, false); err != nil {
		return err
	}
	events := gitrule.NewProgress(ctx)
	c.stderr = events.Write
	c.flags("--end-of-options")
	c.args = append(append(c.args, m.name), refspecs...)
	err = c.run(ctx)
	if ge := gitError(err); ge != nil && strings.Contains(ge.Stderr, "couldn't find remote ref") {
		e := cause(facade.Errorf(facade.CodeNotFound, "remote '%s' has no branch '%s'", name, in.Branch), ErrUnknownRevision, ge)
		e.Field, e.Hint = "branch", "give as branch the name that it has on the remote"
		return e
	}
	return r.explain(err)
}

func choose(on bool, yes, no lit) lit {
	if on {
		return yes
	}
	return no
}

// tracking is the ref that follows a branch of the remote.
func (m *remote) tracking(ref refName) refName {
	return refName("refs/remotes/" + m.name + "/" + strings.TrimPrefix(string(ref), "refs/heads/"))
}

// refs maps the refs that a fetch may change to their ids.
func (r *repo) refs(ctx context.Context) (map[string]oid, error) {
	out, err := r.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/remotes", "refs/tags").output(ctx)
	if err != nil {
		return nil, r.explain(err)
	}
	list := map[string]oid{}
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		list[name] = oid(id)
	}
	return list, nil
}

// updates compares the refs with those before.
func (r *repo) updates(ctx context.Context, before map[string]oid, m *gitrule.Room) (list []facade.GitRefUpdate, hidden int, err error) {
	after, err := r.refs(ctx)
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
		u := facade.GitRefUpdate{Ref: shown([]byte(name)), Old: string(before[name]), New: string(after[name])}
		if hidden > 0 || !m.Take(u) {
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

func (r *repo) updateKind(ctx context.Context, name string, before, after oid) (string, error) {
	switch {
	case after == "":
		return "pruned", nil
	case strings.HasPrefix(name, "refs/tags/"):
		return "tag", nil
	case before == "":
		return "new", nil
	}
	forward, err := r.isAncestor(ctx, before, after)
	if forward {
		return "fast_forward", err
	}
	return "forced", err
}

// isAncestor reports whether commit a is in the history of b.
func (r *repo) isAncestor(ctx context.Context, a, b oid) (bool, error) {
	err := r.git("merge-base", "--is-ancestor").oids(a, b).run(ctx)
	if exitedWith1(err) {
		return false, nil
	}
	return err == nil, r.explain(err)
}
