package ignore

import "bytes"

// kind is one step of a compiled pattern.
type kind uint8

const (
	exact kind = iota // one given byte
	any1              // '?': one byte but '/'
	set               // '[...]': one byte of a set that never holds '/'
	star              // '*': any bytes but '/'
	deep              // '**' at the end: any bytes
	dirs              // '**/': nothing, or any bytes up to and with a '/'
)

// step is an element of a compiled pattern.
type step struct {
	kind  kind
	char  byte
	chars *charset
}

// wild is a compiled pattern with wildcards. It matches a path in time
// proportional to the pattern times the path, times the directories of the
// path when the pattern has '**'.
type wild []step

// compile translates a pattern; ok is false when it can never match: it ends
// in a backslash, or a '[' in it is malformed.
func compile(p string) (w wild, ok bool) {
	for i := 0; i < len(p); {
		switch p[i] {
		case '\\':
			if i+1 == len(p) {
				return nil, false
			}
			w = append(w, step{kind: exact, char: p[i+1]})
			i += 2
		case '?':
			w = append(w, step{kind: any1})
			i++
		case '[':
			chars, n := parseClass(p[i:])
			if n == 0 {
				return nil, false
			}
			w = append(w, step{kind: set, chars: chars})
			i += n
		case '*':
			s, n := parseStars(p, i)
			w = append(w, s)
			i += n
		default:
			w = append(w, step{kind: exact, char: p[i]})
			i++
		}
	}
	return w, true
}

// parseStars reads the run of '*' at i and returns its step and length. Only
// a run of two or more that fills a path element spans directories.
func parseStars(p string, i int) (step, int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	rest := p[end:]
	if end-i < 2 || i > 0 && p[i-1] != '/' {
		return step{kind: star}, end - i
	}
	switch {
	case rest == "" || len(rest) > 1 && rest[:2] == `\/`:
		return step{kind: deep}, end - i
	case rest[0] == '/':
		return step{kind: dirs}, end - i + 1
	}
	return step{kind: star}, end - i
}

// match reports whether the pattern matches all of s.
func (w wild) match(s []byte) bool {
	t, i := 0, 0
	starAt, starEnd := -1, 0 // the last '*' and the end of what it holds
	deepAt, deepEnd := -1, 0 // the last '**' likewise
	for {
		if t == len(w) {
			if i == len(s) {
				return true
			}
		} else {
			switch w[t].kind {
			case star:
				starAt, starEnd = t, i
				t++
				continue
			case deep, dirs:
				deepAt, deepEnd, starAt = t, i, -1
				t++
				continue
			default:
				if i < len(s) && w[t].matches(s[i]) {
					t, i = t+1, i+1
					continue
				}
			}
		}
		// Once a later wildcard was reached, the shortest text for the
		// earlier ones is as good as any, so only the last may grow.
		if starAt >= 0 && starEnd < len(s) && s[starEnd] != '/' {
			starEnd++
			t, i = starAt+1, starEnd
			continue
		}
		if deepAt < 0 {
			return false
		}
		if deepEnd = w[deepAt].grow(s, deepEnd); deepEnd < 0 {
			return false
		}
		t, i, starAt = deepAt+1, deepEnd, -1
	}
}

// grow returns the next end of what '**' may hold, or -1.
func (s step) grow(text []byte, end int) int {
	if s.kind == dirs {
		slash := bytes.IndexByte(text[end:], '/')
		if slash < 0 {
			return -1
		}
		return end + slash + 1
	}
	if end == len(text) {
		return -1
	}
	return end + 1
}

// matches reports whether a step for one byte accepts c.
func (s step) matches(c byte) bool {
	switch s.kind {
	case exact:
		return c == s.char
	case any1:
		return c != '/'
	default:
		return s.chars.has(c)
	}
}
