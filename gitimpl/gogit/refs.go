package gogit

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// head is HEAD as results show it, and what it is.
type head struct {
	facade.GitHead
	ref  plumbing.ReferenceName // the branch; HEAD itself when detached
	hash plumbing.Hash          // zero on a branch without commits
}

// head reads HEAD.
func (r *repo) head() (head, error) {
	var h head
	ref, err := r.store.Reference(plumbing.HEAD)
	if err != nil {
		return h, broken(err)
	}
	if ref.Type() == plumbing.HashReference {
		h.ref, h.hash, h.Detached, h.OID = plumbing.HEAD, ref.Hash(), true, ref.Hash().String()
		return h, nil
	}
	h.ref, h.Branch = ref.Target(), shown(ref.Target().Short())
	hash, err := r.at(h.ref)
	if err != nil {
		return h, err
	}
	h.hash, h.Unborn = hash, hash.IsZero()
	if !h.Unborn {
		h.OID = hash.String()
	}
	return h, nil
}

// at is the id that a ref points to; zero when there is no such ref.
func (r *repo) at(name plumbing.ReferenceName) (plumbing.Hash, error) {
	ref, err := storer.ResolveReference(r.store, name)
	switch {
	case errors.Is(err, plumbing.ErrReferenceNotFound):
		return plumbing.ZeroHash, nil
	case err != nil:
		return plumbing.ZeroHash, broken(err)
	}
	return ref.Hash(), nil
}

// move sets a ref, if it still is as before.
func (r *repo) move(name plumbing.ReferenceName, from, to plumbing.Hash) error {
	var old *plumbing.Reference
	if !from.IsZero() {
		old = plumbing.NewHashReference(name, from)
	}
	if err := r.store.CheckAndSetReference(plumbing.NewHashReference(name, to), old); err != nil {
		return fail(facade.CodeStale, gitimpl.ErrStaleHead, "%s has moved meanwhile", name.Short())
	}
	return nil
}

// refs lists the refs below a prefix with the ids they point to.
func (r *repo) refs(prefixes ...string) (map[string]plumbing.Hash, error) {
	iter, err := r.store.IterReferences()
	if err != nil {
		return nil, broken(err)
	}
	list := map[string]plumbing.Hash{}
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		for _, p := range prefixes {
			if strings.HasPrefix(ref.Name().String(), p) && ref.Type() == plumbing.HashReference {
				list[ref.Name().String()] = ref.Hash()
			}
		}
		return nil
	})
	if err != nil {
		return nil, broken(err)
	}
	return list, nil
}

// upstream tells what a branch follows, and how far apart they are.
func (r *repo) upstream(ctx context.Context, branch string, hash plumbing.Hash) (*facade.GitUpstream, error) {
	b := r.config.Branches[branch]
	if b == nil || b.Remote == "" || b.Merge == "" {
		return nil, nil
	}
	name := b.Remote + "/" + b.Merge.Short()
	u := &facade.GitUpstream{Ref: shown(name)}
	theirs, err := r.at(plumbing.NewRemoteReferenceName(b.Remote, b.Merge.Short()))
	if err != nil {
		return nil, err
	}
	if u.Gone = theirs.IsZero(); u.Gone || hash == theirs {
		return u, nil
	}
	if u.Ahead, err = r.countMissing(ctx, hash, theirs); err == nil {
		u.Behind, err = r.countMissing(ctx, theirs, hash)
	}
	return u, err
}

// countMissing counts the commits that from has and other has not.
func (r *repo) countMissing(ctx context.Context, from, other plumbing.Hash) (int, error) {
	if from.IsZero() {
		return 0, nil
	}
	known, err := r.ancestors(ctx, other)
	if err != nil {
		return 0, err
	}
	w := newWalk(r.store, known)
	w.push(from)
	for n := 0; ; n++ {
		c, err := w.next(ctx)
		if c == nil || err != nil {
			return n, err
		}
		w.pushParents(c)
	}
}

// ancestors is the set of a commit and everything it comes from.
func (r *repo) ancestors(ctx context.Context, of ...plumbing.Hash) (map[plumbing.Hash]bool, error) {
	set := map[plumbing.Hash]bool{}
	todo := of
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		hash := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if set[hash] || hash.IsZero() {
			continue
		}
		set[hash] = true
		c, err := object.GetCommit(r.store, hash)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue // a shallow clone ends here
		}
		if err != nil {
			return nil, broken(err)
		}
		todo = append(todo, c.ParentHashes...)
	}
	return set, nil
}
