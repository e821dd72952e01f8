package textenc

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

func view(t testing.TB, raw []byte) *View {
	t.Helper()
	v, err := NewView(raw, Detect(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestViewSharesPlainText(t *testing.T) {
	for _, s := range []string{"a\nb\n", "\xEF\xBB\xBFa\nb", "caf\u00e9 bad \xFF byte", ""} {
		raw := []byte(s)
		v := view(t, raw)
		if n := len(v.Text()); n > 0 && &v.Text()[n-1] != &raw[len(raw)-1] {
			t.Errorf("%q was copied", s)
		}
		if v.RawOffset(len(v.Text())) != len(raw) {
			t.Errorf("%q: end maps to %d", s, v.RawOffset(len(v.Text())))
		}
	}
}

func TestViewText(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{"a\r\nb\r\n", "a\nb\n"},
		{"a\rb\r", "a\nb\n"},
		{"a\r\r\nb\n", "a\r\nb\n"},
		{"caf\xE9\r\n", "caf\u00e9\n"},
		{"\xFF\xFEa\x00\r\x00\n\x00", "a\n"},
		{"\xFF\xFEa\x00\x00\xD8b\x00", "a\xFFb"},
		{"\xFF\xFEa\x00b", "a\xFF"},
		{"\xFF\xFE\x3D\xD8\x00\xDE", "\U0001F600"},
		{"\xFF\xFE\x00\x00a\x00\x00\x00\xFF\xFF\xFF\xFFb", "a\xFF\xFF"},
	} {
		if got := string(view(t, []byte(tt.raw)).Text()); got != tt.want {
			t.Errorf("view of %q is %q, want %q", tt.raw, got, tt.want)
		}
	}
}

func TestViewRefuses(t *testing.T) {
	if _, err := NewView([]byte("\x00\x01"), Detection{Binary: true}); facade.CodeOf(err) != facade.CodeBinaryContent {
		t.Errorf("binary: %v", err)
	}
	e, err := Lookup("iso-2022-jp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewView(nil, Detection{Encoding: e}); facade.CodeOf(err) != facade.CodeUnsupportedEncoding {
		t.Errorf("stateful: %v", err)
	}
}

func TestViewLineEnds(t *testing.T) {
	for _, tt := range []struct {
		raw    string
		offset int
		want   string
	}{
		{"a\r\nb\nc", 0, "\r\n"},
		{"a\r\nb\nc", 2, "\n"},
		{"a\r\nb\nc", 4, "\n"},
		{"a\nb\r\nc", 4, "\r\n"},
		{"a\rb\r", 2, "\r"},
		{"a\nb", 0, "\n"},
		{"caf\xE9", 0, "\n"},
	} {
		if got := view(t, []byte(tt.raw)).LineEndAt(tt.offset); got != tt.want {
			t.Errorf("line end of %q at %d is %q, want %q", tt.raw, tt.offset, got, tt.want)
		}
	}
	part, err := NewPartView([]byte("caf\xE9"), Detection{Encoding: utf16(false), LineEnding: CRLF}, false)
	if err != nil || part.LineEndAt(0) != "\r\n" {
		t.Errorf("a part takes the file's line end: %v", err)
	}
	if part, err = NewPartView([]byte("plain"), Detection{LineEnding: CRLF}, false); err != nil || part.LineEndAt(2) != "\r\n" {
		t.Errorf("a part without a line end takes the file's: %v", err)
	}
}

func TestVerbatim(t *testing.T) {
	raw := []byte("a\r\nb\nc")
	v := view(t, raw)
	if got := v.Verbatim(0, 4); got != "a\r\nb\n" {
		t.Errorf("verbatim %q", got)
	}
	w, err := NewVerbatimView(raw, Detect(raw))
	if err != nil || string(w.Text()) != string(raw) || w.Normalize("x\r\n") != "x\r\n" || w.LineEndAt(0) != "\n" {
		t.Errorf("verbatim view %q, %v", w.Text(), err)
	}
	if v.Normalize("x\r\ny\r") != "x\ny\r" || view(t, []byte("a\rb")).Normalize("x\ry") != "x\ny" {
		t.Error("normalised text is wrong")
	}
}

// checkView proves that mapping the text's characters back covers all raw
// bytes, in order, and that encoding the valid ones gives the same bytes.
func checkView(t *testing.T, v *View) {
	t.Helper()
	text, at := v.Text(), v.RawOffset(0)
	if at != v.start {
		t.Fatalf("the text starts at raw offset %d, want %d", at, v.start)
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		next := v.RawOffset(i + n)
		if next <= at {
			t.Fatalf("offset %d maps to %d, after %d", i+n, next, at)
		}
		if r != utf8.RuneError || n > 1 {
			if b, err := v.Encode(string(text[i:i+n]), i); err != nil || !bytes.Equal(b, v.raw[at:next]) {
				t.Fatalf("%q at %d encodes to %x (%v), the file has %x", r, i, b, err, v.raw[at:next])
			}
		}
		i, at = i+n, next
	}
	if at != len(v.raw) {
		t.Fatalf("the text's end maps to %d of %d", at, len(v.raw))
	}
}

func encodings(t testing.TB) []Encoding {
	var all []Encoding
	for _, name := range []string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "iso-8859-1", "windows-1252", "shift_jis", "gb18030", "euc-kr", "big5", "gbk"} {
		e, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func FuzzView(f *testing.F) {
	for _, s := range []string{
		"a\r\nb\n", "\xFF\xFEa\x00\r\x00\n\x00", "caf\xE9\r", "\x93\xFA\x96\x7B\r\n", "\x81\x30\x81\x30", "\xE2\x82",
		strings.Repeat("long \u00e9\r\n", 500), strings.Repeat("x", 3000) + "\r\n", "\xB0\xA1\xFF\n",
	} {
		f.Add([]byte(s), byte(0))
		f.Add([]byte(s), byte(7))
	}
	all := encodings(f)
	f.Fuzz(func(t *testing.T, raw []byte, pick byte) {
		if len(raw) > 4000 {
			return // the check is quadratic
		}
		if d := Detect(raw); !d.Binary {
			checkView(t, view(t, raw))
		}
		e := all[int(pick)%len(all)]
		if e.kind == kindMulti {
			raw = raw[:min(len(raw), 200)]
		}
		for _, ends := range []LineEnding{LF, CRLF, CR, Mixed} {
			v, err := NewView(raw, Detection{Encoding: e, LineEnding: ends})
			if err != nil {
				t.Fatal(err)
			}
			checkView(t, v)
			if n := Cut(raw, e); n < 0 || n > len(raw) {
				t.Fatalf("cut %d of %d", n, len(raw))
			}
		}
		d := Detection{Encoding: e, LineEnding: Mixed}
		n := Cut(raw, e)
		whole, _ := NewView(raw, d)
		head, _ := NewPartView(raw[:n], d, false)
		tail, _ := NewPartView(raw[n:], d, false)
		if joined := slices.Concat(head.Text(), tail.Text()); e.kind != kindMulti && !bytes.Equal(joined, whole.Text()) {
			t.Fatalf("%s: cut at %d gives %q, whole %q", e, n, joined, whole.Text())
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add("a\u00e9\u65e5\U0001F600\r\n", byte(1))
	all := encodings(f)
	f.Fuzz(func(t *testing.T, text string, pick byte) {
		e := all[int(pick)%len(all)]
		raw, err := e.Encode(text)
		if err != nil {
			if facade.CodeOf(err) != facade.CodeUnsupportedEncoding {
				t.Fatal(err)
			}
			return
		}
		if e.kind == kindMulti {
			return // the codec maps some code points of compatibility to others
		}
		back, err := Decode(raw, e)
		if err != nil || string(back) != text {
			t.Fatalf("%s: %q came back as %q (%v)", e, text, back, err)
		}
	})
}
