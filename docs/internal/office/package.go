// Package office parses Office Open XML: docx, pptx and xlsx, in their
// transitional and their strict form.
package office

import (
	"context"
	"encoding/xml"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/docs/document"
)

// relation is a reference from one part to another or to the outside.
type relation struct {
	kind     string // last element of the type, as "image"
	target   string
	external bool
}

// pack is an opened package.
type pack struct {
	*document.Archive
	ctx context.Context
	b   *document.Builder
}

func open(ctx context.Context, src document.Source, req document.Request) (*pack, error) {
	b := document.NewBuilder(req)
	a, err := document.OpenArchive(src, b.Limits())
	if err != nil {
		return nil, err
	}
	return &pack{Archive: a, ctx: ctx, b: b}, nil
}

// relations reads what a part refers to, by id. A part without relations has
// none.
func (p *pack) relations(part string) (map[string]relation, error) {
	dir, base := path.Split(part)
	rels := map[string]relation{}
	err := p.XML(p.ctx, dir+"_rels/"+base+".rels", func(x *document.XML) error {
		return x.Each("Relationship", func(e xml.StartElement) error {
			r := relation{kind: path.Base(document.Attr(e, "Type")), target: document.Attr(e, "Target")}
			if r.external = document.Attr(e, "TargetMode") == "External"; !r.external {
				if strings.HasPrefix(r.target, "/") {
					r.target = strings.TrimPrefix(r.target, "/")
				} else {
					r.target = path.Join(dir, r.target)
				}
			}
			rels[document.Attr(e, "Id")] = r
			return nil
		})
	})
	if err != nil && document.Fatal(err) {
		return nil, err
	}
	return rels, nil
}

// main finds the part that holds the document.
func (p *pack) main(usual string) (string, error) {
	rels, err := p.relations("")
	if err != nil {
		return "", err
	}
	for _, r := range rels {
		if r.kind == "officeDocument" && p.Has(r.target) {
			return r.target, nil
		}
	}
	if p.Has(usual) {
		return usual, nil
	}
	return "", document.Malformed("the archive has no part %q", usual)
}

// optional reads a part that a document may lack. Damage becomes a warning.
func (p *pack) optional(part string, fn func(x *document.XML) error) error {
	if part == "" {
		return nil
	}
	err := p.XML(p.ctx, part, fn)
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return nil
	case document.Fatal(err):
		return err
	}
	if _, ok := errors.AsType[*xml.SyntaxError](err); ok {
		p.b.Warn(document.WarnTruncated, 0, "the part %q is damaged and read in part", part)
		return nil
	}
	return err
}

// properties reads title, authors and dates.
func (p *pack) properties() error {
	m := p.b.Meta()
	return p.optional("docProps/core.xml", func(x *document.XML) error {
		return x.Children(func(xml.StartElement) error {
			return x.Children(func(e xml.StartElement) error {
				text, err := x.Text()
				text = strings.TrimSpace(text)
				if err != nil || text == "" {
					return err
				}
				switch e.Name.Local {
				case "title":
					m.Title = text
				case "creator":
					for a := range strings.SplitSeq(text, ";") {
						m.Authors = append(m.Authors, strings.TrimSpace(a))
					}
				case "created":
					m.Created = when(text)
				case "modified":
					m.Modified = when(text)
				case "language":
					m.Language = text
				case "subject", "keywords", "description", "category", "lastModifiedBy":
					p.b.SetCustom(strings.ToLower(e.Name.Local), text)
				}
				return nil
			})
		})
	})
}

func when(s string) *time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return &t
		}
	}
	return nil
}

// maxImage bounds one image.
const maxImage = 32 << 20

// image reads the content of an image, nil when there is none.
func (p *pack) image(r relation) ([]byte, error) {
	if r.external || !p.Has(r.target) {
		return nil, nil
	}
	data, err := p.Read(r.target, maxImage)
	if err != nil && (p.ctx.Err() != nil || document.Fatal(err)) {
		return nil, err
	}
	return data, nil
}

// imageType is the media type by the name of the part, for images whose
// content is of no known type.
func imageType(name string) string {
	switch ext := strings.TrimPrefix(strings.ToLower(path.Ext(name)), "."); ext {
	case "jpg", "jpeg":
		return "image/jpeg"
	case "emf", "wmf", "png", "gif", "bmp", "tiff", "webp":
		return "image/" + ext
	case "svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}

// description is an image's text without the remark that PowerPoint and Word
// put below texts of their own making.
func description(alt string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(alt), "AI-generated content may be incorrect."))
}

// on reads an on/off property: absent is off, without a value it is on.
func on(e xml.StartElement) bool {
	switch document.Attr(e, "val") {
	case "0", "false", "off", "none":
		return false
	}
	return true
}
