package layout

import (
	"slices"
	"strings"
)

// Cell is a cell of a table.
type Cell struct {
	Row, Col, RowSpan, ColSpan int
	Text                       string
	Header                     bool
	lines                      []Word
}

// Table is a table on a page.
type Table struct {
	Box        Rect
	Rows, Cols int
	// Cells are in the order of row and column; empty ones are left out.
	Cells []Cell
}

// Bounds of one table.
const (
	maxTableRows = 400
	maxTableCols = 60
)

// ruledTable reads the text inside of a grid of lines. used tells the words
// that it took.
func ruledTable(g grid, ws []Word, used []bool) *Table {
	xs, ys := places(g.vs), places(g.hs)
	if len(ys) < 2 || len(xs) < 1 {
		return nil
	}
	// Tables are often open at the sides.
	xs, ys = places(g.vs, g.box.X0, g.box.X1), places(g.hs, g.box.Y0, g.box.Y1)
	rows, cols := len(ys)-1, len(xs)-1
	if rows < 2 || cols < 1 || len(g.vs) < 2 || rows > maxTableRows || cols > maxTableCols {
		return nil
	}
	t := &Table{Box: g.box, Rows: rows, Cols: cols}
	owner := cellsOf(g, xs, ys)
	cells := map[int]*Cell{}
	for i := range owner {
		if owner[i] < 0 {
			continue
		}
		c := cells[owner[i]]
		if c == nil {
			c = &Cell{Row: i / cols, Col: i % cols}
			cells[owner[i]] = c
		}
		c.RowSpan = max(c.RowSpan, i/cols-c.Row+1)
		c.ColSpan = max(c.ColSpan, i%cols-c.Col+1)
	}
	var taken []int
	for i := range ws {
		w := &ws[i]
		x, y := (w.X0+w.X1)/2, (w.Y0+w.Y1)/2
		if used[i] || !g.box.Contains(x, y) {
			continue
		}
		col, row := slot(xs, x), slot(ys, y)
		if c := cells[owner[row*cols+col]]; c != nil {
			c.lines = append(c.lines, *w)
			taken = append(taken, i)
		}
	}
	for _, c := range cells {
		if c.Text = cellText(c.lines); c.Text != "" {
			t.Cells = append(t.Cells, *c)
		}
	}
	t.order()
	if !t.trim() || !t.plausible() || t.nested() {
		return nil
	}
	t.mirror()
	for _, i := range taken {
		used[i] = true
	}
	return t
}

// slot is the interval of xs that x is in.
func slot(xs []float64, x float64) int {
	i, _ := slices.BinarySearch(xs, x)
	return min(max(i-1, 0), len(xs)-2)
}

// cellsOf joins the fields of a grid that no line separates. Each field gets
// the number of its cell.
func cellsOf(g grid, xs, ys []float64) []int {
	rows, cols := len(ys)-1, len(xs)-1
	owner := make([]int, rows*cols)
	for i := range owner {
		owner[i] = -1
	}
	for r := range rows {
		for c := range cols {
			if owner[r*cols+c] >= 0 {
				continue
			}
			w, h := 1, 1
			for c+w < cols && owner[r*cols+c+w] < 0 && !covered(g.vs, xs[c+w], ys[r], ys[r+1]) {
				w++
			}
			for r+h < rows && open(g, xs, ys, r+h, c, w, owner) {
				h++
			}
			for i := range h {
				for j := range w {
					owner[(r+i)*cols+c+j] = r*cols + c
				}
			}
		}
	}
	return owner
}

// open reports whether w fields from (r, c) on belong to the cell above.
func open(g grid, xs, ys []float64, r, c, w int, owner []int) bool {
	cols := len(xs) - 1
	for j := range w {
		if owner[r*cols+c+j] >= 0 || covered(g.hs, ys[r], xs[c+j], xs[c+j+1]) {
			return false
		}
		if j > 0 && covered(g.vs, xs[c+j], ys[r], ys[r+1]) {
			return false
		}
	}
	return true
}

// cellText is the text of words in a cell, its lines joined.
func cellText(ws []Word) string {
	ls := lines(ws)
	var b strings.Builder
	for i := range ls {
		text := ls[i].text()
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

func (t *Table) order() {
	slices.SortFunc(t.Cells, func(a, b Cell) int {
		if a.Row != b.Row {
			return a.Row - b.Row
		}
		return a.Col - b.Col
	})
}

// trim drops the rows and columns without any text. It reports whether
// something is left.
func (t *Table) trim() bool {
	rows, cols := make([]bool, t.Rows), make([]bool, t.Cols)
	for _, c := range t.Cells {
		rows[c.Row], cols[c.Col] = true, true
	}
	rowAt, colAt := renumber(rows), renumber(cols)
	for i := range t.Cells {
		c := &t.Cells[i]
		endRow, endCol := min(c.Row+max(c.RowSpan, 1), t.Rows), min(c.Col+max(c.ColSpan, 1), t.Cols)
		c.RowSpan, c.ColSpan = rowAt[endRow]-rowAt[c.Row], colAt[endCol]-colAt[c.Col]
		c.Row, c.Col = rowAt[c.Row], colAt[c.Col]
	}
	t.Rows, t.Cols = rowAt[t.Rows], colAt[t.Cols]
	return len(t.Cells) > 0
}

// renumber gives each place the number of kept ones before it.
func renumber(keep []bool) []int {
	at := make([]int, len(keep)+1)
	for i, k := range keep {
		at[i+1] = at[i]
		if k {
			at[i+1]++
		}
	}
	return at
}

// plausible reports whether this is a table rather than a frame around prose
// or a drawing.
func (t *Table) plausible() bool {
	if t.Rows < 2 || len(t.Cells) < 2*t.Cols && len(t.Cells) < 4 {
		return false
	}
	long, most := 0, 600
	if t.Cols == 1 {
		most = 160
	}
	for _, c := range t.Cells {
		if len(c.Text) > most {
			long++
		}
	}
	if t.Cols == 1 && long > 0 {
		return false
	}
	return long*3 <= len(t.Cells) && len(t.Cells)*5 >= t.Rows*t.Cols
}

// nested reports whether a cell holds a table of its own, or code: then the
// lines are frames around parts of a page.
func (t *Table) nested() bool {
	for i := range t.Cells {
		ls := lines(t.Cells[i].lines)
		wide := 0
		for j := range ls {
			if gapped(&ls[j]) || t.Cols == 1 && mono(&ls[j]) {
				wide++
			}
		}
		if t.Cols == 1 && wide > 0 {
			return true
		}
		if len(ls) >= 3 && wide*2 >= len(ls) {
			return true
		}
	}
	return false
}

// mirror makes the right column the first of a table that is written from right
// to left.
func (t *Table) mirror() {
	right := 0
	for _, c := range t.Cells {
		if rtl(c.Text) {
			right++
		}
	}
	if right*2 <= len(t.Cells) {
		return
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		c.Col = t.Cols - c.Col - max(c.ColSpan, 1)
	}
	t.order()
}

// head marks the cells of the first rows as header.
func (t *Table) head(rows int) {
	for i := range t.Cells {
		if t.Cells[i].Row < rows {
			t.Cells[i].Header = true
		}
	}
}
