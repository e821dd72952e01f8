package odf

import (
	"encoding/xml"
	"path"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// table reads a table of a text, or a sheet.
func (p *parser) table(x *document.XML, e xml.StartElement) error {
	if p.cell != nil {
		return p.nestedTable(x)
	}
	name := document.Attr(e, "name")
	sheet := p.isSheet()
	if sheet {
		p.page++
		if !p.req.Wants(p.page) {
			return nil
		}
		p.b.Page(facade.DocumentPage{Number: p.page, Name: name})
		p.b.At(facade.DocumentPlace{Page: p.page, Sheet: name})
		if _, err := p.b.Plain(facade.BlockHeading, 2, name); err != nil {
			return err
		}
	}
	later := p.later
	p.later = nil
	g := &grid{p: p, t: p.b.NewTable(), gap: sheet}
	if err := g.rows(x, false); err != nil {
		return err
	}
	if err := g.end(); err != nil {
		return err
	}
	adds := p.later
	p.later = later
	for _, add := range adds {
		if err := add(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) isSheet() bool {
	mime, err := p.Read("mimetype", 200)
	return err == nil && strings.Contains(string(mime), "spreadsheet")
}

// grid numbers cells itself, since rows and cells are repeated by count, up
// to the last row and column that a sheet can have.
type grid struct {
	p        *parser
	t        *document.Table
	row, col int
	gap      bool // an empty row ends a table
	empty    int  // rows since the last with content
	used     bool
}

func (g *grid) rows(x *document.XML, head bool) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "table-header-rows":
			return g.rows(x, true)
		case "table-rows", "table-row-group":
			return g.rows(x, head)
		case "table-row":
			return g.readRow(x, e, head)
		case "shapes":
			return x.Children(func(e xml.StartElement) error {
				f, err := g.p.readFrame(x, e)
				g.p.defers(func() error { return g.p.addFrame(f) })
				return err
			})
		}
		return nil
	})
}

func (g *grid) readRow(x *document.XML, e xml.StartElement, head bool) error {
	repeat := max(document.AttrInt(e, "number-rows-repeated", 1), 1)
	var cells []facade.DocumentCell
	g.col = 0
	err := x.Children(func(e xml.StartElement) error {
		return g.readCell(x, e, &cells)
	})
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		g.row += repeat
		g.empty += repeat
		return nil
	}
	if g.gap && g.used && g.empty > 0 {
		if err := g.end(); err != nil {
			return err
		}
	}
	if !g.used && g.gap { // the table begins here
		g.row = 0
	}
	g.empty = 0
	for range min(repeat, 1<<20) {
		for _, c := range cells {
			c.Row, c.Header = g.row, head || g.row == 0
			g.t.Put(c)
		}
		g.row++
		if g.t.Full() {
			break
		}
	}
	g.used = true
	return g.p.ctx.Err()
}

// end adds the table so far.
func (g *grid) end() error {
	err := g.p.b.Table(g.t, "")
	g.t, g.row, g.used = g.p.b.NewTable(), 0, false
	return err
}

func (g *grid) readCell(x *document.XML, e xml.StartElement, cells *[]facade.DocumentCell) error {
	repeat := max(document.AttrInt(e, "number-columns-repeated", 1), 1)
	if e.Name.Local != "table-cell" {
		if e.Name.Local == "covered-table-cell" {
			g.col += repeat
		}
		return nil
	}
	text, err := g.p.flat(func() error { return g.p.blocks(x) })
	if err != nil {
		return err
	}
	c := facade.DocumentCell{
		Text: text, Value: value(e),
		RowSpan: document.AttrInt(e, "number-rows-spanned", 1), ColSpan: document.AttrInt(e, "number-columns-spanned", 1),
	}
	if text != "" || c.Value != nil || c.RowSpan > 1 || c.ColSpan > 1 {
		for i := range min(repeat, 1024) {
			c.Col = g.col + i
			*cells = append(*cells, c)
		}
	}
	g.col += repeat
	return nil
}

// value is the typed value of a cell.
func value(e xml.StartElement) any {
	switch document.Attr(e, "value-type") {
	case "float", "currency", "percentage":
		if f, err := strconv.ParseFloat(document.Attr(e, "value"), 64); err == nil {
			return f
		}
	case "boolean":
		return document.Attr(e, "boolean-value") == "true"
	case "date":
		if t := when(document.Attr(e, "date-value")); t != nil {
			return *t
		}
	}
	return nil
}

// nestedTable writes the rows of a table inside a cell.
func (p *parser) nestedTable(x *document.XML) error {
	return x.Each("table-row", func(xml.StartElement) error {
		var cells []string
		err := x.Each("table-cell", func(xml.StartElement) error {
			text, err := p.flat(func() error { return p.blocks(x) })
			cells = append(cells, strings.ReplaceAll(text, "\n", " "))
			return err
		})
		p.line(strings.Join(cells, " | "), false)
		return err
	})
}

// chart adds the data behind a chart, which it holds as a table, and its
// title.
func (p *parser) chart(object string) error {
	return p.optional(path.Join(object, "content.xml"), func(x *document.XML) error {
		title := ""
		return x.Each("chart", func(xml.StartElement) error {
			return x.Children(func(e xml.StartElement) error {
				if e.Name.Local == "title" {
					var err error
					title, err = x.Text()
					return err
				}
				return p.chartTable(x, e, &title)
			})
		})
	})
}

func (p *parser) chartTable(x *document.XML, e xml.StartElement, title *string) error {
	if e.Name.Local != "table" {
		return x.Children(func(e xml.StartElement) error { return p.chartTable(x, e, title) })
	}
	g := &grid{p: p, t: p.b.NewTable()}
	if err := g.rows(x, false); err != nil {
		return err
	}
	return p.b.Table(g.t, strings.TrimSpace(*title))
}
