package ignore

import "strings"

// charset is a set of bytes.
type charset [4]uint64

func (c *charset) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }
func (c *charset) add(b byte)      { c[b>>6] |= 1 << (b & 63) }

func (c *charset) addRange(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		c.add(byte(b))
	}
}

// finish inverts the set when asked and takes '/' out of it.
func (c *charset) finish(negated bool) {
	if negated {
		for i := range c {
			c[i] = ^c[i]
		}
	}
	c['/'>>6] &^= 1 << ('/' & 63)
}

// parseClass reads the class at the start of p, "[...]", and returns the bytes
// it matches and its length; 0 when it is malformed.
func parseClass(p string) (*charset, int) {
	chars := new(charset)
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var prev byte // the start of a range, when the next byte is '-'
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0
		}
		if p[i] == ']' && !first {
			chars.finish(negated)
			return chars, i + 1
		}
		n := 0
		if prev, n = parseClassItem(p[i:], prev, chars); n == 0 {
			return nil, 0
		}
		i += n
	}
}

// parseClassItem reads one byte, range or named class at the start of p into
// chars. It returns the byte that may start a range, 0 for none, and the
// length read; 0 when malformed.
func parseClassItem(p string, prev byte, chars *charset) (byte, int) {
	switch {
	case p[0] == '\\':
		if len(p) < 2 {
			return 0, 0
		}
		chars.add(p[1])
		return p[1], 2
	case p[0] == '-' && prev != 0 && len(p) > 1 && p[1] != ']':
		n := 2
		if p[1] == '\\' {
			if n = 3; len(p) < n {
				return 0, 0
			}
		}
		chars.addRange(prev, p[n-1])
		return 0, n
	case strings.HasPrefix(p, "[:"):
		end := strings.IndexByte(p[2:], ']')
		if end < 0 {
			return 0, 0
		}
		if end == 0 || p[end+1] != ':' {
			break // not "[:name:]": an ordinary '['
		}
		if !chars.addNamed(p[2 : end+1]) {
			return 0, 0
		}
		return 0, end + 3
	}
	chars.add(p[0])
	return p[0], 1
}

// addNamed adds the ASCII bytes of a named class; false when there is none of
// that name.
func (c *charset) addNamed(name string) bool {
	switch name {
	case "alnum", "alpha", "xdigit", "digit", "lower", "upper":
		c.addLetters(name)
	case "blank":
		c.addAll(" \t")
	case "space":
		c.addAll(" \t\n\r")
	case "cntrl":
		c.addRange(0, 31)
		c.add(127)
	case "graph":
		c.addRange('!', '~')
	case "print":
		c.addRange(' ', '~')
	case "punct":
		c.addRange('!', '/')
		c.addRange(':', '@')
		c.addRange('[', '`')
		c.addRange('{', '~')
	default:
		return false
	}
	return true
}

func (c *charset) addLetters(name string) {
	switch name {
	case "xdigit":
		c.addRange('a', 'f')
		c.addRange('A', 'F')
	case "alnum", "alpha":
		c.addRange('a', 'z')
		c.addRange('A', 'Z')
	case "lower":
		c.addRange('a', 'z')
	case "upper":
		c.addRange('A', 'Z')
	}
	if name == "alnum" || name == "digit" || name == "xdigit" {
		c.addRange('0', '9')
	}
}

func (c *charset) addAll(s string) {
	for i := range len(s) {
		c.add(s[i])
	}
}
