package office

import (
	"cmp"
	"context"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Pptx parses presentations.
type Pptx struct{}

var _ document.Format = Pptx{}

// Name implements [document.Format].
func (Pptx) Name() string { return "pptx" }

// Accepts implements [document.Format].
func (Pptx) Accepts(mime string) bool {
	return mime == "application/vnd.openxmlformats-officedocument.presentationml.presentation"
}

// Parse implements [document.Format].
func (Pptx) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	p, err := open(ctx, src, req)
	if err != nil {
		return nil, err
	}
	return p.b.Finish((&pptx{pack: p, req: req}).parse())
}

type pptx struct {
	*pack
	req           document.Request
	rels          map[string]relation // of the presentation, then of the slide
	width, height float64
	authors       map[string]string // of comments, by id
}

// emu is the number of English metric units in a point.
const emu = 12700

func (p *pptx) parse() error {
	part, err := p.main("ppt/presentation.xml")
	if err != nil {
		return err
	}
	rels, err := p.relations(part)
	if err != nil {
		return err
	}
	if err := p.properties(); err != nil {
		return err
	}
	p.authors = map[string]string{}
	for _, kind := range []string{"commentAuthors", "authors"} {
		for _, part := range sortedTargets(rels, kind) {
			if err := p.optional(part, p.readAuthors); err != nil {
				return err
			}
		}
	}
	var slides []string
	err = p.XML(p.ctx, part, func(x *document.XML) error {
		return x.Children(func(xml.StartElement) error {
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "sldSz":
					p.width, p.height = float64(document.AttrInt(e, "cx", 0))/emu, float64(document.AttrInt(e, "cy", 0))/emu
				case "sldIdLst":
					return x.Children(func(e xml.StartElement) error {
						slides = append(slides, rels[document.AttrSpace(e, "relationships", "id")].target)
						return nil
					})
				}
				return nil
			})
		})
	})
	if err != nil {
		return err
	}
	p.b.Meta().PageCount = len(slides)
	for i, slide := range slides {
		if !p.req.Wants(i + 1) {
			continue
		}
		if err := p.slide(i+1, slide); err != nil {
			return err
		}
	}
	return nil
}

// slide reads one slide, its notes and comments.
func (p *pptx) slide(n int, part string) error {
	p.b.Page(facade.DocumentPage{Number: n, Width: p.width, Height: p.height})
	p.b.At(facade.DocumentPlace{Slide: n})
	var err error
	if p.rels, err = p.relations(part); err != nil {
		return err
	}
	var shapes []shape
	hidden := false
	err = p.optional(part, func(x *document.XML) error {
		return x.Children(func(e xml.StartElement) error {
			hidden = document.Attr(e, "show") == "0"
			return x.Each("spTree", func(xml.StartElement) error {
				return p.tree(x, &shapes)
			})
		})
	})
	if err != nil {
		return err
	}
	if hidden {
		p.b.Warn(document.WarnHidden, n, "slide %d is hidden", n)
		old := p.b.In(document.Hidden)
		defer p.b.In(old)
	}
	slices.SortStableFunc(shapes, func(a, b shape) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, s := range shapes {
		if err := p.emit(n, s); err != nil {
			return err
		}
	}
	p.b.At(facade.DocumentPlace{Slide: n})
	return p.beside()
}

// beside adds the speaker's notes and the comments.
func (p *pptx) beside() error {
	for _, part := range sortedTargets(p.rels, "notesSlide") {
		var shapes []shape
		err := p.optional(part, func(x *document.XML) error {
			return x.Each("spTree", func(xml.StartElement) error { return p.tree(x, &shapes) })
		})
		if err != nil {
			return err
		}
		for _, s := range shapes {
			if s.place != "body" {
				continue
			}
			for _, l := range s.lines {
				if _, err := p.b.Text(facade.BlockSlideNote, 0, &l.text); err != nil {
					return err
				}
			}
		}
	}
	for _, part := range sortedTargets(p.rels, "comments") {
		err := p.optional(part, func(x *document.XML) error {
			return x.Each("cm", func(e xml.StartElement) error { return p.comment(x, e) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *pptx) readAuthors(x *document.XML) error {
	return x.Children(func(xml.StartElement) error {
		return x.Children(func(e xml.StartElement) error {
			p.authors[document.Attr(e, "id")] = document.Attr(e, "name")
			return nil
		})
	})
}

// comment adds a comment, then the replies inside of it.
func (p *pptx) comment(x *document.XML, e xml.StartElement) error {
	at := document.Attr(e, "dt")
	if at == "" {
		at = document.Attr(e, "created")
	}
	author := p.authors[document.Attr(e, "authorId")]
	var text strings.Builder
	flush := func() error {
		s := strings.TrimSpace(text.String())
		text.Reset()
		if s != "" && author != "" {
			s = author + " (" + at + "): " + s
		}
		_, err := p.b.Plain(facade.BlockComment, 0, s)
		return err
	}
	err := x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "replyLst":
			if err := flush(); err != nil {
				return err
			}
			return x.Children(func(e xml.StartElement) error { return p.comment(x, e) })
		case "extLst", "pos":
			return nil
		}
		s, err := x.Text()
		text.WriteString(s)
		return err
	})
	if err != nil {
		return err
	}
	return flush()
}

func (p *pptx) emit(n int, s shape) error {
	at := facade.DocumentPlace{Slide: n}
	if s.box != (facade.Box{}) {
		box := s.box
		at.Box = &box
	}
	p.b.At(at)
	if s.place == "ftr" || s.place == "dt" || s.place == "sldNum" || s.place == "hdr" {
		old := p.b.In(document.Furniture)
		defer p.b.In(old)
	}
	switch {
	case s.table != nil:
		return p.b.Table(s.table, "")
	case s.chart != "":
		return p.chart(p.rels[s.chart].target)
	case s.image != "":
		if r, ok := p.rels[s.image]; ok {
			if err := p.addImage(r, s.alt); err != nil {
				return err
			}
		}
	}
	return p.lines(s)
}

// lines adds the paragraphs of a shape.
func (p *pptx) lines(s shape) error {
	if s.isTitle() {
		var title document.Inline
		for i, l := range s.lines {
			if i > 0 {
				title.Add(" ", document.Style{})
			}
			title.Append(l.text)
		}
		level := 1
		if s.place == "subTitle" {
			level = 2
		}
		_, err := p.b.Text(facade.BlockHeading, level, &title)
		return err
	}
	counts := map[int]int{}
	for _, l := range s.lines {
		kind, level, marker := facade.BlockParagraph, 0, ""
		switch {
		case l.number != "":
			counts[l.level]++
			kind, level, marker = facade.BlockListItem, l.level+1, autoNumber(l.number, l.start+counts[l.level]-1)
		case l.bullet || s.place == "body" && !l.plain && len(s.lines) > 1:
			kind, level, marker = facade.BlockListItem, l.level+1, "-"
		}
		if marker == "-" || kind == facade.BlockParagraph {
			delete(counts, l.level)
		}
		block, err := p.b.Text(kind, level, &l.text)
		if err != nil {
			return err
		}
		block.Marker = marker
	}
	return nil
}

func autoNumber(format string, n int) string {
	kind := "decimal"
	switch {
	case strings.HasPrefix(format, "alphaLc"):
		kind = "lowerLetter"
	case strings.HasPrefix(format, "alphaUc"):
		kind = "upperLetter"
	case strings.HasPrefix(format, "romanLc"):
		kind = "lowerRoman"
	case strings.HasPrefix(format, "romanUc"):
		kind = "upperRoman"
	}
	end := "."
	if strings.Contains(format, "Paren") {
		end = ")"
	}
	return number(n, kind) + end
}
