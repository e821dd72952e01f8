package docs

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Read implements [facade.DocumentReader].
func (t *Tools) Read(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
	in = facade.Defaulted(in)
	name, err := t.resolve(ctx, in.Path)
	if err != nil {
		return facade.DocumentReadOutput{}, err
	}
	wanted, err := pageRange(in.Pages)
	if err != nil {
		return facade.DocumentReadOutput{}, err
	}
	fields, err := templateFields(in.ExtractionTemplate)
	if err != nil {
		return facade.DocumentReadOutput{}, err
	}
	o, err := t.openDocument(ctx, name, nil)
	if err != nil {
		return facade.DocumentReadOutput{}, err
	}
	defer o.Close()
	start, err := parseCursor(in.Cursor, o.source.SHA256, viewOf(in))
	if err != nil {
		return facade.DocumentReadOutput{}, err
	}
	p, err := t.parse(ctx, o, document.Request{Pages: wanted.wants(), Images: in.ExtractImages, Password: in.Password})
	if err != nil {
		return facade.DocumentReadOutput{}, err
	}
	if in.Pages != "" && p.Meta.PageCount > 0 && len(p.Pages) == 0 {
		return facade.DocumentReadOutput{}, facade.InvalidArgument("pages", "the document has %d pages, none of them is among '%s'", p.Meta.PageCount, in.Pages).
			WithHint("use pages from 1 to %d", p.Meta.PageCount)
	}
	if start.block > len(p.Blocks) {
		return facade.DocumentReadOutput{}, noCursor(in.Cursor)
	}
	facade.Emit(ctx, facade.Event{Type: facade.EventFileRead, Path: o.source.Path})
	out, err := t.reply(ctx, in, p, start, fields)
	if err == nil && p.Meta.PageCount > 0 && wanted.beyond(p.Meta.PageCount) {
		out.AddNote(fmt.Sprintf("the document has %d pages; 'pages' names some after the last", p.Meta.PageCount))
	}
	return out, err
}

// reply builds the answer that fits into the output budget.
func (t *Tools) reply(ctx context.Context, in facade.DocumentReadInput, p *parsed, start position, fields []Field) (facade.DocumentReadOutput, error) {
	out := facade.DocumentReadOutput{
		Source: p.source, Meta: p.Meta, Pages: []facade.DocumentPage{}, Blocks: []facade.DocumentBlock{},
		Tables: []facade.DocumentTable{}, Images: []facade.DocumentImage{}, Warnings: clipWarnings(p),
	}
	if len(fields) > 0 {
		if err := t.extract(ctx, p.Document, fields, &out); err != nil {
			return facade.DocumentReadOutput{}, err
		}
	}
	w := &window{
		doc: p.Document, r: newRenderer(p.Document, in.Output), out: &out, in: in,
		room: (facade.Budget(ctx) - jsonSize(out)) * 9 / 10, chars: in.MaxChars,
	}
	if in.MaxChars <= 0 {
		w.chars = w.room
	}
	next, more := w.fill(start)
	if more {
		out.NextCursor = next.cursor(p.source.SHA256, viewOf(in))
	}
	w.pages()
	return out, nil
}

// clipWarnings keeps the first twenty warnings. That there is nothing to read
// is one too: an empty text alone could be a failure.
func clipWarnings(p *parsed) []facade.DocumentWarning {
	const most = 20
	out := append([]facade.DocumentWarning{}, p.Warnings[:min(len(p.Warnings), most)]...)
	switch more := len(p.Warnings) - most; {
	case more > 0:
		out = append(out, facade.DocumentWarning{Code: document.WarnLimit, Message: strconv.Itoa(more) + " more warnings"})
	case p.source.Size == 0:
		out = append(out, facade.DocumentWarning{Code: document.WarnEmpty, Message: "the file is empty"})
	case len(p.Blocks) == 0 && len(out) == 0:
		out = append(out, facade.DocumentWarning{Code: document.WarnEmpty, Message: "there is no content in what was read"})
	}
	return out
}

// pageSpans selects pages.
type pageSpans []struct{ from, to int }

// wants is the selection as a parser takes it; nil selects all.
func (s pageSpans) wants() func(n int) bool {
	if len(s) == 0 {
		return nil
	}
	return func(n int) bool {
		for _, span := range s {
			if n >= span.from && n <= span.to {
				return true
			}
		}
		return false
	}
}

// beyond reports whether a span begins after the last page.
func (s pageSpans) beyond(last int) bool {
	for _, span := range s {
		if span.from > last {
			return true
		}
	}
	return false
}

// pageRange reads a selection such as "1-3,7"; nil selects all.
func pageRange(s string) (pageSpans, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var spans pageSpans
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(strings.TrimSpace(from))
		b := a
		if isRange && err == nil {
			if b, err = strconv.Atoi(strings.TrimSpace(to)); strings.TrimSpace(to) == "" {
				b, err = 1<<30, nil
			}
		}
		if err != nil || a < 1 || b < a || len(spans) >= 1000 {
			return nil, facade.InvalidArgument("pages", "'%s' is no selection of pages", part).WithHint("write pages from 1 as '1-3,7' or '5-'")
		}
		spans = append(spans, struct{ from, to int }{a, b})
	}
	return spans, nil
}
