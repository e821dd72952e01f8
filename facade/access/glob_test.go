package access

import (
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/internal/pathname"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		covers, below bool
	}{
		{"secret", "secret", true, true},
		{"secret", "secret/key", true, true},
		{"secret", "a/b/secret/key", true, true},
		{"secret", "secrets", false, true},
		{"/secret", "a/secret", false, false},
		{"/secret", "", false, true},
		{"secret/**", "secret", true, true},
		{"secret/", "secret/key", true, true},
		{"a/*/c", "a/b", false, true},
		{"a/*/c", "a/b/c/d", true, true},
		{"a/*/c", "a/b/d", false, false},
		{"**", "", true, true},
		{"**/.env", ".env", true, true},
		{"**/.env", "a", false, true},
		{"a/**/b", "a/b", true, true},
		{"a/**/b", "a/x/y/b/z", true, true},
		{"a/**/b", "b", false, false},
		{"*.key", "x.key", true, true},
		{"*.key", "x.keys", false, true},
		{"[st]*", "secret", true, true},
		{"ab?", "ab", false, true},
	} {
		g, err := newGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		covers, below := match(g.exact, split(c.path), false)
		if covers != c.covers || below != c.below {
			t.Errorf("%q on %q: covers %v, below %v; want %v, %v", c.pattern, c.path, covers, below, c.covers, c.below)
		}
	}
}

func TestGlobAnywhere(t *testing.T) {
	g, err := newGlob("/secret/key")
	if err != nil {
		t.Fatal(err)
	}
	if covers, _ := match(g.exact, split("srv/root/secret/key"), true); !covers {
		t.Error("not covered below an unknown root")
	}
	if covers, _ := match(g.exact, split("srv/root/secret/other"), true); covers {
		t.Error("covers another file")
	}
}

func TestBadGlobs(t *testing.T) {
	for pattern, want := range map[string]string{
		"": "empty", "/": "empty", `a\b`: "backslash", "{a,b}": "brace", "a//b": "never occurs", "../a": "never occurs",
		"./a": "never occurs", "a**": "of its own", "a/[": "syntax error", "...": "no name", "\u200b": "no name",
	} {
		if _, err := newGlob(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", pattern, err, want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, spelling := range []string{
		"secret", "SECRET", "Secret.", "secret . .", "secret::$INDEX_ALLOCATION", "se\u200dcret", "\ufeffsecret", "ſecret", "secret\ufe0f",
	} {
		if got := fold(spelling); got != "secret" {
			t.Errorf("fold(%q) = %q", spelling, got)
		}
	}
	for _, other := range []string{"secrets", "sécret", ":secret"} {
		if fold(other) == "secret" {
			t.Errorf("%q is taken for secret", other)
		}
	}
}

// FuzzUnescape holds the decoding of names to that of the implementations.
func FuzzUnescape(f *testing.F) {
	for _, s := range []string{"", `\x41`, `\x4`, `\x+4`, `\x5cx41`, `\\x41`, `a\xzz`, "\xff", `\x_1`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got, want := unescape(name), pathname.Unescape(name); got != want {
			t.Fatalf("%q became %q, in the implementations %q", name, got, want)
		}
	})
}

// FuzzGlob checks that a pattern covers what lies below anything it covers, and
// that what it covers lies below each directory on the way.
func FuzzGlob(f *testing.F) {
	f.Add("a/**/b", "a/x/b/c")
	f.Add("*.go", "src/main.go")
	f.Add("**/**/a", "b/a")
	f.Fuzz(func(t *testing.T, pattern, p string) {
		g, err := newGlob(pattern)
		if err != nil {
			return
		}
		parts := split(p)
		covers, _ := match(g.exact, parts, false)
		if deeper, _ := match(g.exact, append(parts[:len(parts):len(parts)], "more"), false); covers && !deeper {
			t.Fatalf("%q covers %q and not what is below", pattern, p)
		}
		if floating, _ := match(g.exact, parts, true); covers && !floating {
			t.Fatalf("%q covers %q and not when the root is unknown", pattern, p)
		}
		for i := range parts {
			if _, below := match(g.exact, parts[:i], false); covers && !below {
				t.Fatalf("%q covers %q and nothing below %q", pattern, p, parts[:i])
			}
		}
	})
}
