package docs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/indextest"
	"github.com/toolfacade/toolfacade/facade"
)

// failing is a backend that stores nothing.
type failing struct{ *docs.Memory }

func (failing) Name() string { return "failing" }

func (failing) Search(context.Context, docs.Query) ([]facade.DocumentHit, error) {
	return nil, errors.New("no connection")
}

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

// TestGoneDocuments indexes a directory again after documents have changed,
// vanished, and become unreadable.
func TestGoneDocuments(t *testing.T) {
	fs := afero.NewMemMapFs()
	write := func(name, text string) {
		t.Helper()
		if err := afero.WriteFile(fs, "/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"d/a.txt", "d/b.txt", "d/c.txt", "e/a.txt"} {
		write(name, "words of "+name)
	}
	tools := newTools(t, fs, nil)
	index := func(path string) facade.DocumentIndexed {
		t.Helper()
		out, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		return out.Backends[0]
	}
	index(".")
	if err := errors.Join(fs.Remove("/d/a.txt"), fs.Remove("/e/a.txt")); err != nil {
		t.Fatal(err)
	}
	write("d/b.txt", "new words")
	write("d/c.txt", "\x00\x01\x02\xff\x00\x00")
	if r := index("d"); r.Removed != 2 || r.Documents != 1 || r.Unchanged != 0 || len(r.Skipped) != 1 {
		t.Errorf("index d returns %+v", r)
	}
	out, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: "words"})
	if err != nil || len(out.Hits) != 2 || out.Hits[0].Path == "d/a.txt" || out.Hits[1].Path == "d/a.txt" {
		t.Errorf("then there is %+v, %v", out.Hits, err)
	}
	write("e/b.md", "words")
	if r := index("**/*.md"); r.Removed != 0 || r.Documents != 1 {
		t.Errorf("a glob that takes no text returns %+v", r)
	}
	if r := index("e"); r.Removed != 1 || r.Unchanged != 1 {
		t.Errorf("index e returns %+v", r)
	}
}

// TestWorkingDir reads relative to where the session is.
func TestWorkingDir(t *testing.T) {
	files := map[string][]byte{"a.txt": []byte("top"), "d/a.txt": []byte("below"), "d/e/b.txt": []byte("deep")}
	tools := toolsOn(t, files, &docs.Options{WorkingDir: func(context.Context) string { return "d" }})
	for path, want := range map[string]string{"a.txt": "d/a.txt", "../a.txt": "a.txt", "/a.txt": "a.txt", "e/../a.txt": "d/a.txt"} {
		out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: path})
		if err != nil || out.Source.Path != want {
			t.Errorf("%s is %q, %v; want %s", path, out.Source.Path, err, want)
		}
	}
	if _, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "../../a.txt"}); facade.CodeOf(err) != facade.CodeOutsideRoot {
		t.Errorf("above the root it fails with %v", err)
	}
	out, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: "*.txt"})
	if err != nil || out.Backends[0].Documents != 2 {
		t.Errorf("a glob finds %+v, %v", out.Backends, err)
	}
}

// meaning is an embedder for which some words mean the same.
type meaning struct{}

func (meaning) Name() string { return "meaning" }

func (meaning) Embed(_ context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i, text := range texts {
		v := []float32{0.1, 0.1}
		if strings.Contains(text, "car") || strings.Contains(text, "vehicle") {
			v = []float32{1, 0}
		}
		all[i] = v
	}
	return all, nil
}

func TestSearchByMeaning(t *testing.T) {
	files := map[string][]byte{"a.txt": []byte("a red vehicle"), "b.txt": []byte("a red house"), "c.txt": []byte("nothing else")}
	tools := toolsOn(t, files, &docs.Options{Embedder: meaning{}})
	if _, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: "."}); err != nil {
		t.Fatal(err)
	}
	out, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: "car", Limit: 1})
	if err != nil || len(out.Hits) != 1 || out.Hits[0].Path != "a.txt" {
		t.Errorf("the nearest is %+v, %v", out.Hits, err)
	}
	if out, err = tools.Search(t.Context(), facade.DocumentSearchInput{Query: "red car"}); err != nil || len(out.Hits) != 3 || out.Hits[0].Path != "a.txt" {
		t.Errorf("by words and meaning there is %+v, %v", out.Hits, err)
	}
}
