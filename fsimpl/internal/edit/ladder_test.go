package edit

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// edit applies one edit with the default tolerance, changed by adjust.
func edit(t testing.TB, raw, before, after string, adjust func(*Tolerance, *facade.TextEdit)) (string, facade.EditMatch, error) {
	t.Helper()
	e := facade.TextEdit{OldText: before, NewText: after}
	tolerance := ToleranceOf(facade.EditInput{})
	if adjust != nil {
		adjust(&tolerance, &e)
	}
	doc := NewDocument([]byte(raw), textenc.Detect([]byte(raw)), nil)
	match, err := doc.Edit(context.Background(), e, tolerance)
	if again := string(Apply([]byte(raw), doc.Plan().Splices)); again != string(doc.Bytes()) {
		t.Errorf("the splices give %q, the document is %q", again, doc.Bytes())
	}
	return string(doc.Bytes()), match, err
}

func TestLadder(t *testing.T) {
	all := func(_ *Tolerance, e *facade.TextEdit) { e.ReplaceAll = true }
	verbatim := func(t *Tolerance, _ *facade.TextEdit) { t.KeepIndent = false }
	alike := func(c float64) func(*Tolerance, *facade.TextEdit) {
		return func(t *Tolerance, _ *facade.TextEdit) { t.Confidence = c }
	}
	tests := []struct {
		name, raw, before, after string
		adjust                   func(*Tolerance, *facade.TextEdit)
		want, strategy           string
		lines                    []int64
	}{
		{"exact", "a\nb\n", "b", "x", nil, "a\nx\n", Exact, []int64{2}},
		{"exact before tolerant", "  a\na\n", "\na\n", "\nx\n", nil, "  a\nx\n", Exact, []int64{1}},
		{"all", "a a", "a", "b", all, "b b", Exact, []int64{1, 1}},
		{"line ending", "a\r\nb\r\n", "a\nb\n", "a\nx\n", nil, "a\r\nx\r\n", LineEnding, []int64{1}},
		{"line ending, all of mixed", "a\nb\na\r\nb\n", "a\nb\n", "x\n", all, "x\nx\n", LineEnding, []int64{1, 3}},
		{"only line ends change", "a\r\nb\n", "a\r\nb", "a\nb", nil, "a\nb\n", Exact, []int64{1}},
		{"trailing blanks in the file", "a  \nb\t\nc\n", "a\nb\nc", "a\nx\nc", nil, "a  \nx\nc\n", TrailingBlanks, []int64{1}},
		{"trailing blanks in old text", "a\nb\n", "a  \nb", "a\nx", nil, "a\nx\n", TrailingBlanks, []int64{1}},
		{"trailing blanks at the very end", "foobar\nfoo\n", "foo  ", "x", nil, "foobar\nx\n", TrailingBlanks, []int64{2}},
		{
			"tabs for blanks keep nesting", "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", "    if x {\n        return 1\n    }\n", "    if x {\n        return 2\n    }\n", nil,
			"func f() {\n\tif x {\n\t\treturn 2\n\t}\n}\n", Indentation,
			[]int64{2},
		},
		{
			"no indentation given", "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", "if x {\n\treturn 1\n}", "if y {\n\tif x {\n\t\treturn 1\n\t}\n}", nil,
			"func f() {\n\tif y {\n\t\tif x {\n\t\t\treturn 1\n\t\t}\n\t}\n}\n", Indentation,
			[]int64{2},
		},
		{
			"deeper than any line of old", "\tx()\n\ty()\n", "  x()\n  y()", "  if a {\n    x()\n  }\n  y()", nil,
			"\tif a {\n\t\tx()\n\t}\n\ty()\n", Indentation,
			[]int64{1},
		},
		{"shallower than any line of old", "a:\n\tb:\n\t\tc\n", "    b:\n        c", "b:\n    c", nil, "a:\nb:\n\tc\n", Indentation, []int64{2}},
		{
			"blanks for tabs", "def f():\n    if x:\n        return 1\n", "\tif x:\n\t\treturn 1", "\tif y:\n\t\tif x:\n\t\t\treturn 1", nil,
			"def f():\n    if y:\n        if x:\n            return 1\n", Indentation,
			[]int64{2},
		},
		{"blanks for tabs, one level", "def f():\n    g()\n", "\tg()", "\tif x:\n\t\tg()", nil, "def f():\n    if x:\n        g()\n", Indentation, []int64{2}},
		{"blank lines between", "\ta\n\n\tb\n", "a\n\nb", "a\n\nc", nil, "\ta\n\n\tc\n", Indentation, []int64{1}},
		{"a blank line among new ones", "\ta\n\tb\n", " a\n b", " a\n x\n\n y\n b", nil, "\ta\n\tx\n\n\ty\n\tb\n", Indentation, []int64{1}},
		{"thin blanks", "a\u2009b\n", "a b", "a c", nil, "a\u2009c\n", Punctuation, []int64{1}},
		{"similar with its end", "one two three four\nx\n", "one two thrice four\n", "done\n", alike(0.8), "done\nx\n", Similar, []int64{1}},
		{"indentation of another kind", "\ta\n", "  a", "  a\n \tb", nil, "\ta\n \tb\n", Indentation, []int64{1}},
		{"levels at odds", "\ta\n\t\tb\nc\n", "a\nb\nc", "b\na\nc", nil, "\t\tb\n\ta\nc\n", Indentation, []int64{1}},
		{"no final newline", "x\n\ta\n\tb", "a\n b\n", "a\n c\n", nil, "x\n\ta\n\tc", Indentation, []int64{2}},
		{"lines deleted", "\ta\n\tb\n\tc\n", "  b\n  c\n", "", nil, "\ta\n", Indentation, []int64{2}},
		{"verbatim new text", "\ta\n\tb\n", " a\n b", " a\n x", verbatim, "\ta\n x\n", Indentation, []int64{1}},
		{"crlf and indentation", "\ta\r\n\tb\r\n", "  a\n  b", "  a\n  c\n  d", nil, "\ta\r\n\tc\r\n\td\r\n", Indentation, []int64{1}},
		{"quotes", "say \u201chello\u201d to it\u2019s\n", `say "hello" to it's`, `say "hello" to his`, nil, "say \u201chello\u201d to his\n", Punctuation, []int64{1}},
		{"old with quotes", "say \"a\"\n", "say \u201ca\u201d", "say b", nil, "say b\n", Punctuation, []int64{1}},
		{"dash, ellipsis and hard blank", "a\u00a0\u2014 b\u2026 c\n", "a - b... c", "a - b... d", nil, "a\u00a0\u2014 b\u2026 d\n", Punctuation, []int64{1}},
		{"several lines", "x\n\u2018a\u2019\nb\n", "'a'\nb", "'a'\nc", nil, "x\n\u2018a\u2019\nc\n", Punctuation, []int64{2}},
		{"quotes and indentation", "\tsay(\u201ca\u201d)\n\tend\n", "  say(\"a\")\n  end", "  say(\"a\")\n  fin", nil, "\tsay(\u201ca\u201d)\n\tfin\n", Punctuation, []int64{1}},
		{"similar", "one two three four\nfive six seven\n\nother\n", "one two thrice four\nfive six seven", "done", alike(0.8), "done\n\nother\n", Similar, []int64{1}},
		{"latin-1 and indentation", "caf\xE9\n\ta\n\tb\n", "a\nb", "a\n\u00fc", nil, "caf\xE9\n\ta\n\t\xFC\n", Indentation, []int64{2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, match, err := edit(t, tt.raw, tt.before, tt.after, tt.adjust)
			if err != nil {
				t.Fatalf("%v", func() *facade.Error {
					target := &facade.Error{}
					_ = errors.As(err, &target)
					return target
				}().Text())
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			confidence := match.Confidence
			match.Confidence = 0
			if diff := cmp.Diff(facade.EditMatch{Strategy: tt.strategy, Lines: tt.lines}, match); diff != "" {
				t.Errorf("match (-want +got)\n%s", diff)
			}
			if (confidence == 1) == (tt.strategy == Similar) {
				t.Errorf("confidence %v", confidence)
			}
		})
	}
}

func TestLadderFails(t *testing.T) {
	strict := func(t *Tolerance, _ *facade.TextEdit) { *t = Tolerance{} }
	noPartial := func(t *Tolerance, _ *facade.TextEdit) { t.Partial = false }
	alike := func(t *Tolerance, _ *facade.TextEdit) { t.Confidence = 0.5 }
	field := func(t *Tolerance, _ *facade.TextEdit) { t.FieldPrefix = "edits[2]." }
	tests := []struct {
		name, raw, before, after string
		adjust                   func(*Tolerance, *facade.TextEdit)
		code                     facade.Code
		field                    string
		parts                    []string
	}{
		{"empty", "a", "", "x", field, facade.CodeInvalidArgument, "edits[2].old_text", []string{"old_text must not be empty"}},
		{"same", "a", "a", "a", field, facade.CodeInvalidArgument, "edits[2].new_text", []string{"old_text and new_text are the same"}},
		{"twice", "a\na\n", "a", "x", field, facade.CodeAmbiguousMatch, "edits[2].old_text", []string{"2 times (exact), at lines 1, 2"}},
		{"twice by indentation", "\ta()\nx\n  a()\n", "    a()\n", "b()\n", nil, facade.CodeAmbiguousMatch, "old_text", []string{"2 times (indentation), at lines 1, 3"}},
		{"strict line ends", "a\r\nb\r\n", "a\nb", "x", strict, facade.CodeNoMatch, "old_text", nil},
		{"strict blanks", "a \nb\n", "a\nb", "x", strict, facade.CodeNoMatch, "old_text", nil},
		{
			"strict indentation", "\ta\n\tb\n", "a\nb", "x", noPartial, facade.CodeNoMatch, "old_text",
			[]string{"lines 1-2", "only in whitespace", "file     1: →a\nold      1: a"},
		},
		{"case", "Hello World\n", "hello world", "x", nil, facade.CodeNoMatch, "old_text", []string{"only in case and whitespace", "83 %"}},
		{
			"wording", "func a() {\n\treturn 1\n}\n", "func a() {\n\treturn 2 \n}\n", "x", nil, facade.CodeNoMatch, "old_text",
			[]string{"lines 1-3", "file     2: →return·1\nold      2: →return·2·"},
		},
		{"many lines differ", strings.Repeat("abcdefgh 1\n", 12), strings.Repeat("abcdefgh 2\n", 12), "x", nil, facade.CodeNoMatch, "old_text", []string{"lines 1-12", "more lines differ"}},
		{"long lines", strings.Repeat("abcdefghij", 100) + "\n", strings.Repeat("abcdefghij", 50) + strings.Repeat("bbcdefghij", 50), "x", nil, facade.CodeNoMatch, "old_text", []string{"% alike", "…"}},
		{"old longer than the file", "\tkey\n", "above\nkey", "x", nil, facade.CodeNoMatch, "old_text", nil},
		{"old begins above the file", "\tlong key\n", "a\nlong key", "x", nil, facade.CodeNoMatch, "old_text", nil},
		{
			"a blank line in the closest block", "one two\n\nthree four\n", "one two\n\nthree five", "x", nil, facade.CodeNoMatch, "old_text",
			[]string{"lines 1-3", "file     3: three·four\nold      3: three·five"},
		},
		{"old beyond the end", "x\n\tlong key\n", "long key\nb", "x", nil, facade.CodeNoMatch, "old_text", nil},
		{"nothing alike", "aaaa\n", "zzzz", "x", nil, facade.CodeNoMatch, "old_text", []string{"read the file again"}},
		{"blank old", "a\n", " \t", "x", nil, facade.CodeNoMatch, "old_text", nil},
		{"empty file", "", "a", "x", nil, facade.CodeNoMatch, "old_text", []string{"read the file again"}},
		{"two similar", "abcdefgh1\n---\nabcdefgh2\n", "abcdefgh3", "x", alike, facade.CodeNoMatch, "old_text", []string{"% alike"}},
		{"similar over a bad byte", "\u00e9\u00e9\u00e9 one \xFF two\n", "\u00e9\u00e9\u00e9 one 3 two", "x", alike, facade.CodeNoMatch, "old_text", nil},
		{"none similar", "abcdefgh1\n", "zzzz", "x", alike, facade.CodeNoMatch, "old_text", nil},
		{"the file has it already", "\ta\n\tb\n", "a\nb", "\ta\n\tb", func(t *Tolerance, _ *facade.TextEdit) { t.KeepIndent = false }, facade.CodeInvalidArgument, "new_text", []string{"already, at line 1"}},
		{"binary", "\x00", "a", "b", nil, facade.CodeBinaryContent, "", nil},
		{"not in latin-1", "caf\xE9\n", "caf", "\u2192", nil, facade.CodeUnsupportedEncoding, "", []string{"U+2192"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := edit(t, tt.raw, tt.before, tt.after, tt.adjust)
			if err == nil || got != tt.raw {
				t.Fatalf("error %v, result %q", err, got)
			}
			wantError(t, err, tt.code, tt.field, tt.parts...)
		})
	}
}

func TestDocument(t *testing.T) {
	raw := "one\r\ntwo\r\nthree\r\n"
	doc := NewDocument([]byte(raw), textenc.Detect([]byte(raw)), nil)
	ctx := context.Background()
	for _, e := range []facade.TextEdit{
		{OldText: "two", NewText: "2\n2.5"}, {OldText: "2.5\nthree", NewText: "3"}, {OldText: "one", NewText: ""}, {OldText: "3", NewText: "three!"},
	} {
		if _, err := doc.Edit(ctx, e, ToleranceOf(facade.EditInput{})); err != nil {
			t.Fatal(err)
		}
	}
	if err := doc.Substitute(ctx, Substitution{Old: "!", New: "?"}); err != nil {
		t.Fatal(err)
	}
	if err := doc.Substitute(ctx, Substitution{Old: "absent", New: "?"}); facade.CodeOf(err) != facade.CodeNoMatch {
		t.Errorf("absent text: %v", err)
	}
	if _, err := doc.Edit(ctx, facade.TextEdit{OldText: "absent", NewText: "x"}, Tolerance{}); facade.CodeOf(err) != facade.CodeNoMatch {
		t.Errorf("absent text: %v", err)
	}
	const want = "\r\n2\r\nthree?\r\n"
	plan := doc.Plan()
	if got := string(doc.Bytes()); got != want || string(Apply([]byte(raw), plan.Splices)) != want {
		t.Errorf("got %q, want %q; splices %v", got, want, plan.Splices)
	}
	if len(plan.Matches) != 5 || plan.Count != 5 {
		t.Errorf("%d matches, count %d", len(plan.Matches), plan.Count)
	}
	if p := NewDocument([]byte(raw), textenc.Detect([]byte(raw)), nil).Plan(); len(p.Splices) > 0 {
		t.Errorf("no edits give %v", p.Splices)
	}
}

func TestToleranceOf(t *testing.T) {
	off, half := false, 0.5
	got := ToleranceOf(facade.EditInput{NormalizeWhitespace: &off, PartialMatch: &off, PreserveIndentation: &off, MinConfidence: &half})
	if diff := cmp.Diff(Tolerance{Confidence: 0.5}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLadderCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	raw := []byte(strings.Repeat("\tline of text\n", 1000))
	for name, old := range map[string]string{"exact": "line of text", "none": "no such line", "lines": "  line of text\n line of text"} {
		_, err := NewDocument(raw, textenc.Detect(raw), nil).Edit(ctx, facade.TextEdit{OldText: old, NewText: "x"}, ToleranceOf(facade.EditInput{}))
		if facade.CodeOf(err) != facade.CodeCanceled {
			t.Errorf("%s: %v", name, err)
		}
	}
}
