package web

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/toolfacade/toolfacade/facade"
)

// table reads a table, or the blocks of one that only serves the layout.
func (w *walker) table(n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	if isLayout(n) {
		return w.division(n)
	}
	t := w.b.NewTable()
	caption := ""
	var rows func(n *html.Node, head bool)
	rows = func(n *html.Node, head bool) {
		for c := n.FirstChild; c != nil && !t.Full(); c = c.NextSibling {
			switch c.DataAtom {
			case atom.Caption:
				caption = flatText(w.ctx, c, w.b.Limits())
			case atom.Thead:
				rows(c, true)
			case atom.Tbody, atom.Tfoot:
				rows(c, false)
			case atom.Tr:
				t.Row()
				for cell := c.FirstChild; cell != nil; cell = cell.NextSibling {
					if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th || w.ctx.Err() != nil {
						continue
					}
					t.Cell(facade.DocumentCell{
						Text: flatText(w.ctx, cell, w.b.Limits()), Header: head || cell.DataAtom == atom.Th,
						RowSpan: number(attr(cell, "rowspan")), ColSpan: number(attr(cell, "colspan")),
					})
				}
			}
		}
	}
	rows(n, false)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.b.Table(t, caption)
}

// isLayout reports whether a table has one cell only, or a table inside of a
// single column.
func isLayout(n *html.Node) bool {
	cells, inner := 0, false
	var count func(n *html.Node, depth int)
	count = func(n *html.Node, depth int) {
		for c := n.FirstChild; c != nil && depth < 100 && cells < 100; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Td, atom.Th:
				cells++
			case atom.Table:
				inner = true
				continue
			}
			count(c, depth+1)
		}
	}
	count(n, 0)
	return attr(n, "role") == "presentation" || cells <= 1 && inner
}

// number reads a span; browsers allow up to a thousand columns.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return min(max(n, 1), 1000)
}
