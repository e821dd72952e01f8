package edit

import (
	"context"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// endingContext ends when it has been asked for its error left times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A context that ends at any moment ends the search for text, and leaves the
// document as it is.
func TestEditCanceledAtAnyMoment(t *testing.T) {
	many := strings.Repeat("\n", 1100)
	tests := []struct {
		name, raw, old string
		confidence     float64
		found          bool // when the context does not end
	}{
		{"similar", many + "one two three four\nfive six\n", "one two thrice four\nfive six", 0.8, true},
		{"nowhere", many + "one two three four\n", "two thrice", 1, false},
		{"nowhere, none alike", many + "one two three four\nfive six seven\n", "one two thrice for\nfife", 0.99, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := []byte(tt.raw)
			tolerance := ToleranceOf(facade.EditInput{MinConfidence: &tt.confidence})
			for moment := 0; ; moment++ {
				doc := NewDocument(raw, textenc.Detect(raw), nil)
				ctx := &endingContext{t.Context(), moment}
				_, err := doc.Edit(ctx, facade.TextEdit{OldText: tt.old, NewText: "x"}, tolerance)
				if ctx.left >= 0 {
					if (err == nil) != tt.found || moment < 10 {
						t.Errorf("after %d looks at the context: %v", moment, err)
					}
					return
				}
				// The closest text is no part of the answer when the context ends meanwhile.
				if code := facade.CodeOf(err); code != facade.CodeCanceled && (tt.found || code != facade.CodeNoMatch) {
					t.Errorf("canceled at look %d: %v", moment, err)
				}
				if string(doc.Bytes()) != tt.raw || len(doc.Plan().Splices) > 0 {
					t.Errorf("canceled at look %d: the document has changed", moment)
				}
			}
		})
	}
}

// So does a replacement, literal or by pattern.
func TestReplaceCanceledAtAnyMoment(t *testing.T) {
	raw := []byte(strings.Repeat("word\n", 3000))
	for _, s := range []Substitution{{Old: "word", New: "x", All: true}, {Old: "w.rd", New: "x", All: true, Regex: true}} {
		for moment := 0; ; moment += moment/2 + 1 {
			ctx := &endingContext{t.Context(), moment}
			plan, err := Replace(ctx, raw, textenc.Detect(raw), s, nil)
			if ctx.left >= 0 {
				if err != nil || plan.Count != 3000 || moment < 3 {
					t.Errorf("%s: %d matches after %d looks at the context, %v", s.Old, plan.Count, moment, err)
				}
				break
			}
			if facade.CodeOf(err) != facade.CodeCanceled || len(plan.Splices) > 0 {
				t.Fatalf("%s: canceled at look %d: %v", s.Old, moment, err)
			}
		}
	}
}

// Diagnose says what it can when the context ends.
func TestDiagnoseCanceled(t *testing.T) {
	text := []byte(strings.Repeat("one two three four\n", 1100))
	whole := Diagnose(t.Context(), text, "two thrice")
	for moment := 0; ; moment++ {
		ctx := &endingContext{t.Context(), moment}
		got := Diagnose(ctx, text, "two thrice")
		if ctx.left >= 0 {
			if got != whole || moment < 4 {
				t.Errorf("after %d looks: %q, want %q", moment, got, whole)
			}
			return
		}
		if got != whole && !strings.HasPrefix(got, "the closest block, line ") && got != "read the file again and copy the text to replace from it" {
			t.Errorf("canceled at look %d: %q", moment, got)
		}
	}
}
