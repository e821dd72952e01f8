package textenc

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// markEvery is the distance, in bytes of the view, of the remembered offsets.
// Between two of them offsets are found by decoding again.
const markEvery = 1 << 10

// View shows raw bytes as UTF-8 text without byte order mark and with LF line
// ends. Where the raw bytes are that already, they are shared and the view
// costs nothing; else it holds the text and one offset per KiB. Bytes that are
// no character of the encoding stand in the text as bytes that are not valid
// UTF-8, so that no text matches them. The raw bytes must not change. A view is
// not safe for concurrent use.
type View struct {
	raw   []byte
	text  []byte
	start int // raw offset of the text's first byte
	enc   Encoding
	ends  LineEnding
	keep  bool
	marks []mark // nil when view and raw offsets differ by start only
	last  mark   // the offset mapped last: the next is often a little further on
}

type mark struct{ view, raw int }

// NewView decodes raw, the whole content of a file, as d says. It fails for
// binary content, and for an encoding with shift states, where a byte's
// meaning depends on what was before it.
func NewView(raw []byte, d Detection) (*View, error) {
	return newView(raw, d, d.BOM, false)
}

// NewVerbatimView is NewView without the normalisation of line ends.
func NewVerbatimView(raw []byte, d Detection) (*View, error) {
	return newView(raw, d, d.BOM, true)
}

// NewPartView is NewView of a piece of a file whose first byte is at a
// character's start, past the byte order mark. The caller cuts the piece so
// that no character and no CRLF is split; [Cut] finds such places. A verbatim
// view keeps line ends as they are.
func NewPartView(piece []byte, d Detection, verbatim bool) (*View, error) {
	return newView(piece, d, 0, verbatim)
}

func newView(raw []byte, d Detection, start int, keep bool) (*View, error) {
	if d.Binary {
		return nil, facade.Errorf(facade.CodeBinaryContent, "the file is not text")
	}
	if d.Encoding.kind == kindStateful {
		return nil, facade.Errorf(facade.CodeUnsupportedEncoding, "text in %s cannot be edited in place", d.Encoding.Name()).
			WithHint("read the file and write it whole")
	}
	v := &View{raw: raw, start: start, enc: d.Encoding, ends: d.LineEnding, keep: keep}
	body := raw[start:]
	switch {
	case v.enc.kind == kindUTF8 && (keep || v.ends != CR && !bytes.Contains(body, []byte("\r\n"))):
		v.text = body
	case v.enc.kind == kindUTF8 && v.ends != CR:
		v.buildCRLF(body)
	default:
		v.build(body)
	}
	return v, nil
}

// buildCRLF joins the lines of a UTF-8 text.
func (v *View) buildCRLF(body []byte) {
	v.text = make([]byte, 0, len(body))
	at := 0
	for at < len(body) {
		n := bytes.Index(body[at:], []byte("\r\n"))
		piece, end := len(body)-at, len(body)
		if n >= 0 {
			piece, end = n, at+n+2
		}
		v.mark(at)
		v.text = append(v.text, body[at:at+piece]...)
		if n >= 0 {
			v.text = append(v.text, '\n')
		}
		at = end
	}
}

// build decodes character by character.
func (v *View) build(body []byte) {
	v.text = make([]byte, 0, len(body))
	for at := 0; at < len(body); {
		v.mark(at)
		var n int
		v.text, n = v.unit(v.text, body[at:])
		at += n
	}
	if v.marks == nil {
		v.marks = []mark{{raw: v.start}}
	}
}

// mark remembers that the text built so far ends at offset at of the body.
func (v *View) mark(at int) {
	if n := len(v.marks); n == 0 || len(v.text)-v.marks[n-1].view >= markEvery {
		v.marks = append(v.marks, mark{len(v.text), at + v.start})
	}
}

// unit appends the first character of p, a line end counting as one, and
// returns how many bytes of p it takes.
func (v *View) unit(dst, p []byte) ([]byte, int) {
	r, n, ok := v.enc.decode(p)
	if !ok {
		if v.enc.kind == kindUTF8 {
			return append(dst, p[0]), 1
		}
		return append(dst, opaque), n
	}
	if r != '\r' || v.keep {
		return utf8.AppendRune(dst, r), n
	}
	if n < len(p) {
		if next, m, ok := v.enc.decode(p[n:]); ok && next == '\n' {
			return append(dst, '\n'), n + m
		}
	}
	if v.ends == CR {
		return append(dst, '\n'), n
	}
	return append(dst, '\r'), n
}

// Text returns the view's text. It must not be changed.
func (v *View) Text() []byte { return v.text }

// Raw returns the bytes that the view shows.
func (v *View) Raw() []byte { return v.raw }

// LineEnding returns the line ending that the view was made for.
func (v *View) LineEnding() LineEnding { return v.ends }

// Encoding returns the encoding of the raw bytes.
func (v *View) Encoding() Encoding { return v.enc }

// RawOffset maps an offset of the text to one of the raw bytes. The offset is
// that of a character's start or the text's end; one inside a character maps
// to the character's end.
func (v *View) RawOffset(offset int) int {
	if v.marks == nil {
		return offset + v.start
	}
	i := sort.Search(len(v.marks), func(i int) bool { return v.marks[i].view > offset }) - 1
	from := v.marks[i]
	if v.last.view > from.view && v.last.view <= offset {
		from = v.last
	}
	at, raw := from.view, from.raw
	if v.enc.kind == kindUTF8 && v.ends != CR {
		return v.rawUTF8(at, raw, offset)
	}
	var scratch [8]byte
	for at < offset && raw < len(v.raw) {
		u, n := v.unit(scratch[:0], v.raw[raw:])
		at, raw = at+len(u), raw+n
	}
	v.last = mark{at, raw}
	return raw
}

// rawUTF8 goes from line to line: only a CRLF differs in length.
func (v *View) rawUTF8(at, raw, offset int) int {
	for {
		n := bytes.IndexByte(v.text[at:offset], '\n')
		if n < 0 {
			return raw + offset - at
		}
		at, raw = at+n+1, raw+n+1
		if v.raw[raw-1] == '\r' {
			raw++
		}
	}
}

// Valid reports whether the text from start to end holds no opaque bytes.
func (v *View) Valid(start, end int) bool { return utf8.Valid(v.text[start:end]) }

// LineEndAt returns the bytes, still as text, that end the line at an offset:
// that of the line itself, else that of the line before, else "\n".
func (v *View) LineEndAt(offset int) string {
	if v.keep || v.marks == nil && (v.ends != CRLF || bytes.IndexByte(v.text, '\n') >= 0) {
		return "\n"
	}
	if n := bytes.IndexByte(v.text[offset:], '\n'); n >= 0 {
		return v.endOf(offset + n)
	}
	if n := bytes.LastIndexByte(v.text[:offset], '\n'); n >= 0 {
		return v.endOf(n)
	}
	switch v.ends {
	case CRLF:
		return "\r\n"
	case CR:
		return "\r"
	case LF, Mixed, None:
	}
	return "\n"
}

// endOf returns how the line end at an offset of the text is written.
func (v *View) endOf(offset int) string {
	raw := v.RawOffset(offset)
	r, n, _ := v.enc.decode(v.raw[raw:])
	if r != '\r' {
		return "\n"
	}
	if end := v.RawOffset(offset + 1); end > raw+n {
		return "\r\n"
	}
	return "\r"
}

// Encode returns text, whose lines end with LF, as raw bytes for an offset:
// with the line ends of that place and in the file's encoding.
func (v *View) Encode(text string, offset int) ([]byte, error) {
	if end := v.LineEndAt(offset); end != "\n" {
		text = strings.ReplaceAll(text, "\n", end)
	}
	return v.enc.Encode(text)
}

// Verbatim returns the text from start to end with its line ends as written.
func (v *View) Verbatim(start, end int) string {
	if v.marks == nil {
		return string(v.text[start:end])
	}
	w := View{enc: v.enc, keep: true}
	var out []byte
	for p := v.raw[v.RawOffset(start):v.RawOffset(end)]; len(p) > 0; {
		var n int
		out, n = w.unit(out, p)
		p = p[n:]
	}
	return string(out)
}

// Normalize gives text the line ends of a view: CRLF becomes LF, and so does
// CR alone where it ends the view's lines.
func (v *View) Normalize(text string) string {
	if v.keep || !strings.Contains(text, "\r") {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if v.ends == CR {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

// Cut returns the length of the longest start of piece that ends between two
// characters and not inside CRLF. At the end of a file nothing is cut off.
func Cut(piece []byte, e Encoding) int {
	width := unitWidth(e)
	n := len(piece) / width * width
	switch e.kind {
	case kindUTF8:
		for back := 1; back < utf8.UTFMax && back <= n; back++ {
			if utf8.RuneStart(piece[n-back]) {
				if !utf8.FullRune(piece[n-back : n]) {
					n -= back
				}
				break
			}
		}
	case kindUTF16:
		if n >= 2 {
			if u := e.order().Uint16(piece[n-2:]); u >= 0xD800 && u <= 0xDBFF {
				n -= 2
			}
		}
	case kindMulti, kindStateful:
		n = bytes.LastIndexByte(piece[:n], '\n') + 1
	case kindUTF32, kindSingle:
	}
	if n >= width {
		if r, _, ok := e.decode(piece[n-width : n]); ok && r == '\r' {
			n -= width
		}
	}
	return n
}
