package postgres_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/index/postgres"
	"github.com/toolfacade/toolfacade/docs/indextest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(tb testing.TB, s *server, schema string) *postgres.Index {
	tb.Helper()
	i, err := postgres.Open(tb.Context(), s.connection(), &postgres.Options{Schema: schema})
	if err != nil {
		tb.Fatal(err)
	}
	return i
}

// TestServer runs everything that needs a server on one.
func TestServer(t *testing.T) {
	s := start(t)
	t.Run("the rules of every index", func(t *testing.T) {
		indextest.Run(t, func(tb testing.TB) docs.Index {
			tb.Helper()
			return open(tb, s, s.schema())
		})
	})
	t.Run("several at once", func(t *testing.T) { several(t, s) })
	t.Run("a batch with a document twice", func(t *testing.T) { twice(t, s) })
	t.Run("another version", func(t *testing.T) { otherVersion(t, s) })
}

// several open the same index at once, which does not exist yet, and put the
// same documents in different orders.
func several(t *testing.T, s *server) {
	schema := s.schema()
	all := indextest.Corpus(20, 2)
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			i, err := postgres.Open(t.Context(), s.connection(), &postgres.Options{Schema: schema})
			if err != nil {
				t.Error(err)
				return
			}
			defer i.Close()
			for range 3 {
				batch := append(append([]docs.Indexed{}, all[5*n:]...), all[:5*n]...)
				if err := i.Put(t.Context(), batch); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	i := open(t, s, schema)
	defer i.Close()
	if stats, err := i.Stats(t.Context()); err != nil || stats != (docs.IndexStats{Documents: 20, Chunks: 40}) {
		t.Errorf("after all there is %+v, %v", stats, err)
	}
}

func twice(t *testing.T, s *server) {
	i := open(t, s, s.schema())
	defer i.Close()
	doc := func(text string) docs.Indexed {
		return docs.Indexed{Entry: docs.Entry{Path: "a.txt"}, Chunks: []docs.Chunk{{Text: text}}}
	}
	if err := i.Put(t.Context(), []docs.Indexed{doc("first"), doc("second")}); err != nil {
		t.Fatal(err)
	}
	hits, err := i.Search(t.Context(), docs.Query{Text: "first second", Limit: 5})
	if err != nil || len(hits) != 1 || hits[0].Snippet != "second" {
		t.Errorf("then there is %+v, %v", hits, err)
	}
}

func otherVersion(t *testing.T, s *server) {
	schema := s.schema()
	if err := open(t, s, schema).Close(); err != nil {
		t.Fatal(err)
	}
	s.exec(t, "UPDATE "+schema+".meta SET version = 99")
	if i, err := postgres.Open(t.Context(), s.connection(), &postgres.Options{Schema: schema}); err == nil || !strings.Contains(err.Error(), "99") {
		t.Errorf("it opens: %v", err)
		if i != nil {
			i.Close()
		}
	}
}

// TestRefusals need no server.
func TestRefusals(t *testing.T) {
	for _, schema := range []string{"Upper", "a b", `x"; DROP SCHEMA public`, "1st"} {
		if _, err := postgres.Open(t.Context(), "host=/nowhere", &postgres.Options{Schema: schema}); err == nil {
			t.Errorf("the schema %q is taken", schema)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, connection := range []string{"postgres://u:secret-word@127.0.0.1:1/db", "postgres://u:secret-word@%%%", "host=" + t.TempDir() + " password=secret-word user=u"} {
		_, err := postgres.Open(ctx, connection, nil)
		if err == nil || strings.Contains(err.Error(), "secret-word") {
			t.Errorf("%s gives %v", connection, err)
		}
	}
}
