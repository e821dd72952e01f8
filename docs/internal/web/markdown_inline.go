package web

import (
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// inline collects the text below n.
func (w *markdown) inline(n ast.Node, s document.Style, in *document.Inline, images *[]facade.DocumentImage, depth int) {
	if depth > w.b.Limits().Depth {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := s
		switch c := c.(type) {
		case *ast.Text:
			in.Add(literal(c.Segment.Value(w.src)), s)
			if c.HardLineBreak() {
				in.Add("\n", s)
			} else if c.SoftLineBreak() {
				in.Add(" ", s)
			}
			continue
		case *ast.String:
			in.Add(literal(c.Value), s)
			continue
		case *ast.CodeSpan:
			inner.Code = true
		case *ast.Emphasis:
			inner.Bold, inner.Italic = s.Bold || c.Level == 2, s.Italic || c.Level == 1
		case *east.Strikethrough:
			inner.Strike = true
		case *ast.Link:
			inner.Link = string(c.Destination)
		case *ast.AutoLink:
			inner.Link = string(c.URL(w.src))
			in.Add(string(c.Label(w.src)), inner)
			continue
		case *ast.Image:
			var alt document.Inline
			w.inline(c, s, &alt, images, depth+1)
			*images = append(*images, facade.DocumentImage{Alt: alt.Text(), MIME: "application/octet-stream"})
			continue
		case *ast.RawHTML:
			w.rawHTML(c, in, s)
			continue
		case *east.TaskCheckBox:
			if c.IsChecked {
				in.AddRaw("[x] ")
			} else {
				in.AddRaw("[ ] ")
			}
			continue
		case *east.FootnoteBacklink:
			continue
		}
		w.inline(c, inner, in, images, depth+1)
	}
}

// literal resolves escapes and entities.
func literal(b []byte) string {
	return html.UnescapeString(string(util.UnescapePunctuations(b)))
}

// rawHTML keeps line breaks of HTML tags, whose text is outside of them.
func (w *markdown) rawHTML(n *ast.RawHTML, in *document.Inline, s document.Style) {
	var tag strings.Builder
	for i := range n.Segments.Len() {
		segment := n.Segments.At(i)
		tag.Write(segment.Value(w.src))
	}
	if strings.HasPrefix(strings.ToLower(tag.String()), "<br") {
		in.Add("\n", s)
	}
}

func (w *markdown) table(n *east.Table) error {
	t := w.b.NewTable()
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		t.Row()
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			var in document.Inline
			var images []facade.DocumentImage
			w.inline(cell, document.Style{}, &in, &images, 0)
			t.Cell(facade.DocumentCell{Text: in.Text(), Header: row.Kind() == east.KindTableHeader})
		}
	}
	return w.b.Table(t, "")
}

// at sets the place to the line of a block.
func (w *markdown) at(n ast.Node) {
	if line := w.line(n); line > 0 {
		place := w.b.Place()
		place.Line = line + w.above
		w.b.At(place)
	}
}

// line is where a block begins, 0 when unknown.
func (w *markdown) line(n ast.Node) int {
	for c := n; c != nil; c = c.FirstChild() {
		if c.Type() != ast.TypeBlock {
			break
		}
		if c.Lines() != nil && c.Lines().Len() > 0 {
			at, _ := slices.BinarySearch(w.lines, c.Lines().At(0).Start)
			return at + 1
		}
	}
	return 0
}
