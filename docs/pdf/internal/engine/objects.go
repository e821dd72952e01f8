package engine

import "math"

// The types of page objects.
const (
	objPath  = 2
	objImage = 3
	objForm  = 5
)

// Bounds of what is looked at on a page.
const (
	maxObjects  = 60_000
	maxSegments = 400 // of one path
	maxRules    = 20_000
	maxForms    = 6 // in one another
)

// Rule is a straight horizontal or vertical line, drawn or the edge of a
// rectangle.
type Rule struct {
	Rect
	// Horizontal tells the two apart; the box of a line has some thickness.
	Horizontal bool
	// Fill is set for the edge of a painted area, which is a weaker sign.
	Fill bool
}

// Picture is an image on a page.
type Picture struct {
	Rect
	// Width and Height are in pixels.
	Width, Height int
	object        uint64
}

// Graphics is what a page shows beside text.
type Graphics struct {
	Rules    []Rule
	Pictures []Picture
	// Drawn is the area of all paths that are no rules.
	Drawn Rect
	// Truncated is set when there was more than is looked at.
	Truncated bool
}

// Graphics lists lines and images.
func (p *Page) Graphics() *Graphics {
	s := &scan{p: p, g: &Graphics{}}
	s.objects("FPDFPage_CountObjects", "FPDFPage_GetObject", p.handle, p.toShown, 0)
	return s.g
}

type scan struct {
	p    *Page
	g    *Graphics
	seen int
}

func (s *scan) objects(count, get string, parent uint64, m matrix, depth int) {
	v := s.p.d.vm
	for i := range max(v.n(count, parent), 0) {
		if s.seen++; s.seen > maxObjects || len(s.g.Rules) > maxRules {
			s.g.Truncated = true
			return
		}
		if v.err != nil {
			return
		}
		obj := v.call(get, parent, uint64(i))
		switch v.n("FPDFPageObj_GetType", obj) {
		case objPath:
			s.path(obj, m)
		case objImage:
			s.image(obj, m)
		case objForm:
			if depth < maxForms {
				s.objects("FPDFFormObj_CountObjects", "FPDFFormObj_GetObject", obj, s.matrix(obj).then(m), depth+1)
			}
		}
	}
}

func (s *scan) matrix(obj uint64) matrix {
	v := s.p.d.vm
	if !v.ok("FPDFPageObj_GetMatrix", obj, uint64(v.scratch)) {
		return identity
	}
	return v.f32s(6)
}

// bounds is where an object is.
func (s *scan) bounds(obj uint64, m matrix) (Rect, bool) {
	v := s.p.d.vm
	at := uint64(v.scratch)
	if !v.ok("FPDFPageObj_GetBounds", obj, at, at+4, at+8, at+12) {
		return Rect{}, false
	}
	b := v.f32s(4) // left, bottom, right, top
	return m.rect(b[0], b[1], b[2], b[3]), true
}

func (s *scan) image(obj uint64, m matrix) {
	v := s.p.d.vm
	box, ok := s.bounds(obj, m)
	if !ok || !v.ok("FPDFImageObj_GetImagePixelSize", obj, uint64(v.scratch), uint64(v.scratch)+4) {
		return
	}
	size := v.i32s(2)
	s.g.Pictures = append(s.g.Pictures, Picture{Rect: box, Width: size[0], Height: size[1], object: obj})
}

// thin is the most that a line may be thick, in points.
const thin = 3

func (s *scan) path(obj uint64, m matrix) {
	v := s.p.d.vm
	box, ok := s.bounds(obj, m)
	if !ok || !v.ok("FPDFPath_GetDrawMode", obj, uint64(v.scratch), uint64(v.scratch)+4) {
		return
	}
	mode := v.i32s(2)
	fill, stroke := mode[0] != 0, mode[1] != 0
	if !fill && !stroke {
		return
	}
	if box.W() <= thin || box.H() <= thin {
		if max(box.W(), box.H()) > thin {
			s.g.Rules = append(s.g.Rules, Rule{Rect: box, Horizontal: box.W() >= box.H()})
		}
		return
	}
	n := v.n("FPDFPath_CountSegments", obj)
	if n > maxSegments {
		s.g.Drawn = s.g.Drawn.Union(box)
		return
	}
	if straight := s.segments(obj, n, s.matrix(obj).then(m), fill && !stroke); !straight {
		s.g.Drawn = s.g.Drawn.Union(box)
	}
}

// The types of path segments.
const (
	segLine = 0
	segMove = 2
)

// segments adds the straight parts of a path, and reports whether it has no
// others.
func (s *scan) segments(obj uint64, n int, m matrix, filled bool) bool {
	v := s.p.d.vm
	var x, y, startX, startY float64
	straight := true
	for i := range n {
		seg := v.call("FPDFPath_GetPathSegment", obj, uint64(i))
		v.call("FPDFPathSegment_GetPoint", seg, uint64(v.scratch), uint64(v.scratch)+4)
		at := v.f32s(2)
		toX, toY := m.apply(at[0], at[1])
		switch v.n("FPDFPathSegment_GetType", seg) {
		case segMove:
			startX, startY = toX, toY
		case segLine:
			straight = s.line(x, y, toX, toY, filled) && straight
		default:
			straight = false
		}
		if x, y = toX, toY; v.ok("FPDFPathSegment_GetClose", seg) {
			straight = s.line(x, y, startX, startY, filled) && straight
			x, y = startX, startY
		}
	}
	return straight
}

func (s *scan) line(x0, y0, x1, y1 float64, filled bool) bool {
	w, h := math.Abs(x1-x0), math.Abs(y1-y0)
	if w > 1 && h > 1 {
		return false
	}
	if max(w, h) > thin {
		s.g.Rules = append(s.g.Rules, Rule{
			Rect: Rect{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}, Horizontal: w >= h, Fill: filled,
		})
	}
	return true
}
