package diff

// unreachable marks a diagonal that no path has come to.
const unreachable = -1 << 30

// comparer finds a shortest edit script between two lists of line numbers by
// Myers' algorithm in linear space. A part whose script would exceed the limit
// counts as changed altogether.
type comparer struct {
	a, b     []int
	deleted  []bool // of a
	inserted []bool // of b
	limit    int    // edits on the way to the middle of a part
	forward  []int
	backward []int
}

func compare(a, b []int, limit int) (deleted, inserted []bool) {
	c := &comparer{a: a, b: b, deleted: make([]bool, len(a)), inserted: make([]bool, len(b)), limit: limit}
	size := 2*min(limit, (len(a)+len(b)+1)/2) + 5
	c.forward, c.backward = make([]int, size), make([]int, size)
	c.part(0, len(a), 0, len(b))
	return c.deleted, c.inserted
}

// part compares a[aLo:aHi] with b[bLo:bHi].
func (c *comparer) part(aLo, aHi, bLo, bHi int) {
	for aLo < aHi && bLo < bHi && c.a[aLo] == c.b[bLo] {
		aLo, bLo = aLo+1, bLo+1
	}
	for aLo < aHi && bLo < bHi && c.a[aHi-1] == c.b[bHi-1] {
		aHi, bHi = aHi-1, bHi-1
	}
	x, y, ok := 0, 0, false
	if aLo < aHi && bLo < bHi {
		x, y, ok = c.middle(c.a[aLo:aHi], c.b[bLo:bHi])
	}
	if !ok {
		for i := aLo; i < aHi; i++ {
			c.deleted[i] = true
		}
		for i := bLo; i < bHi; i++ {
			c.inserted[i] = true
		}
		return
	}
	c.part(aLo, aLo+x, bLo, bLo+y)
	c.part(aLo+x, aHi, bLo+y, bHi)
}

// middle returns a point in the middle of a shortest path through a and b,
// neither of which is empty and which differ at both ends.
func (c *comparer) middle(a, b []int) (x, y int, ok bool) {
	n, m := len(a), len(b)
	delta := n - m
	steps := min(c.limit, (n+m+1)/2)
	zero := steps + 2
	f, r := c.forward[:2*zero+1], c.backward[:2*zero+1]
	for i := range f {
		f[i], r[i] = unreachable, unreachable
	}
	f[zero+1], r[zero+1] = 0, 0 // as if come from above the origin
	for d := 0; d <= steps; d++ {
		for k := -d; k <= d; k += 2 {
			x0 := step(f, zero+k, k, d, n, m)
			x := x0
			for x >= 0 && x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			f[zero+k] = x
			if back := delta - k; delta%2 != 0 && x >= 0 && back >= -(d-1) && back <= d-1 && x+r[zero+back] >= n {
				return inBox(x0, x0-k, x, x-k, n, m)
			}
		}
		for k := -d; k <= d; k += 2 {
			x0 := step(r, zero+k, k, d, n, m)
			x := x0
			for x >= 0 && x < n && x-k < m && a[n-1-x] == b[m-1-(x-k)] {
				x++
			}
			r[zero+k] = x
			if front := delta - k; delta%2 == 0 && x >= 0 && front >= -d && front <= d && x+f[zero+front] >= n {
				return inBox(n-x, m-(x-k), n-x0, m-(x0-k), n, m)
			}
		}
	}
	return 0, 0, false
}

// inBox takes an end of the middle run of equal lines that splits the part
// into two smaller ones.
func inBox(x0, y0, x1, y1, n, m int) (x, y int, ok bool) {
	for _, p := range [][2]int{{x0, y0}, {x1, y1}} {
		if p != [2]int{0, 0} && p != [2]int{n, m} {
			return p[0], p[1], true
		}
	}
	return 0, 0, false
}

// step returns the furthest x on diagonal k after d edits, before the run of
// equal lines.
func step(v []int, at, k, d, n, m int) int {
	if d == 0 {
		return 0
	}
	x := unreachable
	if right := v[at-1] + 1; k > -d && right >= 0 && right <= n && right-k <= m {
		x = right
	}
	if down := v[at+1]; k < d && down >= 0 && down-k <= m && down > x {
		x = down
	}
	return x
}
