// Package bytescan finds short texts in large ones, with or without regard to
// the case of ASCII letters. On processors of the amd64 family with AVX2 it
// compares the two rarest bytes of the text at 64 places at once; elsewhere it
// goes from one occurrence of the rarest byte to the next.
package bytescan

import "bytes"

// Needle is a text to look for. It may be used by several goroutines at once.
type Needle struct {
	text []byte // in lower case when fold is set
	fold bool
	// The two rarest bytes, their positions, and the bits to set before
	// comparing: 0x20 makes letters lower case.
	at1, at2     int
	byte1, byte2 byte
	mask1, mask2 byte
}

// New returns the needle for a text, which must not be empty. With fold, ASCII
// letters match in both cases. Rarity rates how rare a byte is in what will be
// searched; nothing but speed depends on it.
func New(text string, fold bool, rarity func(b byte, fold bool) int) *Needle {
	n := &Needle{text: []byte(text), fold: fold}
	if fold {
		n.text = bytes.Clone(n.text)
		for i, c := range n.text {
			n.text[i] = lower(c)
		}
	}
	n.at1 = n.rarest(rarity, -1)
	n.at2 = n.at1
	if len(text) > 1 {
		n.at2 = n.rarest(rarity, n.at1)
	}
	n.byte1, n.mask1 = n.probe(n.at1)
	n.byte2, n.mask2 = n.probe(n.at2)
	return n
}

// Len returns the length of the text.
func (n *Needle) Len() int { return len(n.text) }

// rarest returns the position of the rarest byte but the one at not.
func (n *Needle) rarest(rarity func(byte, bool) int, not int) int {
	best, most := -1, 0
	for i, c := range n.text {
		if r := rarity(c, n.fold); i != not && (best < 0 || r > most) {
			best, most = i, r
		}
	}
	return best
}

func (n *Needle) probe(at int) (c, mask byte) {
	c = n.text[at]
	if n.fold && isLower(c) {
		mask = 0x20
	}
	return c, mask
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Index returns the position of the first occurrence in h, or -1.
func (n *Needle) Index(h []byte) int {
	places := len(h) - len(n.text) + 1 // where it may start
	i := 0
	for places-i >= minPlaces && hasPairIndex() {
		j := pairIndex(h[i+n.at1:], h[i+n.at2:], places-i, n.byte1, n.byte2, n.mask1, n.mask2)
		if j < 0 {
			return -1
		}
		if i += j; n.matches(h[i:]) {
			return i
		}
		i++
	}
	if i >= places {
		return -1
	}
	if j := n.indexPortable(h[i:]); j >= 0 {
		return i + j
	}
	return -1
}

// matches reports whether h starts with the text.
func (n *Needle) matches(h []byte) bool {
	h = h[:len(n.text)]
	if !n.fold {
		return string(h) == string(n.text)
	}
	for i, c := range n.text {
		if lower(h[i]) != c {
			return false
		}
	}
	return true
}
