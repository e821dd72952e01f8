package fsimpl

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf16"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// one reads one file.
func one(t *testing.T, f *Files, in facade.ReadInput) (facade.FileContent, error) {
	t.Helper()
	out, err := f.Read(t.Context(), in)
	if err != nil {
		return facade.FileContent{}, err
	}
	return out.Files[0], nil
}

// wide is text in UTF-16, big end first, with its byte order mark.
func wide(text string) string {
	b := []byte{0xFE, 0xFF}
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return string(b)
}

// numbered is a text of lines with their numbers, larger than what is read
// whole.
func numbered(end string) string {
	var b strings.Builder
	for i := 1; b.Len() <= wholeBytes; i++ {
		fmt.Fprintf(&b, "this is line %d of many%s", i, end)
	}
	return b.String()
}

// Windows of large files, in whatever encoding and with whatever line ends, in
// memory and so without the system's files.
func TestReadWindowsOfLargeFiles(t *testing.T) {
	lf := numbered("\n")
	last := int64(strings.Count(lf, "\n"))
	f := working(t, afero.NewMemMapFs(), nil, map[string]string{
		"lf": lf, "cr": numbered("\r"), "utf-16": wide(lf), "bom": "\uFEFF" + lf, "open": lf + "the last",
	})
	for name, end := range map[string]string{"lf": "\n", "cr": "\r", "utf-16": "\n", "bom": "\n"} {
		for _, c := range []struct {
			in   facade.ReadInput
			want string
		}{
			{facade.ReadInput{StartLine: 50_000, EndLine: 50_001}, "this is line 50000 of many" + end + "this is line 50001 of many" + end},
			{facade.ReadInput{StartLine: 1, EndLine: 1}, "this is line 1 of many" + end},
			{facade.ReadInput{StartLine: -1}, fmt.Sprintf("this is line %d of many%s", last, end)},
		} {
			c.in.Path = name
			got, err := one(t, f, c.in)
			if err != nil || got.Content != c.want {
				t.Errorf("%+v: %q, %v", c.in, got.Content, err)
			}
		}
		_, err := one(t, f, facade.ReadInput{Path: name, StartLine: last + 1})
		coded(t, err, facade.CodeInvalidArgument)
		if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("has %d lines", last)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := one(t, f, facade.ReadInput{Path: "open", StartLine: -1}); err != nil || got.Content != "the last" || got.StartLine != last+1 {
		t.Errorf("%q, line %d, %v", got.Content, got.StartLine, err)
	}
}

// A read that fails says so, however far it came.
func TestReadFails(t *testing.T) {
	content := map[string]string{"small": "one\ntwo\n", "large": numbered("\n"), "utf-16": wide(numbered("\n"))}
	f, fsys := failing(t, content)
	failures := 0
	for _, in := range []facade.ReadInput{
		{Path: "small"},
		{Path: "small", OutputFormat: "base64"},
		{Path: "large", StartLine: 50_000},
		{Path: "large", StartLine: -1},
		{Path: "utf-16", StartLine: 50_000},
		{Path: "utf-16", StartLine: -1},
	} {
		fsys.Arm()
		want, err := one(t, f, in)
		must(t, err)
		reads := fsys.Count(facadetest.OpRead)
		for n := 0; n < reads; n += 1 + reads/4 {
			fsys.Arm(facadetest.Fault{Op: facadetest.OpRead, After: n, Err: syscall.EIO})
			got, err := one(t, f, in)
			if err == nil && got.Content == want.Content {
				continue // what failed was read ahead and is not needed
			}
			failures++
			coded(t, err, facade.CodeIO)
			if !errors.Is(err, syscall.EIO) {
				t.Errorf("%+v after %d reads: %v", in, n, err)
			}
		}
	}
	if failures < 10 {
		t.Errorf("only %d reads failed", failures)
	}
}

// ended is a context that ends after it was asked so many times.
type ended struct {
	context.Context
	asked, after int
}

func (e *ended) Err() error {
	if e.asked++; e.asked > e.after {
		return context.Canceled
	}
	return nil
}

// A read that is given up ends wherever it is.
func TestReadIsGivenUp(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, map[string]string{"a": "a\n", "b": "b\n", "utf-16": wide(numbered("\n"))})
	for _, in := range []facade.ReadInput{
		{Paths: []string{"a", "b"}},
		{Path: "a", StartLine: 1},
		{Path: "utf-16", StartLine: -2},
	} {
		whole := &ended{Context: t.Context(), after: 1 << 30}
		_, err := f.Read(whole, in)
		must(t, err)
		for n := range min(whole.asked, 6) {
			out, err := f.Read(&ended{Context: t.Context(), after: n}, in)
			if err == nil && len(in.Paths) > 0 { // told of the file it concerns
				if err = errors.Join(nil); out.Files[len(out.Files)-1].Error != nil {
					err = out.Files[len(out.Files)-1].Error
				}
			}
			coded(t, err, facade.CodeCanceled)
		}
	}
}

// endless is a file without an end, and without a line end.
type endless struct{ afero.File }

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func (endless) Seek(int64, int) (int64, error) { return 0, nil }

// A line is looked for in the first gigabytes of a file only.
func TestReadGivesUpFarAway(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, nil)
	whole := int64(-1)
	for _, in := range []facade.ReadInput{{StartLine: 5}, {StartLine: -1}} {
		in.EndOffsetInclusive = &whole
		r := reading{files: f, in: in, name: "f", room: 1000, most: 1000, file: endless{}}
		r.out.Size = maxScan + 1
		err := r.lines(t.Context())
		coded(t, err, facade.CodeTooLarge)
		if err != nil && !strings.Contains(err.Error(), "lines are counted in the first") {
			t.Error(err)
		}
	}
}

// unseekable is a file that cannot be read from another place.
type unseekable struct{ endless }

func (unseekable) Seek(int64, int) (int64, error) { return 0, syscall.ESPIPE }

func TestReadOfAnUnseekableFile(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, nil)
	utf16be, err := textenc.Lookup("utf-16be")
	must(t, err)
	for _, enc := range []textenc.Encoding{textenc.UTF8(), utf16be} {
		r := reading{files: f, name: "f", room: 1000, most: 1000, file: unseekable{}, in: facade.ReadInput{StartLine: 5}}
		r.det.Encoding = enc
		if err := r.lines(t.Context()); !errors.Is(err, syscall.ESPIPE) {
			t.Errorf("%s: %v", enc, err)
		}
		if _, err := r.offsetOf(1, []byte("x")); !errors.Is(err, syscall.ESPIPE) {
			t.Errorf("%s: %v", enc, err)
		}
		r.room = 2
		if err := r.cutOff([]byte("too long"), 0, 1, 1); !errors.Is(err, syscall.ESPIPE) || r.out.Next != nil {
			t.Errorf("%s: %v, next %v", enc, err, r.out.Next)
		}
	}
}

// once can be read from another place one time.
type once struct {
	endless
	seeks *int
}

func (o once) Seek(int64, int) (int64, error) {
	if *o.seeks++; *o.seeks > 1 {
		return 0, syscall.ESPIPE
	}
	return 0, nil
}

func (once) Read([]byte) (int, error) { return 0, syscall.EIO }

// The place to read on from is not guessed where the file cannot be read any
// more, or has become shorter.
func TestOffsetOfAChangedFile(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, nil)
	utf16be, err := textenc.Lookup("utf-16be")
	must(t, err)
	for _, enc := range []textenc.Encoding{textenc.UTF8(), utf16be} {
		r := reading{files: f, name: "f", whole: true, head: []byte("\x00o\x00\n\x00x")}
		r.det.Encoding = enc
		if got, err := r.offsetOf(2, []byte("longer than that")); !errors.Is(err, io.EOF) {
			t.Errorf("%s: offset %d, %v", enc, got, err)
		}
		r = reading{files: f, name: "f", file: once{seeks: new(int)}}
		r.det.Encoding = enc
		if got, err := r.offsetOf(2, []byte("x")); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: offset %d, %v", enc, got, err)
		}
		if enc != textenc.UTF8() {
			r.file = once{seeks: new(int)}
			if got, err := r.offsetOf(1, []byte("x")); !errors.Is(err, syscall.ESPIPE) {
				t.Errorf("%s: offset %d, %v", enc, got, err)
			}
		}
	}
}

// Lines are counted in the system's file; that it cannot be read is told.
func TestSkipInAClosedFile(t *testing.T) {
	closed, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	must(t, err)
	must(t, closed.Close())
	r := reading{files: working(t, afero.NewMemMapFs(), nil, nil), name: "f", room: 1000, most: 1000, file: closed, in: facade.ReadInput{StartLine: 5}}
	if err := r.lines(t.Context()); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}

// What cannot be read as asked is refused with the reason.
func TestReadRefuses(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, map[string]string{
		"f": "one\ntwo\n", "binary": "\x00\x01\x02\x03\xff\xfe\x00\x01",
	})
	for _, c := range []struct {
		in   facade.ReadInput
		code facade.Code
		says string
	}{
		{facade.ReadInput{}, facade.CodeInvalidArgument, "'path' is required"},
		{facade.ReadInput{Path: "f", Paths: []string{"f"}}, facade.CodeInvalidArgument, "not both"},
		{facade.ReadInput{Path: "binary", OffsetType: "byte"}, facade.CodeBinaryContent, "is not text"},
		{facade.ReadInput{Path: "f", OutputFormat: "hex", StartLine: 1}, facade.CodeInvalidArgument, "shows bytes"},
		{facade.ReadInput{Path: "f", OutputFormat: "hex", OffsetType: "byte", StartOffsetInclusive: 9}, facade.CodeInvalidArgument, "beyond the end"},
		{facade.ReadInput{Path: "f", FileEncoding: "no-such"}, facade.CodeInvalidArgument, "no-such"},
	} {
		_, err := one(t, f, c.in)
		coded(t, err, c.code)
		if err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.in, err)
		}
	}
}

// follow reads a file to its end in small pieces and returns all of them.
func follow(t *testing.T, f *Files, in facade.ReadInput) string {
	t.Helper()
	var all strings.Builder
	for range 1000 {
		got, err := one(t, f, in)
		if err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
		text := got.Content
		if in.AddLineNumbers && got.StartLine > 0 {
			_, text, _ = strings.Cut(text, "\t")
		}
		all.WriteString(text)
		if got.Next == nil {
			return all.String()
		}
		in.StartLine, in.StartOffsetInclusive, in.OffsetType = got.Next.StartLine, got.Next.StartOffsetInclusive, got.Next.OffsetType
		in.AddLineNumbers = in.AddLineNumbers && in.OffsetType == ""
	}
	t.Fatal("reading on does not end")
	return ""
}

// Reading on through a line that is too long shows all of it once, in every
// encoding, with bytes that are no characters too.
func TestReadOnInALongLine(t *testing.T) {
	long := "start\n" + strings.Repeat("a word, ein größeres, \u2028\u2029 ", 200) + "\nend\n"
	broken := "start\n" + strings.Repeat("ein größeres öäü, \xff\xfe another ", 200) + "\nend\n"
	for name, c := range map[string]struct{ raw, want string }{
		"utf-8":    {long, long},
		"bom":      {"\uFEFF" + long, long},
		"utf-16":   {wide(long), long},
		"cr":       {strings.ReplaceAll(long, "\n", "\r"), strings.ReplaceAll(long, "\n", "\r")},
		"invalid":  {broken, strings.ToValidUTF8(strings.ReplaceAll(broken, "\xff\xfe", "\uFFFD\uFFFD"), "?")},
		"replaced": {strings.ReplaceAll(long, "word", "\uFFFD"), strings.ReplaceAll(long, "word", "\uFFFD")},
	} {
		t.Run(name, func(t *testing.T) {
			f := working(t, afero.NewMemMapFs(), nil, map[string]string{"f": c.raw})
			for _, numbers := range []bool{false, true} {
				in := facade.ReadInput{Path: "f", StartLine: 2, MaxBytes: 300, AddLineNumbers: numbers}
				_, want, _ := strings.Cut(c.want, "start"+c.want[5:6])
				got := follow(t, f, in)
				if got != want {
					n := 0
					for n < min(len(got), len(want)) && got[n] == want[n] {
						n++
					}
					t.Errorf("numbers %v: from byte %d on %.60q, want %.60q", numbers, n, got[n:], want[n:])
				}
			}
		})
	}
}

// Bytes that are no characters are shown as U+FFFD, and the reply says so.
func TestReadInvalidBytes(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, map[string]string{"f": "text größer \xff text\n"})
	r, err := facade.Files(f).Call(t.Context(), facade.Call{Args: []byte(`{"action":"read","path":"f"}`)})
	must(t, err)
	if !r.OK() || !strings.Contains(r.FullText(), "text größer \uFFFD text") || !strings.Contains(r.FullText(), "not valid UTF-8") {
		t.Errorf("%s", r.FullText())
	}
}

// A notebook is shown as cells as far as they fit, what only has its name as it is.
func TestReadNotebook(t *testing.T) {
	book := `{"cells":[{"cell_type":"code","source":["print(1)"],"outputs":[]},{"cell_type":"markdown","source":["` + strings.Repeat("text ", 100) + `"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`
	f := working(t, afero.NewMemMapFs(), nil, map[string]string{"a.ipynb": book, "b.ipynb": `{"no":"cells"}`})
	got, err := one(t, f, facade.ReadInput{Path: "a.ipynb"})
	if err != nil || !strings.Contains(got.Content, "print(1)\n[cell 1, markdown]\ntext text") || got.Next != nil {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = one(t, f, facade.ReadInput{Path: "a.ipynb", MaxBytes: 100})
	if err != nil || got.Content != "[cell 0, code]\nprint(1)\n" || got.Next == nil || got.Next.StartLine != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = one(t, f, facade.ReadInput{Path: "b.ipynb"})
	if err != nil || got.Content != `{"no":"cells"}` {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFitting(t *testing.T) {
	for _, c := range []struct {
		text       string
		room, most int
		want       int
	}{
		{"abc", 10, 10, 3}, // all of it
		{"abc", 2, 10, 2},
		{"abc", 10, 2, 2},
		{"größer", 3, 10, 2}, // no half characters
		{"ö", 1, 1, 2},       // one at least
		{"\n\n", 3, 10, 1},
		{"", 0, 0, 0},
	} {
		if got := fitting([]byte(c.text), c.room, c.most); got != c.want {
			t.Errorf("fitting(%q, %d, %d) = %d, want %d", c.text, c.room, c.most, got, c.want)
		}
	}
}

// jsonLen is what encoding/json writes, without HTML escapes.
func TestJSONLen(t *testing.T) {
	for text, want := range map[string]int{
		"abc": 3, "\"\\\n\r\t\b\f": 14, "\x00\x1f": 12, "ö€😀": 9, "\u2028": 6, "\u2029": 6, "\xff": 6, "a\xc3": 7, "": 0,
	} {
		if got := jsonLen(text); got != want {
			t.Errorf("jsonLen(%q) = %d, want %d", text, got, want)
		}
		if got := jsonLen(bytes.Clone([]byte(text))); got != want {
			t.Errorf("of bytes: jsonLen(%q) = %d, want %d", text, got, want)
		}
	}
}
