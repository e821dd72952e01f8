package docs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/indextest"
	"github.com/toolfacade/toolfacade/facade"
)

// failing is a backend that stores nothing.
type failing struct{ *docs.Memory }

func (failing) Name() string { return "failing" }

func (failing) Put(context.Context, []docs.Indexed) error {
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

func TestMemory(t *testing.T) {
	indextest.Run(t, func(testing.TB) docs.Index { return docs.NewMemory() })
}
