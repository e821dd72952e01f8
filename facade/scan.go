package facade

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions below walk JSON that json.Valid has accepted, without copying
// it. Only that makes them safe.

// members calls fn for each member of the object at raw[0], with the quoted
// key and the bytes of the value.
func members(raw []byte, fn func(key, value []byte)) {
	i := space(raw, 1)
	for raw[i] != '}' {
		keyEnd := skip(raw, i)
		start := space(raw, space(raw, keyEnd)+1) // past the colon
		end := skip(raw, start)
		fn(raw[i:keyEnd], raw[start:end])
		i = space(raw, end)
		if raw[i] == ',' {
			i = space(raw, i+1)
		}
	}
}

// elements calls fn for each element of the array at raw[0].
func elements(raw []byte, fn func(value []byte)) {
	i := space(raw, 1)
	for raw[i] != ']' {
		end := skip(raw, i)
		fn(raw[i:end])
		i = space(raw, end)
		if raw[i] == ',' {
			i = space(raw, i+1)
		}
	}
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

func skipString(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

var errSurrogate = errors.New(`has half of a surrogate pair (\uD800 to \uDFFF), which is no character`)

// unquote returns the text of a JSON string. Unlike encoding/json it refuses a
// lone surrogate rather than writing U+FFFD into somebody's file.
func unquote(quoted []byte) (string, error) {
	body := quoted[1 : len(quoted)-1]
	i := 0
	for i < len(body) && body[i] != '\\' {
		i++
	}
	if i == len(body) {
		return string(body), nil
	}
	out := make([]byte, i, len(body))
	copy(out, body)
	for i < len(body) {
		if body[i] != '\\' {
			out = append(out, body[i])
			i++
			continue
		}
		switch c := body[i+1]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, n := unescape(body[i:])
			if n == 0 {
				return "", errSurrogate
			}
			out = utf8.AppendRune(out, r)
			i += n
			continue
		default: // a quote, a backslash or a slash
			out = append(out, c)
		}
		i += 2
	}
	return string(out), nil
}

// unescape reads \uXXXX, or two of them for a character beyond U+FFFF, and
// returns how many bytes it took; 0 for half a pair.
func unescape(s []byte) (rune, int) {
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
