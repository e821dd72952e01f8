package textenc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// must encodes text for a test's input.
func must(t *testing.T, encoding, text string) []byte {
	t.Helper()
	e, err := Lookup(encoding)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDetect(t *testing.T) {
	wide := "one\r\ntwo\r\n"
	tests := []struct {
		name, content string
		want          Detection
		encoding      string
	}{
		{"empty", "", Detection{LineEnding: None}, "utf-8"},
		{"ascii", "a\nb\n", Detection{LineEnding: LF, Lines: 2}, "utf-8"},
		{"no final newline", "a\nb", Detection{LineEnding: LF, Lines: 2}, "utf-8"},
		{"one line", "a", Detection{LineEnding: None, Lines: 1}, "utf-8"},
		{"crlf", "a\r\nb\r\n", Detection{LineEnding: CRLF, Lines: 2}, "utf-8"},
		{"mixed", "a\r\nb\nc", Detection{LineEnding: Mixed, Lines: 3}, "utf-8"},
		{"old mac", "a\rb\rc", Detection{LineEnding: CR, Lines: 3}, "utf-8"},
		{"old mac with final end", "a\rb\r", Detection{LineEnding: CR, Lines: 2}, "utf-8"},
		{"progress output", "1%\r2%\rdone\n", Detection{LineEnding: LF, Lines: 1}, "utf-8"},
		{"bom", "\xEF\xBB\xBFa\n", Detection{LineEnding: LF, Lines: 1, BOM: 3}, "utf-8"},
		{"utf-8", "caf\u00e9\n", Detection{LineEnding: LF, Lines: 1}, "utf-8"},
		{"utf-8 with a stray byte", "caf\u00e9 \xE9\n", Detection{LineEnding: LF, Lines: 1, Invalid: 1}, "utf-8"},
		{"latin-1", "caf\xE9\n", Detection{LineEnding: LF, Lines: 1}, "iso-8859-1"},
		{"windows-1252", "\x93caf\xE9\x94\n", Detection{LineEnding: LF, Lines: 1}, "windows-1252"},
		{"undefined in windows-1252", "\x93caf\xE9\x81\n", Detection{LineEnding: LF, Lines: 1}, "iso-8859-1"},
		{"utf-16le", string(must(t, "utf-16le", wide)), Detection{LineEnding: CRLF, Lines: 2}, "utf-16le"},
		{"utf-16be", string(must(t, "utf-16be", wide)), Detection{LineEnding: CRLF, Lines: 2}, "utf-16be"},
		{"utf-16le bom", "\xFF\xFE" + string(must(t, "utf-16le", "\u4e2d\n")), Detection{LineEnding: LF, Lines: 1, BOM: 2}, "utf-16le"},
		{"utf-16be bom", "\xFE\xFF" + string(must(t, "utf-16be", "a")), Detection{LineEnding: None, Lines: 1, BOM: 2}, "utf-16be"},
		{"utf-32le bom", "\xFF\xFE\x00\x00" + string(must(t, "utf-32le", "a\nb")), Detection{LineEnding: LF, Lines: 2, BOM: 4}, "utf-32le"},
		{"utf-32be bom", "\x00\x00\xFE\xFF" + string(must(t, "utf-32be", "a\r\n")), Detection{LineEnding: CRLF, Lines: 1, BOM: 4}, "utf-32be"},
		{"utf-16 odd length", "\xFF\xFEa\x00\n", Detection{LineEnding: None, Lines: 1, BOM: 2}, "utf-16le"},
		{"nul", "a\x00b", Detection{Binary: true, LineEnding: None}, Binary},
		{"png", "\x89PNG\r\n\x1a\nrest", Detection{Binary: true, LineEnding: None}, Binary},
		{"pdf without nul", "%PDF-1.4\ntext", Detection{Binary: true, LineEnding: None}, Binary},
		{"controls", "\x01\x02\x03abc", Detection{Binary: true, LineEnding: None}, Binary},
		{"high bytes and controls", "\x01\xE9\xE8\xE7", Detection{Binary: true, LineEnding: None}, Binary},
		{"terminal colours", "\x1b[31mred\x1b[0m\n", Detection{LineEnding: LF, Lines: 1}, "utf-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Detect([]byte(tt.content))
			if got.Name() != tt.encoding {
				t.Errorf("encoding %s, want %s", got.Name(), tt.encoding)
			}
			got.Encoding = Encoding{}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Encoding{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestDetectorPieces(t *testing.T) {
	long := strings.Repeat("line of text caf\u00e9 \r\n", 8000)
	for name, content := range map[string]string{
		"utf-8":  long + "\xE9",
		"latin1": strings.Repeat("caf\xE9\r\n", 20000) + "last",
		"wide":   "\xFF\xFE" + string(must(t, "utf-16le", long)),
		"short":  "a\r\nb",
	} {
		want := Detect([]byte(content))
		for _, size := range []int{1, 3, 4096, SampleSize - 1, SampleSize + 1} {
			var d Detector
			for p := []byte(content); len(p) > 0; {
				n := min(size, len(p))
				d.Write(p[:n])
				p = p[n:]
			}
			if diff := cmp.Diff(want, d.Result(), cmp.AllowUnexported(Encoding{}), cmp.Comparer(func(a, b Encoding) bool { return a.Name() == b.Name() })); diff != "" {
				t.Errorf("%s in pieces of %d (-whole +pieces)\n%s", name, size, diff)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]string{
		"UTF-8": "utf-8", " utf8 ": "utf-8", "utf-8-sig": "utf-8", "latin1": "iso-8859-1", "cp1252": "windows-1252",
		"Shift_JIS": "shift_jis", "GBK": "gbk", "big5": "big5", "koi8-r": "koi8-r", "iso-2022-jp": "iso-2022-jp",
		"utf-16": "utf-16le", "utf-16be": "utf-16be", "utf-32": "utf-32le", "x-sjis": "shift_jis", "macintosh": "macintosh",
	} {
		e, err := Lookup(name)
		if err != nil || e.Name() != want {
			t.Errorf("Lookup(%q) = %v, %v; want %s", name, e, err, want)
		}
	}
	for _, name := range Names() {
		if _, err := Lookup(name); err != nil {
			t.Errorf("proposed name %s: %v", name, err)
		}
	}
	tests := []struct {
		name string
		code facade.Code
		hint string
	}{
		{"utf-9", facade.CodeInvalidArgument, "utf-8"},
		{"shiftjis2", facade.CodeInvalidArgument, "shift_jis"},
		{"", facade.CodeInvalidArgument, "supported: utf-8"},
		{"ebcdic-international-please", facade.CodeInvalidArgument, "supported"},
		{"x-user-defined", facade.CodeInvalidArgument, ""},
		{"utf-7", facade.CodeUnsupportedEncoding, "supported"},
		{"hz-gb-2312", facade.CodeUnsupportedEncoding, "supported"},
	}
	for _, tt := range tests {
		_, err := Lookup(tt.name)
		e, ok := errors.AsType[*facade.Error](err)
		if !ok || e.Code != tt.code || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("Lookup(%q) = %v (%+v), want %s with hint %q", tt.name, err, e, tt.code, tt.hint)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, tt := range []struct{ encoding, text, want string }{
		{"iso-8859-1", "a\u2192", "'\u2192' (U+2192) at byte 1"},
		{"shift_jis", "\u20ac", "U+20AC"},
		{"iso-2022-jp", "\u65e5\u20ac", "U+20AC"},
		{"utf-8", "a\xFF", "not valid UTF-8 at byte 1"},
	} {
		e, err := Lookup(tt.encoding)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Encode(tt.text)
		if facade.CodeOf(err) != facade.CodeUnsupportedEncoding || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.encoding, err, tt.want)
		}
	}
}

func TestStreams(t *testing.T) {
	text := strings.Repeat("ab\u00e9 \u65e5\u672c\r\n", 3000)
	for _, name := range []string{"utf-8-sig", "utf-16", "utf-16be", "utf-32be", "gb18030", "shift_jis", "iso-2022-jp", "euc-kr"} {
		e, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		in := text
		if name != "utf-8-sig" && !strings.HasPrefix(name, "utf") && name != "gb18030" {
			in = strings.ReplaceAll(text, "\u00e9", "e")
		}
		if name == "euc-kr" {
			in = strings.ReplaceAll(in, "\u65e5\u672c", "\ud55c")
		}
		var out bytes.Buffer
		w, err := NewWriter(&out, e, e.WritesBOM())
		if err != nil {
			t.Fatal(err)
		}
		for p := []byte(in); len(p) > 0; {
			n := min(7, len(p))
			if _, err := w.Write(p[:n]); err != nil {
				t.Fatal(err)
			}
			p = p[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		raw := out.Bytes()
		if e.WritesBOM() {
			raw = bytes.TrimPrefix(raw, e.BOM())
			if len(raw) == out.Len() {
				t.Errorf("%s: no byte order mark", name)
			}
		}
		got, err := io.ReadAll(NewReader(bytes.NewReader(raw), e))
		if err != nil || string(got) != in {
			t.Errorf("%s: stream round trip differs (%v), %d bytes of %d", name, err, len(got), len(in))
		}
		if whole, err := Decode(raw, e); err != nil || string(whole) != in {
			t.Errorf("%s: Decode differs (%v)", name, err)
		}
	}
}

func TestReadersShowInvalidBytes(t *testing.T) {
	got, err := io.ReadAll(NewReader(strings.NewReader("a\xE9b\xE2\x82"), UTF8()))
	if want := "a\uFFFDb\uFFFD\uFFFD"; err != nil || string(got) != want {
		t.Errorf("read %q, %v; want %q", got, err, want)
	}
	if got, err := Decode([]byte("a\xE9"), UTF8()); err != nil || string(got) != "a\uFFFD" {
		t.Errorf("decoded %q, %v", got, err)
	}
}

func TestWriterFails(t *testing.T) {
	e, _ := Lookup("latin1")
	w, _ := NewWriter(io.Discard, e, true)
	if _, err := w.Write([]byte("\u65e5")); facade.CodeOf(err) != facade.CodeUnsupportedEncoding {
		t.Errorf("write: %v", err)
	}
	w, _ = NewWriter(io.Discard, UTF8(), false)
	if _, err := w.Write([]byte("a\xE2")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("a cut character passed")
	}
	if _, err := NewWriter(failing{}, UTF8(), true); err == nil {
		t.Error("the byte order mark's failure is lost")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestMIME(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		{"a.png", "\x89PNG\r\n\x1a\n", "image/png"},
		{"a.txt", "\xFF\xD8\xFF\xE0", "image/jpeg"},
		{"a.webp", "RIFF\x00\x00\x00\x00WEBP", "image/webp"},
		{"a.docx", "PK\x03\x04\x00", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"a.bin", "PK\x03\x04\x00", "application/zip"},
		{"a.docx", "just text", "text/plain"},
		{"a.html", "<p>", "text/html"},
		{"noext", "hello", "text/plain"},
		{"x", "\x00\x01\x02", "application/octet-stream"},
		{"x", "GIF89a is a format\n", "text/plain"},
	} {
		b := []byte(tt.content)
		if got := MIME(tt.name, b, Detect(b)); got != tt.want {
			t.Errorf("MIME(%s, %q) = %s, want %s", tt.name, tt.content, got, tt.want)
		}
	}
}
