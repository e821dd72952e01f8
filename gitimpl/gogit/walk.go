package gogit

import (
	"container/heap"
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// walk visits commits, the latest first.
type walk struct {
	store storer.EncodedObjectStorer
	seen  map[plumbing.Hash]bool
	queue commitHeap
	count int
	err   error
}

// newWalk returns a walk that leaves out the known commits. It changes known.
func newWalk(store storer.EncodedObjectStorer, known map[plumbing.Hash]bool) *walk {
	if known == nil {
		known = map[plumbing.Hash]bool{}
	}
	return &walk{store: store, seen: known}
}

// push adds a commit to visit. One that is missing, as beyond the end of a
// shallow clone, is left out.
func (w *walk) push(hash plumbing.Hash) {
	if w.seen[hash] || w.err != nil {
		return
	}
	w.seen[hash] = true
	c, err := object.GetCommit(w.store, hash)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return
	}
	if err != nil {
		w.err = broken(err)
		return
	}
	w.count++
	heap.Push(&w.queue, queued{c, w.count})
}

func (w *walk) pushParents(c *object.Commit) {
	for _, p := range c.ParentHashes {
		w.push(p)
	}
}

// next returns the latest commit not visited yet; nil at the end. The caller
// pushes the parents it wants.
func (w *walk) next(ctx context.Context) (*object.Commit, error) {
	switch {
	case w.err != nil:
		return nil, w.err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case len(w.queue) == 0:
		return nil, nil
	}
	return heap.Pop(&w.queue).(queued).commit, nil
}

// queued is a commit and when it was found, which decides between equal times.
type queued struct {
	commit *object.Commit
	order  int
}

type commitHeap []queued

// Len implements [heap.Interface].
func (h commitHeap) Len() int { return len(h) }

// Less implements [heap.Interface].
func (h commitHeap) Less(i, j int) bool {
	a, b := h[i].commit.Committer.When, h[j].commit.Committer.When
	if a.Unix() != b.Unix() {
		return a.Unix() > b.Unix()
	}
	return h[i].order < h[j].order
}

// Swap implements [heap.Interface].
func (h commitHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements [heap.Interface].
func (h *commitHeap) Push(x any) { *h = append(*h, x.(queued)) }

// Pop implements [heap.Interface].
func (h *commitHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
