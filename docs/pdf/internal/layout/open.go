package layout

import (
	"math"
	"slices"
)

// maxOpen bounds the lines that are tried as the edges of a table.
const maxOpen = 40

// openTables finds tables with horizontal lines only, as books have them: the
// stretch between the first and the last of lines of one width.
func (p *Page) openTables(used []bool) []*Table {
	var out []*Table
	left := slices.Clone(p.hs)
	for len(left) > 1 {
		first := left[0]
		var group, rest []stroke
		for _, h := range left {
			if math.Abs(h.from-first.from) < 6 && math.Abs(h.to-first.to) < 6 {
				group = append(group, h)
			} else {
				rest = append(rest, h)
			}
		}
		left = rest
		if len(group) > 1 && len(group) <= maxOpen && first.to-first.from > 60 {
			out = append(out, p.between(group, used)...)
		}
	}
	return out
}

// between tries the widest stretches between lines first.
func (p *Page) between(group []stroke, used []bool) []*Table {
	for n := len(group) - 1; n >= 1; n-- {
		for i := 0; i+n < len(group); i++ {
			t := p.stretch(group[i:i+n+1], used)
			if t == nil {
				continue
			}
			out := append(p.between(group[:i+1], used), t)
			return append(out, p.between(group[i+n:], used)...)
		}
	}
	return nil
}

// stretch reads the words between lines as a table.
func (p *Page) stretch(group []stroke, used []bool) *Table {
	top, bottom := group[0], group[len(group)-1]
	box := Rect{X0: top.from - 2, Y0: top.at - 1, X1: top.to + 2, Y1: bottom.at + 1}
	if box.H() < 15 || box.H() > 0.9*p.Height {
		return nil
	}
	var ws []Word
	var taken []int
	for i := range p.Words {
		w := &p.Words[i]
		if !used[i] && box.Contains((w.X0+w.X1)/2, (w.Y0+w.Y1)/2) {
			ws = append(ws, *w)
			taken = append(taken, i)
		}
	}
	if len(ws) > 4000 {
		return nil
	}
	ls := lines(ws)
	var rules []float64
	for _, h := range group {
		rules = append(rules, h.at)
	}
	titles := 0
	for i := 1; i < len(ls); i++ {
		if !gapped(&ls[i]) && parts(&ls[i-1], &ls[i]) {
			titles++
		}
	}
	if titles > 1 { // several tables
		return nil
	}
	t := plainTable(ls, rules, len(group) > 2)
	if t == nil {
		return nil
	}
	t.Box = t.Box.Union(box)
	if len(group) > 2 { // the second line ends the header
		rows := 0
		for i := range ls {
			if ls[i].Base < group[1].at {
				rows++
			}
		}
		t.head(min(rows, t.Rows-1))
	} else {
		t.head(1)
	}
	for _, i := range taken {
		used[i] = true
	}
	return t
}
