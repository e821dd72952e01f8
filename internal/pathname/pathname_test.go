package pathname_test

import (
	"testing"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/internal/pathname"
)

func TestEncode(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"", ""},
		{"plain.txt", "plain.txt"},
		{"été/日本.txt", "été/日本.txt"},
		{"a\xffb", `a\xffb`},
		{"\xc3\x28", `\xc3(`},
		{`back\slash`, `back\slash`},
		{`\x`, `\x`},
		{`\xg0`, `\xg0`},
		{`\x41`, `\x5cx41`},
		{`\xFf`, `\x5cxFf`},
		{`\\x41`, `\\x5cx41`},
		{"\\x4\xff", `\x4\xff`},
		{"new\nline", "new\nline"},
		{"�", "�"},
		{"\xed\xa0\x80", `\xed\xa0\x80`},
	} {
		if got := pathname.Encode(c.name); got != c.text {
			t.Errorf("Encode(%q) = %q, want %q", c.name, got, c.text)
		}
		if got := pathname.Decode(c.text); got != c.name {
			t.Errorf("Decode(%q) = %q, want %q", c.text, got, c.name)
		}
	}
}

// TestDecodeUpperCase covers escapes that Encode never writes but people do.
func TestDecodeUpperCase(t *testing.T) {
	if got := pathname.Decode(`a\xFFb\xC3\xA9`); got != "a\xffbé" {
		t.Errorf("got %q", got)
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"a", "\xff", `\x41`, `\\x5c`, "\\x\xff1", "\xc3\xa9\xc3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		text := pathname.Encode(name)
		if !utf8.ValidString(text) {
			t.Fatalf("Encode(%q) = %q is not UTF-8", name, text)
		}
		if back := pathname.Decode(text); back != name {
			t.Fatalf("Decode(Encode(%q)) = %q through %q", name, back, text)
		}
		if utf8.ValidString(name) && pathname.Decode(name) == name && text != name {
			t.Fatalf("Encode(%q) = %q, though it needs no escape", name, text)
		}
	})
}
