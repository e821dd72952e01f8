package document

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// ReadAll returns the whole of a source, which is within the limit of bytes.
func ReadAll(src Source) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(src, 0, src.Size))
}

// DecodeText turns bytes into UTF-8 and names the encoding it found: by byte
// order mark, by the zero bytes of UTF-16, or UTF-8; else Windows-1252, which
// is a guess.
func DecodeText(data []byte) (text, name string, guessed bool) {
	enc, name := bom(data)
	switch {
	case enc != nil:
	case utf8.Valid(data):
		return string(data), "utf-8", false
	case halfZero(data, 1):
		enc, name = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le"
	case halfZero(data, 0):
		enc, name = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be"
	default:
		enc, name, guessed = charmap.Windows1252, "windows-1252", true
	}
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\uFFFD"), "utf-8", true
	}
	return strings.TrimPrefix(string(out), "\uFEFF"), name, guessed
}

func bom(data []byte) (encoding.Encoding, string) {
	for _, m := range []struct {
		mark string
		enc  encoding.Encoding
		name string
	}{
		{"\xef\xbb\xbf", unicode.UTF8BOM, "utf-8"},
		{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "utf-32le"},
		{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "utf-32be"},
		{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16le"},
		{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "utf-16be"},
	} {
		if bytes.HasPrefix(data, []byte(m.mark)) {
			return m.enc, m.name
		}
	}
	return nil, ""
}

// halfZero reports whether most bytes at odd (1) or even (0) offsets are zero,
// as in UTF-16 of western text.
func halfZero(data []byte, odd int) bool {
	n := min(len(data), 4096)
	zeros := 0
	for i := odd; i < n; i += 2 {
		if data[i] == 0 {
			zeros++
		}
	}
	return n >= 4 && zeros*10 > n*4
}

// DecodeCharset turns bytes of a named encoding into UTF-8. An unknown name
// is decoded like no name.
func DecodeCharset(data []byte, label string) string {
	if enc, _ := charset.Lookup(label); enc != nil {
		if out, err := enc.NewDecoder().Bytes(data); err == nil {
			return string(out)
		}
	}
	text, _, _ := DecodeText(data)
	return text
}
