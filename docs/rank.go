package docs

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolfacade/toolfacade/facade"
)

// The parameters of BM25 that every backend uses, those of SQLite's FTS5.
const (
	// BM25Repeat is how soon repetitions of a term stop to count (k1).
	BM25Repeat = 1.2
	// BM25Length is how much long chunks are held back (b).
	BM25Length = 0.75
)

// Ranking scores chunks by BM25.
type Ranking struct {
	// Chunks is how many the index holds.
	Chunks int
	// Terms is how many terms they have together.
	Terms int
}

// Weight is what a term counts that occurs in so many chunks. As in FTS5, a
// term of more than half of all chunks hardly counts.
func (r Ranking) Weight(holding int) float64 {
	w := math.Log((float64(r.Chunks) - float64(holding) + 0.5) / (float64(holding) + 0.5))
	if w <= 0 {
		return 1e-6
	}
	return w
}

// Score is what a term of that weight adds to a chunk in which it occurs count
// times among so many terms.
func (r Ranking) Score(weight float64, count, terms int) float64 {
	mean := float64(r.Terms) / math.Max(float64(r.Chunks), 1)
	f := float64(count)
	return weight * f * (BM25Repeat + 1) / (f + BM25Repeat*(1-BM25Length+BM25Length*float64(terms)/mean))
}

// Found is a chunk that a backend has found.
type Found struct {
	Chunk
	// Path is the document's.
	Path string
	// Score is more for a better chunk.
	Score float64
}

// RoundScore drops the digits of a score that depend on the order in which a
// backend adds numbers up.
func RoundScore(score float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(score, 'g', 9, 64), 64)
	if err != nil {
		return score
	}
	return rounded
}

// Hits orders what a backend has found and cuts it to the limit of the query,
// with snippets around the query's terms.
func Hits(found []Found, q Query) []facade.DocumentHit {
	for i := range found {
		found[i].Score = RoundScore(found[i].Score)
	}
	slices.SortFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path), cmp.Compare(a.No, b.No))
	})
	terms, _ := ParseQuery(q.Text)
	hits := []facade.DocumentHit{}
	for _, f := range found[:min(len(found), max(q.Limit, 0))] {
		hits = append(hits, facade.DocumentHit{
			Path: f.Path, Page: f.Page, Heading: f.Heading, Snippet: Snippet(f.Text, terms), Score: f.Score, Block: f.Block,
		})
	}
	return hits
}

// SearchedText is what a chunk is found by: its heading and its text.
func SearchedText(c Chunk) string { return c.Heading + "\n" + c.Text }

// Unit returns a vector of length one in the direction of v, so that products
// of vectors are cosines; nil for one without direction.
func Unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return unit
}

// Cosine of two vectors of length one; false when their dimensions differ.
func Cosine(a, b []float32) (float64, bool) {
	if len(a) == 0 || len(a) != len(b) {
		return 0, false
	}
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum, true
}

// Matches reports whether a chunk passes a filter, for backends that filter in
// Go.
func Matches(f *facade.DocumentFilter, doc Entry, c Chunk) bool {
	if f == nil {
		return true
	}
	return (f.Path == "" || matchesPath(f.Path, doc.Path)) &&
		(f.Format == "" || strings.EqualFold(f.Format, doc.Format)) &&
		(f.Page == 0 || f.Page == c.Page) &&
		(f.Heading == "" || strings.Contains(strings.ToLower(c.Heading), strings.ToLower(f.Heading))) &&
		(f.Kind == "" || f.Kind == string(c.Kind))
}

// matchesPath takes a document, a directory or a glob.
func matchesPath(pattern, path string) bool {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	if pattern == "" || pattern == "." || pattern == path || strings.HasPrefix(path, pattern+"/") {
		return true
	}
	if !strings.Contains(pattern, "/") {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	ok, err := doublestar.Match(pattern, path)
	return ok && err == nil
}

// Under reports whether a path is a directory's or below it, as
// [IndexStore].Documents counts.
func Under(dir, path string) bool {
	return dir == "." || dir == path || strings.HasPrefix(path, dir+"/")
}
