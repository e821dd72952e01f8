// Package pathname carries file names through JSON. A Unix name is any bytes;
// JSON holds UTF-8. [Escape] writes each byte that is not part of valid UTF-8
// as \xHH, and the backslash of a literal \xHH as \x5c, so that [Unescape]
// returns exactly the name: what a tool lists can be sent back unchanged.
package pathname

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// Escape returns name in UTF-8. Names that are UTF-8 and hold no \xHH are
// returned as they are.
func Escape(name string) string {
	if utf8.ValidString(name) && !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && n == 1 || isEscape(name[i:]) {
			b.WriteString(`\x`)
			b.WriteByte(hexDigits[name[i]>>4])
			b.WriteByte(hexDigits[name[i]&15])
			i++
			continue
		}
		b.WriteString(name[i : i+n])
		i += n
	}
	return b.String()
}

// Line is [Escape] for messages: control characters, which could make a name
// look like several lines of a message, are written as in Go.
func Line(name string) string {
	name = Escape(name)
	if strings.IndexFunc(name, unicode.IsControl) < 0 && !strings.ContainsAny(name, "\u2028\u2029") {
		return name
	}
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}

// Unescape returns the bytes that an escaped name stands for. A backslash that
// does not start \xHH stands for itself.
func Unescape(name string) string {
	if !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		if isEscape(name[i:]) {
			b.WriteByte(hexValue(name[i+2])<<4 | hexValue(name[i+3]))
			i += 4
			continue
		}
		b.WriteByte(name[i])
		i++
	}
	return b.String()
}

// isEscape reports whether s starts with \xHH.
func isEscape(s string) bool {
	return len(s) >= 4 && s[0] == '\\' && s[1] == 'x' && isHex(s[2]) && isHex(s[3])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
