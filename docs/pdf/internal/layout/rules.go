package layout

import (
	"slices"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
)

// snap is how far apart, in points, lines may be that are meant to meet.
const snap = 3.0

// stroke is a line: at is its place across, from and to its ends.
type stroke struct {
	at, from, to float64
	fill         bool
}

// strokes merges the pieces of lines: one list of horizontal and one of vertical
// ones, sorted by place.
func strokes(rules []engine.Rule) (hs, vs []stroke) {
	for _, r := range rules {
		if r.Horizontal {
			hs = append(hs, stroke{(r.Y0 + r.Y1) / 2, r.X0, r.X1, r.Fill})
		} else {
			vs = append(vs, stroke{(r.X0 + r.X1) / 2, r.Y0, r.Y1, r.Fill})
		}
	}
	return merge(hs), merge(vs)
}

func merge(all []stroke) []stroke {
	slices.SortFunc(all, func(a, b stroke) int { return compare(a.at, b.at) })
	var out []stroke
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].at-all[0].at <= snap {
			n++
		}
		group := slices.Clone(all[:n])
		all = all[n:]
		slices.SortFunc(group, func(a, b stroke) int { return compare(a.from, b.from) })
		start := len(out)
		for _, s := range group {
			if last := len(out) - 1; last >= start && s.from <= out[last].to+snap {
				out[last].to = max(out[last].to, s.to)
				out[last].fill = out[last].fill && s.fill
				continue
			}
			out = append(out, s)
		}
	}
	return out
}

// maxStrokes bounds the search for grids, which compares all with all.
const maxStrokes = 2000

// grid is lines that cross.
type grid struct {
	hs, vs []stroke
	box    Rect
}

// grids groups the lines that touch one another.
func grids(hs, vs []stroke) []grid {
	if len(hs) > maxStrokes || len(vs) > maxStrokes {
		return nil
	}
	parent := make([]int, len(hs)+len(vs))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, h := range hs {
		for j, v := range vs {
			if v.at >= h.from-snap && v.at <= h.to+snap && h.at >= v.from-snap && h.at <= v.to+snap {
				parent[find(i)] = find(len(hs) + j)
			}
		}
	}
	groups := map[int]*grid{}
	var order []int
	group := func(i int) *grid {
		root := find(i)
		if groups[root] == nil {
			groups[root] = &grid{}
			order = append(order, root)
		}
		return groups[root]
	}
	for i, h := range hs {
		g := group(i)
		g.hs = append(g.hs, h)
		g.box = g.box.Union(Rect{X0: h.from, Y0: h.at, X1: h.to, Y1: h.at + 0.01})
	}
	for j, v := range vs {
		g := group(len(hs) + j)
		g.vs = append(g.vs, v)
		g.box = g.box.Union(Rect{X0: v.at, Y0: v.from, X1: v.at + 0.01, Y1: v.to})
	}
	out := make([]grid, 0, len(order))
	for _, root := range order {
		out = append(out, *groups[root])
	}
	return out
}

// places lists the distinct places of lines, sorted.
func places(all []stroke, more ...float64) []float64 {
	var xs []float64
	for _, s := range all {
		xs = append(xs, s.at)
	}
	xs = append(xs, more...)
	slices.Sort(xs)
	var out []float64
	for _, x := range xs {
		if n := len(out); n == 0 || x-out[n-1] > snap {
			out = append(out, x)
		}
	}
	return out
}

// covered reports whether lines at a place cover most of a stretch.
func covered(all []stroke, at, from, to float64) bool {
	sum := 0.0
	for _, s := range all {
		if s.at > at+snap {
			break
		}
		if s.at >= at-snap {
			sum += max(0, min(s.to, to)-max(s.from, from))
		}
	}
	return sum >= 0.6*(to-from)
}
