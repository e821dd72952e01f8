package fsimpl

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// witness is a validator that remembers what it was asked.
type witness struct {
	name string
	seen []facade.WriteCandidate
	says []facade.Finding
}

func (w *witness) Name() string { return w.name }

func (*witness) Accepts(string) bool { return true }

func (w *witness) ValidateWrite(_ context.Context, c facade.WriteCandidate) ([]facade.Finding, error) {
	w.seen = append(w.seen, c)
	return slices.Clone(w.says), nil
}

// Each validator sees the old content and the whole of the new one, and
// findings bear the name that they came with, or their validator's.
func TestValidatorsSeeWholeContent(t *testing.T) {
	first := &witness{name: "first", says: []facade.Finding{{Severity: "warning", Message: "a"}, {Validator: "rule", Severity: "warning", Message: "b"}}}
	second := &witness{name: "second"}
	f := working(t, afero.NewMemMapFs(), &Options{Validators: []facade.WriteValidator{first, second}}, map[string]string{"f": "old\n"})
	yes := true
	for _, c := range []struct {
		in   facade.WriteInput
		want facade.WriteCandidate
	}{
		{facade.WriteInput{Path: "f", Content: "new\n"}, facade.WriteCandidate{Path: "f", Previous: "old\n", Content: "new\n"}},
		{facade.WriteInput{Path: "f", Content: "more\n", Append: true}, facade.WriteCandidate{Path: "f", Previous: "new\n", Content: "new\nmore\n"}},
		{facade.WriteInput{Path: "g", Content: "g\n"}, facade.WriteCandidate{Path: "g", Content: "g\n"}},
	} {
		c.in.ValidateWithLLM = &yes
		first.seen, second.seen = nil, nil
		out, err := f.Write(t.Context(), c.in)
		must(t, err)
		want := []facade.WriteCandidate{c.want}
		if diff := cmp.Diff([][]facade.WriteCandidate{want, want}, [][]facade.WriteCandidate{first.seen, second.seen}); diff != "" {
			t.Errorf("%+v: (-want +got):\n%s", c.in, diff)
		}
		if v := out.Validation; v == nil || len(v.Findings) != 2 || v.Findings[0].Validator != "first" || v.Findings[1].Validator != "rule" {
			t.Errorf("%+v: %+v", c.in, v)
		}
	}
	contains(t, f, "f", "new\nmore\n")
}
