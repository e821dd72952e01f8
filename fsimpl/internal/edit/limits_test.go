package edit

import (
	"context"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Lines are compared at so many places only.
func TestCandidatesAreLimited(t *testing.T) {
	for decoys, want := range map[int]int{maxCandidates - 1: 1, maxCandidates: 0} {
		raw := []byte(strings.Repeat("xa\n", decoys) + "\ta\n")
		v, err := textenc.NewView(raw, textenc.Detect(raw))
		if err != nil {
			t.Fatal(err)
		}
		m := &matcher{v: v, text: v.Text(), old: " a", new: " b"}
		found, err := m.indentation(context.Background())
		if err != nil || len(found) != want {
			t.Errorf("behind %d other places: %d found, %v; want %d", decoys, len(found), err, want)
		}
	}
}

// A line longer than a piece is searched whole.
func TestRegexLongLastLine(t *testing.T) {
	head, tail := strings.Repeat("a line\n", chunkSize/7), strings.Repeat("x", chunkSize)+"end"
	got, plan, err := replace(t, head+tail, Substitution{Old: "x+end$", New: "y", Regex: true})
	if err != nil || got != head+"y" || plan.Count != 1 {
		t.Errorf("%d bytes, %d matches, %v", len(got), plan.Count, err)
	}
}

// An empty document takes an edit, too.
func TestDocumentEmpty(t *testing.T) {
	doc := NewDocument(nil, textenc.Detect(nil), nil)
	for _, s := range []Substitution{{Old: "^", New: "one\n", Regex: true}, {Old: "one", New: "two"}} {
		if err := doc.Substitute(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(doc.Bytes()); got != "two\n" {
		t.Errorf("the document is %q", got)
	}
	if got := string(Apply(nil, doc.Plan().Splices)); got != "two\n" {
		t.Errorf("the splices give %q", got)
	}
}

// A pattern at the limits of nesting and size is a bad argument, not a fault.
func TestRegexTooDeep(t *testing.T) {
	refused := 0
	for depth := 985; depth < 1005; depth++ {
		pattern := strings.Repeat("(", depth) + "^a" + strings.Repeat(")", depth)
		got, _, err := replace(t, "a\n", Substitution{Old: pattern, New: "b", Regex: true})
		if err == nil {
			if got != "b\n" {
				t.Errorf("%d groups: %q", depth, got)
			}
			continue
		}
		refused++
		wantError(t, err, facade.CodeInvalidArgument, "old_content", "bad regular expression", "nests too deep")
	}
	if refused == 0 || refused == 20 {
		t.Errorf("%d of 20 patterns are refused", refused)
	}
}
