package exectool

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func TestFit(t *testing.T) {
	for name, text := range map[string]string{
		"plain": strings.Repeat("x", 200_000), "escaped": strings.Repeat("\x01", 100_000), "characters": strings.Repeat("日", 60_000),
	} {
		out := fit(t.Context(), facade.PythonRunOutput{Stdout: text, Stderr: text})
		if !out.Truncated || size(out.Stdout)+size(out.Stderr) > facade.DefaultOutputBudget || !utf8.ValidString(out.Stdout) {
			t.Errorf("%s: %d and %d bytes in JSON, truncated=%v", name, size(out.Stdout), size(out.Stderr), out.Truncated)
		}
	}
	short := facade.PythonRunOutput{Stdout: "a", Stderr: "b"}
	if out := fit(t.Context(), short); out.Truncated || out.Stdout != "a" {
		t.Errorf("a short output becomes %+v", out)
	}
}

func FuzzMiddle(f *testing.F) {
	f.Add("日本語 text", 5)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 0 || !utf8.ValidString(s) {
			t.Skip("not what outputs are")
		}
		got := middle(s, n)
		if !utf8.ValidString(got) || len(s) <= n && got != s || len(got) > n+len("\n[… left out …]\n") && len(s) > n {
			t.Errorf("middle(%q, %d) is %q", s, n, got)
		}
	})
}

func TestEnvironment(t *testing.T) {
	got, err := Environment(map[string]string{"B": "2", "A": "1=x"})
	if diff := cmp.Diff([]string{"A=1=x", "B=2"}, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, bad := range []map[string]string{{"": "x"}, {"A=B": "x"}, {"A": "x\x00y"}, {"A\x00": "x"}} {
		if got, err := Environment(bad); facade.CodeOf(err) != facade.CodeInvalidArgument {
			t.Errorf("%q gives %q, %v", bad, got, err)
		}
	}
}

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"go", "test", "./..."}, "go test ./..."},
		{[]string{"a\n\tb", "c"}, "a b c"},
		{[]string{"\xff"}, "\uFFFD"},
		{[]string{strings.Repeat("日", 100)}, strings.Repeat("日", 53) + "…"},
	} {
		if got := Label(c.words...); got != c.want {
			t.Errorf("Label(%q) is %q, want %q", c.words, got, c.want)
		}
	}
}
