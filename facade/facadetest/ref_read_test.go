package facadetest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/afero"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// refText is decoded text and how to encode it again.
type refText struct {
	text     string
	encoding string
	bom      string
}

func codec(name string) (encoding.Encoding, error) {
	switch strings.ToLower(name) {
	case "utf-8":
		return encoding.Nop, nil
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), nil
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return nil, facade.InvalidArgument("file_encoding", "unknown encoding %q", name)
	}
	return e, nil
}

// decodeText guesses the encoding.
func decodeText(raw []byte) refText {
	for _, c := range []struct{ bom, encoding string }{{bomUTF8, "utf-8"}, {bomLE, "utf-16le"}, {bomBE, "utf-16be"}} {
		if rest, ok := bytes.CutPrefix(raw, []byte(c.bom)); ok {
			t, _ := decodeAs(rest, c.encoding)
			t.bom = c.bom
			return t
		}
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return refText{encoding: "binary", text: string(raw)}
	}
	if utf8.Valid(raw) {
		return refText{encoding: "utf-8", text: string(raw)}
	}
	t, _ := decodeAs(raw, "iso-8859-1")
	return t
}

func decodeAs(raw []byte, name string) (refText, error) {
	e, err := codec(name)
	if err != nil {
		return refText{}, err
	}
	text, err := e.NewDecoder().Bytes(raw)
	if err != nil || !utf8.Valid(text) || bytes.ContainsRune(text, utf8.RuneError) {
		return refText{}, facade.Errorf(facade.CodeUnsupportedEncoding, "the content is not %s", name).WithHint("read it with file_encoding auto")
	}
	return refText{text: string(text), encoding: strings.ToLower(name)}, nil
}

func (t refText) encode(text string) ([]byte, error) {
	if t.encoding == "binary" {
		return []byte(text), nil
	}
	e, err := codec(t.encoding)
	if err != nil {
		return nil, err
	}
	raw, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, facade.Errorf(facade.CodeUnsupportedEncoding, "%s lacks a character", t.encoding).WithHint("write utf-8")
	}
	return append([]byte(t.bom), raw...), nil
}

func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

func lineEnding(text string) string {
	crlf := strings.Count(text, "\r\n")
	switch lf := strings.Count(text, "\n") - crlf; {
	case crlf > 0 && lf > 0:
		return "mixed"
	case crlf > 0:
		return "crlf"
	case lf > 0:
		return "lf"
	}
	return "none"
}

func (r *refFiles) Read(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
	in = facade.Defaulted(in)
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.ReadOutput{}, err
	}
	defer unlock()
	var out facade.ReadOutput
	all := in.Paths
	if in.Path != "" {
		all = []string{in.Path}
	}
	budget := int64((facade.Budget(ctx) - 4096) / len(all))
	for _, p := range all {
		c, err := r.readOne(ctx, &out, p, in, budget)
		if err != nil && in.Path != "" {
			return facade.ReadOutput{}, err
		}
		if err != nil {
			var e *facade.Error
			if !asFacade(err, &e) {
				return out, err
			}
			c = facade.FileContent{Path: p, Error: e}
		}
		out.Files = append(out.Files, c)
	}
	return out, nil
}

func asFacade(err error, e **facade.Error) (ok bool) {
	*e, ok = err.(*facade.Error) //nolint:errorlint // the reference makes them itself
	return ok
}

func (r *refFiles) readOne(ctx context.Context, out *facade.ReadOutput, name string, in facade.ReadInput, budget int64) (facade.FileContent, error) {
	p, raw, err := r.load(ctx, name)
	if err != nil {
		return facade.FileContent{}, err
	}
	facade.Emit(ctx, facade.Event{Type: facade.EventFileRead, Path: pathname.Escape(p)})
	c := facade.FileContent{Path: pathname.Escape(p), Size: int64(len(raw)), ETag: etagOf(raw), MIME: http.DetectContentType(raw)}
	if strings.HasPrefix(c.MIME, "image/") && in.OutputFormat == "raw_utf8" {
		out.AddPart(facade.Part{MIME: c.MIME, Data: raw, Path: c.Path})
		return c, nil
	}
	t := decodeText(raw)
	if in.FileEncoding != "auto" {
		if t, err = decodeAs(raw, in.FileEncoding); err != nil {
			return c, err
		}
	}
	c.Encoding, c.BOM = t.encoding, t.bom != ""
	if in.OutputFormat != "raw_utf8" {
		t.text = string(raw)
	} else if t.encoding == "binary" {
		return c, facade.Errorf(facade.CodeBinaryContent, "not text").WithPath(c.Path).WithHint("read it with output_format base64 or hex")
	}
	if strings.HasSuffix(p, ".ipynb") {
		t.text = notebook(raw)
	}
	lines := splitLines(t.text)
	n := int64(len(lines))
	c.Lines, c.LineEnding = &n, lineEnding(t.text)
	return windowOf(c, t.text, lines, in, budget)
}

func notebook(raw []byte) string {
	var nb struct {
		Cells []struct{ Source any }
	}
	_ = json.Unmarshal(raw, &nb)
	var b strings.Builder
	for _, cell := range nb.Cells {
		switch s := cell.Source.(type) {
		case string:
			b.WriteString(s)
		case []any:
			for _, line := range s {
				fmt.Fprint(&b, line)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// load reads a whole file.
func (r *refFiles) load(ctx context.Context, name string) (string, []byte, error) {
	p, err := r.resolve(ctx, "path", name)
	if err != nil {
		return "", nil, err
	}
	if r.isDir(p) {
		return "", nil, facade.Errorf(facade.CodeIsDirectory, "%s is a directory", p).WithHint("use list")
	}
	if _, err := r.stat(p); err != nil {
		return "", nil, err
	}
	raw, err := afero.ReadFile(r.fs, rooted(p))
	return p, raw, err
}

// windowOf fills in the window of text that in asks for, cut to the budget.
func windowOf(c facade.FileContent, text string, lines []string, in facade.ReadInput, budget int64) (facade.FileContent, error) {
	if in.OffsetType == "byte" {
		from, to, err := span(in.StartOffsetInclusive, *in.EndOffsetInclusive, int64(len(text)), "start_offset_inclusive")
		if err != nil {
			return c, err
		}
		show(&c, text[from:to], from, in, budget, true)
		return c, nil
	}
	n := int64(len(lines))
	from, to, err := lineSpan(in, n)
	if err != nil {
		return c, err
	}
	var start int64
	for _, l := range lines[:from] {
		start += int64(len(l))
	}
	c.StartLine = from + 1
	show(&c, strings.Join(lines[from:to], ""), start, in, budget, false)
	return c, nil
}

func lineSpan(in facade.ReadInput, n int64) (from, to int64, err error) {
	if in.StartLine == 0 && in.EndLine == 0 {
		return span(in.StartOffsetInclusive, *in.EndOffsetInclusive, n, "start_offset_inclusive")
	}
	start, end := cmp.Or(in.StartLine, 1), cmp.Or(in.EndLine, -1)
	if start < 0 {
		start = max(1, n+1+start)
	}
	if end < 0 {
		end = n + 1 + end
	}
	if end < start {
		if start <= n {
			return 0, 0, facade.InvalidArgument("end_line", "the range ends before it starts; the file has %d lines", n)
		}
		end = start
	}
	return span(start-1, end-1, n, "start_line")
}

func span(start, end, n int64, field string) (from, to int64, err error) {
	if start >= n && start > 0 {
		return 0, 0, facade.InvalidArgument(field, "starts behind the end; the length is %d", n)
	}
	if end < 0 || end >= n {
		end = n - 1
	}
	return start, end + 1, nil
}

// show sets the content to what fits, and next to the rest.
func show(c *facade.FileContent, text string, start int64, in facade.ReadInput, budget int64, byBytes bool) {
	keep := len(text)
	if in.MaxBytes > 0 {
		keep = min(keep, int(in.MaxBytes))
	}
	keep = min(keep, int(budget))
	for keep > 0 {
		if raw, err := json.Marshal(text[:keep]); err == nil && int64(len(raw)) <= budget {
			break
		}
		keep -= keep/8 + 1
	}
	if keep < len(text) {
		if nl := strings.LastIndexByte(text[:keep], '\n'); nl >= 0 {
			keep = nl + 1
		} else {
			for !utf8.RuneStart(text[keep]) {
				keep--
			}
			byBytes = true
		}
		c.Next = &facade.ReadNext{Path: c.Path}
		if byBytes {
			c.Next.StartOffsetInclusive, c.Next.OffsetType = start+int64(keep), "byte"
		} else {
			c.Next.StartLine = c.StartLine + int64(strings.Count(text[:keep], "\n"))
		}
	}
	c.Content = text[:keep]
	if c.StartLine > 0 {
		c.EndLine = c.StartLine + int64(len(splitLines(c.Content))) - 1
	}
	switch {
	case in.OutputFormat == "base64":
		c.Content = base64.StdEncoding.EncodeToString([]byte(c.Content))
	case in.OutputFormat == "hex":
		c.Content = hex.EncodeToString([]byte(c.Content))
	case in.AddLineNumbers:
		var b strings.Builder
		for i, l := range splitLines(c.Content) {
			fmt.Fprintf(&b, "%6d\t%s", c.StartLine+int64(i), l)
		}
		c.Content = b.String()
	}
}
