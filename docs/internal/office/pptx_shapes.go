package office

import (
	"encoding/xml"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/texmath"
	"github.com/toolfacade/toolfacade/facade"
)

// shape is one object of a slide.
type shape struct {
	place string // of a placeholder: title, body, …; "" for other shapes
	box   facade.Box
	lines []line
	table *document.Table
	image string // id of the relation
	chart string
	alt   string
}

func (s shape) isTitle() bool {
	return s.place == "title" || s.place == "ctrTitle" || s.place == "subTitle"
}

// rank puts the title first; the rest stays in the order of the file, which
// is the order that screen readers use.
func (s shape) rank() int {
	switch s.place {
	case "title", "ctrTitle":
		return 0
	case "subTitle":
		return 1
	}
	return 2
}

// line is a paragraph of a shape.
type line struct {
	text   document.Inline
	level  int
	bullet bool
	plain  bool // the bullet is switched off
	number string
	start  int
}

// tree reads the shapes of a group.
func (p *pptx) tree(x *document.XML, shapes *[]shape) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "sp", "cxnSp", "pic", "graphicFrame":
			var s shape
			err := p.shape(x, &s)
			*shapes = append(*shapes, s)
			return err
		case "grpSp":
			return p.tree(x, shapes)
		case "AlternateContent":
			done := false
			return x.Children(func(xml.StartElement) error {
				if done {
					return nil
				}
				done = true
				return p.tree(x, shapes)
			})
		}
		return nil
	})
}

func (p *pptx) shape(x *document.XML, s *shape) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "cNvPr":
			s.alt = document.Attr(e, "descr")
		case "ph":
			if s.place = document.Attr(e, "type"); s.place == "" || s.place == "obj" {
				s.place = "body"
			}
		case "off":
			s.box[0], s.box[1] = float64(document.AttrInt(e, "x", 0))/emu, float64(document.AttrInt(e, "y", 0))/emu
		case "ext":
			if cx := document.AttrInt(e, "cx", 0); cx > 0 {
				s.box[2], s.box[3] = s.box[0]+float64(cx)/emu, s.box[1]+float64(document.AttrInt(e, "cy", 0))/emu
			}
			return p.shape(x, s)
		case "blip":
			s.image = document.AttrSpace(e, "relationships", "embed")
			if s.image == "" {
				s.image = document.AttrSpace(e, "relationships", "link")
			}
		case "chart":
			s.chart = document.AttrSpace(e, "relationships", "id")
		case "tbl":
			return p.table(x, s)
		case "txBody":
			var err error
			s.lines, err = p.text(x)
			return err
		case "style", "custGeom":
			return nil
		default:
			return p.shape(x, s)
		}
		return nil
	})
}

// text reads the paragraphs of a text body.
func (p *pptx) text(x *document.XML) ([]line, error) {
	var lines []line
	err := x.Children(func(e xml.StartElement) error {
		if e.Name.Local != "p" {
			return nil
		}
		l := line{start: 1}
		err := p.paragraph(x, &l)
		if !l.text.Empty() {
			lines = append(lines, l)
		}
		return err
	})
	return lines, err
}

func (p *pptx) paragraph(x *document.XML, l *line) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "pPr":
			l.level = min(max(document.AttrInt(e, "lvl", 0), 0), 8)
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "buNone":
					l.plain = true
				case "buChar", "buBlip":
					l.bullet = true
				case "buAutoNum":
					l.number, l.start = document.Attr(e, "type"), document.AttrInt(e, "startAt", 1)
				}
				return nil
			})
		case "r", "fld":
			return p.run(x, l)
		case "br":
			l.text.Add("\n", document.Style{})
		case "oMath":
			tex, err := texmath.Office(x)
			if tex != "" {
				l.text.AddRaw(" $" + tex + "$ ")
			}
			return err
		case "endParaRPr":
		default: // formulas are wrapped into alternatives
			return p.paragraph(x, l)
		}
		return nil
	})
}

func (p *pptx) run(x *document.XML, l *line) error {
	var s document.Style
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "rPr":
			s.Bold, s.Italic = isOn(document.Attr(e, "b")), isOn(document.Attr(e, "i"))
			return x.Children(func(e xml.StartElement) error {
				if e.Name.Local == "hlinkClick" {
					if r := p.rels[document.AttrSpace(e, "relationships", "id")]; r.external {
						s.Link = r.target
					}
				}
				return nil
			})
		case "t":
			text, err := x.Text()
			l.text.Add(text, s)
			return err
		}
		return nil
	})
}

func isOn(v string) bool { return v == "1" || v == "true" }

// table reads a table of a slide.
func (p *pptx) table(x *document.XML, s *shape) error {
	t := p.b.NewTable()
	s.table = t
	header := false
	row := -1
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "tblPr":
			header = isOn(document.Attr(e, "firstRow"))
		case "tr":
			t.Row()
			row++
			col := -1
			return x.Children(func(e xml.StartElement) error {
				if e.Name.Local != "tc" {
					return nil
				}
				col++
				var lines []line
				err := x.Children(func(e xml.StartElement) error {
					if e.Name.Local != "txBody" {
						return nil
					}
					var err error
					lines, err = p.text(x)
					return err
				})
				if isOn(document.Attr(e, "hMerge")) || isOn(document.Attr(e, "vMerge")) {
					return err
				}
				t.Put(facade.DocumentCell{
					Row: row, Col: col, Text: joined(lines), Header: header && row == 0,
					RowSpan: document.AttrInt(e, "rowSpan", 1), ColSpan: document.AttrInt(e, "gridSpan", 1),
				})
				return err
			})
		}
		return nil
	})
}

func joined(lines []line) string {
	text := ""
	for i, l := range lines {
		if i > 0 {
			text += "\n"
		}
		text += l.text.Text()
	}
	return text
}
