// Package textenc finds out how the text of a file is encoded, decodes and
// encodes it, and gives edits a [View]: UTF-8 text with LF line ends whose
// every offset maps back to the raw bytes, so that an edit rewrites only the
// bytes it means to.
package textenc

import (
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/toolfacade/toolfacade/facade"
)

// Binary is the name reported for content that is not text.
const Binary = "binary"

// LineEnding tells how the lines of a text end.
type LineEnding string

// The line endings. A CR alone ends lines only in a text without any LF; in
// other texts it is an ordinary character.
const (
	LF    LineEnding = "lf"
	CRLF  LineEnding = "crlf"
	CR    LineEnding = "cr"
	Mixed LineEnding = "mixed" // both LF and CRLF occur
	None  LineEnding = "none"  // a single line without an end
)

// kind is how characters are cut out of bytes.
type kind uint8

const (
	kindUTF8 kind = iota
	kindUTF16
	kindUTF32
	kindSingle   // one byte per character
	kindMulti    // up to four bytes per character, no state between them
	kindStateful // escape sequences switch character sets
)

// Encoding is a character encoding. The zero value is UTF-8.
type Encoding struct {
	name      string
	kind      kind
	bigEndian bool
	mark      bool // named with its byte order mark, as utf-8-sig
	charmap   *charmap.Charmap
	other     encoding.Encoding
}

// Name returns the encoding's lower-case IANA name, as "utf-8".
func (e Encoding) Name() string {
	if e.name == "" {
		return "utf-8"
	}
	return e.name
}

// String implements [fmt.Stringer].
func (e Encoding) String() string { return e.Name() }

// UTF8 is the encoding with that name.
func UTF8() Encoding { return Encoding{} }

func utf16(bigEndian bool) Encoding {
	if bigEndian {
		return Encoding{name: "utf-16be", kind: kindUTF16, bigEndian: true}
	}
	return Encoding{name: "utf-16le", kind: kindUTF16}
}

func utf32Encoding(bigEndian bool) Encoding {
	if bigEndian {
		return Encoding{name: "utf-32be", kind: kindUTF32, bigEndian: true}
	}
	return Encoding{name: "utf-32le", kind: kindUTF32}
}

func single(name string, m *charmap.Charmap) Encoding {
	return Encoding{name: name, kind: kindSingle, charmap: m}
}

// BOM returns the encoding's byte order mark; nil when it has none.
func (e Encoding) BOM() []byte {
	switch {
	case e.kind == kindUTF8:
		return []byte{0xEF, 0xBB, 0xBF}
	case e.kind == kindUTF16 && e.bigEndian:
		return []byte{0xFE, 0xFF}
	case e.kind == kindUTF16:
		return []byte{0xFF, 0xFE}
	case e.kind == kindUTF32 && e.bigEndian:
		return []byte{0, 0, 0xFE, 0xFF}
	case e.kind == kindUTF32:
		return []byte{0xFF, 0xFE, 0, 0}
	}
	return nil
}

// WritesBOM reports whether a new file of this encoding starts with its byte
// order mark: so for the names utf-8-sig, utf-16 and utf-32, which ask for it.
func (e Encoding) WritesBOM() bool { return e.mark }

// codec returns the streaming form of the encoding, without byte order mark.
func (e Encoding) codec() encoding.Encoding {
	switch e.kind {
	case kindUTF8:
		return unicode.UTF8
	case kindUTF16:
		return unicode.UTF16(unicode.Endianness(!e.bigEndian), unicode.IgnoreBOM)
	case kindUTF32:
		return utf32.UTF32(utf32.Endianness(!e.bigEndian), utf32.IgnoreBOM)
	case kindSingle:
		return e.charmap
	case kindMulti, kindStateful:
	}
	return e.other
}

// Lookup returns the encoding with an IANA name, a WHATWG label or one of the
// usual spellings (utf8, latin1, utf-8-sig); case and surrounding blanks do
// not matter. An unknown name is an invalid_argument error for the field
// file_encoding that proposes the nearest names; a known name without a codec
// is an unsupported_encoding error.
func Lookup(name string) (Encoding, error) {
	key := strings.ToLower(strings.TrimSpace(name))
	if e, ok := byAlias(key); ok {
		return e, nil
	}
	if e, err := ianaindex.IANA.Encoding(key); err == nil {
		if e == nil || strings.HasPrefix(key, "hz") {
			return Encoding{}, facade.Errorf(facade.CodeUnsupportedEncoding, "encoding %q has no codec here", name).
				WithHint("supported: %s", strings.Join(Names(), ", "))
		}
		return fromText(key, e), nil
	}
	if e, err := htmlindex.Get(key); err == nil && !strings.HasPrefix(key, "x-user") && key != "replacement" {
		return fromText(key, e), nil
	}
	err := facade.InvalidArgument("file_encoding", "unknown encoding %q", name)
	if near := nearest(key); len(near) > 0 {
		return Encoding{}, err.WithHint("nearest names: %s", strings.Join(near, ", "))
	}
	return Encoding{}, err.WithHint("supported: %s", strings.Join(Names(), ", "))
}

// byAlias knows the Unicode encodings, which need no table of bytes, and names
// that the registries lack or, as WHATWG for latin1, give another meaning.
func byAlias(key string) (Encoding, bool) {
	marked := func(e Encoding) Encoding { e.mark = true; return e }
	switch key {
	case "utf-8", "utf8":
		return UTF8(), true
	case "utf-8-sig", "utf-8-bom", "utf8-bom", "utf-8 with bom":
		return marked(UTF8()), true
	case "utf-16", "utf16":
		return marked(utf16(false)), true
	case "utf-16le", "utf16le", "utf-16-le", "ucs-2":
		return utf16(false), true
	case "utf-16be", "utf16be", "utf-16-be":
		return utf16(true), true
	case "utf-32", "utf32":
		return marked(utf32Encoding(false)), true
	case "utf-32le", "utf32le", "utf-32-le":
		return utf32Encoding(false), true
	case "utf-32be", "utf32be", "utf-32-be":
		return utf32Encoding(true), true
	case "iso-8859-1", "latin1", "latin-1", "iso8859-1", "ascii", "us-ascii":
		return single("iso-8859-1", charmap.ISO8859_1), true
	case "windows-1252", "cp1252", "cp-1252", "ansi":
		return single("windows-1252", charmap.Windows1252), true
	}
	return Encoding{}, false
}

func fromText(key string, e encoding.Encoding) Encoding {
	name := key
	if canonical, err := ianaindex.IANA.Name(e); err == nil && canonical != "" {
		name = strings.ToLower(canonical)
	}
	if m, ok := e.(*charmap.Charmap); ok {
		return single(name, m)
	}
	if strings.HasPrefix(name, "iso-2022") {
		return Encoding{name: name, kind: kindStateful, other: e}
	}
	return Encoding{name: name, kind: kindMulti, other: e}
}

// Names lists the names of the common encodings, for messages.
func Names() []string {
	return []string{
		"utf-8", "utf-8-sig", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "iso-8859-1", "iso-8859-2", "iso-8859-15",
		"windows-1250", "windows-1251", "windows-1252", "koi8-r", "macintosh",
		"shift_jis", "euc-jp", "iso-2022-jp", "gbk", "gb18030", "big5", "euc-kr",
	}
}

// nearest returns up to three names like key.
func nearest(key string) []string {
	names := Names()
	var near []string
	for range 3 {
		n := facade.Nearest(key, names)
		if n == "" {
			break
		}
		near = append(near, n)
		names = slices.DeleteFunc(names, func(s string) bool { return s == n })
	}
	return near
}
