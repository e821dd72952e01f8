package facade

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions below walk JSON that json.Valid has accepted, without copying
// it. Only that makes them safe.

// walker goes through the members of an object or the elements of an array:
//
//	for w := walk(raw); w.next(); {
//		… w.key, w.value …
//	}
type walker struct {
	raw        []byte
	at         int    // where the next member starts, or the closing bracket
	key, value []byte // of the current member; an element has no key
}

// walk returns a walker before the first member of the object or array that
// starts at raw[0].
func walk(raw []byte) walker { return walker{raw: raw, at: space(raw, 1)} }

// next moves to the next member and reports whether there is one.
func (w *walker) next() bool {
	raw, i := w.raw, w.at
	if raw[i] == '}' || raw[i] == ']' {
		return false
	}
	if raw[0] == '{' {
		end := skipString(raw, i)
		w.key = raw[i:end]
		i = space(raw, space(raw, end)+1) // past the colon
	}
	end := skip(raw, i)
	w.value = raw[i:end]
	w.at = space(raw, end)
	if raw[w.at] == ',' {
		w.at = space(raw, w.at+1)
	}
	return true
}

// count returns the number of members.
func count(raw []byte) int {
	n := 0
	for w := walk(raw); w.next(); {
		n++
	}
	return n
}

// space returns the first index from i on that is not white space.
func space(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\n' || raw[i] == '\r') {
		i++
	}
	return i
}

// skip returns the index behind the value that starts at i.
func skip(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		return skipString(raw, i)
	case '{', '[':
		depth := 0
		for ; ; i++ {
			switch raw[i] {
			case '"':
				i = skipString(raw, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(raw) && raw[i] != ',' && raw[i] != '}' && raw[i] != ']' && raw[i] > ' ' {
		i++
	}
	return i
}

// skipString returns the index behind the string that starts at i.
func skipString(raw []byte, i int) int {
	i++
	end := i + bytes.IndexByte(raw[i:], '"')
	for {
		escape := bytes.IndexByte(raw[i:end], '\\')
		if escape < 0 {
			return end + 1
		}
		if i += escape + 2; i > end { // that quote was escaped
			end = i + bytes.IndexByte(raw[i:], '"')
		}
	}
}

var errSurrogate = errors.New(`has half of a surrogate pair (\uD800 to \uDFFF), which is no character`)

// unquote returns the text of a JSON string. Unlike encoding/json it refuses a
// lone surrogate rather than writing U+FFFD into somebody's file.
func unquote(quoted []byte) (string, error) {
	body := quoted[1 : len(quoted)-1]
	i := bytes.IndexByte(body, '\\')
	if i < 0 {
		return string(body), nil
	}
	var b strings.Builder
	b.Grow(len(body))
	for i >= 0 {
		b.Write(body[:i])
		r, n := unescape(body[i:])
		if n == 0 {
			return "", errSurrogate
		}
		b.WriteRune(r)
		body = body[i+n:]
		i = bytes.IndexByte(body, '\\')
	}
	b.Write(body)
	return b.String(), nil
}

// escapes are the characters behind a backslash that stand for others.
const escapes, escaped = "bfnrt", "\b\f\n\r\t"

// unescape reads the escape that s starts with, or two \uXXXX for a character
// beyond U+FFFF, and returns how many bytes it took; 0 for half a pair.
func unescape(s []byte) (rune, int) {
	if s[1] != 'u' {
		if i := strings.IndexByte(escapes, s[1]); i >= 0 {
			return rune(escaped[i]), 2
		}
		return rune(s[1]), 2 // a quote, a backslash or a slash
	}
	r := hex4(s)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) < 12 || s[6] != '\\' || s[7] != 'u' {
		return 0, 0
	}
	if r = utf16.DecodeRune(r, hex4(s[6:])); r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

func hex4(s []byte) rune {
	n, _ := strconv.ParseUint(string(s[2:6]), 16, 32)
	return rune(n)
}
