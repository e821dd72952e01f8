package pdftest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The numbers of the objects that every document has. The fonts come after
// them, then those that were added, then the pages.
const (
	catalogObject = 1
	pagesObject   = 2
	infoObject    = 3
	encryptObject = 4
	outlineObject = 5
	firstFont     = 10
	firstObject   = 20
)

// writer writes numbered objects and remembers where they are.
type writer struct {
	bytes.Buffer
	offsets map[int]int
	key     []byte // nil without encryption
}

// Bytes writes the document.
func (d *Doc) Bytes() []byte {
	w := &writer{offsets: map[int]int{}}
	w.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	encryption := ""
	if d.Password != "" {
		encryption, w.key = standardSecurity(d.Password)
	}
	first := firstObject + len(d.objects)
	for i, p := range d.pages {
		d.writePage(w, p, first+2*i)
	}
	var kids strings.Builder
	for i := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", first+2*i)
	}
	w.object(pagesObject, fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", &kids, len(d.pages)))
	catalog := fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Lang %s ", pagesObject, w.text(catalogObject, "en-GB"))
	if len(d.titles) > 0 {
		d.outline(w, first+2*len(d.pages), first)
		catalog += fmt.Sprintf("/Outlines %d 0 R ", outlineObject)
	}
	w.object(catalogObject, catalog+">>")
	for i, name := range fonts {
		w.object(firstFont+i, fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>", name))
	}
	for i, o := range d.objects {
		w.stream(firstObject+i, o.dict, o.stream)
	}
	var info strings.Builder
	for _, key := range slices.Sorted(maps.Keys(d.Info)) {
		fmt.Fprintf(&info, "/%s %s ", key, w.text(infoObject, d.Info[key]))
	}
	w.object(infoObject, "<< "+info.String()+">>")
	trailer := fmt.Sprintf("/Root %d 0 R /Info %d 0 R", catalogObject, infoObject)
	if encryption != "" {
		w.object(encryptObject, encryption)
		trailer += fmt.Sprintf(" /Encrypt %d 0 R /ID [<%x> <%x>]", encryptObject, fileID, fileID)
	}
	return w.finish(trailer)
}

func fontNames() string {
	var b strings.Builder
	for i, name := range fonts {
		fmt.Fprintf(&b, "/%s %d 0 R ", name, firstFont+i)
	}
	return b.String()
}

func (d *Doc) writePage(w *writer, p *Page, n int) {
	w.object(n, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %g %g] /Rotate %d /Contents %d 0 R /Annots [%s] /Resources << /Font << %s>> /XObject << %s >> >> >>",
		pagesObject, p.w, p.h, p.Rotate, n+1, strings.Join(p.annots, " "), fontNames(), strings.Join(p.resources, " ")))
	w.stream(n+1, "", p.content.Bytes())
}

// outline writes the titles; pages has the number of the first page's object.
func (d *Doc) outline(w *writer, first, pages int) {
	last := first + len(d.titles) - 1
	w.object(outlineObject, fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", first, last, len(d.titles)))
	for i, t := range d.titles {
		links := ""
		if i > 0 {
			links += fmt.Sprintf(" /Prev %d 0 R", first+i-1)
		}
		if first+i < last {
			links += fmt.Sprintf(" /Next %d 0 R", first+i+1)
		}
		w.object(first+i, fmt.Sprintf("<< /Title %s /Parent %d 0 R /Dest [%d 0 R /Fit]%s >>", w.text(first+i, t.text), outlineObject, pages+2*(t.page-1), links))
	}
}

func (w *writer) object(n int, body string) {
	w.offsets[n] = w.Len()
	fmt.Fprintf(w, "%d 0 obj\n%s\nendobj\n", n, body)
}

func (w *writer) stream(n int, dict string, data []byte) {
	data = w.encrypted(n, data)
	w.offsets[n] = w.Len()
	fmt.Fprintf(w, "%d 0 obj\n<< %s /Length %d >>\nstream\n%s\nendstream\nendobj\n", n, dict, len(data), data)
}

// text is a string of object n.
func (w *writer) text(n int, s string) string {
	return fmt.Sprintf("<%x>", w.encrypted(n, []byte(s)))
}

// finish writes the table of objects.
func (w *writer) finish(trailer string) []byte {
	last := slices.Max(slices.Collect(maps.Keys(w.offsets)))
	start := w.Len()
	fmt.Fprintf(w, "xref\n0 %d\n0000000000 65535 f \n", last+1)
	for n := 1; n <= last; n++ {
		if at, ok := w.offsets[n]; ok {
			fmt.Fprintf(w, "%010d 00000 n \n", at)
		} else {
			fmt.Fprintf(w, "0000000000 00000 f \n")
		}
	}
	fmt.Fprintf(w, "trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n", last+1, trailer, start)
	return w.Bytes()
}
