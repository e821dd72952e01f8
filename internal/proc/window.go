package proc

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ring keeps the last bytes written to it.
type ring struct {
	buf   []byte
	size  int
	total int64
}

func (r *ring) write(p []byte) {
	r.total += int64(len(p))
	if len(p) >= r.size {
		r.buf = append(r.buf[:0], p[len(p)-r.size:]...)
		return
	}
	// Up to twice the size is kept, so that moving the bytes costs little.
	if len(r.buf)+len(p) > 2*r.size {
		r.buf = append(r.buf[:0], r.buf[len(r.buf)-(r.size-len(p)):]...)
	}
	r.buf = append(r.buf, p...)
}

// bytes returns what is kept and the offset of its first byte.
func (r *ring) bytes() ([]byte, int64) {
	kept := r.buf
	if len(kept) > r.size {
		kept = kept[len(kept)-r.size:]
	}
	return kept, r.total - int64(len(kept))
}

// window keeps the start and the end of one output.
type window struct {
	head []byte
	tail ring
}

func newWindow(size int) window { return window{tail: ring{size: size}} }

func (w *window) write(p []byte) {
	if free := w.tail.size - len(w.head); free > 0 {
		n := min(free, len(p))
		w.head = append(w.head, p[:n]...)
	}
	w.tail.write(p)
}

// text returns the output as valid UTF-8, its middle replaced by a line that
// says how much is missing, and whether it is whole.
func (w *window) text() (string, bool) {
	tail, from := w.tail.bytes()
	gap := from - int64(len(w.head))
	if gap <= 0 {
		return valid(append(w.head[:len(w.head):len(w.head)], tail[-gap:]...)), true
	}
	head, tail := trimEnd(w.head), trimStart(tail)
	left := w.tail.total - int64(len(head)) - int64(len(tail))
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", valid(head), left, valid(tail)), false
}

func valid(p []byte) string { return strings.ToValidUTF8(string(p), "\uFFFD") }

// trimEnd cuts a character that p ends within.
func trimEnd(p []byte) []byte { return p[:len(p)-partial(p)] }

// trimStart cuts the rest of a character that p starts within.
func trimStart(p []byte) []byte {
	for i := 0; i < len(p) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(p[i]) {
			return p[i:]
		}
	}
	return p
}

// partial returns how many bytes at the end of p start a character without
// ending it.
func partial(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if c := p[len(p)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(p[len(p)-i:]) {
				return i
			}
			return 0
		}
	}
	return 0
}
