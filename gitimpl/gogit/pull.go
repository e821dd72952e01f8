package gogit

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// Pull implements [facade.GitRemote]. It can only fast-forward.
func (g *Git) Pull(ctx context.Context, in facade.GitPullInput) (facade.GitPullOutput, error) {
	in = facade.Defaulted(in)
	if in.Rebase {
		in.Mode = "rebase"
	}
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitPullOutput{}, err
	}
	defer r.close()
	h, branch, err := r.pullable(in)
	if err != nil {
		return facade.GitPullOutput{}, err
	}
	before, err := r.refs("refs/remotes/", "refs/tags/")
	if err != nil {
		return facade.GitPullOutput{}, err
	}
	if err := r.fetch(ctx, in.Remote, facade.GitFetchInput{Branch: shown(branch.Short())}); err != nil {
		return facade.GitPullOutput{}, err
	}
	out := facade.GitPullOutput{
		Before: h.OID, After: h.OID, Operation: "none", Files: []facade.GitFileChange{}, Conflicts: []facade.GitConflict{},
	}
	const share = 25
	if out.Updates, _, err = r.updates(ctx, before, gitrule.NewRoom(ctx, share)); err != nil {
		return out, err
	}
	target, err := r.at(tracking(in.Remote, branch))
	if err != nil {
		return out, err
	}
	return r.integrate(ctx, out, in, h, branch, target)
}

// pullable tells which branch of the remote to integrate.
func (r *repo) pullable(in facade.GitPullInput) (head, plumbing.ReferenceName, error) {
	h, err := r.head()
	if err != nil {
		return h, "", err
	}
	branch := in.Branch
	if branch == "" && h.Detached {
		return h, "", facade.InvalidArgument("branch", "HEAD is detached: there is no branch to pull into").
			WithHint("switch to a branch, or give 'branch'")
	}
	if branch == "" {
		branch = h.Branch
		if b := r.config.Branches[pathname.Unescape(h.Branch)]; b != nil && b.Remote == in.Remote && b.Merge != "" {
			branch = shown(b.Merge.Short())
		}
	}
	ref, err := branchRef(branch)
	return h, ref, err
}

// integrate brings the current branch to target, if that is ahead.
func (r *repo) integrate(ctx context.Context, out facade.GitPullOutput, in facade.GitPullInput, h head, branch plumbing.ReferenceName, target plumbing.Hash) (facade.GitPullOutput, error) {
	done, err := r.isAncestor(ctx, target, h.hash)
	if err != nil || done {
		return out, err
	}
	forward := h.Unborn
	if !forward {
		if forward, err = r.isAncestor(ctx, h.hash, target); err != nil {
			return out, err
		}
	}
	name := in.Remote + "/" + branch.Short()
	switch {
	case !forward && in.Mode == "ff_only":
		return out, fail(facade.CodeConflict, gitimpl.ErrDiverged, "the branch and %s both have new commits", shown(name)).
			WithHint("this git tool cannot merge: put your changes on top of the remote's by other means, or push them to another branch")
	case !forward:
		return out, inField(unsupported("the branch and %s both have new commits, and mode=%s is not possible", shown(name), in.Mode), "mode")
	}
	if err := r.forward(ctx, h, target); err != nil {
		return out, err
	}
	out.After = target.String()
	out.Files, out.Hidden, err = r.changesBetween(ctx, h.hash, target, gitrule.NewRoom(ctx, gitrule.HalfRoom))
	return out, err
}

// forward moves the current branch, the index and the work tree to a commit.
func (r *repo) forward(ctx context.Context, h head, target plumbing.Hash) error {
	from, err := r.filesOf(ctx, h.hash)
	if err != nil {
		return err
	}
	to, err := r.filesOf(ctx, target)
	if err != nil {
		return err
	}
	err = r.changing(func(s *staging) error { return r.advance(ctx, s, from, to) })
	if err != nil {
		return err
	}
	return r.move(h.ref, h.hash, target)
}
