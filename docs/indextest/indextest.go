// Package indextest holds the rules that every storage backend of the document
// tool keeps, as tests. Backends also return the same best hits: the suite
// compares each with the index in memory.
package indextest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// Run checks an implementation. open returns an empty index, which the suite
// closes.
func Run(t *testing.T, open func(tb testing.TB) docs.Index) {
	rules := map[string]func(t *testing.T, i docs.Index){
		"put, replace and delete":   replaces,
		"a batch is all or nothing": atomic,
		"list what is there":        lists,
		"the same hits everywhere":  same,
		"phrases":                   phrases,
		"filters":                   filters,
		"odd content":               odd,
		"many at once":              concurrent,
		"vectors":                   vectors,
		"a canceled context":        canceled,
	}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		t.Run(name, func(t *testing.T) {
			i := open(t)
			t.Cleanup(func() {
				if err := i.Close(); err != nil {
					t.Error(err)
				}
			})
			rules[name](t, i)
		})
	}
	t.Run("closed", func(t *testing.T) { closed(t, open(t)) })
}

// doc makes a document of texts, each a chunk.
func doc(path string, texts ...string) docs.Indexed {
	d := docs.Indexed{Entry: docs.Entry{Path: path, Format: "txt", Version: "1"}}
	for n, text := range texts {
		d.Chunks = append(d.Chunks, docs.Chunk{No: n, Text: text, Block: fmt.Sprintf("b%d", n+1), Kind: facade.BlockParagraph})
	}
	return d
}

func put(tb testing.TB, i docs.Index, batch ...docs.Indexed) {
	tb.Helper()
	if err := i.Put(tb.Context(), batch); err != nil {
		tb.Fatal(err)
	}
}

// search returns the hits of a query as "path#block".
func search(tb testing.TB, i docs.Index, q docs.Query) []string {
	tb.Helper()
	q.Limit = cmp.Or(q.Limit, 100)
	hits, err := i.Search(tb.Context(), q)
	if err != nil {
		tb.Fatalf("search %q: %v", q.Text, err)
	}
	if hits == nil {
		tb.Errorf("search %q returns nil instead of no hits", q.Text)
	}
	return places(hits)
}

func places(hits []facade.DocumentHit) []string {
	all := []string{}
	for _, h := range hits {
		all = append(all, h.Path+"#"+h.Block)
	}
	return all
}

func want(tb testing.TB, what string, got any, want any) {
	tb.Helper()
	if diff := gocmp.Diff(want, got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func replaces(t *testing.T, i docs.Index) {
	put(t, i, doc("a.txt", "old words", "more old words", "third"), doc("b.txt", "other words"))
	want(t, "words", search(t, i, docs.Query{Text: "old"}), []string{"a.txt#b1", "a.txt#b2"})
	changed := doc("a.txt", "new words")
	changed.Version = "2"
	put(t, i, changed)
	want(t, "the replaced text", search(t, i, docs.Query{Text: "old third"}), []string{})
	want(t, "the new text", search(t, i, docs.Query{Text: "new"}), []string{"a.txt#b1"})
	put(t, i, changed)
	stats, err := i.Stats(t.Context())
	if err != nil || stats != (docs.IndexStats{Documents: 2, Chunks: 2}) {
		t.Errorf("after putting the same again there is %+v, %v", stats, err)
	}
	if err := i.Delete(t.Context(), []string{"a.txt", "none.txt"}); err != nil {
		t.Fatal(err)
	}
	want(t, "the deleted text", search(t, i, docs.Query{Text: "new words"}), []string{"b.txt#b1"})
	if err := i.Delete(t.Context(), nil); err != nil {
		t.Error(err)
	}
	put(t, i)
}

// atomic puts a batch under a context that has ended.
func atomic(t *testing.T, i docs.Index) {
	put(t, i, doc("kept.txt", "kept words"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	replaced := doc("kept.txt", "lost words")
	replaced.Version = "2"
	if err := i.Put(ctx, []docs.Indexed{doc("a.txt", "lost words"), replaced}); err == nil {
		t.Fatal("Put ignores its context")
	}
	want(t, "after a failed batch", search(t, i, docs.Query{Text: "words"}), []string{"kept.txt#b1"})
	want(t, "a lost text", search(t, i, docs.Query{Text: "lost"}), []string{})
}

func lists(t *testing.T, i docs.Index) {
	put(t, i, doc("d/a.txt", "x"), doc("d/e/b.txt", "x"), doc("d.txt", "x"), doc("d_x/c.txt", "x"), doc("D/f.txt", "x"), doc("d%/g.txt"))
	for under, names := range map[string][]string{
		".":       {"D/f.txt", "d%/g.txt", "d.txt", "d/a.txt", "d/e/b.txt", "d_x/c.txt"},
		"d":       {"d/a.txt", "d/e/b.txt"},
		"d/e":     {"d/e/b.txt"},
		"d.txt":   {"d.txt"},
		"d_x":     {"d_x/c.txt"},
		"d%":      {"d%/g.txt"},
		"nothing": nil,
	} {
		got, err := i.Documents(t.Context(), under)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the documents under "+under, slices.Sorted(maps.Keys(got)), names)
		for path, version := range got {
			if version != "1" {
				t.Errorf("the version of %s is %q", path, version)
			}
		}
	}
}

func phrases(t *testing.T, i docs.Index) {
	put(t, i, doc("a.txt", "the quick brown fox"), doc("b.txt", "brown and quick"), doc("c.txt", "slow"))
	want(t, "a phrase", search(t, i, docs.Query{Text: `"quick brown"`}), []string{"a.txt#b1"})
	want(t, "an absent phrase", search(t, i, docs.Query{Text: `"brown quick"`}), []string{})
	want(t, "words", len(search(t, i, docs.Query{Text: "quick brown"})), 2)
	want(t, "two phrases", search(t, i, docs.Query{Text: `"the quick" fox "brown fox"`}), []string{"a.txt#b1"})
	want(t, "an open quote", search(t, i, docs.Query{Text: `slow "`}), []string{"c.txt#b1"})
}

func filters(t *testing.T, i docs.Index) {
	a, b := doc("x/a.txt", "word one", "word two"), doc("x/y/b.md", "word three")
	a.Chunks[1].Page, a.Chunks[1].Heading, a.Chunks[1].Kind = 7, "The Second Part", facade.BlockTable
	b.Format = "md"
	put(t, i, a, b)
	for _, tt := range []struct {
		filter facade.DocumentFilter
		want   []string
	}{
		{facade.DocumentFilter{}, []string{"x/a.txt#b1", "x/y/b.md#b1", "x/a.txt#b2"}},
		{facade.DocumentFilter{Path: "x/y"}, []string{"x/y/b.md#b1"}},
		{facade.DocumentFilter{Path: "x/a.txt", Page: 7}, []string{"x/a.txt#b2"}},
		{facade.DocumentFilter{Path: "*.md"}, []string{"x/y/b.md#b1"}},
		{facade.DocumentFilter{Format: "MD"}, []string{"x/y/b.md#b1"}},
		{facade.DocumentFilter{Heading: "second"}, []string{"x/a.txt#b2"}},
		{facade.DocumentFilter{Kind: "table"}, []string{"x/a.txt#b2"}},
		{facade.DocumentFilter{Kind: "table", Format: "md"}, []string{}},
	} {
		want(t, fmt.Sprintf("filter %+v", tt.filter), search(t, i, docs.Query{Text: "word", Filter: &tt.filter}), tt.want)
	}
	want(t, "a filter and a limit", search(t, i, docs.Query{Text: "word", Limit: 1, Filter: &facade.DocumentFilter{Kind: "table"}}), []string{"x/a.txt#b2"})
}

// odd puts and finds what breaks query languages and encodings.
func odd(t *testing.T, i docs.Index) {
	put(t, i, doc("it's \"a\" 100%_\\ name.txt", "Grüße Ελλάδα Привет 東京 naïve Straße \x00 NEAR AND or not* ^x"), doc("empty.txt"))
	for _, q := range []string{"GRUSSE grüße", "ελλαδα", "привет", "東", `"東京"`, "naive", "NEAR", "and", "not*", "^x", "x\x00y", "' OR 1=1 --", `"" x`, "a:b x"} {
		want(t, q, search(t, i, docs.Query{Text: q}), []string{"it's \"a\" 100%_\\ name.txt#b1"})
	}
	for _, q := range []string{"", "  ", "*", `"`, "()", "%", "_"} {
		want(t, q, search(t, i, docs.Query{Text: q}), []string{})
	}
	long := strings.Repeat("verylongwords ", 300)
	put(t, i, doc("long.txt", strings.Repeat("x", 100_000)+" tail "+long))
	want(t, "after a long word", search(t, i, docs.Query{Text: "tail"}), []string{"long.txt#b1"})
	want(t, "a long query", search(t, i, docs.Query{Text: strings.Repeat("many words ", 2000) + "tail"}), []string{"long.txt#b1"})
}

func concurrent(t *testing.T, i docs.Index) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for n := range 10 {
				if err := i.Put(t.Context(), []docs.Indexed{doc(fmt.Sprintf("%d/%d.txt", w, n), "shared words", "more")}); err != nil {
					t.Error(err)
				}
				if _, err := i.Search(t.Context(), docs.Query{Text: "shared", Limit: 5}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	want(t, "after all", len(search(t, i, docs.Query{Text: "shared"})), 40)
}

func canceled(t *testing.T, i docs.Index) {
	put(t, i, doc("a.txt", "words"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := i.Search(ctx, docs.Query{Text: "words", Limit: 1}); err == nil {
		t.Error("Search ignores its context")
	}
}

func closed(t *testing.T, i docs.Index) {
	if err := i.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Search(t.Context(), docs.Query{Text: "x", Limit: 1}); err == nil {
		t.Error("a closed index answers")
	}
	if err := i.Put(t.Context(), []docs.Indexed{doc("a.txt", "x")}); err == nil {
		t.Error("a closed index stores")
	}
}
