package gogit

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Switch implements [facade.GitBrancher].
func (x *Extended) Switch(ctx context.Context, in facade.GitSwitchInput) (facade.GitSwitchOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitSwitchOutput{}, err
	}
	defer r.close()
	h, err := r.head()
	if err != nil {
		return facade.GitSwitchOutput{}, err
	}
	target, hash, err := r.switchTo(ctx, in, h)
	if err != nil {
		return facade.GitSwitchOutput{}, err
	}
	if hash != h.hash {
		if err := r.forwardFiles(ctx, h.hash, hash); err != nil {
			return facade.GitSwitchOutput{}, err
		}
	}
	if in.Create && !hash.IsZero() {
		if err := r.store.SetReference(plumbing.NewHashReference(target.Target(), hash)); err != nil {
			return facade.GitSwitchOutput{}, broken(err)
		}
	}
	if err := r.store.SetReference(target); err != nil {
		return facade.GitSwitchOutput{}, broken(err)
	}
	if in.Create {
		if err := r.track(target.Target(), in.Ref); err != nil {
			return facade.GitSwitchOutput{}, err
		}
	}
	now, err := r.head()
	return facade.GitSwitchOutput{Before: h.GitHead, Head: now.GitHead, Created: in.Create}, err
}

// switchTo tells what HEAD will be, and the commit.
func (r *repo) switchTo(ctx context.Context, in facade.GitSwitchInput, h head) (*plumbing.Reference, plumbing.Hash, error) {
	if in.Detach {
		c, err := r.resolve(ctx, "ref", in.Ref)
		if err != nil {
			return nil, plumbing.ZeroHash, err
		}
		return plumbing.NewHashReference(plumbing.HEAD, c.Hash), c.Hash, nil
	}
	ref, err := branchRef(in.Branch)
	if err != nil {
		return nil, plumbing.ZeroHash, err
	}
	hash, err := r.at(ref)
	target := plumbing.NewSymbolicReference(plumbing.HEAD, ref)
	switch {
	case err != nil:
		return nil, hash, err
	case in.Create && !hash.IsZero():
		return nil, hash, facade.Errorf(facade.CodeAlreadyExists, "the branch '%s' exists already", in.Branch).WithHint("leave out create to switch to it")
	case in.Create && h.Unborn && in.Ref == "HEAD":
		return target, hash, nil
	case in.Create:
		c, err := r.resolve(ctx, "ref", in.Ref)
		if err != nil {
			return nil, hash, err
		}
		return target, c.Hash, nil
	case hash.IsZero():
		e, _ := errors.AsType[*facade.Error](r.unknown(ctx, "branch", in.Branch))
		if e.Hint == "" {
			e.Hint = "create=true makes a new branch"
		}
		return nil, hash, e
	}
	return target, hash, nil
}

// forwardFiles takes index and work tree from one commit to another.
func (r *repo) forwardFiles(ctx context.Context, from, to plumbing.Hash) error {
	old, err := r.filesOf(ctx, from)
	if err != nil {
		return err
	}
	want, err := r.filesOf(ctx, to)
	if err != nil {
		return err
	}
	return r.changing(func(s *staging) error { return r.advance(ctx, s, old, want) })
}

// track makes a branch that starts at a remote-tracking one follow it, as git
// does by default.
func (r *repo) track(local plumbing.ReferenceName, start string) error {
	for _, name := range r.remoteNames() {
		branch, ok := strings.CutPrefix(start, name+"/")
		if !ok || !gitrule.ValidBranch(branch) {
			continue
		}
		ref := plumbing.NewBranchReferenceName(branch)
		if hash, err := r.at(tracking(name, ref)); err != nil || hash.IsZero() {
			return err
		}
		return r.follow(local, name, ref)
	}
	return nil
}
