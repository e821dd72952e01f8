package office

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// grid collects the cells of a sheet.
type grid struct {
	w      *xlsx
	blocks [][]facade.DocumentCell // of cellBlock cells each, which growing does not copy
	count  int
	merged map[[2]int][2]int // first cell to rows and columns
	row    int
	full   bool
}

func (g *grid) read(x *document.XML) error {
	return x.Children(func(xml.StartElement) error {
		return x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "sheetData":
				g.row = -1
				return x.Children(func(e xml.StartElement) error { return g.readRow(x, e) })
			case "mergeCells":
				return x.Children(func(e xml.StartElement) error {
					g.merge(document.Attr(e, "ref"))
					return nil
				})
			}
			return nil
		})
	})
}

// cellBlock is how many cells are allocated at once.
const cellBlock = 1024

func (g *grid) add(c facade.DocumentCell) {
	if g.count%cellBlock == 0 {
		g.blocks = append(g.blocks, make([]facade.DocumentCell, 0, cellBlock))
	}
	last := &g.blocks[len(g.blocks)-1]
	*last = append(*last, c)
	g.count++
}

func (g *grid) at(i int) *facade.DocumentCell { return &g.blocks[i/cellBlock][i%cellBlock] }

func (g *grid) readRow(x *document.XML, e xml.StartElement) error {
	g.row = document.AttrInt(e, "r", g.row+2) - 1
	if g.full {
		return nil
	}
	col := -1
	return x.Children(func(e xml.StartElement) error {
		if e.Name.Local != "c" {
			return nil
		}
		col++
		if row, at, ok := cellRef(document.Attr(e, "r")); ok && row == g.row {
			col = at
		}
		c, err := g.cell(x, e)
		c.Row, c.Col = g.row, col
		if c.Text != "" && !g.full {
			if g.full = g.count >= g.w.b.Limits().Cells; g.full {
				g.w.b.Warn(document.WarnLimit, g.w.b.Place().Page, "the sheet is cut at row %d: more than %d cells", g.row+1, g.count)
				return err
			}
			g.add(c)
		}
		return err
	})
}

// cell reads value and text of a cell.
func (g *grid) cell(x *document.XML, e xml.StartElement) (facade.DocumentCell, error) {
	var raw, formula string
	kind := document.Attr(e, "t")
	style := document.AttrInt(e, "s", 0)
	err := x.Children(func(e xml.StartElement) error {
		var err error
		switch e.Name.Local {
		case "v":
			raw, err = x.Text()
		case "f":
			formula, err = x.Text()
		case "is":
			raw, err = richText(x)
		}
		return err
	})
	c := g.w.value(kind, raw, style)
	if c.Text == "" && formula != "" {
		c.Text = "=" + formula
	}
	return c, err
}

// value turns the stored value of a cell into what a reader sees.
func (w *xlsx) value(kind, raw string, style int) facade.DocumentCell {
	switch kind {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(raw)); err == nil && n >= 0 && n < len(w.shared) {
			return facade.DocumentCell{Text: w.shared[n]}
		}
		return facade.DocumentCell{}
	case "b":
		return facade.DocumentCell{Text: strings.ToUpper(strconv.FormatBool(raw == "1")), Value: raw == "1"}
	case "str", "inlineStr", "e":
		return facade.DocumentCell{Text: raw}
	case "d":
		if t := when(raw); t != nil {
			return facade.DocumentCell{Text: raw, Value: *t}
		}
		return facade.DocumentCell{Text: raw}
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(raw), 64)
	if err != nil {
		return facade.DocumentCell{Text: raw}
	}
	code := ""
	if style >= 0 && style < len(w.formats) {
		code = w.formats[style]
	}
	return formatted(f, code, w.since04)
}

func (g *grid) merge(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	r1, c1, ok1 := cellRef(from)
	r2, c2, ok2 := cellRef(to)
	if ok1 && ok2 && r2 >= r1 && c2 >= c1 && len(g.merged) < g.w.b.Limits().Cells {
		g.merged[[2]int{r1, c1}] = [2]int{r2 - r1 + 1, c2 - c1 + 1}
	}
}

// tables cuts the sheet at empty rows followed by rows of another shape, so
// that two tables on a sheet are two, and moves each to its top left corner.
func (g *grid) tables() []*document.Table {
	var out []*document.Table
	for start := 0; start < g.count; {
		end, bottom := start, 0
		for ; end < g.count; end++ {
			c := g.at(end)
			if span, ok := g.merged[[2]int{c.Row, c.Col}]; ok {
				c.RowSpan, c.ColSpan = span[0], span[1]
			}
			if end > start && c.Row > bottom+1 {
				break
			}
			bottom = max(bottom, c.Row+max(c.RowSpan, 1)-1)
		}
		out = append(out, g.table(start, end))
		start = end
	}
	return out
}

func (g *grid) table(start, end int) *document.Table {
	t := g.w.b.NewTable()
	t.Reserve(end - start)
	left, top := g.at(start).Col, g.at(start).Row
	for i := start; i < end; i++ {
		left = min(left, g.at(i).Col)
	}
	for i := start; i < end; i++ {
		c := *g.at(i)
		c.Row, c.Col = c.Row-top, c.Col-left
		c.Header = c.Row == 0
		t.Put(c)
	}
	return t
}

// cellRef reads a reference such as B12 into row and column from 0.
func cellRef(ref string) (row, col int, ok bool) {
	i := 0
	for ; i < len(ref) && i < 4; i++ {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		col = col*26 + int(c-'A') + 1
	}
	row, err := strconv.Atoi(ref[i:])
	if i == 0 || err != nil || row < 1 || row > 1<<20 || col > 16384 {
		return 0, 0, false
	}
	return row - 1, col - 1, true
}
