package engine

import "context"

// Page is an open page. Its coordinates are in points from the top left corner
// of the page as shown.
type Page struct {
	d      *Document
	handle uint64
	text   uint64
	// Width and Height are those of the page as shown.
	Width, Height float64
	// Rotation is how the page is turned to be shown, in degrees clockwise.
	Rotation int
	toShown  matrix
	outer    context.Context
}

// Page opens page i, from 0, until ctx ends. A page that cannot be read is nil
// without an error, unless [Document.Err] says more. Pages are closed before
// the next one is opened.
func (d *Document) Page(ctx context.Context, i int) *Page {
	v := d.vm
	p := &Page{d: d, outer: v.ctx}
	v.ctx = ctx
	if p.handle = v.call("FPDF_LoadPage", d.doc, uint64(i)); p.handle == 0 {
		v.ctx = p.outer
		return nil
	}
	p.geometry()
	return p
}

// Until lets further calls on the page end with another context.
func (p *Page) Until(ctx context.Context) { p.d.vm.ctx = ctx }

// Close frees the page.
func (p *Page) Close() {
	v := p.d.vm
	if p.text != 0 {
		v.call("FPDFText_ClosePage", p.text)
	}
	v.call("FPDF_ClosePage", p.handle)
	v.ctx = p.outer
}

// geometry finds how coordinates of the page become those as shown.
func (p *Page) geometry() {
	v := p.d.vm
	p.Width, p.Height = v.f32("FPDF_GetPageWidthF", p.handle), v.f32("FPDF_GetPageHeightF", p.handle)
	turns := v.n("FPDFPage_GetRotation", p.handle)
	p.Rotation = turns * 90
	v.call("FPDF_GetPageBoundingBox", p.handle, uint64(v.scratch))
	box := v.f32s(4) // left, top, right, bottom
	left, top, right, bottom := box[0], box[1], box[2], box[3]
	switch turns {
	case 1:
		p.toShown = matrix{0, 1, 1, 0, -bottom, -left}
	case 2:
		p.toShown = matrix{-1, 0, 0, 1, right, -bottom}
	case 3:
		p.toShown = matrix{0, -1, -1, 0, top, right}
	default:
		p.toShown = matrix{1, 0, 0, -1, -left, top}
	}
}
