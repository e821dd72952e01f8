// Package document is the model that every parser fills: one ordered list of
// blocks with their places, tables with spans, images by reference, and
// warnings. It also holds what parsers share: limits, bounded zip and XML
// readers, and character encodings. A parser for one more format implements
// [Format] and is given to the document tool in its options.
package document

import (
	"context"
	"io"

	"github.com/toolfacade/toolfacade/facade"
)

// Layer tells content from what surrounds it.
type Layer int

// The layers.
const (
	// Body is the content.
	Body Layer = iota
	// Furniture is what repeats around the content: page headers, footers,
	// navigation. It is in blocks but not in renderings.
	Furniture
	// Hidden is what the author has hidden, as hidden slides and sheets. It is
	// in blocks but not in renderings.
	Hidden
)

// Block is one part of a document.
type Block struct {
	facade.DocumentBlock
	// Layer says whether renderings show the block.
	Layer Layer
	// Markdown is the text with its links and emphasis; "" means that the
	// plain text has neither. Text is never escaped, Markdown is.
	Markdown string
	// Marker is what precedes a list item: "-" or a number such as "3."; of a
	// code block its language.
	Marker string
}

// Image is an image in a document. Its content is kept only on request.
type Image struct {
	facade.DocumentImage
	// Data is the content, nil unless [Request.Images] asked for it.
	Data []byte
}

// Document is what a parser made of a file.
type Document struct {
	// Meta is what the document says of itself.
	Meta facade.DocumentMeta
	// Pages are the pages, sheets or slides that were read.
	Pages []facade.DocumentPage
	// Blocks are in reading order. A table or an image is a block too, which
	// names its content by Ref.
	Blocks []Block
	// Tables are in the order of their blocks.
	Tables []facade.DocumentTable
	// Images are in the order of their blocks.
	Images []Image
	// Warnings tell what could not be read.
	Warnings []facade.DocumentWarning
}

// The codes of warnings that parsers share.
const (
	// WarnTruncated is for a file that ends too early or is damaged.
	WarnTruncated = "truncated"
	// WarnLimit is for content left out because of a limit.
	WarnLimit = "limit_hit"
	// WarnUnsupported is for an object that the parser cannot read.
	WarnUnsupported = "unsupported_object"
	// WarnEncrypted is for a part that needs a password.
	WarnEncrypted = "encrypted"
	// WarnNoText is for a page that is an image.
	WarnNoText = "no_text_layer"
	// WarnHidden is for content that the author has hidden.
	WarnHidden = "hidden_content"
	// WarnEmpty is for a document without content.
	WarnEmpty = "empty"
	// WarnEncoding is for text whose encoding is guessed or damaged.
	WarnEncoding = "encoding"
)

// Source is the file to parse.
type Source struct {
	io.ReaderAt
	// Size is in bytes.
	Size int64
	// Name is the base name of the file; its extension tells text formats apart.
	Name string
	// MIME is the media type by content.
	MIME string
}

// Request says what a caller wants of a document.
type Request struct {
	// Pages selects pages, sheets or slides from 1; nil selects all.
	Pages func(n int) bool
	// Images keeps the content of images.
	Images bool
	// Password opens an encrypted document.
	Password string
	// Recognize reads the text in an image, for pages that are one; nil leaves
	// them without text. An engine that is missing is an error of
	// [facade.CodeUnavailable].
	Recognize func(ctx context.Context, image []byte) ([]facade.DocumentWord, error)
	// Limits bound the work.
	Limits Limits
}

// Wants reports whether page, sheet or slide n was asked for.
func (r Request) Wants(n int) bool { return r.Pages == nil || r.Pages(n) }

// Format is a parser of one kind of file. It must be safe for concurrent use,
// must stop soon after the context ends, and must bound its memory and time by
// the limits whatever the file holds.
type Format interface {
	// Name is the format's short name, as "docx".
	Name() string
	// Accepts reports whether the parser reads files of a media type, which was
	// found by content.
	Accepts(mime string) bool
	// Parse reads a document. A damaged file gives what could be read with a
	// warning, or an error when that is nothing.
	Parse(ctx context.Context, src Source, req Request) (*Document, error)
}

// PagePainter is implemented by formats whose pages can be painted, so that
// they can be read as images too.
type PagePainter interface {
	// PaintPage returns page n, from 1, as an image file.
	PaintPage(ctx context.Context, src Source, n int, req Request) ([]byte, error)
}
