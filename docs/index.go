package docs

import (
	"context"
	"io"

	"github.com/toolfacade/toolfacade/facade"
)

// Chunk is a piece of a document that is found as one.
type Chunk struct {
	// No counts the chunks of a document from 0.
	No int
	// Text is what is searched and shown.
	Text string
	// Heading is the one above.
	Heading string
	// Block is the id of the first block.
	Block string
	// Kind is the kind of that block.
	Kind facade.BlockKind
	// Page is the page, sheet or slide, from 1; 0 when the format has none.
	Page int
	// Vector is the embedding of the text; nil without an [Embedder].
	Vector []float32
}

// Entry names a document of an index.
type Entry struct {
	// Path is relative to the root.
	Path string
	// Format is the short name of the format.
	Format string
	// Version tells contents and ways of indexing apart: a document whose
	// version is in the index is not indexed again.
	Version string
}

// Indexed is a document with all of its chunks.
type Indexed struct {
	Entry
	// Chunks are in order, numbered from 0.
	Chunks []Chunk
}

// Query is a search.
type Query struct {
	// Text are the words, with phrases in double quotes.
	Text string
	// Filter narrows the search; nil means everything.
	Filter *facade.DocumentFilter
	// Limit is the most hits to return.
	Limit int
}

// IndexStats says how much an index holds.
type IndexStats struct {
	// Documents counts the documents.
	Documents int
	// Chunks counts their pieces.
	Chunks int
}

// IndexStore is the part of an index that holds documents.
type IndexStore interface {
	// Documents lists the versions, by path, of the document at a path and of
	// those below it; "." is the root.
	Documents(ctx context.Context, under string) (map[string]string, error)
	// Put adds documents, or replaces those at their paths. It is atomic: when
	// it fails, or the process dies, none of the batch has changed.
	Put(ctx context.Context, batch []Indexed) error
	// Delete removes the documents at paths; those that are none are no error.
	Delete(ctx context.Context, paths []string) error
}

// IndexSearcher is the part of an index that finds chunks.
type IndexSearcher interface {
	// Search returns the best hits, the best first; among equals by path and
	// place in the document. Every backend scores as [Ranking] does, so that
	// they return the same.
	Search(ctx context.Context, q Query) ([]facade.DocumentHit, error)
	// Stats counts what the index holds.
	Stats(ctx context.Context) (IndexStats, error)
}

// Index is a storage backend of search. It must be safe for concurrent use.
// Package indextest has the rules that every one keeps.
type Index interface {
	IndexStore
	IndexSearcher
	io.Closer
	// Name is what storage_backends calls it.
	Name() string
}

// VectorIndex is an index that also finds by meaning.
type VectorIndex interface {
	Index
	// SearchVector returns the chunks whose vectors have the greatest cosine to
	// the given one, the best first. The text of the query only chooses the
	// snippets; chunks without a vector of that length are not found.
	SearchVector(ctx context.Context, vector []float32, q Query) ([]facade.DocumentHit, error)
}

// Embedder turns texts into vectors whose cosine tells how near their meanings
// are. It must be safe for concurrent use.
type Embedder interface {
	// Name tells models apart: documents are indexed again when it changes.
	Name() string
	// Embed returns one vector for each text.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// chosen returns the backends of a call, the default when none are named.
func (t *Tools) chosen(names []string) ([]Index, error) {
	if len(names) == 0 {
		return t.indexes[:1], nil
	}
	var known []string
	for _, i := range t.indexes {
		known = append(known, i.Name())
	}
	var all []Index
	seen := map[string]bool{}
	for _, n := range names {
		found := seen[n]
		for _, i := range t.indexes {
			if i.Name() == n && !seen[n] {
				all, found, seen[n] = append(all, i), true, true
			}
		}
		if !found {
			return nil, facade.InvalidArgument("storage_backends", "there is no storage backend '%s'", n).WithHint("the backends are: %q", known)
		}
	}
	return all, nil
}
