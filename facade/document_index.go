package facade

// DocumentIndexInput selects documents to index.
type DocumentIndexInput struct {
	// Document or image; a directory or glob in index.
	Path string `json:"path" example:"docs/report.pdf"`
	// Tables with cells.
	ExtractTables *bool `json:"extract_tables,omitempty" default:"true"`
	// Images too.
	ExtractImages bool `json:"extract_images,omitempty" default:"false"`
	// Index names; else the embedded one.
	StorageBackends []string `json:"storage_backends,omitempty" minItems:"1"`
}

// DocumentIndexOutput has one result per backend.
type DocumentIndexOutput struct {
	// Backends are in the order asked for.
	Backends []DocumentIndexed `json:"backends"`

	attachments
}

// DocumentIndexed is what one backend took.
type DocumentIndexed struct {
	// Backend is the backend's name.
	Backend string `json:"backend"`
	// Documents counts the documents added or replaced.
	Documents int `json:"documents"`
	// Chunks counts the pieces they were cut into.
	Chunks int `json:"chunks"`
	// Unchanged counts the documents that were in the index already.
	Unchanged int `json:"unchanged"`
	// Removed counts the documents that are gone from the directory, and now from the index.
	Removed int `json:"removed,omitempty"`
	// Skipped lists files that could not be indexed.
	Skipped []DocumentSkipped `json:"skipped"`
	// DurationMS is how long it took.
	DurationMS int64 `json:"duration_ms"`
	// Error says why this backend failed.
	Error *Error `json:"error,omitempty"`
}

// DocumentSkipped is a file that was not indexed.
type DocumentSkipped struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Reason says why.
	Reason string `json:"reason"`
}

// DocumentSearchInput is a query to the index.
type DocumentSearchInput struct {
	// Words, or a phrase in double quotes.
	Query string `json:"query" example:"quarterly revenue"`
	// Most to return.
	Limit int `json:"limit,omitempty" default:"10" min:"1" max:"100"`
	// Hits that fit all of it.
	Filter *DocumentFilter `json:"filter,omitempty"`
	// Index names; else the embedded one.
	StorageBackends []string `json:"storage_backends,omitempty" minItems:"1"`
}

// Validate refuses an empty query.
func (in DocumentSearchInput) Validate() error {
	if in.Query == "" {
		return InvalidArgument("query", "field 'query' must not be empty")
	}
	return nil
}

// DocumentFilter narrows a search.
type DocumentFilter struct {
	// Document, directory or glob.
	Path string `json:"path,omitempty" example:"docs/**"`
	// As docx or pdf.
	Format string `json:"format,omitempty" example:"pdf"`
	// Page, sheet or slide.
	Page int `json:"page,omitempty" min:"1"`
	// Text in the heading above.
	Heading string `json:"heading,omitempty"`
	// As paragraph or table.
	Kind string `json:"kind,omitempty"`
}

// DocumentSearchOutput holds the hits.
type DocumentSearchOutput struct {
	// Hits are the matches, the best first.
	Hits []DocumentHit `json:"hits"`
	// Indexed counts the documents that were searched when there are no hits.
	Indexed int `json:"indexed,omitempty"`
}

// DocumentHit is one match.
type DocumentHit struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Page is the page, sheet or slide, from 1; absent when the format has none.
	Page int `json:"page,omitempty"`
	// Heading is the one above the match.
	Heading string `json:"heading,omitempty"`
	// Snippet is the text around the match.
	Snippet string `json:"snippet"`
	// Score compares hits of one search; more is better.
	Score float64 `json:"score"`
	// Block is the id of the block that holds the match.
	Block string `json:"block,omitempty"`
	// Backend is the one that found it.
	Backend string `json:"backend,omitempty"`
}
