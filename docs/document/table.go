package document

import (
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// maxSpan bounds spans, and the columns of a table.
const maxSpan = 16384

// Table collects the cells of a table row by row. Cells that a span from above
// covers are stepped over, as in HTML.
type Table struct {
	b     *Builder
	cells []facade.DocumentCell
	row   int
	col   int
	cols  int
	spans map[int]int // column to the row after a span that reaches down
	full  bool
}

// NewTable starts a table.
func (b *Builder) NewTable() *Table { return &Table{b: b, row: -1, spans: map[int]int{}} }

// Reserve makes room for n cells at once, for parsers that know how many come.
func (t *Table) Reserve(n int) { t.cells = slices.Grow(t.cells, min(n, t.b.limits.Cells)) }

// Row starts the next row.
func (t *Table) Row() {
	t.row++
	t.col = 0
}

// Cell adds a cell to the row: its text, spans and value. Row and Col are set
// here.
func (t *Table) Cell(c facade.DocumentCell) {
	if t.row < 0 {
		t.Row()
	}
	for t.spans[t.col] > t.row {
		t.col++
	}
	c.Row, c.Col = t.row, t.col
	c.RowSpan, c.ColSpan = span(c.RowSpan), span(c.ColSpan)
	for i := range max(c.ColSpan, 1) {
		if c.RowSpan > 1 {
			t.spans[t.col+i] = t.row + c.RowSpan
		}
	}
	t.put(c)
	t.col += max(c.ColSpan, 1)
}

// Put adds a cell at its own row and column, for formats that number cells.
// Cells must come row by row.
func (t *Table) Put(c facade.DocumentCell) {
	c.RowSpan, c.ColSpan = span(c.RowSpan), span(c.ColSpan)
	t.put(c)
}

func (t *Table) put(c facade.DocumentCell) {
	c.Text = strings.TrimSpace(clean(c.Text))
	if t.b.cells >= t.b.limits.Cells || c.Col >= maxSpan {
		if !t.full {
			t.full = true
			t.b.Warn(WarnLimit, 0, "a table is cut at row %d: more than %d cells or %d columns", c.Row+1, t.b.limits.Cells, maxSpan)
		}
		return
	}
	t.cols = max(t.cols, c.Col+max(c.ColSpan, 1))
	if c.Text == "" && c.Value == nil && c.RowSpan == 0 && c.ColSpan == 0 {
		return
	}
	t.b.cells++
	t.cells = append(t.cells, c)
}

// Full reports whether cells are being left out, so that a parser may stop.
func (t *Table) Full() bool { return t.full }

// span is 0 for a single cell, as in the contract.
func span(n int) int {
	if n <= 1 {
		return 0
	}
	return min(n, maxSpan)
}

// ExtendDown lets the cell above the next one in the row cover one more row,
// for formats that mark the continuation of a merged cell.
func (t *Table) ExtendDown(cols int) {
	for i := len(t.cells) - 1; i >= 0; i-- {
		c := &t.cells[i]
		if c.Col == t.col && c.Row < t.row {
			c.RowSpan = t.row - c.Row + 1
			break
		}
	}
	t.col += max(cols, 1)
	t.cols = max(t.cols, t.col)
}

func (t *Table) finish() facade.DocumentTable {
	text := false
	for _, c := range t.cells {
		text = text || c.Text != ""
	}
	if !text {
		return facade.DocumentTable{}
	}
	rows := t.trim()
	cols := t.cols
	if rows*cols > maxGrid {
		cols = max(maxGrid/rows, 1)
		t.b.Warn(WarnLimit, 0, "a table of %d rows and %d columns is cut to %d columns", rows, t.cols, cols)
		t.cells = slices.DeleteFunc(t.cells, func(c facade.DocumentCell) bool { return c.Col >= cols })
		for i, c := range t.cells {
			t.cells[i].ColSpan = span(min(c.ColSpan, cols-c.Col))
		}
	}
	return facade.DocumentTable{Rows: rows, Cols: cols, Cells: t.cells}
}

// maxGrid bounds rows times columns, filled or not.
const maxGrid = 2 << 20

// trim returns the number of rows, after it has cut the spans that claim more
// than a thousand rows below the last.
func (t *Table) trim() int {
	last := t.row
	for _, c := range t.cells {
		last = max(last, c.Row)
	}
	rows := last + 1
	for i, c := range t.cells {
		below := 1000
		if t.row >= 0 { // the rows are counted
			below = 0
		}
		t.cells[i].RowSpan = span(min(c.RowSpan, last-c.Row+1+below))
		rows = max(rows, c.Row+t.cells[i].RowSpan)
	}
	return rows
}
