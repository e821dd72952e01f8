package office

import (
	"context"
	"encoding/xml"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Docx parses word processor documents.
type Docx struct{}

var _ document.Format = Docx{}

// Name implements [document.Format].
func (Docx) Name() string { return "docx" }

// Accepts implements [document.Format].
func (Docx) Accepts(mime string) bool {
	return mime == "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
}

// docx is the work on one document.
type docx struct {
	*pack
	rels     map[string]relation
	styles   map[string]style
	lists    numbering
	comments map[string]string
	notes    []note
	marked   []string // comments whose anchor the paragraph holds
	cell     *cellText
	nested   int
}

// note is a footnote or endnote to be shown at the end.
type note struct{ kind, id string }

// Parse implements [document.Format].
func (Docx) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	p, err := open(ctx, src, req)
	if err != nil {
		return nil, err
	}
	d := &docx{pack: p, styles: map[string]style{}, comments: map[string]string{}}
	return p.b.Finish(d.parse())
}

func (d *docx) parse() error {
	part, err := d.main("word/document.xml")
	if err != nil {
		return err
	}
	if d.rels, err = d.relations(part); err != nil {
		return err
	}
	if err := d.prepare(); err != nil {
		return err
	}
	if err := d.around("header", facade.BlockHeader); err != nil {
		return err
	}
	err = d.XML(d.ctx, part, func(x *document.XML) error {
		return x.Each("body", func(xml.StartElement) error { return d.blocks(x) })
	})
	if err != nil {
		return err
	}
	if err := d.footnotes(); err != nil {
		return err
	}
	return d.around("footer", facade.BlockFooter)
}

// prepare reads the parts that the body refers to.
func (d *docx) prepare() error {
	if err := d.properties(); err != nil {
		return err
	}
	if err := d.optional(d.target("styles"), d.readStyles); err != nil {
		return err
	}
	if err := d.optional(d.target("numbering"), d.lists.read); err != nil {
		return err
	}
	return d.optional(d.target("comments"), func(x *document.XML) error {
		return x.Each("comment", func(e xml.StartElement) error {
			text, err := d.flat(x)
			if author := document.Attr(e, "author"); author != "" {
				text = author + ": " + text
			}
			d.comments[document.Attr(e, "id")] = text
			return err
		})
	})
}

// target is the part of a kind that the document refers to.
func (d *docx) target(kind string) string {
	for _, r := range d.rels {
		if r.kind == kind && !r.external {
			return r.target
		}
	}
	return ""
}

// around adds the page headers or footers as furniture, each text once.
func (d *docx) around(kind string, block facade.BlockKind) error {
	seen := map[string]bool{}
	for _, part := range sortedTargets(d.rels, kind) {
		err := d.optional(part, func(x *document.XML) error {
			return x.Children(func(xml.StartElement) error {
				text, err := d.flat(x)
				if text == "" || seen[text] || err != nil {
					return err
				}
				seen[text] = true
				old := d.b.In(document.Furniture)
				defer d.b.In(old)
				_, err = d.b.Plain(block, 0, text)
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// footnotes adds the notes that the body refers to, in its order.
func (d *docx) footnotes() error {
	for _, kind := range []string{"footnote", "endnote"} {
		texts := map[string]string{}
		if !d.refersTo(kind) {
			continue
		}
		err := d.optional(d.target(kind+"s"), func(x *document.XML) error {
			return x.Each(kind, func(e xml.StartElement) error {
				text, err := d.flat(x)
				texts[document.Attr(e, "id")] = text
				return err
			})
		})
		if err != nil {
			return err
		}
		for _, n := range d.notes {
			if n.kind != kind {
				continue
			}
			block, err := d.b.Plain(facade.BlockFootnote, 0, texts[n.id])
			if err != nil {
				return err
			}
			block.Marker = n.id
		}
	}
	return nil
}

func (d *docx) refersTo(kind string) bool {
	for _, n := range d.notes {
		if n.kind == kind {
			return true
		}
	}
	return false
}

// flat returns the text below the current element, a line per paragraph.
func (d *docx) flat(x *document.XML) (string, error) {
	var c cellText
	old := d.cell
	d.cell = &c
	defer func() { d.cell = old }()
	err := d.blocks(x)
	return strings.TrimSpace(c.String()), err
}
