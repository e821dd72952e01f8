package docs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
)

// Search implements [facade.DocumentIndexer]. Hits of several backends, and
// hits by words and by meaning, are merged by their ranks.
func (t *Tools) Search(ctx context.Context, in facade.DocumentSearchInput) (facade.DocumentSearchOutput, error) {
	if err := in.Validate(); err != nil {
		return facade.DocumentSearchOutput{}, err
	}
	in = facade.Defaulted(in)
	backends, err := t.chosen(in.StorageBackends)
	if err != nil {
		return facade.DocumentSearchOutput{}, err
	}
	if terms, _ := ParseQuery(in.Query); len(terms) == 0 {
		return facade.DocumentSearchOutput{}, facade.InvalidArgument("query", "the query has no words").WithHint("write words to find, as 'quarterly revenue'")
	}
	var lists [][]facade.DocumentHit
	for _, b := range backends {
		hits, err := t.searchOne(ctx, b, Query{Text: in.Query, Filter: in.Filter, Limit: in.Limit})
		if err != nil {
			if ctx.Err() != nil {
				return facade.DocumentSearchOutput{}, ctx.Err()
			}
			return facade.DocumentSearchOutput{}, facade.Errorf(facade.CodeUnavailable, "the storage backend %s failed: %w", b.Name(), err).
				WithHint("search another backend with storage_backends")
		}
		for i := range hits {
			hits[i].Backend = b.Name()
		}
		lists = append(lists, hits)
	}
	out := facade.DocumentSearchOutput{Hits: []facade.DocumentHit{}}
	room := facade.Budget(ctx) - 1<<10
	for _, h := range merge(lists) {
		if room -= jsonSize(h); len(out.Hits) >= in.Limit || room <= 0 {
			break
		}
		out.Hits = append(out.Hits, h)
	}
	return out, t.count(ctx, backends, &out)
}

// count tells a model that finds nothing whether there is anything to find.
func (t *Tools) count(ctx context.Context, backends []Index, out *facade.DocumentSearchOutput) error {
	if len(out.Hits) > 0 {
		return nil
	}
	for _, b := range backends {
		stats, err := b.Stats(ctx)
		if err != nil {
			return facade.Errorf(facade.CodeUnavailable, "the storage backend %s failed: %w", b.Name(), err).
				WithHint("search another backend with storage_backends")
		}
		out.Indexed = max(out.Indexed, stats.Documents)
	}
	return nil
}

// searchOne searches a backend by words, and by meaning where the host has an
// embedder and the backend stores vectors.
func (t *Tools) searchOne(ctx context.Context, b Index, q Query) ([]facade.DocumentHit, error) {
	hits, err := b.Search(ctx, q)
	v, ok := b.(VectorIndex)
	if err != nil || !ok || t.opts.Embedder == nil {
		return hits, err
	}
	vectors, err := t.opts.Embedder.Embed(ctx, []string{q.Text})
	if err != nil {
		return nil, err
	}
	if len(vectors) != 1 {
		return nil, fmt.Errorf("the embedder %s returned %d vectors for one text", t.opts.Embedder.Name(), len(vectors))
	}
	near, err := v.SearchVector(ctx, vectors[0], q)
	if err != nil {
		return nil, err
	}
	return merge([][]facade.DocumentHit{hits, near}), nil
}

// mergeDepth softens the difference between the first ranks of merged lists,
// as usual for reciprocal rank fusion.
const mergeDepth = 60

// merge joins lists by the ranks of their hits: scores of different lists do
// not compare. One list stays as it is.
func merge(lists [][]facade.DocumentHit) []facade.DocumentHit {
	if len(lists) == 1 {
		return lists[0]
	}
	type key struct{ path, block, snippet string }
	at := map[key]int{}
	var all []facade.DocumentHit
	for _, list := range lists {
		for rank, h := range list {
			k := key{h.Path, h.Block, h.Snippet}
			i, ok := at[k]
			if !ok {
				i = len(all)
				at[k] = i
				h.Score = 0
				all = append(all, h)
			}
			all[i].Score += 1 / float64(mergeDepth+rank+1)
		}
	}
	slices.SortStableFunc(all, func(a, b facade.DocumentHit) int { return cmp.Compare(b.Score, a.Score) })
	return all
}
