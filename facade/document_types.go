package facade

import "time"

// DocumentReadInput selects a document and the form of its content.
type DocumentReadInput struct {
	// Document or image; a directory or glob in index.
	Path string `json:"path" example:"docs/report.pdf"`
	// JSON Schema or example of fields to extract.
	ExtractionTemplate map[string]any `json:"extraction_template,omitempty"`
	// Tables with cells.
	ExtractTables *bool `json:"extract_tables,omitempty" default:"true"`
	// Images too.
	ExtractImages bool `json:"extract_images,omitempty" default:"false"`
	// Pages, sheets or slides, from 1.
	Pages string `json:"pages,omitempty" example:"1-3,7"`
	// Form of content.
	Output string `json:"output,omitempty" default:"markdown" enum:"markdown,text,blocks"`
	// Most characters.
	MaxChars int `json:"max_chars,omitempty" min:"1"`
	// next_cursor of a cut reply.
	Cursor string `json:"cursor,omitempty"`
	// Password.
	Password string `json:"password,omitempty"`
}

// Effect implements [Effector]: only extraction may ask a model.
func (in DocumentReadInput) Effect(declared Effect) Effect {
	if len(in.ExtractionTemplate) > 0 {
		return declared
	}
	return declared &^ EffectNetwork
}

// DocumentReadOutput is a document or a part of it.
type DocumentReadOutput struct {
	// Source is the file that was read.
	Source DocumentSource `json:"source"`
	// Meta is what the document says of itself.
	Meta DocumentMeta `json:"meta"`
	// Content is the document as Markdown or text; absent with output=blocks.
	Content string `json:"content,omitempty"`
	// Pages are the pages, sheets or slides that were read.
	Pages []DocumentPage `json:"pages"`
	// Blocks are the parts in reading order with output=blocks; else those that extracted cites.
	Blocks []DocumentBlock `json:"blocks"`
	// Tables are the tables with their cells.
	Tables []DocumentTable `json:"tables"`
	// Images are the images; with extract_images their content is attached.
	Images []DocumentImage `json:"images"`
	// Warnings tell what could not be read.
	Warnings []DocumentWarning `json:"warnings"`
	// Extracted holds the template's fields that were found.
	Extracted map[string]DocumentField `json:"extracted,omitempty"`
	// Missing names the template's fields that were not found.
	Missing []string `json:"missing,omitempty"`
	// NextCursor continues the document; absent at the end.
	NextCursor string `json:"next_cursor,omitempty"`

	attachments
}

// DocumentSource is the file behind a document.
type DocumentSource struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Format is docx, pdf and so on, by content.
	Format string `json:"format"`
	// MIME is the media type by content.
	MIME string `json:"mime"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// SHA256 is the hash of the content, in hexadecimal.
	SHA256 string `json:"sha256"`
}

// DocumentMeta is what a document says of itself.
type DocumentMeta struct {
	// Title is the title.
	Title string `json:"title,omitempty"`
	// Authors are the authors.
	Authors []string `json:"authors,omitempty"`
	// Created is the time of creation.
	Created *time.Time `json:"created,omitempty"`
	// Modified is the time of the last change.
	Modified *time.Time `json:"modified,omitempty"`
	// Language is a BCP 47 tag, as en-US.
	Language string `json:"language,omitempty"`
	// PageCount counts the pages, sheets or slides; absent when the format has none.
	PageCount int `json:"page_count,omitempty"`
	// Custom holds other properties, as subject or keywords.
	Custom map[string]string `json:"custom,omitempty"`
}

// DocumentPage is a page, sheet or slide.
type DocumentPage struct {
	// Number counts from 1.
	Number int `json:"number"`
	// Name is that of a sheet, or the label printed on a page.
	Name string `json:"name,omitempty"`
	// Width is in points.
	Width float64 `json:"width,omitempty"`
	// Height is in points.
	Height float64 `json:"height,omitempty"`
	// Rotation is in degrees, clockwise.
	Rotation int `json:"rotation,omitempty"`
	// NeedsOCR says that the page is an image without text.
	NeedsOCR bool `json:"needs_ocr,omitempty"`
}

// DocumentWarning tells of something that could not be read.
type DocumentWarning struct {
	// Code is encrypted, truncated, no_text_layer, unsupported_object or limit_hit, or one of a parser's own.
	Code string `json:"code"`
	// Message says what, for people.
	Message string `json:"message"`
	// Page is where; absent when it is about the whole document.
	Page int `json:"page,omitempty"`
}

// DocumentField is an extracted value.
type DocumentField struct {
	// Value has the type that the template asks for.
	Value any `json:"value"`
	// Confidence is from 0 to 1.
	Confidence float64 `json:"confidence"`
	// Blocks are the ids of the blocks that hold the value.
	Blocks []string `json:"blocks"`
	// Origin is llm for a value that a model found.
	Origin string `json:"origin,omitempty"`
}
