package odf

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// blocks reads what may stand in a body, a cell, a frame or a section.
func (p *parser) blocks(x *document.XML) error {
	return x.Children(func(e xml.StartElement) error { return p.block(x, e) })
}

func (p *parser) block(x *document.XML, e xml.StartElement) error {
	switch e.Name.Local {
	case "p":
		return p.paragraph(x, e, 0)
	case "h":
		return p.paragraph(x, e, max(document.AttrInt(e, "outline-level", 1), 1))
	case "list":
		return p.readList(x, e)
	case "table":
		return p.table(x, e)
	case "page":
		return p.slide(x, e)
	case "notes":
		return p.speakerNotes(x)
	case "frame", "custom-shape", "rect", "ellipse", "g", "line", "connector", "text-box":
		return p.frame(x, e)
	case "annotation":
		return p.annotation(x)
	case "tracked-changes", "forms", "sequence-decls", "variable-decls", "table-of-content-source", "calculation-settings", "shapes",
		"enhanced-geometry", "named-expressions", "database-ranges", "settings", "animations", "par":
		return nil
	}
	return p.blocks(x)
}

// paragraph reads a paragraph, or a heading of a level above 0.
func (p *parser) paragraph(x *document.XML, e xml.StartElement, level int) error {
	if p.nested++; p.nested > 64 {
		p.nested--
		return nil
	}
	defer func() { p.nested-- }()
	item := p.item
	p.item = false
	later := p.later
	p.later = nil
	defer func() { p.later = later }()
	name := document.Attr(e, "style-name")
	var in document.Inline
	if err := p.inline(x, &in, document.Style{}); err != nil {
		return err
	}
	if p.cell != nil {
		p.line(in.Text(), item)
		return nil
	}
	if err := p.emit(&in, name, level, item); err != nil {
		return err
	}
	for _, add := range p.later {
		if err := add(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) emit(in *document.Inline, name string, level int, item bool) error {
	kind, marker := facade.BlockParagraph, ""
	switch {
	case level > 0:
		kind = facade.BlockHeading
	case p.named(name, func(s string) bool { return s == "title" }):
		kind, level = facade.BlockHeading, 1
	case p.named(name, func(s string) bool { return s == "subtitle" }):
		kind, level = facade.BlockHeading, 2
	case len(p.list) > 0:
		kind, level = facade.BlockListItem, len(p.list)
		marker = " "
		if item {
			marker = p.marker()
		}
	case p.named(name, func(s string) bool { return s == "quotations" }):
		kind = facade.BlockQuote
	case p.named(name, func(s string) bool { return s == "preformatted text" }):
		return p.b.Code(in.Text(), "")
	case p.named(name, func(s string) bool { return s == "caption" || s == "illustration" || s == "table caption" }):
		kind = facade.BlockCaption
	}
	block, err := p.b.Text(kind, level, in)
	block.Marker = marker
	return err
}

// line adds a paragraph inside a cell.
func (p *parser) line(text string, item bool) {
	if text == "" {
		return
	}
	if p.cell.Len() > 0 {
		p.cell.WriteByte('\n')
	}
	if item && len(p.list) > 0 {
		text = p.marker() + " " + text
	}
	p.cell.WriteString(text)
}

// marker counts an item of the innermost list.
func (p *parser) marker() string {
	l := &p.list[len(p.list)-1]
	l.n++
	if p.lists[l.style][len(p.list)] == "" {
		return "-"
	}
	return fmt.Sprintf("%d.", l.n)
}

func (p *parser) readList(x *document.XML, e xml.StartElement) error {
	name := document.Attr(e, "style-name")
	if name == "" && len(p.list) > 0 {
		name = p.list[len(p.list)-1].style
	}
	p.list = append(p.list, openList{style: name})
	defer func() { p.list, p.item = p.list[:len(p.list)-1], false }()
	return x.Children(func(e xml.StartElement) error {
		if e.Name.Local != "list-item" && e.Name.Local != "list-header" {
			return nil
		}
		if start := document.AttrInt(e, "start-value", 0); start > 0 {
			p.list[len(p.list)-1].n = start - 1
		}
		p.item = e.Name.Local == "list-item"
		return p.blocks(x)
	})
}

// slide reads a page of a presentation.
func (p *parser) slide(x *document.XML, e xml.StartElement) error {
	p.page++
	if !p.req.Wants(p.page) {
		return nil
	}
	p.b.Page(facade.DocumentPage{Number: p.page, Name: document.Attr(e, "name")})
	p.b.At(facade.DocumentPlace{Slide: p.page})
	return p.blocks(x)
}

// speakerNotes reads the text below a slide.
func (p *parser) speakerNotes(x *document.XML) error {
	text, err := p.flat(func() error { return p.blocks(x) })
	if err != nil {
		return err
	}
	_, err = p.b.Plain(facade.BlockSlideNote, 0, text)
	return err
}

func (p *parser) annotation(x *document.XML) error {
	author := ""
	text, err := p.flat(func() error {
		return x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "creator":
				var err error
				author, err = x.Text()
				return err
			case "date", "date-string", "creator-initials":
				return nil
			}
			return p.block(x, e)
		})
	})
	if err != nil || text == "" {
		return err
	}
	if author != "" {
		text = author + ": " + text
	}
	add := func() error {
		_, err := p.b.Plain(facade.BlockComment, 0, text)
		return err
	}
	if p.cell != nil || p.nested > 0 {
		p.defers(add)
		return nil
	}
	return add()
}

// defers adds fn after the paragraph or table that is being read.
func (p *parser) defers(fn func() error) {
	if len(p.later) < 1000 {
		p.later = append(p.later, fn)
	}
}

// flat reads blocks as lines of text.
func (p *parser) flat(read func() error) (string, error) {
	var b strings.Builder
	oldCell, oldList := p.cell, p.list
	p.cell, p.list = &b, nil
	err := read()
	p.cell, p.list = oldCell, oldList
	return strings.TrimSpace(b.String()), err
}
