package pathname

import (
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for name, want := range map[string]string{
		"plain.txt":    "plain.txt",
		"größe":        "größe",
		"a\xffb":       `a\xffb`,
		`a\b`:          `a\b`,
		`a\xzz`:        `a\xzz`,
		`a\x41`:        `a\x5cx41`,
		"\xc3(":        `\xc3(`,
		"\\x\xff":      `\x\xff`,
		"line\nbreak":  "line\nbreak",
		"\xed\xa0\x80": `\xed\xa0\x80`, // a surrogate, which UTF-8 has not
	} {
		if got := Escape(name); got != want {
			t.Errorf("Escape(%q) = %q, want %q", name, got, want)
		}
		if got := Unescape(want); got != name {
			t.Errorf("Unescape(%q) = %q, want %q", want, got, name)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "a", `\x41`, "\xff\\x", `\x5cx41`, `\\x41`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		escaped := Escape(name)
		if !utf8.ValidString(escaped) {
			t.Fatalf("Escape(%q) = %q is not UTF-8", name, escaped)
		}
		if back := Unescape(escaped); back != name {
			t.Fatalf("%q became %q and came back as %q", name, escaped, back)
		}
	})
}

func TestLine(t *testing.T) {
	for name, want := range map[string]string{
		"plain.txt":        "plain.txt",
		"grün.txt":         "grün.txt",
		"a\n[DIR] b":       `a\n[DIR] b`,
		"a\u2028b\x1b[31m": `a\u2028b\x1b[31m`,
		"caf\xe9":          `caf\xe9`,
	} {
		if got := Line(name); got != want {
			t.Errorf("Line(%q) = %q, want %q", name, got, want)
		}
	}
}
