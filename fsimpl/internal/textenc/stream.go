package textenc

import (
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// NewReader returns r decoded to UTF-8, line ends untouched. Bytes that are no
// character of the encoding are read as U+FFFD. r stands past the byte order
// mark, if the file has one.
func NewReader(r io.Reader, e Encoding) io.Reader {
	if e.kind == kindUTF8 {
		return transform.NewReader(r, validUTF8{})
	}
	return transform.NewReader(r, e.codec().NewDecoder())
}

// Decode returns raw as UTF-8, with U+FFFD for bytes that are no character of
// the encoding. raw starts past the byte order mark. Valid UTF-8 is shared,
// not copied.
func Decode(raw []byte, e Encoding) ([]byte, error) {
	if e.kind == kindUTF8 {
		if utf8.Valid(raw) {
			return raw, nil
		}
		out, _, err := transform.Bytes(validUTF8{}, raw)
		return out, err
	}
	return e.codec().NewDecoder().Bytes(raw)
}

// validUTF8 passes UTF-8 on with each invalid byte as U+FFFD.
type validUTF8 struct{ transform.NopResetter }

// Transform implements [transform.Transformer].
func (validUTF8) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if src[nSrc] < utf8.RuneSelf {
			if nDst == len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			dst[nDst] = src[nSrc]
			nDst, nSrc = nDst+1, nSrc+1
			continue
		}
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, n := utf8.DecodeRune(src[nSrc:])
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += n
	}
	return nDst, nSrc, nil
}

// Writer encodes UTF-8 text on its way to another writer. The first character
// that the encoding cannot hold fails it, naming the character.
type Writer struct {
	w    io.Writer
	e    Encoding
	rest []byte // the start of a character cut by a write's end
}

// NewWriter returns a [Writer] to w. With bom the encoding's byte order mark,
// where it has one, is written first.
func NewWriter(w io.Writer, e Encoding, bom bool) (*Writer, error) {
	if bom {
		if _, err := w.Write(e.BOM()); err != nil {
			return nil, err
		}
	}
	return &Writer{w: w, e: e}, nil
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	text := p
	if len(w.rest) > 0 {
		text = append(w.rest, p...)
	}
	n := len(text)
	for back := 1; back < utf8.UTFMax && back <= n; back++ {
		if utf8.RuneStart(text[n-back]) {
			if !utf8.FullRune(text[n-back:]) {
				n -= back
			}
			break
		}
	}
	if err := w.emit(text[:n]); err != nil {
		return 0, err
	}
	w.rest = append([]byte(nil), text[n:]...)
	return len(p), nil
}

// Close writes what a cut character left; it does not close the writer below.
func (w *Writer) Close() error { return w.emit(w.rest) }

func (w *Writer) emit(text []byte) error {
	b, err := w.e.Encode(string(text))
	if err != nil {
		return err
	}
	_, err = w.w.Write(b)
	return err
}
