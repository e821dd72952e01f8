package facadetest

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// asUTF16 encodes text without a byte order mark.
func asUTF16(order binary.AppendByteOrder, text string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

const (
	bomUTF8  = "\xef\xbb\xbf"
	bomLE    = "\xff\xfe"
	bomBE    = "\xfe\xff"
	greeting = "héllo ☕\nsecond 😀 line\n"
)

// encodingRules are about reading text that is not plain UTF-8.
func encodingRules() []filesRule {
	le, be := asUTF16(binary.LittleEndian, greeting), asUTF16(binary.BigEndian, greeting)
	return []filesRule{
		{
			Name:        "encoding/bom",
			Explanation: "A byte order mark tells the encoding and is not part of the content; bom reports it.",
			Run: func(f *filesTest) {
				for _, c := range []struct{ raw, encoding string }{
					{bomUTF8 + greeting, "utf-8"}, {bomLE + le, "utf-16le"}, {bomBE + be, "utf-16be"},
				} {
					f.seed("f.txt", c.raw)
					got := f.read("f.txt")
					equal(f, "content in "+c.encoding, got.Content, greeting)
					equal(f, "encoding", strings.ToLower(got.Encoding), c.encoding)
					equal(f, "bom in "+c.encoding, got.BOM, true)
					equal(f, "size is of the file", got.Size, int64(len(c.raw)))
					if got.Lines == nil || *got.Lines != 2 {
						f.Errorf("lines in %s are %v, want 2", c.encoding, got.Lines)
					}
					equal(f, "second line in "+c.encoding, f.read("f.txt", "start_line", 2).Content, "second 😀 line\n")
				}
			},
		},
		{
			Name:        "encoding/named",
			Explanation: "file_encoding decodes utf-16le, utf-16be, iso-8859-1, windows-1252 and other IANA names, in any case.",
			Run: func(f *filesTest) {
				f.seed("le", le, "be", be, "latin", "caf\xe9\n", "cp", "\x80 5\n", "greek", "\xe1\n")
				for _, c := range []struct{ path, encoding, want string }{
					{"le", "utf-16le", greeting},
					{"be", "UTF-16BE", greeting},
					{"latin", "iso-8859-1", "café\n"},
					{"latin", "ISO-8859-1", "café\n"},
					{"cp", "windows-1252", "€ 5\n"},
					{"greek", "iso-8859-7", "α\n"},
				} {
					got := f.read(c.path, "file_encoding", c.encoding)
					equal(f, c.path+" as "+c.encoding, got.Content, c.want)
				}
			},
		},
		{
			Name:        "encoding/auto",
			Explanation: "auto never puts U+FFFD in place of bytes: text that is not UTF-8 is decoded by a guess, which the reply names, or refused.",
			Run: func(f *filesTest) {
				f.seed("latin", "caf\xe9 cr\xe8me br\xfbl\xe9e, d\xe9j\xe0 vu\n")
				r := f.call("read", "path", "latin")
				if strings.ContainsRune(r.Text, '\uFFFD') {
					f.Errorf("the reply holds U+FFFD: %q", r.Text)
				}
				if r.Error != nil {
					f.fails("unsupported_encoding|binary_content", "read", "path", "latin")
					return
				}
				got := f.read("latin")
				if strings.EqualFold(got.Encoding, "utf-8") || !strings.Contains(got.Content, "café") {
					f.Errorf("auto reads %q as %s, want café in a named encoding", got.Content, got.Encoding)
				}
			},
		},
		{
			Name:        "encoding/errors",
			Explanation: "An unknown encoding name is invalid_argument; content that is not in the encoding named is unsupported_encoding, never U+FFFD.",
			Run: func(f *filesTest) {
				f.seed("latin", "caf\xe9\n")
				r := f.fails("invalid_argument", "read", "path", "latin", "file_encoding", "no-such-code")
				equal(f, "field", r.Error.Field, "file_encoding")
				f.fails("unsupported_encoding", "read", "path", "latin", "file_encoding", "utf-8")
			},
		},
	}
}
