package indextest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// Corpus makes documents of random words, whose frequencies fall as those of a
// language do. The same number makes the same documents.
func Corpus(documents, chunks int) []docs.Indexed {
	r := rand.New(rand.NewPCG(7, 11))
	var all []docs.Indexed
	for d := range documents {
		doc := docs.Indexed{Entry: docs.Entry{Path: fmt.Sprintf("%d/%03d.txt", d%5, d), Format: "txt", Version: "1"}}
		for n := range chunks {
			var b strings.Builder
			for range 40 + r.IntN(200) {
				b.WriteString(Word(r) + " ")
			}
			doc.Chunks = append(doc.Chunks, docs.Chunk{
				No: n, Text: b.String(), Heading: Word(r) + " " + Word(r), Block: fmt.Sprintf("b%d", n+1), Kind: facade.BlockParagraph, Page: n + 1,
			})
		}
		all = append(all, doc)
	}
	return all
}

// Word is a random word of the corpus, the common ones often.
func Word(r *rand.Rand) string {
	return fmt.Sprintf("w%d", int(r.ExpFloat64()*r.ExpFloat64()*150))
}

// same fills the index and one in memory with the same documents, replaces and
// deletes some, and compares hits and scores.
func same(t *testing.T, i docs.Index) {
	reference := docs.NewMemory()
	for _, index := range []docs.Index{i, reference} {
		all := Corpus(60, 5)
		put(t, index, all[30:]...)
		put(t, index, all...)
		put(t, index, all[10])
		if err := index.Delete(t.Context(), []string{all[3].Path, all[40].Path}); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 150 {
		q := docs.Query{Text: Word(r) + " " + Word(r) + " " + Word(r), Limit: 10}
		if n%5 == 0 {
			q.Filter = &facade.DocumentFilter{Path: fmt.Sprint(n % 4)}
		}
		if n%7 == 0 {
			q.Text += ` "` + Word(r) + " " + Word(r) + `"`
		}
		compare(t, i, reference, q)
	}
	if err := reference.Close(); err != nil {
		t.Error(err)
	}
}

func compare(t *testing.T, i docs.Index, reference *docs.Memory, q docs.Query) {
	t.Helper()
	wanted, err := reference.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := i.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(wanted, got, cmpopts.EquateApprox(1e-6, 1e-12)); diff != "" {
		t.Errorf("the hits of %q, filter %+v (-memory +%s):\n%s", q.Text, q.Filter, i.Name(), diff)
	}
}

// vectors is about indexes that find by meaning.
func vectors(t *testing.T, i docs.Index) {
	v, ok := i.(docs.VectorIndex)
	if !ok {
		t.Skip("the index stores no vectors")
	}
	d := doc("a.txt", "north", "east", "north east", "nowhere", "other model")
	d.Chunks[0].Vector = []float32{0, 3}
	d.Chunks[1].Vector = []float32{2, 0}
	d.Chunks[2].Vector = []float32{1, 1}
	d.Chunks[3].Vector = []float32{0, 0}
	d.Chunks[4].Vector = []float32{1, 1, 1}
	put(t, i, d, doc("none.txt", "no vector"))
	for _, tt := range []struct {
		vector []float32
		limit  int
		want   []string
	}{
		{[]float32{0, 1}, 3, []string{"a.txt#b1", "a.txt#b3", "a.txt#b2"}},
		{[]float32{5, 4}, 2, []string{"a.txt#b3", "a.txt#b2"}},
		{[]float32{1, 1, 2}, 3, []string{"a.txt#b5"}},
		{[]float32{1}, 3, []string{}},
		{nil, 3, []string{}},
	} {
		hits, err := v.SearchVector(t.Context(), tt.vector, docs.Query{Text: "x", Limit: tt.limit})
		if err != nil {
			t.Fatal(err)
		}
		want(t, fmt.Sprint(tt.vector), places(hits), tt.want)
	}
	hits, err := v.SearchVector(t.Context(), []float32{0, 1}, docs.Query{Text: "x", Limit: 3, Filter: &facade.DocumentFilter{Path: "none.txt"}})
	if err != nil || len(hits) != 0 {
		t.Errorf("a filter lets through %v, %v", hits, err)
	}
}
