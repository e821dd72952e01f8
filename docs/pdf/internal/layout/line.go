package layout

import (
	"math"
	"slices"
)

// lines gathers words of one column into lines, from top to bottom.
func lines(ws []Word) []Line {
	if len(ws) == 0 {
		return nil
	}
	ws = slices.Clone(ws)
	slices.SortStableFunc(ws, func(a, b Word) int { return compare(a.Base, b.Base) })
	var rows [][]Word
	base := math.Inf(-1)
	for _, w := range ws {
		if n := len(rows); n > 0 && w.Base-base <= baseStep*max(min(w.Size, rows[n-1][0].Size), 2) {
			rows[n-1] = append(rows[n-1], w)
			continue
		}
		rows = append(rows, []Word{w})
		base = w.Base
	}
	all := make([]Line, 0, len(rows))
	for _, r := range rows {
		all = append(all, newLine(r))
	}
	return attach(all)
}

// attach joins the lines of superscripts, subscripts and the like with the line
// they belong to.
func attach(all []Line) []Line {
	for i := 0; i < len(all); i++ {
		best, score := -1, 0.5
		for _, j := range []int{i - 1, i + 1} {
			if j < 0 || j >= len(all) {
				continue
			}
			if s := belongs(&all[i], &all[j]); s > score {
				best, score = j, s
			}
		}
		if best < 0 {
			continue
		}
		to := min(i, best)
		all[to] = newLine(append(slices.Clone(all[best].Words), all[i].Words...))
		all = slices.Delete(all, max(i, best), max(i, best)+1)
		i = max(to-2, -1)
	}
	return all
}

// belongs is how much of a's height is inside of b, if a can be a part of b:
// smaller text, or text on the same height beside it.
func belongs(a, b *Line) float64 {
	shared := min(a.Y1, b.Y1) - max(a.Y0, b.Y0)
	if shared <= 0 || a.H() <= 0 {
		return 0
	}
	part := shared / min(a.H(), b.H())
	small := a.Size < 0.85*b.Size && a.sum <= b.sum
	beside := part > 0.7 && math.Abs(a.Base-b.Base) < 0.45*min(a.Size, b.Size) && !overlaps(a, b)
	if !small && !beside {
		return 0
	}
	if a.X0 > b.X1+b.Size || a.X1 < b.X0-b.Size {
		if !beside {
			return 0
		}
	}
	return part
}

// overlaps reports whether a word of a stands over one of b.
func overlaps(a, b *Line) bool {
	i, j := 0, 0
	for i < len(a.Words) && j < len(b.Words) {
		x, y := a.Words[i].Rect, b.Words[j].Rect
		if min(x.X1, y.X1)-max(x.X0, y.X0) > 1 {
			return true
		}
		if x.X1 < y.X1 {
			i++
		} else {
			j++
		}
	}
	return false
}

// segment is a part of a line between wide gaps.
type segment struct {
	Rect
	words []Word
}

// cellGap is the gap between words, in sizes of the font, that may lie between
// cells.
const cellGap = 0.85

// segments cuts a line at wide gaps.
func (l *Line) segments() []segment {
	var all []segment
	sorted := l.Words
	if l.rtl {
		sorted = slices.Clone(l.Words)
		slices.SortStableFunc(sorted, func(a, b Word) int { return compare(a.X0, b.X0) })
	}
	for _, w := range sorted {
		if n := len(all); n > 0 && w.X0-all[n-1].X1 <= cellGap*max(w.Size, 4) {
			all[n-1].words = append(all[n-1].words, w)
			all[n-1].Rect = all[n-1].Union(w.Rect)
			continue
		}
		all = append(all, segment{Rect: w.Rect, words: []Word{w}})
	}
	return all
}

func (s *segment) text() string {
	l := newLine(slices.Clone(s.words))
	return l.text()
}

// median of numbers; 0 for none. It reorders them.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}
