package docs

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolfacade/toolfacade/facade"
)

var _ Index = (*Memory)(nil)

// Memory is an index in the memory of the process: it is empty at every
// start. Hits are ranked by BM25.
type Memory struct {
	mu     sync.RWMutex
	closed bool
	docs   map[string]*memoryDoc
	terms  map[string]map[*memoryChunk]int // term to how often it is in a chunk
	chunks int
	length int // terms of all chunks
}

type memoryDoc struct {
	Entry
	chunks []*memoryChunk
}

type memoryChunk struct {
	Chunk
	doc   *memoryDoc
	terms []string
}

// NewMemory returns an empty index.
func NewMemory() *Memory {
	return &Memory{docs: map[string]*memoryDoc{}, terms: map[string]map[*memoryChunk]int{}}
}

// Name implements [Index].
func (m *Memory) Name() string { return "memory" }

// Close implements [Index]: it forgets everything.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.docs, m.terms = true, nil, nil
	return nil
}

var errClosed = errors.New("docs: the index is closed")

// Has implements [Index].
func (m *Memory) Has(_ context.Context, doc Entry) (bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return false, errClosed
	}
	have := m.docs[doc.Path]
	return have != nil && have.Entry == doc, nil
}

// Put implements [Index].
func (m *Memory) Put(ctx context.Context, doc Entry, chunks []Chunk) error {
	d := &memoryDoc{Entry: doc}
	for _, c := range chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.chunks = append(d.chunks, &memoryChunk{Chunk: c, doc: d, terms: Terms(c.Heading + "\n" + c.Text)})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	m.remove(doc.Path)
	m.docs[doc.Path] = d
	for _, c := range d.chunks {
		m.chunks++
		m.length += len(c.terms)
		for _, t := range c.terms {
			if m.terms[t] == nil {
				m.terms[t] = map[*memoryChunk]int{}
			}
			m.terms[t][c]++
		}
	}
	return nil
}

// Delete implements [Index].
func (m *Memory) Delete(_ context.Context, path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	m.remove(path)
	return nil
}

func (m *Memory) remove(path string) {
	d := m.docs[path]
	if d == nil {
		return
	}
	delete(m.docs, path)
	for _, c := range d.chunks {
		m.chunks--
		m.length -= len(c.terms)
		for _, t := range c.terms {
			delete(m.terms[t], c)
			if len(m.terms[t]) == 0 {
				delete(m.terms, t)
			}
		}
	}
}

// The usual parameters of BM25.
const (
	bm25Repeat = 1.2
	bm25Length = 0.75
)

// Search implements [Index].
func (m *Memory) Search(ctx context.Context, q Query) ([]facade.DocumentHit, error) {
	terms, phrases := ParseQuery(q.Text)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	scores := map[*memoryChunk]float64{}
	mean := float64(m.length) / math.Max(float64(m.chunks), 1)
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := float64(len(m.terms[t]))
		rare := math.Log(1 + (float64(m.chunks)-n+0.5)/(n+0.5))
		for c, count := range m.terms[t] {
			f := float64(count)
			scores[c] += rare * f * (bm25Repeat + 1) / (f + bm25Repeat*(1-bm25Length+bm25Length*float64(len(c.terms))/mean))
		}
	}
	var all []*memoryChunk
	for c := range scores {
		if c.matches(phrases) && Matches(q.Filter, c.doc.Entry, c.Chunk) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *memoryChunk) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a.doc.Path, b.doc.Path), cmp.Compare(a.No, b.No))
	})
	hits := []facade.DocumentHit{}
	for _, c := range all[:min(len(all), max(q.Limit, 0))] {
		hits = append(hits, facade.DocumentHit{
			Path: c.doc.Path, Page: c.Page, Heading: c.Heading, Snippet: Snippet(c.Text, terms), Score: scores[c], Block: c.Block,
		})
	}
	return hits, nil
}

// matches reports whether every phrase occurs.
func (c *memoryChunk) matches(phrases [][]string) bool {
	for _, p := range phrases {
		found := false
		for i := 0; i+len(p) <= len(c.terms) && !found; i++ {
			found = slices.Equal(c.terms[i:i+len(p)], p)
		}
		if !found {
			return false
		}
	}
	return true
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
	if pattern == "." || pattern == path || strings.HasPrefix(path, pattern+"/") {
		return true
	}
	if !strings.Contains(pattern, "/") {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	ok, err := doublestar.Match(pattern, path)
	return ok && err == nil
}
