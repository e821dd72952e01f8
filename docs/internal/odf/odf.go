// Package odf parses OpenDocument: text, spreadsheets and presentations.
package odf

import (
	"context"
	"encoding/xml"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Format parses one kind of OpenDocument file.
type Format struct {
	name, mime string
}

var _ document.Format = Format{}

// ODT parses text documents.
func ODT() Format { return Format{"odt", "application/vnd.oasis.opendocument.text"} }

// ODS parses spreadsheets.
func ODS() Format { return Format{"ods", "application/vnd.oasis.opendocument.spreadsheet"} }

// ODP parses presentations.
func ODP() Format { return Format{"odp", "application/vnd.oasis.opendocument.presentation"} }

// Name implements [document.Format].
func (f Format) Name() string { return f.name }

// Accepts implements [document.Format].
func (f Format) Accepts(mime string) bool { return mime == f.mime || mime == f.mime+"-template" }

// Parse implements [document.Format].
func (f Format) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	a, err := document.OpenArchive(src, b.Limits())
	if err != nil {
		return nil, err
	}
	p := &parser{Archive: a, ctx: ctx, b: b, req: req, styles: map[string]style{}, lists: map[string]listStyle{}}
	return b.Finish(p.parse())
}

type parser struct {
	*document.Archive
	ctx    context.Context
	b      *document.Builder
	req    document.Request
	styles map[string]style
	lists  map[string]listStyle

	page   int
	cell   *strings.Builder // inside a cell or a note
	list   []openList
	item   bool // the next paragraph begins a list item
	later  []func() error
	notes  []note
	nested int
}

// style is what a style says of its text.
type style struct {
	parent string
	list   string
	font   document.Style
}

// listStyle has, by level from 1, the format of its numbers; "" is a bullet.
type listStyle map[int]string

type openList struct {
	style string
	n     int
}

type note struct {
	mark, text string
}

func (p *parser) parse() error {
	if err := p.optional("meta.xml", p.meta); err != nil {
		return err
	}
	if err := p.optional("styles.xml", func(x *document.XML) error { return x.Children(func(xml.StartElement) error { return p.stylesOf(x) }) }); err != nil {
		return err
	}
	err := p.XML(p.ctx, "content.xml", func(x *document.XML) error {
		return x.Children(func(xml.StartElement) error {
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "automatic-styles":
					return p.styleList(x)
				case "body":
					return x.Children(func(xml.StartElement) error { return p.blocks(x) })
				}
				return nil
			})
		})
	})
	if err != nil {
		return err
	}
	p.b.Meta().PageCount = p.page
	for _, n := range p.notes {
		block, err := p.b.Plain(facade.BlockFootnote, 0, n.text)
		if err != nil {
			return err
		}
		block.Marker = n.mark
	}
	return nil
}

func (p *parser) optional(part string, fn func(x *document.XML) error) error {
	err := p.XML(p.ctx, part, fn)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, ok := errors.AsType[*xml.SyntaxError](err); ok {
		p.b.Warn(document.WarnTruncated, 0, "the part %q is damaged and read in part", part)
		return nil
	}
	return err
}

func (p *parser) meta(x *document.XML) error {
	m := p.b.Meta()
	return x.Each("meta", func(xml.StartElement) error {
		return x.Children(func(e xml.StartElement) error {
			text, err := x.Text()
			text = strings.TrimSpace(text)
			switch e.Name.Local {
			case "title":
				m.Title = text
			case "creator", "initial-creator":
				if text != "" && len(m.Authors) == 0 {
					m.Authors = []string{text}
				}
			case "creation-date":
				m.Created = when(text)
			case "date":
				m.Modified = when(text)
			case "language":
				m.Language = text
			case "subject", "keyword", "description":
				p.b.SetCustom(e.Name.Local, text)
			}
			return err
		})
	})
}

func when(s string) *time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.999999999", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return &t
		}
	}
	return nil
}

// stylesOf reads the styles of styles.xml.
func (p *parser) stylesOf(x *document.XML) error {
	return x.Children(func(e xml.StartElement) error {
		if e.Name.Local == "styles" || e.Name.Local == "automatic-styles" {
			return p.styleList(x)
		}
		return nil
	})
}

func (p *parser) styleList(x *document.XML) error {
	return x.Children(func(e xml.StartElement) error {
		name := document.Attr(e, "name")
		switch e.Name.Local {
		case "style":
			s := style{parent: document.Attr(e, "parent-style-name"), list: document.Attr(e, "list-style-name")}
			err := x.Children(func(e xml.StartElement) error {
				if e.Name.Local == "text-properties" {
					s.font.Bold = document.Attr(e, "font-weight") == "bold"
					s.font.Italic = document.Attr(e, "font-style") == "italic"
					through := document.Attr(e, "text-line-through-style")
					s.font.Strike = through != "" && through != "none"
				}
				return nil
			})
			p.styles[name] = s
			return err
		case "list-style":
			l := listStyle{}
			err := x.Children(func(e xml.StartElement) error {
				if e.Name.Local == "list-level-style-number" {
					l[document.AttrInt(e, "level", 1)] = document.Attr(e, "num-format")
				}
				return nil
			})
			p.lists[name] = l
			return err
		}
		return nil
	})
}

// named follows the parents of a style to one whose name is known.
func (p *parser) named(name string, known func(string) bool) bool {
	for range 10 { // the chain may be a circle
		if known(strings.ToLower(strings.ReplaceAll(name, "_20_", " "))) {
			return true
		}
		if name = p.styles[name].parent; name == "" {
			return false
		}
	}
	return false
}
