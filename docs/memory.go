package docs

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

var _ VectorIndex = (*Memory)(nil)

// Memory is an index in the memory of the process: it is empty at every
// start.
type Memory struct {
	mu      sync.RWMutex
	closed  bool
	docs    map[string]*memoryDoc
	terms   map[string]map[*memoryChunk]int // term to how often it is in a chunk
	ranking Ranking
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

// Documents implements [IndexStore].
func (m *Memory) Documents(_ context.Context, under string) (map[string]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	all := map[string]string{}
	for path, d := range m.docs {
		if Under(under, path) {
			all[path] = d.Version
		}
	}
	return all, nil
}

// Put implements [IndexStore].
func (m *Memory) Put(ctx context.Context, batch []Indexed) error {
	var added []*memoryDoc
	for _, doc := range batch {
		d := &memoryDoc{Entry: doc.Entry}
		for _, c := range doc.Chunks {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.Vector = Unit(c.Vector)
			d.chunks = append(d.chunks, &memoryChunk{Chunk: c, doc: d, terms: Terms(SearchedText(c))})
		}
		added = append(added, d)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	for _, d := range added {
		m.remove(d.Path)
		m.add(d)
	}
	return nil
}

func (m *Memory) add(d *memoryDoc) {
	m.docs[d.Path] = d
	for _, c := range d.chunks {
		m.ranking.Chunks++
		m.ranking.Terms += len(c.terms)
		for _, t := range c.terms {
			if m.terms[t] == nil {
				m.terms[t] = map[*memoryChunk]int{}
			}
			m.terms[t][c]++
		}
	}
}

// Delete implements [IndexStore].
func (m *Memory) Delete(_ context.Context, paths []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	for _, p := range paths {
		m.remove(p)
	}
	return nil
}

func (m *Memory) remove(path string) {
	d := m.docs[path]
	if d == nil {
		return
	}
	delete(m.docs, path)
	for _, c := range d.chunks {
		m.ranking.Chunks--
		m.ranking.Terms -= len(c.terms)
		for _, t := range c.terms {
			delete(m.terms[t], c)
			if len(m.terms[t]) == 0 {
				delete(m.terms, t)
			}
		}
	}
}

// Search implements [IndexSearcher].
func (m *Memory) Search(ctx context.Context, q Query) ([]facade.DocumentHit, error) {
	terms, phrases := ParseQuery(q.Text)
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	scores := map[*memoryChunk]float64{}
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		weight := m.ranking.Weight(len(m.terms[t]))
		for c, count := range m.terms[t] {
			scores[c] += m.ranking.Score(weight, count, len(c.terms))
		}
	}
	var found []Found
	for c, score := range scores {
		if c.matches(phrases) && Matches(q.Filter, c.doc.Entry, c.Chunk) {
			found = append(found, Found{Chunk: c.Chunk, Path: c.doc.Path, Score: score})
		}
	}
	return Hits(found, q), nil
}

// SearchVector implements [VectorIndex].
func (m *Memory) SearchVector(ctx context.Context, vector []float32, q Query) ([]facade.DocumentHit, error) {
	vector = Unit(vector)
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	var found []Found
	for _, d := range m.docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, c := range d.chunks {
			if score, ok := Cosine(vector, c.Vector); ok && Matches(q.Filter, d.Entry, c.Chunk) {
				found = append(found, Found{Chunk: c.Chunk, Path: d.Path, Score: score})
			}
		}
	}
	return Hits(found, q), nil
}

// Stats implements [IndexSearcher].
func (m *Memory) Stats(context.Context) (IndexStats, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return IndexStats{}, errClosed
	}
	return IndexStats{Documents: len(m.docs), Chunks: m.ranking.Chunks}, nil
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
