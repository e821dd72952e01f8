package gogit

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// rejection is the remote's refusal of a ref, in its own words.
type rejection struct{ reason string }

// Error implements error.
func (r *rejection) Error() string { return "rejected: " + r.reason }

func rejected(reason string) error { return &rejection{reason} }

// Push implements [facade.GitRemote].
func (g *Git) Push(ctx context.Context, in facade.GitPushInput) (facade.GitPushOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	defer r.close()
	m, err := r.remote(in.Remote)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	branch, hash, err := r.pushable(in)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	far, err := r.reach(ctx, m, true)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	theirs, err := far.list(ctx)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	ref, err := r.fate(ctx, in, branch, theirs[branch], hash)
	out := facade.GitPushOutput{DryRun: in.DryRun}
	if err == nil && !in.DryRun && ref.Status != "up_to_date" {
		err = r.send(ctx, far, in.Remote, branch, theirs[branch], hash, &ref)
	}
	if ref.Status == "" {
		return facade.GitPushOutput{}, err
	}
	out.Refs = []facade.GitPushedRef{ref}
	if err == nil && in.SetUpstream && !in.DryRun {
		err = r.follow(branch, in.Remote, branch)
		out.Upstream = shown(in.Remote + "/" + branch.Short())
	}
	return out, err
}

// pushable finds out what to push.
func (r *repo) pushable(in facade.GitPushInput) (plumbing.ReferenceName, plumbing.Hash, error) {
	branch := in.Branch
	if branch == "" {
		h, err := r.head()
		if err != nil {
			return "", plumbing.ZeroHash, err
		}
		if h.Detached {
			return "", plumbing.ZeroHash, facade.InvalidArgument("branch", "HEAD is detached: there is no branch to push").
				WithHint("switch to a branch, or give 'branch'")
		}
		branch = h.Branch
	}
	ref, err := branchRef(branch)
	if err != nil {
		return "", plumbing.ZeroHash, err
	}
	hash, err := r.at(ref)
	if err == nil && hash.IsZero() {
		err = inField(fail(facade.CodeNotFound, gitimpl.ErrUnknownRevision, "there is no branch '%s' with commits", branch), "branch")
	}
	return ref, hash, err
}

// fate decides what will become of the push, from what the remote has.
func (r *repo) fate(ctx context.Context, in facade.GitPushInput, branch plumbing.ReferenceName, theirs, ours plumbing.Hash) (facade.GitPushedRef, error) {
	ref := facade.GitPushedRef{Local: shown(branch.String()), Remote: shown(branch.String()), Old: idOf(theirs), New: idOf(ours)}
	if in.Force {
		known, err := r.at(tracking(in.Remote, branch))
		if err != nil {
			return ref, err
		}
		if known != theirs && theirs != ours {
			ref.Status, ref.Reason = "rejected", "stale"
			return ref, fail(facade.CodeStale, gitimpl.ErrRejected, "the remote branch has changed since the last fetch").
				WithHint("fetch, look at what is new, then decide")
		}
	}
	switch {
	case theirs == ours:
		ref.Status = "up_to_date"
		return ref, nil
	case theirs.IsZero():
		ref.Status = "new"
		return ref, nil
	}
	forward, err := r.isAncestor(ctx, theirs, ours)
	switch {
	case err != nil:
		return ref, err
	case forward:
		ref.Status = "ok"
		return ref, nil
	case in.Force:
		ref.Status = "forced"
		return ref, nil
	}
	ref.Status, ref.Reason = "rejected", "non_fast_forward"
	if r.store.HasEncodedObject(theirs) != nil {
		ref.Reason = "fetch_first"
	}
	return ref, fail(facade.CodeConflict, gitimpl.ErrRejected, "the remote has commits that %s lacks", shown(branch.Short())).
		WithHint("pull first; force=true would drop them")
}

// send pushes, and notes what the remote has now.
func (r *repo) send(ctx context.Context, far endpoint, remote string, branch plumbing.ReferenceName, theirs, ours plumbing.Hash, ref *facade.GitPushedRef) error {
	err := far.update(ctx, branch, theirs, ours)
	if no, ok := errors.AsType[*rejection](err); ok {
		ref.Status, ref.Reason = "rejected", no.reason
		return fail(facade.CodePermissionDenied, gitimpl.ErrRejected, "the remote refused %s: %s", shown(branch.Short()), no.reason)
	}
	if err != nil {
		return err
	}
	if err := r.store.SetReference(plumbing.NewHashReference(tracking(remote, branch), ours)); err != nil {
		return broken(err)
	}
	return nil
}

// follow makes a branch of a remote the upstream of a local one. A new section
// is appended, so that the rest of the file stays as somebody wrote it.
func (r *repo) follow(local plumbing.ReferenceName, remote string, ref plumbing.ReferenceName) error {
	name := local.Short()
	old := r.config.Branches[name]
	if old != nil && old.Remote == remote && old.Merge == ref {
		return nil
	}
	if old == nil {
		const longest = 1 << 20
		raw, err := r.git.readAll("config", longest)
		if err != nil {
			return broken(err)
		}
		text := fmt.Sprintf("[branch %q]\n\tremote = %s\n\tmerge = %s\n", name, remote, ref)
		if len(raw) > 0 && raw[len(raw)-1] != '\n' {
			text = "\n" + text
		}
		return r.replace("config", append(raw, text...))
	}
	r.config.Branches[name] = &config.Branch{Name: pathname.Unescape(name), Remote: remote, Merge: ref, Rebase: old.Rebase}
	if err := r.store.SetConfig(r.config); err != nil {
		return broken(err)
	}
	return nil
}

// replace puts a file of the git directory in place at once.
func (r *repo) replace(name string, content []byte) error {
	f, err := r.git.TempFile("", name+"-")
	if err != nil {
		return broken(err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = r.git.Rename(f.Name(), name)
	}
	if err != nil {
		return broken(errors.Join(err, r.git.Remove(f.Name())))
	}
	return nil
}
