package gitimpl

import (
	"context"

	"github.com/toolfacade/toolfacade/facade"
)

// MergeAbort implements [facade.GitWriter].
func (g *Git) MergeAbort(ctx context.Context, in facade.GitMergeAbortInput) (facade.GitMergeAbortOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitMergeAbortOutput{}, err
	}
	defer r.close()
	before, err := r.tryResolve(ctx, "HEAD")
	if err != nil {
		return facade.GitMergeAbortOutput{}, err
	}
	out := facade.GitMergeAbortOutput{Operation: r.operation(), Before: string(before)}
	var c *command
	switch out.Operation {
	case "merge":
		c = r.git("merge", "--abort")
	case "rebase":
		c = r.git("rebase", "--abort")
	case "am":
		c = r.git("am", "--abort")
	case "cherry-pick":
		c = r.git("cherry-pick", "--abort")
	case "revert":
		c = r.git("revert", "--abort")
	default:
		return facade.GitMergeAbortOutput{}, fail(facade.CodeNotFound, ErrNoOperation, "no merge, rebase, cherry-pick, revert or am is in progress")
	}
	if err := c.run(ctx); err != nil {
		return facade.GitMergeAbortOutput{}, r.explain(err)
	}
	after, err := r.tryResolve(ctx, "HEAD")
	out.After = string(after)
	return out, err
}
