package office

import (
	"encoding/xml"
	"path"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/texmath"
	"github.com/toolfacade/toolfacade/facade"
)

// runs reads the children of a paragraph, a link or another inline element.
func (d *docx) runs(x *document.XML, p *paragraph, s document.Style) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "pPr":
			return d.paragraphProperties(x, p)
		case "r":
			return d.run(x, p, s)
		case "hyperlink":
			link := s
			if r := d.rels[document.AttrSpace(e, "relationships", "id")]; r.external {
				link.Link = r.target
			}
			return d.runs(x, p, link)
		case "oMathPara":
			return d.runs(x, p, s)
		case "oMath":
			return d.formula(x, p)
		case "del", "moveFrom", "sdtPr", "sdtEndPr", "rPr":
			return nil
		case "commentRangeStart":
			d.marked = append(d.marked, document.Attr(e, "id"))
			return nil
		case "AlternateContent":
			return d.alternate(x, func() error { return d.runs(x, p, s) })
		}
		return d.runs(x, p, s)
	})
}

func (d *docx) formula(x *document.XML, p *paragraph) error {
	tex, err := texmath.Office(x)
	if tex = strings.TrimSpace(tex); tex != "" {
		p.math = append(p.math, tex)
		p.text.AddRaw(" $" + tex + "$ ")
	}
	return err
}

// run reads text of one style.
func (d *docx) run(x *document.XML, p *paragraph, s document.Style) error {
	add := func(text string) {
		p.text.Add(text, s)
		p.other = p.other || strings.TrimSpace(text) != ""
	}
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "rPr":
			return runStyle(x, &s)
		case "t":
			text, err := x.Text()
			add(text)
			return err
		case "tab", "ptab":
			add("\t")
		case "br", "cr":
			add("\n")
		case "noBreakHyphen":
			add("-")
		case "sym":
			add(symbol(document.Attr(e, "char")))
		case "footnoteReference", "endnoteReference":
			n := note{strings.TrimSuffix(e.Name.Local, "Reference"), document.Attr(e, "id")}
			d.notes = append(d.notes, n)
			p.text.AddRaw("[^" + n.id + "]")
		case "AlternateContent":
			return d.alternate(x, func() error { return d.objects(x, p) })
		case "drawing", "pict", "object":
			return d.objects(x, p)
		}
		return nil
	})
}

func runStyle(x *document.XML, s *document.Style) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "b":
			s.Bold = on(e)
		case "i":
			s.Italic = on(e)
		case "strike", "dstrike":
			s.Strike = on(e)
		case "rStyle":
			name := strings.ToLower(document.Attr(e, "val"))
			s.Code = strings.Contains(name, "code") || strings.Contains(name, "verbatim")
		}
		return nil
	})
}

// symbol is a character of a symbol font; those that are bullets or check
// marks in the usual fonts are shown as such.
func symbol(hex string) string {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		return ""
	}
	switch n {
	case 0xf0b7, 0xf0a7:
		return "•"
	case 0xf0fe, 0xf0fc, 0xf052:
		return "☑"
	case 0xf0a8, 0xf06f:
		return "☐"
	case 0xf0e0:
		return "→"
	}
	if n >= 0xf000 && n <= 0xf0ff { // a private place of a symbol font
		n -= 0xf000
	}
	return string(rune(n))
}

// objects reads a drawing: pictures, text boxes, charts and shapes.
func (d *docx) objects(x *document.XML, p *paragraph) error {
	alt := ""
	var read func() error
	read = func() error {
		return x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "docPr", "cNvPr":
				if v := document.Attr(e, "descr"); v != "" {
					alt = v
				}
			case "blip", "imagedata":
				id := document.AttrSpace(e, "relationships", "embed")
				if id == "" {
					id = document.AttrSpace(e, "relationships", "id")
				}
				if id == "" {
					id = document.AttrSpace(e, "relationships", "link")
				}
				d.later(p, func() error { return d.picture(id, alt) })
			case "chart":
				if id := document.AttrSpace(e, "relationships", "id"); id != "" {
					d.later(p, func() error { return d.chart(d.rels[id].target) })
				}
			case "txbxContent":
				return d.textBox(x, p)
			case "AlternateContent":
				return d.alternate(x, read)
			case "p":
				return d.runs(x, p, document.Style{})
			case "oMath":
				return d.formula(x, p)
			}
			return read()
		})
	}
	return read()
}

// later adds what a paragraph anchors after its text; cells hold text only.
func (d *docx) later(p *paragraph, fn func() error) {
	if d.cell == nil && len(p.boxes) < 1000 {
		p.boxes = append(p.boxes, fn)
	}
}

// textBox reads the paragraphs of a box as lines, to be added after the
// paragraph that anchors it.
func (d *docx) textBox(x *document.XML, p *paragraph) error {
	text, err := d.flat(x)
	if err != nil || text == "" {
		return err
	}
	if d.cell != nil {
		d.cell.line(text)
		return nil
	}
	d.later(p, func() error {
		for line := range strings.SplitSeq(text, "\n") {
			if _, err := d.b.Plain(facade.BlockParagraph, 0, line); err != nil {
				return err
			}
		}
		return nil
	})
	return nil
}

func (p *pack) addImage(r relation, alt string) error {
	data, err := p.image(r)
	if err != nil {
		return err
	}
	img := facade.DocumentImage{Alt: description(alt), MIME: imageType(r.target)}
	if r.external && alt == "" {
		img.Alt = path.Base(r.target)
	}
	return p.b.Image(img, data)
}

func (d *docx) picture(id, alt string) error {
	r, ok := d.rels[id]
	if !ok {
		return nil
	}
	return d.addImage(r, alt)
}
