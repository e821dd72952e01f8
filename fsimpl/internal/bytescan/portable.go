package bytescan

import "bytes"

// indexPortable is Index without vector instructions of its own.
func (n *Needle) indexPortable(h []byte) int {
	if !n.fold {
		return bytes.Index(h, n.text)
	}
	if n.mask1 == 0 {
		return n.indexBy(h, n.byte1, n.byte1)
	}
	return n.indexBy(h, n.byte1, n.byte1&^0x20)
}

// indexBy tries all places where the rarest byte has one of two values.
func (n *Needle) indexBy(h []byte, lower, upper byte) int {
	places := len(h) - len(n.text) + 1
	if places <= 0 {
		return -1
	}
	window := h[n.at1 : n.at1+places]
	nextLower, nextUpper := -1, -1
	for i := 0; i < places; {
		nextLower = nextIndex(window, lower, nextLower, i)
		p := nextLower
		if upper != lower {
			nextUpper = nextIndex(window, upper, nextUpper, i)
			p = min(p, nextUpper)
		}
		if p == places {
			return -1
		}
		if n.matches(h[p:]) {
			return p
		}
		i = p + 1
	}
	return -1
}

// nextIndex returns the first position of c at or after from, or len(h). Known
// is an answer for an earlier from.
func nextIndex(h []byte, c byte, known, from int) int {
	if known >= from {
		return known
	}
	if i := bytes.IndexByte(h[from:], c); i >= 0 {
		return from + i
	}
	return len(h)
}
