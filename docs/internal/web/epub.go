package web

import (
	"context"
	"encoding/xml"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// EPUB parses electronic books.
type EPUB struct{}

var _ document.Format = EPUB{}

// Name implements [document.Format].
func (EPUB) Name() string { return "epub" }

// Accepts implements [document.Format].
func (EPUB) Accepts(mime string) bool { return mime == "application/epub+zip" }

// Parse implements [document.Format].
func (EPUB) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	a, err := document.OpenArchive(src, b.Limits())
	if err != nil {
		return nil, err
	}
	return b.Finish((&epub{Archive: a, ctx: ctx, b: b, req: req}).parse())
}

type epub struct {
	*document.Archive
	ctx   context.Context
	b     *document.Builder
	req   document.Request
	files map[string]string // manifest id to part
	types map[string]string // manifest id to media type
	spine []string
}

// maxChapter bounds one file of a book.
const maxChapter = 32 << 20

func (p *epub) parse() error {
	opf := ""
	err := p.XML(p.ctx, "META-INF/container.xml", func(x *document.XML) error {
		return x.Each("rootfile", func(e xml.StartElement) error {
			if opf == "" {
				opf = document.Attr(e, "full-path")
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	p.files, p.types = map[string]string{}, map[string]string{}
	if err := p.XML(p.ctx, opf, func(x *document.XML) error { return p.manifest(x, path.Dir(opf)) }); err != nil {
		return err
	}
	p.b.Meta().PageCount = len(p.spine)
	for i, id := range p.spine {
		if !p.req.Wants(i + 1) {
			continue
		}
		if err := p.chapter(i+1, p.files[id]); err != nil {
			return err
		}
	}
	return nil
}

func (p *epub) manifest(x *document.XML, dir string) error {
	return x.Children(func(xml.StartElement) error {
		return x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "metadata":
				return x.Children(func(e xml.StartElement) error { return p.metadata(x, e) })
			case "manifest":
				return x.Children(func(e xml.StartElement) error {
					id, href := document.Attr(e, "id"), document.Attr(e, "href")
					if plain, err := url.PathUnescape(href); err == nil {
						href = plain
					}
					p.files[id], p.types[id] = path.Join(dir, href), document.Attr(e, "media-type")
					return nil
				})
			case "spine":
				return x.Children(func(e xml.StartElement) error {
					if document.Attr(e, "linear") != "no" {
						p.spine = append(p.spine, document.Attr(e, "idref"))
					}
					return nil
				})
			}
			return nil
		})
	})
}

func (p *epub) metadata(x *document.XML, e xml.StartElement) error {
	text, err := x.Text()
	text = strings.TrimSpace(text)
	if text == "" {
		return err
	}
	m := p.b.Meta()
	switch e.Name.Local {
	case "title":
		if m.Title == "" {
			m.Title = text
		}
	case "creator":
		m.Authors = append(m.Authors, text)
	case "language":
		m.Language = text
	case "date":
		for _, layout := range []string{time.RFC3339, "2006-01-02", "2006"} {
			if t, err := time.Parse(layout, text); err == nil && m.Created == nil {
				m.Created = &t
			}
		}
	case "publisher", "description", "identifier", "rights", "subject":
		p.b.SetCustom(e.Name.Local, text)
	}
	return err
}

// chapter adds one file of the spine. One that cannot be read is a warning.
func (p *epub) chapter(n int, part string) error {
	p.b.Page(facade.DocumentPage{Number: n, Name: path.Base(part)})
	p.b.At(facade.DocumentPlace{Page: n, Part: part})
	data, err := p.Read(part, maxChapter)
	if err != nil {
		if document.Fatal(err) {
			return err
		}
		reason := "damaged"
		if errors.Is(err, fs.ErrNotExist) {
			reason = "missing"
		}
		p.b.Warn(document.WarnTruncated, n, "the chapter %q is %s", part, reason)
		if len(data) == 0 {
			return nil
		}
	}
	text, _, _ := document.DecodeText(data)
	return Add(p.ctx, p.b, text)
}
