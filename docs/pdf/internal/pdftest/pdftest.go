// Package pdftest writes PDF documents for tests. Nothing but tests imports it.
// Coordinates are in points from the top left corner.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Doc is a document being written. The zero value is empty.
type Doc struct {
	// Info is the description, as "Title".
	Info map[string]string
	// Password encrypts the document, if it is not "".
	Password string

	pages   []*Page
	objects []object
	titles  []title
}

type object struct {
	dict   string
	stream []byte
}

type title struct {
	text string
	page int
}

// Page is a page being written.
type Page struct {
	// Rotate turns the page by this many degrees clockwise to be shown.
	Rotate int

	d         *Doc
	w, h      float64
	content   bytes.Buffer
	annots    []string
	resources []string
}

// A4 is the size that pages have.
const (
	A4Width  = 595
	A4Height = 842
)

// Page adds a page of A4.
func (d *Doc) Page() *Page {
	p := &Page{d: d, w: A4Width, h: A4Height}
	d.pages = append(d.pages, p)
	return p
}

// Title adds an entry to the outline that leads to a page, from 1.
func (d *Doc) Title(text string, page int) { d.titles = append(d.titles, title{text, page}) }

// Rotate turns all pages.
func (d *Doc) Rotate(degrees int) {
	for _, p := range d.pages {
		p.Rotate = degrees
	}
}

// fonts are those that every reader knows.
var fonts = []string{"Helvetica", "Helvetica-Bold", "Times-Roman", "Times-Italic", "Courier"}

// Text writes a line with its baseline at y.
func (p *Page) Text(x, y, size float64, font, s string) {
	fmt.Fprintf(&p.content, "BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, p.h-y, escape(s))
}

// Turned writes a line that runs upwards from (x, y).
func (p *Page) Turned(x, y, size float64, font, s string) {
	fmt.Fprintf(&p.content, "BT /%s %g Tf 0 1 -1 0 %g %g Tm (%s) Tj ET\n", font, size, x, p.h-y, escape(s))
}

// Hidden writes a line that is not painted.
func (p *Page) Hidden(x, y, size float64, font, s string) {
	fmt.Fprintf(&p.content, "BT 3 Tr /%s %g Tf %g %g Td (%s) Tj 0 Tr ET\n", font, size, x, p.h-y, escape(s))
}

// Lines writes lines below one another, in steps of 1.2 sizes.
func (p *Page) Lines(x, y, size float64, font string, lines ...string) {
	for i, s := range lines {
		p.Text(x, y+float64(i)*1.2*size, size, font, s)
	}
}

// Rule draws a line.
func (p *Page) Rule(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&p.content, "0.5 w %g %g m %g %g l S\n", x0, p.h-y0, x1, p.h-y1)
}

// Grid draws the lines of a table at these places.
func (p *Page) Grid(xs, ys []float64) {
	for _, x := range xs {
		p.Rule(x, ys[0], x, ys[len(ys)-1])
	}
	for _, y := range ys {
		p.Rule(xs[0], y, xs[len(xs)-1], y)
	}
}

// Raw adds operators of PDF's own.
func (p *Page) Raw(s string) { p.content.WriteString(s + "\n") }

// JPEG shows a JPEG file of so many pixels; gray tells its colors.
func (p *Page) JPEG(data []byte, w, h int, gray bool, x, y, width, height float64) {
	space := "DeviceRGB"
	if gray {
		space = "DeviceGray"
	}
	p.image(fmt.Sprintf("/Filter /DCTDecode /ColorSpace /%s", space), data, w, h, x, y, width, height)
}

// Gray shows pixels of one byte.
func (p *Page) Gray(pixels []byte, w, h int, x, y, width, height float64) {
	p.image("/ColorSpace /DeviceGray", pixels, w, h, x, y, width, height)
}

func (p *Page) image(more string, data []byte, w, h int, x, y, width, height float64) {
	n := p.d.add(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 %s", w, h, more), data)
	fmt.Fprintf(&p.content, "q %g 0 0 %g %g %g cm /%s Do Q\n", width, height, x, p.h-y-height, p.XObject(n))
}

// XObject makes an object of the document usable on the page, by the name that
// it returns.
func (p *Page) XObject(n int) string {
	name := fmt.Sprintf("X%d", n)
	p.resources = append(p.resources, fmt.Sprintf("/%s %d 0 R", name, n))
	return name
}

// Form adds a form: content that pages and other forms can show. uses are the
// objects it shows, named X and their number.
func (d *Doc) Form(content string, uses ...int) int {
	var res strings.Builder
	for _, u := range uses {
		fmt.Fprintf(&res, "/X%d %d 0 R ", u, u)
	}
	return d.add(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /XObject << %s>> /Font << %s>> >>", &res, fontNames()), []byte(content))
}

// Link makes an area lead to an address.
func (p *Page) Link(x0, y0, x1, y1 float64, uri string) {
	p.annots = append(p.annots, fmt.Sprintf("<< /Type /Annot /Subtype /Link /Rect %s /A << /S /URI /URI (%s) >> >>", p.rect(x0, y0, x1, y1), escape(uri)))
}

// Comment adds a note.
func (p *Page) Comment(x, y float64, text string) {
	p.annots = append(p.annots, fmt.Sprintf("<< /Type /Annot /Subtype /Text /Rect %s /Contents (%s) >>", p.rect(x, y, x+20, y+20), escape(text)))
}

// Field adds a filled form field.
func (p *Page) Field(x, y float64, name, value string) {
	p.annots = append(p.annots, fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /Rect %s /T (%s) /V (%s) >>", p.rect(x, y, x+100, y+20), escape(name), escape(value)))
}

func (p *Page) rect(x0, y0, x1, y1 float64) string {
	return fmt.Sprintf("[%g %g %g %g]", x0, p.h-y1, x1, p.h-y0)
}

func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s)
}

// add adds an object and returns its number.
func (d *Doc) add(dict string, stream []byte) int {
	if stream == nil {
		stream = []byte{}
	}
	d.objects = append(d.objects, object{dict, stream})
	return firstObject + len(d.objects) - 1
}
