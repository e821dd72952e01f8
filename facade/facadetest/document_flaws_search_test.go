package facadetest

import (
	"context"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// asking replaces search by one that changes the question.
func asking(change func(in *facade.DocumentSearchInput)) func(f *flawed) {
	return func(f *flawed) {
		f.search = func(ctx context.Context, in facade.DocumentSearchInput) (facade.DocumentSearchOutput, error) {
			change(&in)
			return f.Tools.Search(ctx, in)
		}
	}
}

// answering replaces search by one that changes the answer.
func answering(change func(in facade.DocumentSearchInput, out *facade.DocumentSearchOutput)) func(f *flawed) {
	return func(f *flawed) {
		f.search = func(ctx context.Context, in facade.DocumentSearchInput) (facade.DocumentSearchOutput, error) {
			out, err := f.Tools.Search(ctx, in)
			if err == nil {
				change(in, &out)
			}
			return out, err
		}
	}
}

// taking replaces index by one that changes what it is told.
func taking(change func(in *facade.DocumentIndexInput)) func(f *flawed) {
	return func(f *flawed) {
		f.index = func(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
			change(&in)
			return f.Tools.Index(ctx, in)
		}
	}
}

// telling replaces index by one that changes its result.
func telling(change func(b *facade.DocumentIndexed)) func(f *flawed) {
	return func(f *flawed) {
		f.index = func(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
			out, err := f.Tools.Index(ctx, in)
			for i := range out.Backends {
				change(&out.Backends[i])
			}
			return out, err
		}
	}
}

func searchFlaws() []documentFlaw {
	return []documentFlaw{
		{"filters ignored", asking(func(in *facade.DocumentSearchInput) { in.Filter = nil }), "search/filter search/filters"},
		{"one member of a filter at a time", asking(func(in *facade.DocumentSearchInput) {
			if in.Filter != nil && in.Filter.Path != "" {
				in.Filter = &facade.DocumentFilter{Path: in.Filter.Path}
			}
		}), "search/filters"},
		{"limit ignored", asking(func(in *facade.DocumentSearchInput) { in.Limit = 10 }), "search/limit search/filter search/order"},
		{"one more than limit", asking(func(in *facade.DocumentSearchInput) { in.Limit++ }), "search/limit"},
		{"phrases taken for words", asking(func(in *facade.DocumentSearchInput) { in.Query = strings.ReplaceAll(in.Query, `"`, " ") }), "search/phrase search/find"},
		{"case matters", answering(func(in facade.DocumentSearchInput, out *facade.DocumentSearchOutput) {
			if strings.ToLower(in.Query) != in.Query {
				out.Hits = []facade.DocumentHit{}
			}
		}), "search/words search/find"},
		{"the worst first", answering(func(_ facade.DocumentSearchInput, out *facade.DocumentSearchOutput) { slices.Reverse(out.Hits) }), "search/order search/limit search/find"},
		{"hits without a block", answering(func(_ facade.DocumentSearchInput, out *facade.DocumentSearchOutput) {
			for i := range out.Hits {
				out.Hits[i].Block = ""
			}
		}), "search/find index/large"},
		{"the beginning for a snippet", answering(func(_ facade.DocumentSearchInput, out *facade.DocumentSearchOutput) {
			for i := range out.Hits {
				out.Hits[i].Snippet = "the beginning"
			}
		}), "search/budget search/find"},
		{"an error for no hits", func(f *flawed) {
			f.search = func(ctx context.Context, in facade.DocumentSearchInput) (facade.DocumentSearchOutput, error) {
				out, err := f.Tools.Search(ctx, in)
				if err == nil && len(out.Hits) == 0 {
					err = facade.Errorf(facade.CodeNoMatch, "nothing").WithHint("try other words")
				}
				return out, err
			}
		}, "search/none search/find"},
		{"a backend's name that is not its own", answering(func(_ facade.DocumentSearchInput, out *facade.DocumentSearchOutput) {
			for i := range out.Hits {
				out.Hits[i].Backend = "memory"
			}
		}), "backends/apart"},
		{"one backend for all", func(f *flawed) {
			taking(func(in *facade.DocumentIndexInput) { in.StorageBackends = nil })(f)
			asking(func(in *facade.DocumentSearchInput) { in.StorageBackends = nil })(f)
		}, "backends/apart backends/unknown"},
		{"the results in another order", func(f *flawed) {
			f.index = func(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
				out, err := f.Tools.Index(ctx, in)
				slices.Reverse(out.Backends)
				return out, err
			}
		}, "backends/apart"},
		{"globs at the top only", taking(func(in *facade.DocumentIndexInput) {
			if strings.HasPrefix(in.Path, "*") {
				in.Path = "./" + in.Path
			}
		}), "index/what"},
		{"tables whatever is asked", taking(func(in *facade.DocumentIndexInput) { in.ExtractTables = nil }), "index/tables"},
		{
			"everything counted as new", telling(func(b *facade.DocumentIndexed) { b.Documents, b.Unchanged = b.Documents+b.Unchanged, 0 }),
			"search/again index/idempotent backends/apart index/removed",
		},
		{"skipped files not named", telling(func(b *facade.DocumentIndexed) { b.Skipped = []facade.DocumentSkipped{} }), "search/refusals index/removed index/large"},
		{"removed files not counted", telling(func(b *facade.DocumentIndexed) { b.Removed = 0 }), "index/removed"},
		{"no progress", func(f *flawed) {
			f.index = func(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
				return f.Tools.Index(context.WithoutCancel(context.Background()), in)
			}
		}, "events/index context/ended"},
		{"the number of hits cut by the budget to none", answering(func(in facade.DocumentSearchInput, out *facade.DocumentSearchOutput) {
			if len(out.Hits) > 5 {
				out.Hits = out.Hits[:5]
			}
		}), "search/budget search/limit search/order common/go-defaults"},
	}
}
