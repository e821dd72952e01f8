package docs

import (
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Forms of content.
const (
	formMarkdown = "markdown"
	formText     = "text"
	formBlocks   = "blocks"
)

// renderer writes blocks in one form.
type renderer struct {
	form   string
	tables map[string]*facade.DocumentTable
	images map[string]*document.Image
	marks  map[string]string // of the blocks that a page begins with
}

func newRenderer(doc *document.Document, form string) *renderer {
	r := &renderer{form: form, tables: map[string]*facade.DocumentTable{}, images: map[string]*document.Image{}}
	for i := range doc.Tables {
		r.tables[doc.Tables[i].ID] = &doc.Tables[i]
	}
	for i := range doc.Images {
		r.images[doc.Images[i].ID] = &doc.Images[i]
	}
	if form == formMarkdown {
		r.marks = pageMarks(doc)
	}
	return r
}

// Markdown renders a whole document as Markdown.
func Markdown(doc *document.Document) string { return renderAll(doc, formMarkdown) }

// Text renders a whole document as plain text.
func Text(doc *document.Document) string { return renderAll(doc, formText) }

func renderAll(doc *document.Document, form string) string {
	r := newRenderer(doc, form)
	var b strings.Builder
	var before *document.Block
	for i := range doc.Blocks {
		block := &doc.Blocks[i]
		if block.Layer != document.Body {
			continue
		}
		text := r.block(block)
		if text == "" {
			continue
		}
		b.WriteString(between(before, block) + text)
		before = block
	}
	return b.String()
}

// between is what separates two blocks.
func between(a, b *document.Block) string {
	switch {
	case a == nil:
		return ""
	case a.Kind == facade.BlockListItem && b.Kind == facade.BlockListItem,
		a.Kind == facade.BlockEmailHeader && b.Kind == facade.BlockEmailHeader:
		return "\n"
	}
	return "\n\n"
}

// block renders one block whole, with the mark of the page that it begins.
func (r *renderer) block(b *document.Block) string {
	mark, text := r.marks[b.ID], r.unmarked(b)
	if mark == "" || text == "" {
		return mark + text
	}
	return mark + "\n\n" + text
}

func (r *renderer) unmarked(b *document.Block) string {
	switch b.Kind { //nolint:exhaustive // the others are text
	case facade.BlockTable:
		if t := r.tables[b.Ref]; t != nil {
			return r.caption(t) + r.rows(t, 0, t.Rows)
		}
		return ""
	case facade.BlockImage:
		return r.image(b)
	case facade.BlockCode:
		if r.form == formMarkdown {
			fence := "```"
			for strings.Contains(b.Text, fence) {
				fence += "`"
			}
			return fence + b.Marker + "\n" + b.Text + "\n" + fence
		}
		return b.Text
	}
	if r.form == formMarkdown {
		return markdownBlock(b)
	}
	if m := strings.TrimSpace(b.Marker); m != "" && b.Kind == facade.BlockListItem {
		return strings.Repeat("  ", max(b.Level-1, 0)) + m + " " + b.Text
	}
	return b.Text
}

func (r *renderer) caption(t *facade.DocumentTable) string {
	if t.Caption == "" {
		return ""
	}
	return t.Caption + "\n\n"
}

func (r *renderer) image(b *document.Block) string {
	img := r.images[b.Ref]
	if img == nil {
		return ""
	}
	if r.form == formMarkdown {
		return "![" + document.Escape(strings.ReplaceAll(img.Alt, "\n", " ")) + "](#" + img.ID + ")"
	}
	return b.Text
}

func markdownBlock(b *document.Block) string {
	text := b.Markdown
	if text == "" {
		text = document.Escape(b.Text)
	}
	switch b.Kind { //nolint:exhaustive // the others are plain paragraphs
	case facade.BlockHeading:
		return strings.Repeat("#", min(max(b.Level, 1), 6)) + " " + strings.ReplaceAll(text, "\n", " ")
	case facade.BlockListItem:
		indent := strings.Repeat("    ", max(b.Level-1, 0))
		marker := b.Marker
		if strings.TrimSpace(marker) == "" { // it goes on with the item before
			return indent + "  " + strings.ReplaceAll(text, "\n", "\n"+indent+"  ")
		}
		return indent + marker + " " + strings.ReplaceAll(text, "\n", "\n"+indent+"  ")
	case facade.BlockQuote:
		return "> " + strings.ReplaceAll(text, "\n", "\n> ")
	case facade.BlockEmailHeader:
		return b.Text
	case facade.BlockFormula:
		return "$$" + b.Text + "$$"
	case facade.BlockFootnote:
		if b.Marker != "" {
			return "[^" + b.Marker + "]: " + text
		}
		return text
	case facade.BlockComment:
		return "<!-- comment: " + strings.ReplaceAll(b.Text, "--", "- -") + " -->"
	}
	return guard(strings.ReplaceAll(text, "\n", "  \n"))
}

// guard escapes what would make a paragraph something else.
func guard(s string) string {
	if s != "" && strings.ContainsRune("#>+-=|", rune(s[0])) {
		return `\` + s
	}
	return s
}

// rows renders rows from to to of a table. Spans repeat their text in
// Markdown, which has none.
func (r *renderer) rows(t *facade.DocumentTable, from, to int) string {
	width := min(t.Cols, maxShownCols)
	lines := make([][]string, to-from)
	for i := range lines {
		lines[i] = make([]string, width)
	}
	for _, c := range t.Cells {
		for row := max(c.Row, from); row < min(c.Row+max(c.RowSpan, 1), to); row++ {
			for col := c.Col; col < min(c.Col+max(c.ColSpan, 1), width); col++ {
				lines[row-from][col] = c.Text
			}
		}
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if r.form != formMarkdown {
			b.WriteString(strings.TrimRight(strings.ReplaceAll(strings.Join(line, "\t"), "\n", " "), "\t"))
			continue
		}
		for _, cell := range line {
			b.WriteString("| " + cellText.Replace(cell) + " ")
		}
		b.WriteString("|")
		if from == 0 && i == 0 {
			b.WriteString("\n" + strings.Repeat("| --- ", width) + "|")
		}
	}
	if width < t.Cols {
		fmt.Fprintf(&b, "\n(%d more columns)", t.Cols-width)
	}
	return b.String()
}

// maxShownCols bounds the width of rendered tables.
const maxShownCols = 1024

var cellText = strings.NewReplacer("|", `\|`, "\n", " ", "\r", "")
