package edit

import (
	"context"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Document is a file's content under several edits, each on the result of the
// one before. It is not safe for concurrent use.
type Document struct {
	raw    []byte
	now    []byte
	d      textenc.Detection
	o      Options
	pieces []piece // what now is made of; nil before the first edit
	plan   Plan
}

// piece is a stretch of the original, or new bytes.
type piece struct {
	start, end int64
	text       []byte // nil for a stretch of the original
}

func (p piece) len() int64 {
	if p.text != nil {
		return int64(len(p.text))
	}
	return p.end - p.start
}

// from returns the piece without its first n bytes, and to the first n.
func (p piece) from(n int64) piece {
	if p.text != nil {
		return piece{text: p.text[n:]}
	}
	return piece{start: p.start + n, end: p.end}
}

func (p piece) to(n int64) piece {
	if p.text != nil {
		return piece{text: p.text[:n]}
	}
	return piece{start: p.start, end: p.start + n}
}

// NewDocument begins with raw, the whole content of a file. raw must not
// change while the document is in use.
func NewDocument(raw []byte, d textenc.Detection, o *Options) *Document {
	return &Document{raw: raw, now: raw, d: d, o: o.withDefaults()}
}

// Bytes returns the content after the edits so far.
func (doc *Document) Bytes() []byte { return doc.now }

// Plan returns all edits so far as one change of the original content, with
// one match per edit.
func (doc *Document) Plan() Plan {
	p := doc.plan
	p.Splices = doc.splices()
	return p
}

// Substitute is [Replace] on the content so far.
func (doc *Document) Substitute(ctx context.Context, s Substitution) error {
	p, err := Replace(ctx, doc.now, doc.d, s, &doc.o)
	if err != nil {
		return err
	}
	doc.take(p)
	return nil
}

// Edit replaces one block of text by the ladder of strategies that tolerance
// allows, and returns how it was found. On an error the document is unchanged.
// When ctx ends it returns at once; the content may still be read for a moment.
func (doc *Document) Edit(ctx context.Context, e facade.TextEdit, t Tolerance) (facade.EditMatch, error) {
	raw := doc.now
	p, err := aside(ctx, len(raw) >= asideSize, func() (Plan, error) { return planEdit(ctx, raw, doc.d, e, t, doc.o) })
	if err != nil {
		return facade.EditMatch{}, err
	}
	doc.take(p)
	return p.Matches[0], nil
}

// take makes a plan for the content so far part of the document.
func (doc *Document) take(p Plan) {
	doc.plan.Matches = append(doc.plan.Matches, p.Matches...)
	doc.plan.Count += p.Count
	doc.compose(p.Splices)
	doc.now = Apply(doc.now, p.Splices)
}

// compose does splices of the content so far on the list of pieces.
func (doc *Document) compose(splices []Splice) {
	old := doc.pieces
	if old == nil {
		old = []piece{{start: 0, end: int64(len(doc.raw))}}
	}
	out := make([]piece, 0, len(old)+2*len(splices))
	add := func(p piece) {
		if p.len() > 0 {
			out = append(out, p)
		}
	}
	var at int64 // offset, in the content so far, of old[0]
	for _, s := range splices {
		for len(old) > 0 && at+old[0].len() <= s.Start {
			at += old[0].len()
			add(old[0])
			old = old[1:]
		}
		if len(old) > 0 && s.Start > at {
			add(old[0].to(s.Start - at))
			old[0], at = old[0].from(s.Start-at), s.Start
		}
		if len(s.New) > 0 {
			add(piece{text: s.New})
		}
		for len(old) > 0 && at < s.End {
			n := min(old[0].len(), s.End-at)
			at += n
			if old[0] = old[0].from(n); old[0].len() == 0 {
				old = old[1:]
			}
		}
	}
	for _, p := range old {
		add(p)
	}
	doc.pieces = out
}

// splices reads the pieces as changes of the original.
func (doc *Document) splices() []Splice {
	if doc.pieces == nil {
		return nil
	}
	var out []Splice
	var at int64
	var text []byte
	flush := func(next int64) {
		if next > at || len(text) > 0 {
			out = append(out, Splice{at, next, text})
		}
		text = nil
	}
	for _, p := range doc.pieces {
		if p.text != nil {
			text = append(text, p.text...)
			continue
		}
		flush(p.start)
		at = p.end
	}
	flush(int64(len(doc.raw)))
	return out
}
