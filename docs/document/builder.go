package document

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/toolfacade/toolfacade/facade"
)

// Builder fills a document within limits. When one is used up, its methods
// return an error that ends the parser's work; [Builder.Finish] turns it into
// a warning.
type Builder struct {
	doc    *Document
	req    Request
	limits Limits

	place    facade.DocumentPlace
	layer    Layer
	headings []parent
	items    []parent

	chars, cells int
	imageBytes   int64
}

// parent is a heading or list item that later blocks are below of.
type parent struct {
	id    string
	level int
}

// NewBuilder starts a document.
func NewBuilder(req Request) *Builder {
	return &Builder{doc: &Document{}, req: req, limits: req.Limits.OrDefaults()}
}

// Meta is the document's description, to be filled in.
func (b *Builder) Meta() *facade.DocumentMeta { return &b.doc.Meta }

// Limits are those that hold, defaults filled in.
func (b *Builder) Limits() Limits { return b.limits }

// SetCustom notes a property that has no field of its own.
func (b *Builder) SetCustom(name, value string) {
	if value == "" || len(b.doc.Meta.Custom) >= 64 {
		return
	}
	if b.doc.Meta.Custom == nil {
		b.doc.Meta.Custom = map[string]string{}
	}
	b.doc.Meta.Custom[name] = clip(clean(value), 1000)
}

// Warn notes something that could not be read; page is 0 when it is about the
// whole document. Warnings beyond a hundred are dropped.
func (b *Builder) Warn(code string, page int, format string, args ...any) {
	if len(b.doc.Warnings) < 100 {
		b.doc.Warnings = append(b.doc.Warnings, facade.DocumentWarning{Code: code, Message: clip(clean(fmt.Sprintf(format, args...)), 500), Page: page})
	}
}

// At sets the place of the blocks that follow. Its box is rounded to a tenth of
// a point: more digits say nothing and cost a reader much.
func (b *Builder) At(p facade.DocumentPlace) {
	if p.Box != nil {
		box := *p.Box
		for i := range box {
			box[i] = math.Round(box[i]*10) / 10
		}
		p.Box = &box
	}
	b.place = p
}

// Place is where the builder is.
func (b *Builder) Place() facade.DocumentPlace { return b.place }

// In sets the layer of the blocks that follow and returns the one before.
func (b *Builder) In(l Layer) Layer {
	old := b.layer
	b.layer = l
	return old
}

// Page starts a page, sheet or slide, which ends the sections before it.
func (b *Builder) Page(p facade.DocumentPage) {
	b.doc.Pages = append(b.doc.Pages, p)
	b.headings, b.items = nil, nil
}

// Turn starts a page that sections go on over, as those of a book do.
func (b *Builder) Turn(p facade.DocumentPage) { b.doc.Pages = append(b.doc.Pages, p) }

// Text adds a block of text; blocks without text are dropped. It returns the
// block for the caller to complete, which is valid until the next is added.
func (b *Builder) Text(kind facade.BlockKind, level int, in *Inline) (*Block, error) {
	text := in.Text()
	if text == "" {
		return &Block{}, nil
	}
	return b.add(Block{Markdown: in.Markdown(), DocumentBlock: facade.DocumentBlock{Kind: kind, Level: level, Text: text}})
}

// Plain adds a block of unstyled text; its white space is kept but for the
// ends.
func (b *Builder) Plain(kind facade.BlockKind, level int, text string) (*Block, error) {
	var in Inline
	in.Add(text, Style{})
	return b.Text(kind, level, &in)
}

// Code adds a block of code as it is.
func (b *Builder) Code(text, language string) error {
	if text = clean(text); text == "" {
		return nil
	}
	_, err := b.add(Block{Marker: language, DocumentBlock: facade.DocumentBlock{Kind: facade.BlockCode, Text: text}})
	return err
}

func (b *Builder) add(block Block) (*Block, error) {
	if len(b.doc.Blocks) >= b.limits.Blocks || b.chars+len(block.Text) > b.limits.Chars {
		return &Block{}, errFull
	}
	b.chars += len(block.Text) + len(block.Markdown)
	block.ID = "b" + strconv.Itoa(len(b.doc.Blocks)+1)
	block.Layer = b.layer
	if b.place != (facade.DocumentPlace{}) {
		block.Prov = []facade.DocumentPlace{b.place}
	}
	b.nest(&block)
	b.doc.Blocks = append(b.doc.Blocks, block)
	return &b.doc.Blocks[len(b.doc.Blocks)-1], nil
}

// nest finds the block's parent: the item above a deeper item, else the
// heading of the section.
func (b *Builder) nest(block *Block) {
	if b.layer == Furniture {
		return
	}
	stack := &b.headings
	if block.Kind == facade.BlockListItem {
		stack = &b.items
	} else {
		b.items = nil
	}
	if block.Kind != facade.BlockHeading && block.Kind != facade.BlockListItem {
		block.Parent = last(b.headings)
		return
	}
	for n := len(*stack); n > 0 && (*stack)[n-1].level >= block.Level; n-- {
		*stack = (*stack)[:n-1]
	}
	if block.Parent = last(*stack); block.Parent == "" {
		block.Parent = last(b.headings)
	}
	*stack = append(*stack, parent{block.ID, block.Level})
}

func last(stack []parent) string {
	if len(stack) == 0 {
		return ""
	}
	return stack[len(stack)-1].id
}

// Table adds a table; an empty one is dropped.
func (b *Builder) Table(t *Table, caption string) error {
	table := t.finish()
	if len(table.Cells) == 0 {
		return nil
	}
	table.ID = "t" + strconv.Itoa(len(b.doc.Tables)+1)
	table.Caption = clip(clean(caption), 2000)
	text := 0
	for _, c := range table.Cells {
		text += len(c.Text)
	}
	if b.chars+text > b.limits.Chars {
		return errFull
	}
	b.chars += text
	block, err := b.add(Block{DocumentBlock: facade.DocumentBlock{Kind: facade.BlockTable, Text: table.Caption, Ref: table.ID}})
	if err != nil {
		return err
	}
	table.Prov = block.Prov
	b.doc.Tables = append(b.doc.Tables, table)
	return nil
}

// maxImages bounds the references to images.
const maxImages = 5000

// Image adds an image. data is its content, which may be nil when it is not
// known; it is kept only on request.
func (b *Builder) Image(img facade.DocumentImage, data []byte) error {
	if len(b.doc.Images) >= maxImages {
		return nil
	}
	img.ID = "i" + strconv.Itoa(len(b.doc.Images)+1)
	img.Alt, img.Caption = clip(clean(img.Alt), 2000), clip(clean(img.Caption), 2000)
	keep := Image{DocumentImage: img}
	if data != nil {
		sum := sha256.Sum256(data)
		keep.SHA256 = hex.EncodeToString(sum[:])
		if info, err := InspectImage(data); err == nil {
			keep.MIME, keep.Width, keep.Height = info.MIME, info.Width, info.Height
		}
		if b.req.Images {
			if b.imageBytes += int64(len(data)); b.imageBytes <= b.limits.ImageBytes {
				keep.Data = data
			} else {
				b.Warn(WarnLimit, 0, "the content of image %s is left out: images have more than %d bytes", img.ID, b.limits.ImageBytes)
			}
		}
	}
	text := img.Caption
	if text == "" {
		text = img.Alt
	}
	block, err := b.add(Block{DocumentBlock: facade.DocumentBlock{Kind: facade.BlockImage, Text: text, Ref: img.ID}})
	if err != nil {
		return err
	}
	keep.Prov = block.Prov
	b.doc.Images = append(b.doc.Images, keep)
	return nil
}

// Finish returns the document that a parser ended with err. An error after
// something was read becomes a warning, unless it is [Fatal].
func (b *Builder) Finish(err error) (*Document, error) {
	switch {
	case err == nil:
	case Fatal(err):
		return nil, err
	case errors.Is(err, errFull):
		b.Warn(WarnLimit, 0, "the document is cut: more than %d blocks or %d bytes of text", b.limits.Blocks, b.limits.Chars)
	case len(b.doc.Blocks) > 0:
		b.Warn(WarnTruncated, 0, "the document is damaged and read in part: %v", err)
	default:
		if _, ok := errors.AsType[*facade.Error](err); ok {
			return nil, err
		}
		return nil, Malformed("the document is damaged: %w", err)
	}
	return b.doc, nil
}

// clip cuts text to at most n bytes at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
