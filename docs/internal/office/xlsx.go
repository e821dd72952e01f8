package office

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Xlsx parses spreadsheets. Rows are streamed: cells beyond the limit are not
// held in memory.
type Xlsx struct{}

var _ document.Format = Xlsx{}

// Name implements [document.Format].
func (Xlsx) Name() string { return "xlsx" }

// Accepts implements [document.Format].
func (Xlsx) Accepts(mime string) bool {
	return mime == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
}

// Parse implements [document.Format].
func (Xlsx) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	p, err := open(ctx, src, req)
	if err != nil {
		return nil, err
	}
	return p.b.Finish((&xlsx{pack: p, req: req}).parse())
}

type xlsx struct {
	*pack
	req     document.Request
	shared  []string
	formats []string // number format by cell style
	since04 bool     // dates count from 1904
}

type sheet struct {
	name, part string
	hidden     bool
}

func (w *xlsx) parse() error {
	part, err := w.main("xl/workbook.xml")
	if err != nil {
		return err
	}
	rels, err := w.relations(part)
	if err != nil {
		return err
	}
	if err := w.properties(); err != nil {
		return err
	}
	sheets, err := w.workbook(part, rels)
	if err != nil {
		return err
	}
	for _, r := range rels {
		switch r.kind {
		case "sharedStrings":
			err = w.optional(r.target, w.readShared)
		case "styles":
			err = w.optional(r.target, w.readStyles)
		}
		if err != nil {
			return err
		}
	}
	w.b.Meta().PageCount = len(sheets)
	for i, s := range sheets {
		if !w.req.Wants(i + 1) {
			continue
		}
		if err := w.sheet(i+1, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *xlsx) workbook(part string, rels map[string]relation) ([]sheet, error) {
	var sheets []sheet
	err := w.XML(w.ctx, part, func(x *document.XML) error {
		return x.Children(func(xml.StartElement) error {
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "workbookPr":
					w.since04 = isOn(document.Attr(e, "date1904"))
				case "sheets":
					return x.Children(func(e xml.StartElement) error {
						sheets = append(sheets, sheet{
							name: document.Attr(e, "name"), part: rels[document.AttrSpace(e, "relationships", "id")].target,
							hidden: strings.Contains(strings.ToLower(document.Attr(e, "state")), "hidden"),
						})
						return nil
					})
				}
				return nil
			})
		})
	})
	return sheets, err
}

// readShared reads the texts that cells share. They count towards the limit
// of characters.
func (w *xlsx) readShared(x *document.XML) error {
	total := 0
	return x.Each("si", func(xml.StartElement) error {
		s, err := richText(x)
		if total += len(s) + 16; total > 2*w.b.Limits().Chars {
			w.b.Warn(document.WarnLimit, 0, "the texts of the cells are cut: more than %d bytes", 2*w.b.Limits().Chars)
			s = ""
		}
		w.shared = append(w.shared, s)
		return err
	})
}

// richText joins the runs of a text, without phonetic hints.
func richText(x *document.XML) (string, error) {
	var b strings.Builder
	err := x.Children(func(e xml.StartElement) error {
		var s string
		var err error
		switch e.Name.Local {
		case "t":
			s, err = x.Text()
		case "r":
			s, err = richText(x)
		}
		b.WriteString(s)
		return err
	})
	return b.String(), err
}

func (w *xlsx) readStyles(x *document.XML) error {
	custom := map[string]string{}
	return x.Children(func(xml.StartElement) error {
		return x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "numFmts":
				return x.Children(func(e xml.StartElement) error {
					custom[document.Attr(e, "numFmtId")] = document.Attr(e, "formatCode")
					return nil
				})
			case "cellXfs":
				return x.Children(func(e xml.StartElement) error {
					id := document.Attr(e, "numFmtId")
					code, ok := custom[id]
					if !ok {
						code = builtin[id]
					}
					w.formats = append(w.formats, code)
					return nil
				})
			}
			return nil
		})
	})
}

// sheet reads one sheet: its cells, then comments, charts and pictures.
func (w *xlsx) sheet(n int, s sheet) error {
	w.b.Page(facade.DocumentPage{Number: n, Name: s.name})
	w.b.At(facade.DocumentPlace{Page: n, Sheet: s.name})
	if s.hidden {
		w.b.Warn(document.WarnHidden, n, "the sheet %q is hidden", s.name)
		old := w.b.In(document.Hidden)
		defer w.b.In(old)
	}
	if _, err := w.b.Plain(facade.BlockHeading, 2, s.name); err != nil {
		return err
	}
	g := &grid{w: w, merged: map[[2]int][2]int{}}
	if err := w.optional(s.part, g.read); err != nil {
		return err
	}
	for _, t := range g.tables() {
		if err := w.b.Table(t, ""); err != nil {
			return err
		}
	}
	return w.beside(s)
}

// beside adds what lies on a sheet.
func (w *xlsx) beside(s sheet) error {
	rels, err := w.relations(s.part)
	if err != nil {
		return err
	}
	for _, part := range sortedTargets(rels, "comments") {
		err := w.optional(part, func(x *document.XML) error {
			return x.Each("comment", func(e xml.StartElement) error {
				text, err := x.Text()
				if err != nil || strings.HasPrefix(text, "[Threaded comment]") { // for old readers; the thread is a part of its own
					return err
				}
				_, err = w.b.Plain(facade.BlockComment, 0, fmt.Sprintf("%s: %s", document.Attr(e, "ref"), strings.TrimSpace(text)))
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	for _, part := range sortedTargets(rels, "threadedComment") {
		err := w.optional(part, func(x *document.XML) error {
			return x.Each("threadedComment", func(e xml.StartElement) error {
				text, err := x.Text()
				if err != nil {
					return err
				}
				_, err = w.b.Plain(facade.BlockComment, 0, fmt.Sprintf("%s: %s", document.Attr(e, "ref"), strings.TrimSpace(text)))
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	for _, part := range sortedTargets(rels, "drawing") {
		if err := w.drawing(part); err != nil {
			return err
		}
	}
	return nil
}

func (w *xlsx) drawing(part string) error {
	rels, err := w.relations(part)
	if err != nil {
		return err
	}
	return w.optional(part, func(x *document.XML) error {
		alt := ""
		var read func() error
		read = func() error {
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "cNvPr":
					alt = document.Attr(e, "descr")
				case "blip":
					if r, ok := rels[document.AttrSpace(e, "relationships", "embed")]; ok {
						return w.addImage(r, alt)
					}
				case "chart":
					return w.chart(rels[document.AttrSpace(e, "relationships", "id")].target)
				case "txBody":
					text, err := (&pptx{pack: w.pack}).text(x)
					if err != nil {
						return err
					}
					_, err = w.b.Plain(facade.BlockParagraph, 0, joined(text))
					return err
				}
				return read()
			})
		}
		return read()
	})
}
