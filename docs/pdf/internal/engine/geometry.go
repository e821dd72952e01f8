package engine

import "math"

// Rect is a rectangle in points from the top left corner of the page as shown.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// W is the width.
func (r Rect) W() float64 { return r.X1 - r.X0 }

// H is the height.
func (r Rect) H() float64 { return r.Y1 - r.Y0 }

// Empty reports whether r has no area.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Union is the smallest rectangle around r and o. A zero r is ignored.
func (r Rect) Union(o Rect) Rect {
	if r == (Rect{}) {
		return o
	}
	return Rect{min(r.X0, o.X0), min(r.Y0, o.Y0), max(r.X1, o.X1), max(r.Y1, o.Y1)}
}

// Intersect is what r and o share.
func (r Rect) Intersect(o Rect) Rect {
	x := Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
	if x.Empty() {
		return Rect{}
	}
	return x
}

// Contains reports whether a point is inside.
func (r Rect) Contains(x, y float64) bool { return x >= r.X0 && x <= r.X1 && y >= r.Y0 && y <= r.Y1 }

// Grow moves every edge outward.
func (r Rect) Grow(by float64) Rect { return Rect{r.X0 - by, r.Y0 - by, r.X1 + by, r.Y1 + by} }

// matrix is a, b, c, d, e, f of PDF.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// then is m followed by n.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// rect is the rectangle around the image of one.
func (m matrix) rect(x0, y0, x1, y1 float64) Rect {
	ax, ay := m.apply(x0, y0)
	bx, by := m.apply(x1, y1)
	cx, cy := m.apply(x0, y1)
	dx, dy := m.apply(x1, y0)
	return Rect{
		min(ax, bx, cx, dx), min(ay, by, cy, dy),
		max(ax, bx, cx, dx), max(ay, by, cy, dy),
	}
}

// scale is how much m enlarges heights.
func (m matrix) scale() float64 { return math.Hypot(m[2], m[3]) }

// turned is the direction of text in quarter turns clockwise as seen with the
// y axis downwards, or -1 when it is askew.
func (m matrix) turned() int {
	switch x, y := math.Abs(m[0]), math.Abs(m[1]); {
	case x == 0 && y == 0:
		return 0
	case y < 0.05*x:
		if m[0] < 0 {
			return 2
		}
		return 0
	case x < 0.05*y:
		if m[1] < 0 {
			return 3
		}
		return 1
	}
	return -1
}
