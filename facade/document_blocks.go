package facade

// BlockKind is the kind of a part of a document.
type BlockKind string

// The kinds of blocks.
const (
	BlockHeading     BlockKind = "heading"
	BlockParagraph   BlockKind = "paragraph"
	BlockListItem    BlockKind = "list_item"
	BlockCode        BlockKind = "code"
	BlockQuote       BlockKind = "quote"
	BlockTable       BlockKind = "table"
	BlockImage       BlockKind = "image"
	BlockFormula     BlockKind = "formula"
	BlockFootnote    BlockKind = "footnote"
	BlockCaption     BlockKind = "caption"
	BlockHeader      BlockKind = "header"
	BlockFooter      BlockKind = "footer"
	BlockKeyValue    BlockKind = "key_value"
	BlockSlideNote   BlockKind = "slide_note"
	BlockComment     BlockKind = "comment"
	BlockEmailHeader BlockKind = "email_header"
)

// Box is a rectangle: left, top, right and bottom edge, counted from the top
// left corner; in points for a page, in pixels for an image.
type Box [4]float64

// DocumentPlace says where in a document something is. Only what the format has
// is set.
type DocumentPlace struct {
	// Page is the page, from 1.
	Page int `json:"page,omitempty"`
	// Sheet is the name of a sheet.
	Sheet string `json:"sheet,omitempty"`
	// Slide is the slide, from 1.
	Slide int `json:"slide,omitempty"`
	// Part is a file inside the document, as an attachment or a chapter.
	Part string `json:"part,omitempty"`
	// Line is the line in a text format, from 1.
	Line int `json:"line,omitempty"`
	// Box is left, top, right and bottom in points from the top left.
	Box *Box `json:"box,omitempty"`
}

// DocumentBlock is one part of a document.
type DocumentBlock struct {
	// ID names the block within the document.
	ID string `json:"id"`
	// Kind is heading, paragraph, list_item, code, quote, table, image, formula, footnote, caption, header, footer, key_value, slide_note, comment or email_header.
	Kind BlockKind `json:"kind"`
	// Level is the depth of a heading or list item, from 1.
	Level int `json:"level,omitempty"`
	// Text is the content; of a table or image, its caption.
	Text string `json:"text"`
	// Parent is the id of the enclosing block.
	Parent string `json:"parent,omitempty"`
	// Ref is the id of the table or image.
	Ref string `json:"ref,omitempty"`
	// Prov tells where the block is; it has several places when it crosses pages.
	Prov []DocumentPlace `json:"prov,omitempty"`
	// Origin is ocr or llm for text that the document does not hold as text.
	Origin string `json:"origin,omitempty"`
	// Confidence is from 0 to 1, for text of an origin.
	Confidence float64 `json:"confidence,omitempty"`
}

// DocumentTable is a table with its cells.
type DocumentTable struct {
	// ID names the table within the document.
	ID string `json:"id"`
	// Caption is the text above or below it.
	Caption string `json:"caption,omitempty"`
	// Rows counts the rows.
	Rows int `json:"rows"`
	// Cols counts the columns.
	Cols int `json:"cols"`
	// Cells are in the order of row and column; empty ones may be left out.
	Cells []DocumentCell `json:"cells"`
	// Prov tells where the table is.
	Prov []DocumentPlace `json:"prov,omitempty"`
}

// DocumentCell is a cell of a table.
type DocumentCell struct {
	// Row counts from 0.
	Row int `json:"row"`
	// Col counts from 0.
	Col int `json:"col"`
	// RowSpan is how many rows the cell covers; absent for one.
	RowSpan int `json:"row_span,omitempty"`
	// ColSpan is how many columns the cell covers; absent for one.
	ColSpan int `json:"col_span,omitempty"`
	// Header says that the cell heads a column or row.
	Header bool `json:"header,omitempty"`
	// Text is the content as shown.
	Text string `json:"text"`
	// Value is the number, boolean or RFC 3339 time behind the text, where the format holds one.
	Value any `json:"value,omitempty"`
}

// DocumentImage is an image in a document.
type DocumentImage struct {
	// ID names the image within the document.
	ID string `json:"id"`
	// MIME is the media type.
	MIME string `json:"mime"`
	// Width is in pixels.
	Width int `json:"width,omitempty"`
	// Height is in pixels.
	Height int `json:"height,omitempty"`
	// SHA256 is the hash of the content, in hexadecimal.
	SHA256 string `json:"sha256,omitempty"`
	// Alt is the text that stands for the image.
	Alt string `json:"alt,omitempty"`
	// Caption is the text above or below it.
	Caption string `json:"caption,omitempty"`
	// Attached is the path of the attachment with the content: path#id.
	Attached string `json:"attached,omitempty"`
	// Prov tells where the image is.
	Prov []DocumentPlace `json:"prov,omitempty"`
}
