package pdf

import (
	"context"
	"math"
	"strings"
	"unicode"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/layout"
	"github.com/toolfacade/toolfacade/facade"
)

// emit adds the pages, in reading order, to the document.
func (r *reading) emit(ctx context.Context, outline []layout.Title) error {
	pages := make([]*layout.Page, 0, len(r.sheets))
	for _, s := range r.sheets {
		pages = append(pages, s.layout)
	}
	var err error
	at := 0
	layout.NewDocument(pages, outline).Blocks(func(p *layout.Page, blocks []layout.Block) bool {
		s := r.sheets[at]
		at++
		r.b.Turn(s.DocumentPage)
		w := &writer{r: r, s: s, page: p, pages: pages}
		if err = w.blocks(blocks); err == nil {
			err = w.notes()
		}
		if err == nil {
			err = ctx.Err()
		}
		return err == nil
	})
	return err
}

// writer adds the blocks of one page.
type writer struct {
	r     *reading
	s     *sheet
	page  *layout.Page
	pages []*layout.Page
}

func (w *writer) blocks(blocks []layout.Block) error {
	for i := 0; i < len(blocks); i++ {
		b := &blocks[i]
		captioned := ""
		if isCaption(b) && i+1 < len(blocks) && (blocks[i+1].Kind == layout.TableBlock || blocks[i+1].Kind == layout.PictureBlock) {
			captioned = b.Text()
			i++
			b = &blocks[i]
		} else if (b.Kind == layout.TableBlock || b.Kind == layout.PictureBlock) && i+1 < len(blocks) && isCaption(&blocks[i+1]) {
			captioned = blocks[i+1].Text()
			i++
		}
		if err := w.block(b, captioned); err != nil {
			return err
		}
	}
	return nil
}

// isCaption reports whether a block names a table or a figure.
func isCaption(b *layout.Block) bool {
	if b.Kind != layout.Paragraph || len(b.Lines) > 12 {
		return false
	}
	first, rest, _ := strings.Cut(b.Text(), " ")
	switch strings.ToLower(strings.TrimRight(first, ".:")) {
	case "figure", "fig", "table", "tab", "abbildung", "abb", "tabelle":
		return rest != "" && unicode.IsDigit(rune(rest[0]))
	}
	return false
}

func (w *writer) block(b *layout.Block, caption string) error {
	w.at(b)
	builder := w.r.b
	switch b.Kind {
	case layout.TableBlock:
		return builder.Table(w.table(b.Table), caption)
	case layout.PictureBlock:
		img := w.s.pictures[b.Picture]
		img.Caption = caption
		return builder.Image(img.DocumentImage, img.data)
	case layout.Header, layout.Footer:
		kind := facade.BlockHeader
		if b.Kind == layout.Footer {
			kind = facade.BlockFooter
		}
		before := builder.In(document.Furniture)
		defer builder.In(before)
		_, err := builder.Plain(kind, 0, b.Text())
		return err
	case layout.Code:
		return builder.Code(b.Text(), "")
	case layout.Paragraph, layout.Heading, layout.ListItem:
	}
	return w.text(b)
}

// text adds a block of text with its links.
func (w *writer) text(b *layout.Block) error {
	var in document.Inline
	confidence, n := 0.0, 0
	b.Each(func(text string, word *layout.Word) {
		style := document.Style{Link: word.Link}
		in.Add(text, style)
		confidence += word.Confidence
		n++
	})
	kind := facade.BlockParagraph
	switch {
	case b.Kind == layout.Heading:
		kind = facade.BlockHeading
	case b.Kind == layout.ListItem:
		kind = facade.BlockListItem
	case isCaption(b):
		kind = facade.BlockCaption
	}
	block, err := w.r.b.Text(kind, b.Level, &in)
	if err != nil || block.ID == "" {
		return err
	}
	if b.Kind == layout.ListItem {
		block.Marker = marker(b.Marker)
	}
	if w.s.ocr {
		block.Origin, block.Confidence = "ocr", math.Round(confidence/float64(n)*1000)/1000
	}
	for _, more := range b.More {
		block.Prov = append(block.Prov, w.place(more.Page, more.Box))
	}
	return nil
}

// marker is how Markdown writes the beginning of an item.
func marker(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		return "-"
	}
	return s
}

func (w *writer) at(b *layout.Block) { w.r.b.At(w.place(b.Page, b.Box)) }

// place is a rectangle on a page as shown.
func (w *writer) place(page int, box layout.Rect) facade.DocumentPlace {
	for _, p := range w.pages {
		if p.Number == page {
			box = p.Shown(box)
			break
		}
	}
	return facade.DocumentPlace{Page: page, Box: &facade.Box{round(box.X0), round(box.Y0), round(box.X1), round(box.Y1)}}
}

func round(x float64) float64 { return math.Round(x*10) / 10 }

func (w *writer) table(t *layout.Table) *document.Table {
	table := w.r.b.NewTable()
	for range t.Rows {
		table.Row()
	}
	for _, c := range t.Cells {
		table.Put(facade.DocumentCell{Row: c.Row, Col: c.Col, RowSpan: c.RowSpan, ColSpan: c.ColSpan, Header: c.Header, Text: c.Text})
	}
	return table
}

// notes adds comments and the values of form fields.
func (w *writer) notes() error {
	for _, n := range w.s.notes {
		w.r.b.At(facade.DocumentPlace{Page: w.s.Number, Box: &facade.Box{round(n.X0), round(n.Y0), round(n.X1), round(n.Y1)}})
		kind, text := facade.BlockComment, n.Text
		if n.Name != "" {
			kind, text = facade.BlockKeyValue, n.Name+": "+n.Text
		}
		if _, err := w.r.b.Plain(kind, 0, text); err != nil {
			return err
		}
	}
	return nil
}
