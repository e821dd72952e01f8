package llm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/llm"
)

func validator(t *testing.T, s *server, opts *llm.ValidatorOptions) *llm.Validator {
	t.Helper()
	v, err := llm.NewValidator(s.client(t, nil), opts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		answer string
		want   []facade.Finding
		fails  bool
	}{
		{`{"verdict":"pass","findings":[]}`, nil, false},
		{`{"verdict":"fail","findings":[{"severity":"error","line":2,"message":"an open bracket"}]}`, []facade.Finding{{Validator: "m1", Severity: "error", Line: 2, Message: "an open bracket"}}, false},
		{`{"verdict":"fail","findings":[]}`, []facade.Finding{{Validator: "m1", Severity: "error", Message: "the model rejects the content without naming an error"}}, false},
		{`{"verdict":"pass","findings":[{"severity":"note","line":99,"message":" odd "},{"severity":"error","message":" "}]}`, []facade.Finding{{Validator: "m1", Severity: "warning", Message: "odd"}}, false},
		{`{"verdict":"maybe","findings":[]}`, nil, true},
		{`It looks fine to me.`, nil, true},
	} {
		v := validator(t, serve(t, says(tt.answer)), nil)
		got, err := v.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a.go", Content: "one\ntwo\n"})
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.fails {
			t.Errorf("%s gives %v (-want +got):\n%s", tt.answer, err, diff)
		}
	}
}

// TestSessionMemory checks that the model is told its verdicts of the session,
// and of no other.
func TestSessionMemory(t *testing.T) {
	s := serve(t, says(`{"verdict":"fail","findings":[{"severity":"error","line":0,"message":"no license"}]}`))
	v := validator(t, s, &llm.ValidatorOptions{Rules: "Every file has a license.", Remembered: 2})
	ask := func(session, path, previous string) string {
		t.Helper()
		if _, err := v.ValidateWrite(t.Context(), facade.WriteCandidate{Path: path, Content: "new text", Previous: previous, Session: session}); err != nil {
			t.Fatal(err)
		}
		r := s.last(t)
		if !strings.Contains(string(r.Messages[0].Content), "Every file has a license.") {
			t.Errorf("the rules are not in %s", r.Messages[0].Content)
		}
		return r.Messages[1].parts(t)[0].Text
	}
	if text := ask("s1", "a.go", "old text"); strings.Contains(text, "earlier") || !strings.Contains(text, "old text") || !strings.Contains(text, "new text") {
		t.Errorf("the first question is %s", text)
	}
	if text := ask("s1", "b.go", ""); !strings.Contains(text, "- a.go: error: no license") || !strings.Contains(text, "It is new") {
		t.Errorf("the second question is %s", text)
	}
	if text := ask("s2", "c.go", ""); strings.Contains(text, "a.go") {
		t.Errorf("another session is told %s", text)
	}
	ask("s1", "d.go", "")
	if text := ask("s1", "e.go", ""); strings.Contains(text, "- a.go") || !strings.Contains(text, "- d.go") {
		t.Errorf("of more than two verdicts it tells %s", text)
	}
}

func TestLimits(t *testing.T) {
	s := serve(t, says(`{"verdict":"pass","findings":[]}`))
	v := validator(t, s, &llm.ValidatorOptions{Extensions: []string{".go"}, MaxBytes: 100})
	if !v.Accepts("x/a.GO") || v.Accepts("a.txt") {
		t.Error("the extensions are not obeyed")
	}
	if _, err := v.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a.go", Content: strings.Repeat("x", 101)}); err == nil || s.count() != 0 {
		t.Errorf("a long file gives %v after %d requests", err, s.count())
	}
	if _, err := v.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a.go", Content: "x", Previous: strings.Repeat("y", 101)}); err != nil {
		t.Error(err)
	}
	if text := s.last(t).Messages[1].parts(t)[0].Text; strings.Contains(text, "yyyy") {
		t.Errorf("a long old content is sent: %s", text)
	}
}

// TestWrites puts the validator into the filesystem tool: a verdict is in the
// reply, and a model that fails does not hold the write up.
func TestWrites(t *testing.T) {
	s := serve(t, says(`{"verdict":"fail","findings":[{"severity":"error","line":1,"message":"broken"}]}`), reply{status: 500, body: "{}"})
	files, err := fsimpl.New(afero.NewMemMapFs(), &fsimpl.Options{Validators: []facade.WriteValidator{validator(t, s, nil)}})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for _, want := range []facade.ValidationStatus{facade.ValidationFailed, facade.ValidationUnavailable} {
		out, err := files.Write(t.Context(), facade.WriteInput{Path: "a.go", Content: "package a\n", SessionID: "s"})
		if err != nil || out.Validation == nil || out.Validation.Status != want || len(out.Validation.Findings) != 1 {
			t.Errorf("the write returns %+v, %v; want %s", out.Validation, err, want)
		}
	}
}
