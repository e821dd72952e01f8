package sqlite_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/indextest"
)

// benchDocuments of ten chunks each, of about 140 words.
const benchDocuments = 600

// BenchmarkPut reports how many chunks a second are stored, in batches as the
// document tool makes them.
func BenchmarkPut(b *testing.B) {
	all := indextest.Corpus(benchDocuments, 10)
	for b.Loop() {
		b.StopTimer()
		index := open(b, filepath.Join(b.TempDir(), "index.db"))
		b.StartTimer()
		for batch := range slices.Chunk(all, 200) {
			if err := index.Put(b.Context(), batch); err != nil {
				b.Fatal(err)
			}
		}
		if err := index.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(10*benchDocuments*b.N)/b.Elapsed().Seconds(), "chunks/s")
}

// BenchmarkSearch reports the 95th percentile of queries of three words.
func BenchmarkSearch(b *testing.B) {
	index := open(b, filepath.Join(b.TempDir(), "index.db"))
	defer index.Close()
	if err := index.Put(b.Context(), indextest.Corpus(benchDocuments, 10)); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	for b.Loop() {
		q := docs.Query{Text: indextest.Word(r) + " " + indextest.Word(r) + " " + indextest.Word(r), Limit: 10}
		start := time.Now()
		if _, err := index.Search(b.Context(), q); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
}
