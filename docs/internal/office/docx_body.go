package office

import (
	"encoding/xml"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// cellText collects paragraphs that are no blocks of their own.
type cellText struct{ strings.Builder }

func (c *cellText) line(s string) {
	if s == "" {
		return
	}
	if c.Len() > 0 {
		c.WriteByte('\n')
	}
	c.WriteString(s)
}

// blocks reads what may stand in a body, a cell, a header, a note or a text
// box.
func (d *docx) blocks(x *document.XML) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "p":
			return d.paragraph(x)
		case "tbl":
			return d.table(x)
		case "del", "moveFrom", "sectPr", "tcPr", "pPr", "sdtPr", "sdtEndPr", "rPr":
			return nil
		case "AlternateContent":
			return d.alternate(x, func() error { return d.blocks(x) })
		}
		return d.blocks(x)
	})
}

// alternate reads the first choice that there is, as a current producer means
// it; the fallback repeats it for old readers.
func (d *docx) alternate(x *document.XML, read func() error) error {
	done := false
	return x.Children(func(xml.StartElement) error {
		if done {
			return nil
		}
		done = true
		return read()
	})
}

// paragraph is what is known of a paragraph.
type paragraph struct {
	style   string
	kind    facade.BlockKind
	level1  int // of a heading, from 1
	outline int
	num     string
	level   int // of a list item, from 0
	text    document.Inline
	math    []string
	other   bool // there is more than formulas
	boxes   []func() error
}

func (d *docx) paragraphProperties(x *document.XML, p *paragraph) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "pStyle":
			p.style = document.Attr(e, "val")
		case "outlineLvl":
			if n := document.AttrInt(e, "val", 9); n >= 0 && n < 9 {
				p.outline = n + 1
			}
		case "numPr":
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "ilvl":
					p.level = min(max(document.AttrInt(e, "val", 0), 0), 8)
				case "numId":
					p.num = document.Attr(e, "val")
				}
				return nil
			})
		}
		return nil
	})
}

func (d *docx) paragraph(x *document.XML) error {
	if d.nested++; d.nested > 32 { // text boxes in text boxes
		d.nested--
		return nil
	}
	defer func() { d.nested-- }()
	var p paragraph
	if err := d.runs(x, &p, document.Style{}); err != nil {
		return err
	}
	d.inherit(&p)
	if err := d.emit(&p); err != nil {
		return err
	}
	for _, box := range p.boxes {
		if err := box(); err != nil {
			return err
		}
	}
	return d.comment()
}

// emit adds the paragraph as a block, or as a line of a cell.
func (d *docx) emit(p *paragraph) error {
	formulas := len(p.math) > 0 && !p.other
	mark := ""
	isItem := p.num != "" && p.num != "0" && !p.text.Empty()
	if isItem {
		mark = d.lists.next(p.num, p.level)
	}
	if d.cell != nil {
		text := p.text.Text()
		if isItem && text != "" && mark != "" {
			text = mark + " " + text
		}
		d.cell.line(text)
		return nil
	}
	switch {
	case formulas:
		for _, m := range p.math {
			if _, err := d.b.Plain(facade.BlockFormula, 0, m); err != nil {
				return err
			}
		}
		return nil
	case p.kind == facade.BlockHeading:
		if isItem && mark != "-" && mark != "" {
			var numbered document.Inline
			numbered.Add(mark+" ", document.Style{})
			numbered.Append(p.text)
			p.text = numbered
		}
		_, err := d.b.Text(facade.BlockHeading, p.level1, &p.text)
		return err
	case p.kind == facade.BlockCode:
		return d.b.Code(p.text.Text(), "")
	case isItem:
		block, err := d.b.Text(facade.BlockListItem, p.level+1, &p.text)
		block.Marker = mark
		return err
	case p.kind == "":
		p.kind = facade.BlockParagraph
	}
	_, err := d.b.Text(p.kind, 0, &p.text)
	return err
}

// comment adds the comments of the paragraph just read.
func (d *docx) comment() error {
	if d.cell != nil {
		return nil
	}
	marked := d.marked
	d.marked = nil
	for _, id := range marked {
		if _, err := d.b.Plain(facade.BlockComment, 0, d.comments[id]); err != nil {
			return err
		}
	}
	return nil
}

// table reads a table; one inside a cell becomes lines of text.
func (d *docx) table(x *document.XML) error {
	if d.cell != nil {
		return d.nestedTable(x)
	}
	t := d.b.NewTable()
	first := true
	err := x.Children(func(e xml.StartElement) error { return d.rows(x, e, t, &first) })
	if err != nil {
		return err
	}
	if err := d.b.Table(t, ""); err != nil {
		return err
	}
	return d.comment()
}

func (d *docx) rows(x *document.XML, e xml.StartElement, t *document.Table, first *bool) error {
	switch e.Name.Local {
	case "tr":
		t.Row()
		err := x.Children(func(e xml.StartElement) error { return d.cells(x, e, t, *first) })
		*first = false
		return err
	case "sdt", "sdtContent", "customXml", "ins":
		return x.Children(func(e xml.StartElement) error { return d.rows(x, e, t, first) })
	}
	return nil
}

func (d *docx) cells(x *document.XML, e xml.StartElement, t *document.Table, header bool) error {
	switch e.Name.Local {
	case "tc":
		return d.tableCell(x, t, header)
	case "sdt", "sdtContent", "customXml", "ins":
		return x.Children(func(e xml.StartElement) error { return d.cells(x, e, t, header) })
	}
	return nil
}

func (d *docx) tableCell(x *document.XML, t *document.Table, header bool) error {
	span, down := 1, false
	var text cellText
	d.cell = &text
	defer func() { d.cell = nil }()
	err := x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "tcPr":
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "gridSpan":
					span = document.AttrInt(e, "val", 1)
				case "vMerge":
					down = document.Attr(e, "val") != "restart"
				}
				return nil
			})
		case "p":
			return d.paragraph(x)
		case "tbl":
			return d.table(x)
		}
		return d.blocks(x)
	})
	if down {
		t.ExtendDown(min(span, 1000))
		return err
	}
	t.Cell(facade.DocumentCell{Text: text.String(), ColSpan: span, Header: header})
	return err
}

// nestedTable writes the rows of a table inside a cell.
func (d *docx) nestedTable(x *document.XML) error {
	outer := d.cell
	err := x.Each("tr", func(xml.StartElement) error {
		var cells []string
		err := x.Each("tc", func(xml.StartElement) error {
			var c cellText
			d.cell = &c
			err := d.blocks(x)
			cells = append(cells, strings.ReplaceAll(c.String(), "\n", " "))
			return err
		})
		outer.line(strings.Join(cells, " | "))
		return err
	})
	d.cell = outer
	return err
}
