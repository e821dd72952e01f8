package edit

import (
	"context"
	"errors"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Tolerance says by how much the text of a file may differ from old text and
// still match. The zero value demands exact text.
type Tolerance struct {
	Whitespace  bool    // line ends and blanks at line ends may differ
	Partial     bool    // indentation and Unicode punctuation may differ
	KeepIndent  bool    // new text gets the indentation of its place
	Confidence  float64 // least similarity of a unique block; 0 and 1 take none that differs
	FieldPrefix string  // of fields in errors, as "edits[2]."
}

// ToleranceOf reads the options of the action edit, with their defaults.
func ToleranceOf(in facade.EditInput) Tolerance {
	on := func(p *bool) bool { return p == nil || *p }
	t := Tolerance{Whitespace: on(in.NormalizeWhitespace), Partial: on(in.PartialMatch), KeepIndent: on(in.PreserveIndentation), Confidence: 1}
	if in.MinConfidence != nil {
		t.Confidence = *in.MinConfidence
	}
	return t
}

// candidate is a place where old text matches in some way.
type candidate struct {
	at    int    // offset of the match, for its line number
	spans []Span // what to rewrite
}

// rung is one step of the ladder: it finds the candidates of a strategy.
type rung struct {
	strategy string
	allowed  bool
	find     func(*matcher, context.Context) ([]candidate, error)
}

func rungs(t Tolerance) []rung {
	return []rung{
		{Exact, true, (*matcher).exact},
		{LineEnding, t.Whitespace, (*matcher).lineEnding},
		{TrailingBlanks, t.Whitespace, (*matcher).trailingBlanks},
		{Indentation, t.Partial, (*matcher).indentation},
		{Punctuation, t.Partial, (*matcher).punctuation},
	}
}

// matcher holds what the rungs share.
type matcher struct {
	v        *textenc.View
	text     []byte
	given    string // old text as given
	old, new string // with the view's line ends
	all      bool   // every match is meant
	t        Tolerance
	o        Options
}

// planEdit walks the ladder down to the first rung that finds anything. That
// it finds one place only is its condition, unless the edit is for all.
func planEdit(ctx context.Context, raw []byte, d textenc.Detection, e facade.TextEdit, t Tolerance, o Options) (Plan, error) {
	if err := checkEdit(e, t, o); err != nil {
		return Plan{}, err
	}
	view := textenc.NewView
	if (Substitution{Old: e.OldText, New: e.NewText}).onlyLineEnds() {
		view = textenc.NewVerbatimView
	}
	v, err := view(raw, d)
	if err != nil {
		return Plan{}, err
	}
	m := &matcher{v: v, text: v.Text(), given: e.OldText, old: v.Normalize(e.OldText), new: v.Normalize(e.NewText), all: e.ReplaceAll, t: t, o: o}
	for _, r := range rungs(t) {
		if !r.allowed {
			continue
		}
		if err := ctx.Err(); err != nil {
			return Plan{}, err
		}
		found, err := r.find(m, ctx)
		if err != nil {
			return Plan{}, err
		}
		if len(found) > 0 {
			return m.plan(found, r.strategy, 1)
		}
	}
	if t.Confidence > 0 && t.Confidence < 1 {
		if c, confidence, err := m.similar(ctx); err != nil || c != nil {
			if err != nil {
				return Plan{}, err
			}
			return m.plan([]candidate{*c}, Similar, confidence)
		}
	}
	if err := ctx.Err(); err != nil {
		return Plan{}, err
	}
	fail := facade.Errorf(facade.CodeNoMatch, "old_text does not occur in the file").WithHint("%s", Diagnose(ctx, m.text, m.old))
	fail.Field = t.FieldPrefix + "old_text"
	return Plan{}, fail
}

func checkEdit(e facade.TextEdit, t Tolerance, o Options) error {
	err := Substitution{Old: e.OldText, New: e.NewText}.check(o)
	f, ok := errors.AsType[*facade.Error](err)
	if !ok {
		return err
	}
	rename := strings.NewReplacer("old_content", "old_text", "new_content", "new_text")
	f.Field, f.Message = t.FieldPrefix+rename.Replace(f.Field), rename.Replace(f.Message)
	return f
}

// plan checks that the place is the only one and makes the splices.
func (m *matcher) plan(found []candidate, strategy string, confidence float64) (Plan, error) {
	starts := make([]Span, len(found))
	var spans []Span
	for i, c := range found {
		starts[i].Start = c.at
		for _, s := range c.spans {
			if s = narrowed(m.text, s); s.Start < s.End || s.New != "" {
				spans = append(spans, s)
			}
		}
	}
	lines := linesOf(m.text, starts)
	if len(found) > 1 && !m.all {
		e := facade.Errorf(facade.CodeAmbiguousMatch, "old_text occurs %d times (%s), at %s", len(found), strategy, lineList(lines)).
			WithHint("make old_text longer by the lines around the one meant, or set replace_all=true")
		e.Field = m.t.FieldPrefix + "old_text"
		return Plan{}, e
	}
	if len(spans) == 0 {
		e := facade.InvalidArgument(m.t.FieldPrefix+"new_text", "new_text is what the file has already, at %s", lineList(lines))
		return Plan{}, e
	}
	out, err := splices(m.v, spans, m.o)
	if err != nil {
		return Plan{}, err
	}
	match := facade.EditMatch{Strategy: strategy, Confidence: confidence, Lines: lines}
	return Plan{Splices: out, Matches: []facade.EditMatch{match}, Count: len(found)}, nil
}

// whole makes candidates that replace a match of the old text as it is.
func (m *matcher) whole(starts []int) []candidate {
	out := make([]candidate, len(starts))
	for i, at := range starts {
		out[i] = candidate{at, []Span{{at, at + len(m.old), m.new}}}
	}
	return out
}

func (m *matcher) exact(ctx context.Context) ([]candidate, error) {
	starts, err := occurrences(ctx, m.text, m.old, m.o.MaxMatches)
	if err != nil || !strings.Contains(m.old, "\n") {
		return m.whole(starts), err
	}
	var exact []int
	for _, at := range starts {
		if m.v.Verbatim(at, at+len(m.old)) == m.given {
			exact = append(exact, at)
		}
	}
	if m.all && m.t.Whitespace && len(exact) < len(starts) {
		return nil, nil // every occurrence is meant, so the next rung has them all
	}
	return m.whole(exact), nil
}

func (m *matcher) lineEnding(ctx context.Context) ([]candidate, error) {
	starts, err := occurrences(ctx, m.text, m.old, m.o.MaxMatches)
	return m.whole(starts), err
}
