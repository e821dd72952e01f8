package layout

import (
	"slices"
	"strings"
	"unicode"
)

// band is a column of a table without lines: where its text is.
type band struct{ x0, x1 float64 }

// plainTable reads lines as a table whose columns are set apart by blank space
// only. rules are the places of horizontal lines between them. It returns nil
// when they are prose.
func plainTable(ls []Line, rules []float64, sure bool) *Table {
	if len(ls) < 2 || len(ls) > maxTableRows {
		return nil
	}
	rows := make([][]segment, len(ls))
	for i := range ls {
		rows[i] = ls[i].segments()
	}
	cols := bands(rows, ls)
	if len(cols) < 2 || len(cols) > maxTableCols {
		return nil
	}
	t := &Table{Cols: len(cols)}
	starts := rowStarts(ls, rows, cols, rules)
	for i, segs := range rows {
		if i == 0 || starts[i] {
			t.Rows++
		}
		t.Box = t.Box.Union(ls[i].Rect)
		for _, s := range segs {
			t.put(s, cols)
		}
	}
	for i := range t.Cells {
		t.Cells[i].Text = cellText(t.Cells[i].lines)
	}
	t.order()
	t.joinMarkers()
	if !t.trim() || !t.tabular(ls, rows, sure) {
		return nil
	}
	t.mirror()
	return t
}

// joinMarkers joins a column of bullets with the column of their items.
func (t *Table) joinMarkers() {
	for col := t.Cols - 2; col >= 0; col-- {
		marks := true
		any := false
		for _, c := range t.Cells {
			if c.Col == col {
				any = true
				marks = marks && bullet.MatchString(c.Text) && c.ColSpan <= 1
			}
		}
		if !any || !marks {
			continue
		}
		for i := range t.Cells {
			c := &t.Cells[i]
			if c.Col == col && i+1 < len(t.Cells) && t.Cells[i+1].Row == c.Row && t.Cells[i+1].Col == col+1 {
				t.Cells[i+1].Text = c.Text + " " + t.Cells[i+1].Text
				c.Text = ""
			}
		}
		t.Cells = slices.DeleteFunc(t.Cells, func(c Cell) bool { return c.Text == "" })
	}
}

// put adds a segment to the last row.
func (t *Table) put(s segment, cols []band) {
	first, last := -1, -1
	for i, c := range cols {
		if min(s.X1, c.x1)-max(s.X0, c.x0) > 0.3*min(c.x1-c.x0, s.W()) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		first = nearestBand(cols, (s.X0+s.X1)/2)
		last = first
	}
	for i := len(t.Cells) - 1; i >= 0 && t.Cells[i].Row == t.Rows-1; i-- {
		c := &t.Cells[i]
		if first < c.Col+max(c.ColSpan, 1) && last >= c.Col {
			end := max(c.Col+c.ColSpan, last+1)
			c.Col = min(c.Col, first)
			c.ColSpan = end - c.Col
			c.lines = append(c.lines, s.words...)
			return
		}
	}
	t.Cells = append(t.Cells, Cell{Row: t.Rows - 1, Col: first, ColSpan: last - first + 1, RowSpan: 1, lines: s.words})
}

func nearestBand(cols []band, x float64) int {
	best, dist := 0, -1.0
	for i, c := range cols {
		d := max(c.x0-x, x-c.x1)
		if dist < 0 || d < dist {
			best, dist = i, d
		}
	}
	return best
}

// bands finds the columns: the stretches that more than a few lines cover,
// headings over several columns apart.
func bands(rows [][]segment, ls []Line) []band {
	var box Rect
	var sizes []float64
	for i := range ls {
		box = box.Union(ls[i].Rect)
		sizes = append(sizes, ls[i].Size)
	}
	n := int(box.W()) + 2
	if n > 20_000 {
		return nil
	}
	cover := make([]int, n)
	for _, segs := range rows {
		for _, s := range segs {
			if spanning(&s, rows) {
				continue
			}
			for x := max(int(s.X0-box.X0), 0); x < min(int(s.X1-box.X0+0.5), n); x++ {
				cover[x]++
			}
		}
	}
	few := len(rows) / 12
	gap := int(0.4*median(sizes)) + 1
	var out []band
	empty := gap
	for x, c := range cover {
		if c <= few {
			empty++
			continue
		}
		if empty >= gap {
			out = append(out, band{x0: box.X0 + float64(x)})
		}
		out[len(out)-1].x1 = box.X0 + float64(x) + 1
		empty = 0
	}
	return out
}

// spanning reports whether a segment reaches over several segments of other
// rows, as a heading over columns does.
func spanning(s *segment, rows [][]segment) bool {
	over := 0
	for _, other := range rows {
		n := 0
		for i := range other {
			if min(s.X1, other[i].X1)-max(s.X0, other[i].X0) > 1 {
				n++
			}
		}
		if n > 1 {
			over++
		}
	}
	return over >= max(2, len(rows)/4)
}

// rowStarts tells which lines begin a row of the table. Lines drawn between
// rows decide; else a line whose first cell is empty and that is closer to the
// line above than rows are goes on with it.
func rowStarts(ls []Line, rows [][]segment, cols []band, rules []float64) []bool {
	starts := make([]bool, len(ls))
	var inner []float64
	for _, y := range rules {
		if y > ls[0].Base && y < ls[len(ls)-1].Base {
			inner = append(inner, y)
		}
	}
	if len(inner) >= 3 && len(ls) <= 4*(len(inner)+1) {
		for i := 1; i < len(ls); i++ {
			for _, y := range inner {
				starts[i] = starts[i] || y > ls[i-1].Base && y <= ls[i].Base
			}
		}
		return starts
	}
	var full []float64
	for i := 1; i < len(ls); i++ {
		if len(rows[i]) == len(cols) && len(rows[i-1]) == len(cols) {
			full = append(full, ls[i].Base-ls[i-1].Base)
		}
	}
	pitch := median(full)
	for i := 1; i < len(ls); i++ {
		step := ls[i].Base - ls[i-1].Base
		first := rows[i][0].X0 < cols[0].x1
		starts[i] = first && len(rows[i]) > 1 || step > 0.8*pitch || step > 1.7*ls[i].Size
	}
	return starts
}

// tabular reports whether the cells are short, and most rows have several.
func (t *Table) tabular(ls []Line, rows [][]segment, sure bool) bool {
	if t.Rows < 2 || t.Cols < 2 {
		return false
	}
	multi, chars, marks := 0, 0, 0
	perRow := make([]int, t.Rows)
	for _, c := range t.Cells {
		perRow[c.Row]++
		chars += len(c.Text)
		if c.Col == 0 && isMarker(c.Text) {
			marks++
		}
	}
	for _, n := range perRow {
		if n > 1 {
			multi++
		}
	}
	segs := 0
	for _, r := range rows {
		segs += len(r)
	}
	short := chars / max(len(t.Cells), 1)
	crossing, starts := 0, 0
	for _, c := range t.Cells {
		if c.ColSpan > 1 && perRow[c.Row] == 1 {
			crossing++
		}
		if first, _, more := strings.Cut(c.Text, " "); more && isMarker(first) {
			starts++
		}
	}
	switch {
	case crossing > 1+t.Rows/8, starts*2 > len(t.Cells):
		return false
	case multi*10 < t.Rows*6 || t.Cols == 2 && marks*2 >= t.Rows:
		return false
	case sure:
		return short <= 120
	case t.Cols == 2:
		return t.Rows >= 3 && short <= 45 && multi*10 >= t.Rows*8 && columnar(t)
	}
	return short <= 60 && len(ls) >= 2 && segs*10 >= len(rows)*18
}

// columnar reports whether a table of two columns holds short or numeric text
// in one of them.
func columnar(t *Table) bool {
	var chars, cells, digits [2]int
	for _, c := range t.Cells {
		if c.Col > 1 || c.ColSpan > 1 {
			continue
		}
		cells[c.Col]++
		chars[c.Col] += len(c.Text)
		if strings.IndexFunc(c.Text, unicode.IsDigit) >= 0 {
			digits[c.Col]++
		}
	}
	for i := range 2 {
		if cells[i] > 0 && (chars[i]/cells[i] <= 14 || digits[i]*10 >= cells[i]*7 && chars[i]/cells[i] <= 25) {
			return true
		}
	}
	return false
}

// tableRuns finds tables among the lines of a column: stretches of lines with
// wide gaps at the same places. The result maps the first line to the table and
// the line after it.
func tableRuns(ls []Line) map[int]run {
	out := map[int]run{}
	for i := 0; i < len(ls); {
		if !gapped(&ls[i]) {
			i++
			continue
		}
		last := stretchEnd(ls, i)
		if r, ok := bestRun(ls, i, last); ok {
			out[r.from] = r
			i = r.to
			continue
		}
		i = last
	}
	return out
}

// stretchEnd is the line after the last that may belong to a table that begins
// at line i.
func stretchEnd(ls []Line, i int) int {
	last := i + 1
	for end := i + 1; end < len(ls) && ls[end].Base-ls[end-1].Base < 3.2*max(ls[end].Size, ls[end-1].Size); end++ {
		if gapped(&ls[end]) {
			last = end + 1
		} else if end-last >= 2 || parts(&ls[last-1], &ls[end]) {
			break
		}
	}
	return last
}

// parts reports whether a line without gaps separates tables, as a title does:
// it is bold, or reaches over a gap of the line above.
func parts(above, l *Line) bool {
	if l.bold && !above.bold {
		return true
	}
	segs := above.segments()
	for i := 1; i < len(segs); i++ {
		if l.X0 < segs[i-1].X1-l.Size && l.X1 > segs[i].X0+l.Size {
			return true
		}
	}
	return false
}

type run struct {
	from, to int
	table    *Table
}

// bestRun tries a stretch of lines, then shorter ones without its first and
// last lines.
func bestRun(ls []Line, from, to int) (run, bool) {
	for skip := range 4 {
		for cut := range 4 {
			a, b := from+skip, to-cut
			if b-a < 2 || skip+cut > 4 {
				continue
			}
			if t := plainTable(ls[a:b], nil, false); t != nil {
				return run{a, b, t}, true
			}
		}
	}
	return run{}, false
}

// gapped reports whether a line has wide gaps that no list makes.
func gapped(l *Line) bool {
	segs := l.segments()
	return len(segs) > 2 || len(segs) == 2 && !isMarker(segs[0].text())
}
