package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func TestReplaceNotebook(t *testing.T) {
	for _, test := range []struct {
		name string
		s    Substitution
		want *strings.Replacer // from notebook
		rest string            // count, strategy and lines
	}{
		{"quotes are escaped", Substitution{Old: "x = 1", New: `x = "1"`}, strings.NewReplacer("x = 1", `x = \"1\"`), "1 exact [3]"},
		{"as a reader sees it", Substitution{Old: "print(\"caf\u00e9\")", New: "print()"}, strings.NewReplacer(`print(\"caf\u00e9\")`, "print()"), "1 exact [2]"},
		{"several cells", Substitution{Old: "caf\u00e9", New: "tea", All: true}, strings.NewReplacer("caf\\u00e9", "tea"), "2 exact [1 2]"},
		{"counted", Substitution{Old: "caf\u00e9", New: "tea", Expected: 2}, strings.NewReplacer("caf\\u00e9", "tea"), "2 exact [1 2]"},
		{"pattern", Substitution{Old: `x = (\d)`, New: "y = $1", Regex: true}, strings.NewReplacer("x = 1", "y = 1"), "1 regex [3]"},
		{"metadata", Substitution{Old: `"nbformat": 4`, New: `"nbformat": 5`}, strings.NewReplacer(`"nbformat": 4`, `"nbformat": 5`), "1 exact [25]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := []byte(notebook)
			plan, err := ReplaceNotebook(t.Context(), raw, textenc.Detect(raw), test.s, nil)
			if err != nil {
				t.Fatal(err)
			}
			m := plan.Matches[0]
			if rest := fmt.Sprintf("%d %s %v", plan.Count, m.Strategy, m.Lines); rest != test.rest {
				t.Errorf("%s, want %s", rest, test.rest)
			}
			got := string(Apply(raw, plan.Splices))
			if want := test.want.Replace(notebook); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestReplaceNotebookFails(t *testing.T) {
	for _, test := range []struct {
		raw  string
		s    Substitution
		code facade.Code
	}{
		{notebook, Substitution{Old: "caf\u00e9", New: "tea"}, facade.CodeAmbiguousMatch},
		{notebook, Substitution{Old: "caf\u00e9", New: "tea", Expected: 3}, facade.CodeAmbiguousMatch},
		{notebook, Substitution{Old: "absent", New: "x"}, facade.CodeNoMatch},
		{notebook, Substitution{Old: "", New: "x"}, facade.CodeInvalidArgument},
		{notebook, Substitution{Old: "(", New: "x", Regex: true}, facade.CodeInvalidArgument},
		{notebook, Substitution{Old: `"nbformat": 4,`, New: `"nbformat": 4`}, facade.CodeUnsupportedFormat},
		{notebook, Substitution{Old: `"cells"`, New: `"sells"`}, facade.CodeUnsupportedFormat},
		{"{}", Substitution{Old: "a", New: "b"}, facade.CodeUnsupportedFormat},
	} {
		raw := []byte(test.raw)
		if _, err := ReplaceNotebook(t.Context(), raw, textenc.Detect(raw), test.s, nil); facade.CodeOf(err) != test.code {
			t.Errorf("%+v: %v, want %s", test.s, err, test.code)
		}
	}
	if err := StaysNotebook([]byte(notebook + "{")); facade.CodeOf(err) != facade.CodeUnsupportedFormat {
		t.Errorf("something behind: %v", err)
	}
}

func TestOutputText(t *testing.T) {
	long := strings.Repeat("é", 1500)
	for raw, want := range map[string]string{
		`[]`: "", `5`: "", `[5]`: "", `[{"text":5}]`: "",
		`[{"text":"a"},{"text":["b\n","c"]}]`:                                     "a\nb\nc\n",
		`[{"data":{"text/plain":"1","text/html":"<b>1</b>","image/png":"aGk="}}]`: "[image/png, 6 bytes]\n1\n",
		`[{"data":{"text/html":"<b>"}}]`:                                          "[text/html, 5 bytes]\n",
		`[{"ename":"ValueError","evalue":"bad","traceback":["x"]}]`:               "ValueError: bad\n",
		`[{"text":"a` + long + `"}]`:                                              "a" + strings.Repeat("é", 999) + "\n[1003 more bytes]\n", // cut at a character's start
		`[{"text":"` + long + `"}]`:                                               strings.Repeat("é", 1000) + "\n[1001 more bytes]\n",
	} {
		if got := outputText([]byte(raw)); got != want {
			t.Errorf("%.60s: %q, want %q", raw, got, want)
		}
	}
}
