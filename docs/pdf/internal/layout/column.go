package layout

import (
	"math"
	"slices"
)

// item is something with a place in the reading order: a word, or a table or
// picture that text flows around.
type item struct {
	Rect
	word  *Word
	solid int // index of a table or picture, from 0; -1 for words

	picture bool
}

// region is a part of a page that is read from top to bottom.
type region struct {
	items []item
	box   Rect
}

// Bounds of the search for columns.
const (
	maxCuts     = 40
	minGutter   = 0.8 // width in sizes of the text
	minLines    = 3   // lines on each side
	gutterSteps = 400
)

// columns cuts a page into regions in reading order: where a gutter separates
// columns of prose, the left comes before the right; what crosses it stays
// above or below.
func columns(items []item, size float64) []region {
	var out []region
	cuts := 0
	var cut func(items []item)
	cut = func(items []item) {
		if len(items) == 0 {
			return
		}
		g, ok := gutter{}, false
		if cuts++; cuts < maxCuts {
			g, ok = findGutter(items, size)
		}
		if !ok {
			r := region{items: items}
			for _, it := range items {
				r.box = r.box.Union(it.Rect)
			}
			out = append(out, r)
			return
		}
		var parts [4][]item
		for _, it := range items {
			y := (it.Y0 + it.Y1) / 2
			switch {
			case y < g.y0:
				parts[0] = append(parts[0], it)
			case y > g.y1:
				parts[3] = append(parts[3], it)
			case (it.X0+it.X1)/2 < g.x:
				parts[1] = append(parts[1], it)
			default:
				parts[2] = append(parts[2], it)
			}
		}
		for _, p := range parts {
			if len(p) < len(items) {
				cut(p)
			}
		}
	}
	cut(items)
	return out
}

// gutter is an empty strip at x from y0 to y1.
type gutter struct{ x, y0, y1 float64 }

// findGutter returns the tallest strip between columns of prose.
func findGutter(items []item, size float64) (gutter, bool) {
	var box Rect
	for _, it := range items {
		box = box.Union(it.Rect)
	}
	width := minGutter * size
	step := max(box.W()/gutterSteps, 1)
	steps := int(box.W()/step) + 1
	if box.W() < 8*size || steps < 3 {
		return gutter{}, false
	}
	strips := make([][]span, steps)
	for _, it := range items {
		from, to := int((it.X0-box.X0-width/2)/step)+1, int((it.X1-box.X0+width/2)/step)
		for i := max(from, 0); i <= min(to, steps-1); i++ {
			strips[i] = append(strips[i], span{it.Y0, it.Y1})
		}
	}
	best := gutter{}
	for i := range strips {
		x := box.X0 + float64(i)*step
		if x < box.X0+3*size || x > box.X1-3*size {
			continue
		}
		for _, gap := range gaps(strips[i], box.Y0, box.Y1) {
			if gap.to-gap.from <= max(best.y1-best.y0, 3*size) {
				continue
			}
			if g := (gutter{x, gap.from, gap.to}); isGutter(items, &g, size) && g.y1-g.y0 > best.y1-best.y0 {
				best = g
			}
		}
	}
	return best, best.y1 > best.y0
}

type span struct{ from, to float64 }

// gaps lists what spans leave free between two bounds.
func gaps(spans []span, from, to float64) []span {
	slices.SortFunc(spans, func(a, b span) int { return compare(a.from, b.from) })
	var out []span
	at := from
	for _, s := range spans {
		if s.from > at {
			out = append(out, span{at, s.from})
		}
		at = max(at, s.to)
	}
	if to > at {
		out = append(out, span{at, to})
	}
	return out
}

// isGutter reports whether there is prose on both sides of a strip, and
// shortens it to where there is.
func isGutter(items []item, g *gutter, size float64) bool {
	var left, right side
	for _, it := range items {
		y := (it.Y0 + it.Y1) / 2
		if y < g.y0 || y > g.y1 {
			continue
		}
		if it.X1 <= g.x {
			left.add(it, size)
		} else {
			right.add(it, size)
		}
	}
	if !left.prose(size) || !right.prose(size) {
		return false
	}
	from, to := max(left.box.Y0, right.box.Y0), min(left.box.Y1, right.box.Y1)
	if to-from < 2*size {
		return false
	}
	g.y0, g.y1 = min(left.box.Y0, right.box.Y0)-0.1, max(left.box.Y1, right.box.Y1)+0.1
	return true
}

// side is what is on one side of a gutter.
type side struct {
	box   Rect
	rows  map[int]*Rect
	ink   float64 // width of all words
	chars int
	solid bool // a picture
}

func (s *side) add(it item, size float64) {
	s.box = s.box.Union(it.Rect)
	if it.word == nil {
		s.solid = s.solid || it.picture && it.H() > 4*size
		return
	}
	if s.rows == nil {
		s.rows = map[int]*Rect{}
	}
	s.chars += len(it.word.Text)
	s.ink += it.W()
	key := int(math.Round(it.word.Base / max(size*0.6, 2)))
	if r := s.rows[key]; r != nil {
		*r = r.Union(it.Rect)
	} else {
		r := it.Rect
		s.rows[key] = &r
	}
}

// prose reports whether the lines of a side are long and fill its width, as
// those of a column do and cells of a table do not.
func (s *side) prose(size float64) bool {
	if len(s.rows) < minLines {
		return s.solid
	}
	long, width := 0, 0.0
	for _, r := range s.rows {
		width += r.W()
		if r.W() >= 0.6*s.box.W() {
			long++
		}
	}
	return s.box.W() >= 8*size && long*2 >= len(s.rows) && s.chars/len(s.rows) >= 14 && s.ink >= 0.72*width
}
