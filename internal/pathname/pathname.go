// Package pathname writes file names that are not UTF-8 as text and reads them
// back. A stray byte becomes \xHH; a backslash that would otherwise read as
// such an escape becomes \x5c. Every other name stays as it is, so that the
// two functions are exact inverses of each other on what [Encode] returns.
package pathname

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// escapeLen is the length of \xHH.
const escapeLen = 4

// Encode returns name as valid UTF-8.
func Encode(name string) string {
	if utf8.ValidString(name) && !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		_, escape := unescape(name[i:])
		if r == utf8.RuneError && n == 1 || escape {
			c := name[i]
			b.Write([]byte{'\\', 'x', hexDigits[c>>4], hexDigits[c&15]})
			i++
			continue
		}
		b.WriteString(name[i : i+n])
		i += n
	}
	return b.String()
}

// Decode returns the name that Encode wrote as text. Text without escapes
// stands for itself.
func Decode(text string) string {
	if !strings.Contains(text, `\x`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if c, ok := unescape(text[i:]); ok {
			b.WriteByte(c)
			i += escapeLen
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// unescape returns the byte of the escape that s starts with.
func unescape(s string) (byte, bool) {
	if len(s) < escapeLen || s[0] != '\\' || s[1] != 'x' {
		return 0, false
	}
	high, low := digit(s[2]), digit(s[3])
	if high < 0 || low < 0 {
		return 0, false
	}
	return byte(high<<4 | low), true
}

// digit returns the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
