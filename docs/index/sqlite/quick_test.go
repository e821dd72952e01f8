package sqlite

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/indextest"
)

// TestQuickIsExact compares the chunks with the rarer terms, where they are
// said to be enough, with all.
func TestQuickIsExact(t *testing.T) {
	index, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	if err := index.Put(t.Context(), indextest.Corpus(200, 8)); err != nil {
		t.Fatal(err)
	}
	tx, err := index.read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	r := rand.New(rand.NewPCG(5, 8))
	const queries = 200
	used := 0
	for range queries {
		terms, _ := docs.ParseQuery(indextest.Word(r) + " " + indextest.Word(r) + " " + indextest.Word(r) + " absent")
		const most = 20
		few, err := quick(t.Context(), tx, terms, nil, most)
		if err != nil {
			t.Fatal(err)
		}
		if few == nil {
			continue
		}
		used++
		all, err := rank(t.Context(), tx, terms, nil, nil, most)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all { // which of the equal ones come last is open
			if all[i].score == all[most-1].score {
				all, few = all[:i], few[:i]
				break
			}
		}
		if diff := cmp.Diff(scores(all), scores(few)); diff != "" {
			t.Errorf("the best chunks for %q (-all +quick):\n%s", terms, diff)
		}
	}
	if used < queries/4 || used == queries {
		t.Errorf("%d of %d queries were quick: the test shows nothing", used, queries)
	}
}

func scores(list []scored) map[int64]float64 {
	m := map[int64]float64{}
	for _, s := range list {
		m[s.id] = s.score
	}
	return m
}
