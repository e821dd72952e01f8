package gitimpl

import (
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Pull implements [facade.GitRemote].
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
	head, ref, err := r.pullable(ctx, in)
	if err != nil {
		return facade.GitPullOutput{}, err
	}
	before, err := r.refs(ctx)
	if err != nil {
		return facade.GitPullOutput{}, err
	}
	if err := r.fetch(ctx, in.Remote, facade.GitFetchInput{Branch: ref.short()}); err != nil {
		return facade.GitPullOutput{}, err
	}
	out := facade.GitPullOutput{
		Before: head.OID, After: head.OID, Operation: "none", Files: []facade.GitFileChange{}, Conflicts: []facade.GitConflict{},
	}
	const share = 25
	if out.Updates, _, err = r.updates(ctx, before, gitrule.NewRoom(ctx, share)); err != nil {
		return out, err
	}
	m := remote{name: in.Remote}
	target, err := r.resolve(ctx, "branch", string(m.tracking(ref)))
	if err != nil {
		return out, err
	}
	return r.integrate(ctx, out, in.Mode, in.Remote+"/"+ref.short(), target[0])
}

// pullable checks the state before anything is fetched, and tells which branch
// of the remote to integrate.
func (r *repo) pullable(ctx context.Context, in facade.GitPullInput) (facade.GitHead, refName, error) {
	head, err := r.head(ctx)
	if err != nil {
		return head, "", err
	}
	if op := r.operation(); op != "none" && op != "bisect" {
		return head, "", fail(facade.CodeConflict, ErrConflict, "a %s is in progress", op).
			WithHint("%s", waitingHint(op))
	}
	branch := in.Branch
	if branch == "" && head.Detached {
		e := facade.InvalidArgument("branch", "HEAD is detached: there is no branch to pull into")
		return head, "", e.WithHint("switch to a branch, or give 'branch'")
	}
	if branch == "" {
		branch = head.Branch
		if up := refName(r.setting("branch.merge", head.Branch)); up != "" && r.setting("branch.remote", head.Branch) == in.Remote {
			branch = up.short()
		}
	}
	ref, err := branchRef(branch)
	return head, ref, err
}

// integrate brings target into the current branch.
func (r *repo) integrate(ctx context.Context, out facade.GitPullOutput, mode, name string, target oid) (facade.GitPullOutput, error) {
	diverged := false
	if out.Before != "" {
		done, err := r.isAncestor(ctx, target, oid(out.Before))
		if err != nil || done {
			return out, err
		}
		forward, err := r.isAncestor(ctx, oid(out.Before), target)
		if err != nil {
			return out, err
		}
		diverged = !forward
	}
	var c *command
	switch {
	case diverged && mode == "ff_only":
		return out, fail(facade.CodeConflict, ErrDiverged, "the branch and %s both have new commits", name).
			WithHint("pull again with mode=merge or mode=rebase")
	case diverged && mode == "rebase":
		c = r.git("rebase", "--quiet", "--no-autostash", "--no-stat", "--no-rebase-merges")
	case diverged:
		c = r.git("merge", "--quiet", "--no-edit", "--no-stat", "--no-autostash", "--no-ff").value("--message=", "Merge remote-tracking branch '"+name+"'")
	default:
		c = r.git("merge", "--quiet", "--ff-only", "--no-stat", "--no-autostash")
	}
	if diverged && r.g.opts.Trust == Untrusted {
		c.flags("--no-gpg-sign")
	}
	merr := c.oids(target).run(ctx)
	return r.integrated(ctx, out, merr)
}

// integrated tells from the state what a merge or rebase has come to.
func (r *repo) integrated(ctx context.Context, out facade.GitPullOutput, merr error) (facade.GitPullOutput, error) {
	if merr != nil && gitError(merr) == nil {
		return out, merr
	}
	after, err := r.tryResolve(ctx, "HEAD")
	if err != nil {
		return out, err
	}
	out.After, out.Operation = string(after), r.operation()
	if merr == nil {
		out.Files, out.Hidden, err = r.changesBetween(ctx, oid(out.Before), after, gitrule.NewRoom(ctx, gitrule.HalfRoom))
		return out, err
	}
	ge := gitError(merr)
	if out.Conflicts, out.Hidden, err = r.conflicts(ctx, nil, gitrule.NewRoom(ctx, gitrule.HalfRoom)); err != nil {
		return out, err
	}
	switch {
	case len(out.Conflicts) > 0:
		return out, cause(facade.Errorf(facade.CodeConflict, "the %s has conflicts in %d file(s)", out.Operation, len(out.Conflicts)+out.Hidden).
			WithHint("%s", conflictHint(out.Operation)), ErrConflict, ge)
	case out.Operation != "none":
		return out, r.commitError(ctx, merr)
	}
	return out, r.overwriteError(ctx, ge)
}

// conflictHint tells how to go on after conflicts. A commit ends a merge; of a
// rebase it is only one of the steps, and the tool has no action for the next.
func conflictHint(operation string) string {
	if operation == "rebase" {
		return "give up with merge_abort, then pull with mode=merge, whose conflicts a commit resolves"
	}
	return "write the wanted content into the files, stage them and commit, or give up with merge_abort"
}

// waitingHint tells how to end an operation that is in progress.
func waitingHint(operation string) string {
	if operation == "merge" {
		return "finish it: stage the resolved files and commit; or give up with merge_abort"
	}
	return "give up with merge_abort, or finish it with git itself"
}

// overwriteError explains a command that refused to touch the work tree.
func (r *repo) overwriteError(ctx context.Context, ge *GitError) error {
	if r.lockHeld(ge) {
		return r.failed(ge)
	}
	if op := r.operation(); op != "none" && op != "bisect" {
		return cause(facade.Errorf(facade.CodeConflict, "a %s is in progress", op).WithHint("%s", waitingHint(op)), ErrConflict, ge)
	}
	out, err := r.git("status", "--porcelain", "-z", "--ignore-submodules=dirty", "--untracked-files=all").output(ctx)
	if err != nil {
		return r.explain(err)
	}
	if len(out) == 0 {
		return r.failed(ge)
	}
	what, hint := "local changes", "commit them, put them aside, or discard them with restore"
	if strings.Contains(ge.Stderr, "untracked working tree files") {
		what, hint = "files that git does not track", "move them, delete them, or stage and commit them"
	}
	files := listedFiles(ge.Stderr)
	if files == "" {
		files = lastLine(ge.Stderr)
	}
	return cause(facade.Errorf(facade.CodeConflict, "%s would be overwritten: %s", what, files).WithHint("%s", hint), ErrDirty, ge)
}

// listedFiles returns the first of the files that git lists in an error, each
// on a line that starts with a tab.
func listedFiles(stderr string) string {
	const most = 10
	var list []string
	for line := range strings.Lines(stderr) {
		name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		switch {
		case !ok:
		case len(list) == most:
			return strings.Join(list, ", ") + " and others"
		default:
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}
