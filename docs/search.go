package docs

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Search implements [facade.DocumentIndexer]. Hits of several backends are
// merged by their ranks, since scores of different backends do not compare.
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
	type ranked struct {
		facade.DocumentHit
		rank int
	}
	var all []ranked
	for _, b := range backends {
		hits, err := b.Search(ctx, Query{Text: in.Query, Filter: in.Filter, Limit: in.Limit})
		if err != nil {
			if ctx.Err() != nil {
				return facade.DocumentSearchOutput{}, ctx.Err()
			}
			return facade.DocumentSearchOutput{}, facade.Errorf(facade.CodeUnavailable, "the storage backend %s failed: %w", b.Name(), err).
				WithHint("search another backend with storage_backends")
		}
		for i, h := range hits {
			h.Backend = b.Name()
			all = append(all, ranked{h, i})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	out := facade.DocumentSearchOutput{Hits: []facade.DocumentHit{}}
	seen := map[string]bool{}
	room := facade.Budget(ctx) - 1<<10
	for _, h := range all {
		key := strings.Join([]string{h.Path, h.Block, h.Snippet}, "\x00")
		if room -= jsonSize(h.DocumentHit); !seen[key] && len(out.Hits) < in.Limit && room > 0 {
			seen[key] = true
			out.Hits = append(out.Hits, h.DocumentHit)
		}
	}
	return out, nil
}
