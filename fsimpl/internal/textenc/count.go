package textenc

import (
	"bytes"
	"unicode/utf8"
)

// utf8Counter counts valid characters beyond ASCII and invalid bytes.
type utf8Counter struct {
	valid, invalid int64
	rest           [utf8.UTFMax]byte // the start of a character cut by a piece's end
	n              int
}

func (u *utf8Counter) feed(p []byte) {
	p = u.flush(p)
	for i := 0; i < len(p); {
		if p[i] < utf8.RuneSelf {
			i++
			continue
		}
		if !utf8.FullRune(p[i:]) {
			u.n = copy(u.rest[:], p[i:])
			return
		}
		i += u.count(p[i:])
	}
}

// flush completes a character that was cut, which is all there is to do before
// ASCII, and returns the rest of p.
func (u *utf8Counter) flush(p []byte) []byte {
	for u.n > 0 && len(p) > 0 {
		u.rest[u.n] = p[0]
		u.n, p = u.n+1, p[1:]
		u.drain(false)
	}
	return p
}

// drain counts what is complete in rest; at the end everything is.
func (u *utf8Counter) drain(end bool) {
	for u.n > 0 && (end || utf8.FullRune(u.rest[:u.n])) {
		size := u.count(u.rest[:u.n])
		u.n = copy(u.rest[:], u.rest[size:u.n])
	}
}

func (u *utf8Counter) count(p []byte) int {
	r, size := utf8.DecodeRune(p)
	switch {
	case r == utf8.RuneError && size == 1:
		u.invalid++
	case size > 1:
		u.valid++
	}
	return size
}

func (u *utf8Counter) result() (valid, invalid int64) {
	c := *u
	c.drain(true)
	return c.valid, c.invalid
}

// endCounter counts line ends in units of 1, 2 or 4 bytes.
type endCounter struct {
	width        int
	bigEndian    bool
	crlf, lf, cr int64
	afterCR      bool
	open         bool // the last line has no end yet
	rest         []byte
}

func (c *endCounter) feed(p []byte) {
	if c.width == 1 {
		c.feedBytes(p)
		return
	}
	if len(c.rest) > 0 {
		need := min(c.width-len(c.rest), len(p))
		c.rest, p = append(c.rest, p[:need]...), p[need:]
		if len(c.rest) < c.width {
			return
		}
		c.unit(c.ascii(c.rest))
		c.rest = c.rest[:0]
	}
	for ; len(p) >= c.width; p = p[c.width:] {
		c.unit(c.ascii(p))
	}
	c.rest = append(c.rest, p...)
}

// ascii returns the unit's character when it is one of ASCII, else 'x'.
func (c *endCounter) ascii(p []byte) byte {
	low, high := p[0], p[1:c.width]
	if c.bigEndian {
		low, high = p[c.width-1], p[:c.width-1]
	}
	for _, h := range high {
		if h != 0 {
			return 'x'
		}
	}
	return low
}

func (c *endCounter) unit(b byte) {
	switch {
	case b == '\n' && c.afterCR:
		c.crlf++
		c.cr--
	case b == '\n':
		c.lf++
	case b == '\r':
		c.cr++
	}
	c.afterCR = b == '\r'
	c.open = b != '\n'
}

func (c *endCounter) feedBytes(p []byte) {
	if len(p) == 0 {
		return
	}
	if c.afterCR {
		c.unit(p[0])
		if p = p[1:]; len(p) == 0 {
			return
		}
	}
	lf := int64(bytes.Count(p, []byte{'\n'}))
	if cr := int64(bytes.Count(p, []byte{'\r'})); cr > 0 {
		crlf := int64(bytes.Count(p, []byte("\r\n")))
		c.crlf += crlf
		c.cr += cr - crlf
		lf -= crlf
	}
	c.lf += lf
	last := p[len(p)-1]
	c.afterCR, c.open = last == '\r', last != '\n'
}

// result tells the kind of ends and the number of lines.
func (c *endCounter) result() (LineEnding, int64) {
	lines := c.crlf + c.lf
	if lines == 0 && c.cr > 0 {
		lines = c.cr
		if !c.afterCR {
			lines++
		}
		return CR, lines
	}
	if c.open || len(c.rest) > 0 {
		lines++
	}
	switch {
	case c.crlf > 0 && c.lf > 0:
		return Mixed, lines
	case c.crlf > 0:
		return CRLF, lines
	case c.lf > 0:
		return LF, lines
	}
	return None, lines
}

// unitWidth is the number of bytes of the smallest character.
func unitWidth(e Encoding) int {
	switch e.kind {
	case kindUTF16:
		return 2
	case kindUTF32:
		return 4
	case kindUTF8, kindSingle, kindMulti, kindStateful:
	}
	return 1
}
