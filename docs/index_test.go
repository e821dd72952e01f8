package docs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// failing is a backend that stores nothing.
type failing struct{ *docs.Memory }

func (failing) Name() string { return "failing" }

func (failing) Put(context.Context, docs.Entry, []docs.Chunk) error {
	return errors.New("no connection")
}

func TestBackendsFailApart(t *testing.T) {
	tools := toolsOn(t, samples(t), &docs.Options{Indexes: []docs.Index{docs.NewMemory(), failing{docs.NewMemory()}}})
	out, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: ".", StorageBackends: []string{"failing", "memory"}})
	if err != nil || len(out.Backends) != 2 {
		t.Fatalf("index returns %+v, %v", out, err)
	}
	if b := out.Backends[0]; b.Backend != "failing" || b.Error == nil || b.Documents != 0 {
		t.Errorf("the failing backend returns %+v", b)
	}
	if b := out.Backends[1]; b.Error != nil || b.Documents != len(samples(t)) {
		t.Errorf("the other backend returns %+v", b)
	}
}

func TestEveryFormatIsFound(t *testing.T) {
	tools := toolsOn(t, samples(t), nil)
	if _, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: "a.*"}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"revenue ten percent": "a.docx", "smile": "a.pptx", "amount": "a.xlsx", "chapter two": "a.epub", "cafe bold": "a.rtf",
		"GRÜßE": "a.eml", "second page": "a.odp", "paragraph of two lines": "a.txt",
	} {
		out, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Hits) == 0 || out.Hits[0].Path != want {
			t.Errorf("%q finds %+v, want %s first", query, out.Hits, want)
		}
	}
	hits, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: "two", Filter: &facade.DocumentFilter{Page: 2}})
	if err != nil || len(hits.Hits) != 1 || hits.Hits[0].Path != "a.epub" {
		t.Errorf("on page 2 there is %+v, %v", hits.Hits, err)
	}
}

func TestRanking(t *testing.T) {
	m := docs.NewMemory()
	for i := range 20 {
		text := strings.Repeat("common words here ", 10)
		if i == 7 {
			text += "rare"
		}
		if err := m.Put(t.Context(), docs.Entry{Path: fmt.Sprintf("%02d", i)}, []docs.Chunk{{Text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	hits, err := m.Search(t.Context(), docs.Query{Text: "common rare", Limit: 3})
	if err != nil || len(hits) != 3 || hits[0].Path != "07" || hits[1].Path != "00" || hits[0].Score <= hits[1].Score {
		t.Errorf("the hits are %+v, %v", hits, err)
	}
	if err := m.Delete(t.Context(), "07"); err != nil {
		t.Fatal(err)
	}
	if hits, err = m.Search(t.Context(), docs.Query{Text: "rare", Limit: 3}); err != nil || len(hits) != 0 {
		t.Errorf("after Delete the hits are %+v, %v", hits, err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Search(t.Context(), docs.Query{Text: "rare"}); err == nil {
		t.Error("a closed index answers")
	}
}

func TestIndexStopsWithItsContext(t *testing.T) {
	files := map[string][]byte{}
	for i := range 50 {
		files[fmt.Sprintf("%d.txt", i)] = []byte("words")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := toolsOn(t, files, nil).Index(ctx, facade.DocumentIndexInput{Path: "."}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestSnippet(t *testing.T) {
	text := strings.Repeat("filler ", 200) + "needle in hay " + strings.Repeat("filler ", 200)
	got := docs.Snippet(text, []string{"needle", "hay"})
	if !strings.Contains(got, "needle in hay") || len(got) > 300 || !strings.HasPrefix(got, "…") {
		t.Errorf("the snippet is %q", got)
	}
}
