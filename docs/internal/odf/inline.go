package odf

import (
	"encoding/xml"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/texmath"
	"github.com/toolfacade/toolfacade/facade"
)

// inline reads the content of a paragraph. White space is one blank unless an
// element says otherwise.
func (p *parser) inline(x *document.XML, in *document.Inline, s document.Style) error {
	return x.Content(func(e xml.StartElement) error {
		inner := s
		switch e.Name.Local {
		case "s":
			in.Add(strings.Repeat(" ", min(max(document.AttrInt(e, "c", 1), 1), 1000)), s)
			return nil
		case "tab":
			in.Add("\t", s)
			return nil
		case "line-break":
			in.Add("\n", s)
			return nil
		case "span":
			font := p.styles[document.Attr(e, "style-name")].font
			inner.Bold, inner.Italic, inner.Strike = s.Bold || font.Bold, s.Italic || font.Italic, s.Strike || font.Strike
		case "a":
			inner.Link = document.Attr(e, "href")
		case "note":
			return p.note(x, in)
		case "annotation":
			return p.annotation(x)
		case "annotation-end", "bookmark", "bookmark-start", "bookmark-end", "soft-page-break", "ruby-text":
			return nil
		case "frame", "custom-shape", "rect", "ellipse", "g":
			return p.anchored(x, e, in)
		case "p", "h", "list", "table":
			return p.block(x, e)
		}
		return p.inline(x, in, inner)
	}, func(text string) { in.Add(document.Squeeze(text), s) })
}

// note reads a footnote or endnote, shown at the end of the document.
func (p *parser) note(x *document.XML, in *document.Inline) error {
	var n note
	err := x.Children(func(e xml.StartElement) error {
		var err error
		switch e.Name.Local {
		case "note-citation":
			n.mark, err = x.Text()
		case "note-body":
			n.text, err = p.flat(func() error { return p.blocks(x) })
		}
		return err
	})
	p.notes = append(p.notes, n)
	in.AddRaw("[^" + n.mark + "]")
	return err
}

// anchored reads a frame inside a paragraph: formulas stay in the text, the
// rest comes after it.
func (p *parser) anchored(x *document.XML, e xml.StartElement, in *document.Inline) error {
	f, err := p.readFrame(x, e)
	if err != nil {
		return err
	}
	if f.formula != "" {
		in.AddRaw(" $" + f.formula + "$ ")
	}
	if p.cell != nil {
		for _, t := range f.text {
			in.Add(" "+t, document.Style{})
		}
		return nil
	}
	p.defers(func() error { return p.addFrame(f) })
	return nil
}

// frame is what a frame shows.
type frame struct {
	place   string // presentation class, as title
	alt     string
	image   string
	object  string
	formula string
	text    []string
}

// frame reads a frame that stands by itself, as on a slide: its text are
// blocks.
func (p *parser) frame(x *document.XML, e xml.StartElement) error {
	if e.Name.Local == "g" {
		return p.blocks(x)
	}
	class := document.Attr(e, "class")
	f := frame{place: class}
	var read func(e xml.StartElement) error
	read = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "p", "h", "list", "table":
			if class == "title" || class == "subtitle" {
				return p.title(x, e, class)
			}
			return p.block(x, e)
		case "text-box":
			return x.Children(read)
		}
		return p.part(x, e, &f)
	}
	if err := x.Children(read); err != nil {
		return err
	}
	return p.addFrame(f)
}

func (p *parser) title(x *document.XML, e xml.StartElement, class string) error {
	text, err := p.flat(func() error { return p.block(x, e) })
	if err != nil {
		return err
	}
	level := 1
	if class == "subtitle" {
		level = 2
	}
	_, err = p.b.Plain(facade.BlockHeading, level, strings.ReplaceAll(text, "\n", " "))
	return err
}

func (p *parser) readFrame(x *document.XML, e xml.StartElement) (frame, error) {
	f := frame{}
	var read func(e xml.StartElement) error
	read = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "p", "h", "list", "table":
			text, err := p.flat(func() error { return p.block(x, e) })
			if text != "" {
				f.text = append(f.text, text)
			}
			return err
		case "text-box", "g", "frame":
			return x.Children(read)
		}
		return p.part(x, e, &f)
	}
	if e.Name.Local == "custom-shape" {
		f.alt = document.Attr(e, "name")
	}
	err := x.Children(read)
	return f, err
}

// part reads an image, an object or a description of a frame.
func (p *parser) part(x *document.XML, e xml.StartElement, f *frame) error {
	switch e.Name.Local {
	case "image":
		if f.image == "" {
			f.image = document.Attr(e, "href")
		}
	case "object":
		f.object = strings.TrimPrefix(document.Attr(e, "href"), "./")
		return p.object(x, f)
	case "title", "desc":
		text, err := x.Text()
		if f.alt = strings.TrimSpace(text); err != nil {
			return err
		}
	}
	return nil
}

// object reads a formula; a chart is read when the frame is added.
func (p *parser) object(x *document.XML, f *frame) error {
	if f.object == "" {
		tex, err := texmath.MathML(x)
		f.formula = strings.TrimSpace(tex)
		return err
	}
	if f.object == "." || strings.Contains(f.object, "..") {
		return nil
	}
	return p.optional(path.Join(f.object, "content.xml"), func(x *document.XML) error {
		return x.Children(func(e xml.StartElement) error {
			if e.Name.Local != "math" {
				return nil
			}
			tex, err := texmath.MathML(x)
			f.formula = strings.TrimSpace(tex)
			return err
		})
	})
}

// maxImage bounds one image.
const maxImage = 32 << 20

func (p *parser) addFrame(f frame) error {
	for _, t := range f.text {
		for line := range strings.SplitSeq(t, "\n") {
			if _, err := p.b.Plain(facade.BlockParagraph, 0, line); err != nil {
				return err
			}
		}
	}
	switch {
	case f.formula != "":
		if p.nested > 0 { // the paragraph shows it
			return nil
		}
		_, err := p.b.Plain(facade.BlockFormula, 0, f.formula)
		return err
	case f.object != "":
		return p.chart(f.object)
	case f.image != "":
		var data []byte
		if name := strings.TrimPrefix(f.image, "./"); p.Has(name) {
			var err error
			if data, err = p.Read(name, maxImage); err != nil {
				if p.ctx.Err() != nil || document.Fatal(err) {
					return err
				}
				data = nil
			}
		}
		return p.b.Image(facade.DocumentImage{Alt: f.alt, MIME: "application/octet-stream"}, data)
	}
	return nil
}
