package sqlite_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/index/sqlite"
	"github.com/toolfacade/toolfacade/docs/indextest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(tb testing.TB, path string) *sqlite.Index {
	tb.Helper()
	i, err := sqlite.Open(tb.Context(), path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return i
}

func TestIndex(t *testing.T) {
	indextest.Run(t, func(tb testing.TB) docs.Index {
		tb.Helper()
		return open(tb, filepath.Join(tb.TempDir(), "deep", "a?b #index%41.db"))
	})
}

// TestSurvives closes and opens a file again, and uses it twice at once.
func TestSurvives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	first := open(t, path)
	batch := []docs.Indexed{{Entry: docs.Entry{Path: "a.txt", Version: "1"}, Chunks: []docs.Chunk{{Text: "words"}}}}
	second := open(t, path)
	if err := first.Put(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if stats, err := second.Stats(t.Context()); err != nil || stats.Documents != 1 {
		t.Errorf("the other one sees %+v, %v", stats, err)
	}
	batch[0].Path = "b.txt"
	if err := second.Put(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	for _, i := range []*sqlite.Index{first, second} {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	again := open(t, path)
	defer again.Close()
	hits, err := again.Search(t.Context(), docs.Query{Text: "words", Limit: 5})
	if err != nil || len(hits) != 2 {
		t.Errorf("after opening again there is %+v, %v", hits, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("the file has mode %v", mode)
	}
}

// TestOtherFiles opens what is no index.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("this is no database, but it is long enough to look at"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, dir, filepath.Join(text, "below")} {
		if i, err := sqlite.Open(t.Context(), path, nil); err == nil {
			t.Errorf("%s is opened", path)
			if err := i.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if data, err := os.ReadFile(text); err != nil || len(data) != 53 {
		t.Errorf("the text was changed: %q, %v", data, err)
	}
}
