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

// Query is a search.
type Query struct {
	// Text are the words, with phrases in double quotes.
	Text string
	// Filter narrows the search; nil means everything.
	Filter *facade.DocumentFilter
	// Limit is the most hits to return.
	Limit int
}

// Index is a storage backend of search. It must be safe for concurrent use.
type Index interface {
	io.Closer
	// Name is what storage_backends calls it.
	Name() string
	// Has reports whether the document is in the index in that version.
	Has(ctx context.Context, doc Entry) (bool, error)
	// Put adds a document with all of its chunks, or replaces the one at its
	// path, at once: a search sees all of it or none.
	Put(ctx context.Context, doc Entry, chunks []Chunk) error
	// Delete removes the document at a path, if there is one.
	Delete(ctx context.Context, path string) error
	// Search returns the best hits, the best first; among equals by path and
	// place in the document.
	Search(ctx context.Context, q Query) ([]facade.DocumentHit, error)
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
	for _, n := range names {
		found := false
		for _, i := range t.indexes {
			if i.Name() == n {
				all, found = append(all, i), true
				break
			}
		}
		if !found {
			return nil, facade.InvalidArgument("storage_backends", "there is no storage backend '%s'", n).WithHint("the backends are: %q", known)
		}
	}
	return all, nil
}
