// Package docs implements the document tool: it reads office documents, web
// pages, books, mail, notebooks and text, makes them searchable, and reads
// images.
//
// Parsers run in the process and are bounded by [document.Limits]; what they
// cannot read becomes a warning. [New] takes the file system that documents
// are read from; further parsers and indexes are given in [Options].
package docs

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

var (
	_ facade.DocumentTools  = (*Tools)(nil)
	_ facade.DocumentRemote = (*Tools)(nil)
	_ io.Closer             = (*Tools)(nil)
)

// DefaultTimeout is how long the parsing of one document may take.
const DefaultTimeout = 30 * time.Second

// Options tune [Tools]. The zero value is the safe default.
type Options struct {
	// Formats are parsers beside the built-in ones, which they go before.
	Formats []document.Format
	// Indexes are the storage backends; the first is the one that is used when
	// a call names none. Without any there is one in memory.
	Indexes []Index
	// Limits bound the parsing of one document.
	Limits document.Limits
	// Timeout bounds the time of parsing one document; 0 means [DefaultTimeout].
	Timeout time.Duration
	// OCR recognizes text in images; nil means the tesseract program.
	OCR OCR
	// Vision describes images; nil means that descriptions and charts are
	// unavailable.
	Vision Vision
	// Embedder makes vectors, so that search also finds by meaning in the
	// backends that are a [VectorIndex]; nil means by words only.
	Embedder Embedder
	// Extractor fills the fields of a template that rules do not find, as a
	// model does; nil means rules only.
	Extractor Extractor
	// WorkingDir returns the directory that relative paths of a call are meant
	// from, relative to the root; nil means the root. The front door passes that
	// of the filesystem tool, whose cd then holds here too.
	WorkingDir func(ctx context.Context) string
	// HostPath is the absolute path of the root on the host, so that absolute
	// paths below it can be used; "" when there is none.
	HostPath string
	// Workers is how many documents are indexed at once; 0 means 4.
	Workers int
}

// Tools is the document tool on one file system. It is safe for concurrent
// use.
type Tools struct {
	fs      tree
	opts    Options
	formats []document.Format
	indexes []Index
}

// New returns the document tool on a file system, which is only read. A
// rootfs.FS keeps it inside of a directory of the host; with any other afero
// file system, whose "/" becomes the root, confinement is the caller's.
// afero.OsFs and what wraps it are refused, since nothing would confine them.
func New(fsys afero.Fs, opts *Options) (*Tools, error) {
	if fsys == nil {
		return nil, errors.New("docs: the file system is nil")
	}
	t := &Tools{}
	if opts != nil {
		t.opts = *opts
	}
	var err error
	if t.fs, err = newTree(fsys, t.opts.HostPath); err != nil {
		return nil, err
	}
	t.opts.Limits = t.opts.Limits.OrDefaults()
	if t.opts.Timeout <= 0 {
		t.opts.Timeout = DefaultTimeout
	}
	if t.opts.Workers <= 0 {
		t.opts.Workers = 4
	}
	if t.opts.OCR == nil {
		t.opts.OCR = NewTesseract(nil)
	}
	t.formats = append(t.formats, t.opts.Formats...)
	t.formats = append(t.formats, builtin()...)
	if t.indexes = t.opts.Indexes; len(t.indexes) == 0 {
		t.indexes = []Index{NewMemory()}
	}
	return t, nil
}

// Remote implements [facade.DocumentRemote]: a model may be anywhere.
func (t *Tools) Remote(action facade.DocumentAction) bool {
	switch action {
	case facade.DocumentRead:
		return t.opts.Extractor != nil
	case facade.DocumentIndex, facade.DocumentSearch:
		return t.opts.Embedder != nil
	case facade.DocumentReadImage:
		return t.opts.Vision != nil
	}
	return false
}

// Close closes the indexes. Calls afterwards fail.
func (t *Tools) Close() error {
	var errs []error
	for _, i := range t.indexes {
		errs = append(errs, i.Close())
	}
	return errors.Join(errs...)
}
