package search

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// headSize is how much of a file decides whether it is text, in bytes.
const headSize = 8 << 10

// Detector tells from the first bytes of a file, at most 8 KiB, how to turn it
// into UTF-8; nil when it is UTF-8 or should be taken as it is. It is asked
// only about files that begin with a byte order mark, hold NUL bytes or are
// not valid UTF-8.
type Detector func(head []byte) (decoder transform.Transformer, binary bool)

// DetectEncoding recognizes UTF-16 by its byte order mark or by where its NUL
// bytes are, takes other files with NUL bytes for binary, and what is not
// UTF-8 for Windows-1252.
func DetectEncoding(head []byte) (transform.Transformer, bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return nil, bytes.IndexByte(head, 0) >= 0
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder(), false
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder(), false
	case bytes.IndexByte(head, 0) >= 0:
		return detectUTF16(head)
	case validHead(head):
		return nil, false
	}
	return charmap.Windows1252.NewDecoder(), false
}

// detectUTF16 tells UTF-16 without a byte order mark from binary data: of text
// in a Western language nearly all high bytes are NUL and no low byte is.
func detectUTF16(head []byte) (transform.Transformer, bool) {
	var nuls [2]int
	for i, c := range head {
		if c == 0 {
			nuls[i&1]++
		}
	}
	units := len(head) / 2
	switch {
	case units < 2:
	case nuls[0] == 0 && nuls[1]*10 >= units*7:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder(), false
	case nuls[1] == 0 && nuls[0]*10 >= units*7:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder(), false
	}
	return nil, true
}

// validHead reports whether head is UTF-8, but for a character cut at its end.
func validHead(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut <= len(head); cut++ {
		rest := head[len(head)-cut:]
		if cut > 0 && (!utf8.RuneStart(rest[0]) || utf8.FullRune(rest)) {
			continue
		}
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return false
}
