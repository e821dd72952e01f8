package gogit

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/revlist"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// directory is a remote in a file system: objects are copied, and no program
// and no hook runs.
type directory struct {
	r     *repo
	git   bridge
	store *filesystem.Storage
	name  string
}

var _ endpoint = (*directory)(nil)

func (d *directory) list(context.Context) (map[plumbing.ReferenceName]plumbing.Hash, error) {
	iter, err := d.store.IterReferences()
	if err != nil {
		return nil, d.unreachable(err)
	}
	list := map[plumbing.ReferenceName]plumbing.Hash{}
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if ref.Type() == plumbing.HashReference && (ref.Name().IsBranch() || ref.Name().IsTag()) {
			list[ref.Name()] = ref.Hash()
		}
		return nil
	})
	return list, d.unreachable(err)
}

func (d *directory) unreachable(err error) error {
	if err == nil {
		return nil
	}
	return fail(facade.CodeUnavailable, errors.Join(gitimpl.ErrNetwork, err), "the repository of remote '%s' cannot be read or written", d.name)
}

func (d *directory) fetch(ctx context.Context, specs []config.RefSpec, prune, tags bool) error {
	theirs, err := d.list(ctx)
	if err != nil {
		return err
	}
	wanted := map[plumbing.ReferenceName]plumbing.Hash{}
	for _, s := range specs {
		for name, hash := range theirs {
			if s.Match(name) {
				wanted[s.Dst(name)] = hash
			}
		}
	}
	for name, hash := range theirs {
		if tags && name.IsTag() {
			wanted[name] = hash
		}
	}
	if err := d.copy(ctx, d.r.store, d.store, wanted); err != nil {
		return err
	}
	for name, hash := range theirs { // tags of what has come along
		if _, ok := wanted[name]; !ok && name.IsTag() && d.complete(hash) {
			wanted[name] = hash
			if err := d.copy(ctx, d.r.store, d.store, map[plumbing.ReferenceName]plumbing.Hash{name: hash}); err != nil {
				return err
			}
		}
	}
	for name, hash := range wanted {
		if old, err := d.r.at(name); err != nil || old == hash || name.IsTag() && !old.IsZero() {
			continue // a tag stays what it was
		}
		if err := d.r.store.SetReference(plumbing.NewHashReference(name, hash)); err != nil {
			return broken(err)
		}
	}
	if !prune {
		return nil
	}
	return d.prune(specs, wanted)
}

// complete reports whether what a tag marks is here already.
func (d *directory) complete(hash plumbing.Hash) bool {
	const deepest = 10
	for range deepest {
		if d.r.store.HasEncodedObject(hash) == nil {
			return true
		}
		obj, err := d.store.EncodedObject(plumbing.TagObject, hash)
		if err != nil {
			return false
		}
		tag, err := tagTarget(obj)
		if err != nil {
			return false
		}
		hash = tag
	}
	return false
}

// prune removes remote-tracking branches whose branch is gone.
func (d *directory) prune(specs []config.RefSpec, kept map[plumbing.ReferenceName]plumbing.Hash) error {
	refs, err := d.r.refs("refs/remotes/" + d.name + "/")
	if err != nil {
		return err
	}
	for name := range refs {
		ref := plumbing.ReferenceName(name)
		if _, ok := kept[ref]; ok {
			continue
		}
		for _, s := range specs {
			if s.Reverse().Match(ref) {
				if err := d.r.store.RemoveReference(ref); err != nil {
					return broken(err)
				}
			}
		}
	}
	return nil
}

func (d *directory) update(ctx context.Context, ref plumbing.ReferenceName, from, to plumbing.Hash) error {
	release, err := d.r.g.locks.Acquire(ctx, d.git.root+"\x00remote")
	if err != nil {
		return err
	}
	defer release()
	if !strings.HasSuffix(d.git.root, "/.git") {
		return d.set(ctx, ref, from, to)
	}
	if head, err := d.store.Reference(plumbing.HEAD); err == nil && head.Target() == ref {
		return rejected("the branch is checked out there")
	}
	return d.set(ctx, ref, from, to)
}

func (d *directory) set(ctx context.Context, ref plumbing.ReferenceName, from, to plumbing.Hash) error {
	if err := d.copy(ctx, d.store, d.r.store, map[plumbing.ReferenceName]plumbing.Hash{ref: to}); err != nil {
		return err
	}
	var old *plumbing.Reference
	if !from.IsZero() {
		old = plumbing.NewHashReference(ref, from)
	}
	if err := d.store.CheckAndSetReference(plumbing.NewHashReference(ref, to), old); err != nil {
		return rejected("the branch has moved meanwhile")
	}
	return nil
}

// copy brings the objects that refs need from one store to another, and tells
// how far it is.
func (d *directory) copy(ctx context.Context, to, from *filesystem.Storage, refs map[plumbing.ReferenceName]plumbing.Hash) error {
	var want []plumbing.Hash
	for _, hash := range refs {
		if to.HasEncodedObject(hash) != nil {
			want = append(want, hash)
		}
	}
	if len(want) == 0 {
		return nil
	}
	have, err := shared(to, from)
	if err != nil {
		return d.unreachable(err)
	}
	objects, err := revlist.Objects(from, want, have)
	if err != nil {
		return d.unreachable(err)
	}
	for i, hash := range objects {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if to.HasEncodedObject(hash) == nil {
			continue
		}
		obj, err := from.EncodedObject(plumbing.AnyObject, hash)
		if err == nil {
			_, err = to.SetEncodedObject(obj)
		}
		if err != nil {
			return d.unreachable(err)
		}
		const step = 100
		if (i+1)%step == 0 || i+1 == len(objects) {
			facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Message: "Copying objects", Current: int64(i + 1), Total: int64(len(objects))})
		}
	}
	return nil
}

// shared lists the refs of a store whose objects the other has too.
func shared(of storer.ReferenceStorer, in storer.EncodedObjectStorer) ([]plumbing.Hash, error) {
	iter, err := of.IterReferences()
	if err != nil {
		return nil, err
	}
	var list []plumbing.Hash
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if ref.Type() == plumbing.HashReference && in.HasEncodedObject(ref.Hash()) == nil {
			list = append(list, ref.Hash())
		}
		return nil
	})
	return list, err
}
