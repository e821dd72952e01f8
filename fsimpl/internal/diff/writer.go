package diff

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// writer collects hunks until the output is full.
type writer struct {
	o    Options
	b    strings.Builder
	cut  bool
	left int // changed lines that did not fit
}

func newWriter(oldName, newName string, o Options) *writer {
	w := &writer{o: o}
	fmt.Fprintf(&w.b, "--- %s\n+++ %s\n", name("a/", oldName), name("b/", newName))
	return w
}

// note adds a line that is no part of the diff proper.
func (w *writer) note(format string, args ...any) {
	fmt.Fprintf(&w.b, "["+format+"]\n", args...)
	w.cut = true
}

func (w *writer) result() Result {
	if w.left > 0 {
		w.note("diff cut: %d more changed lines", w.left)
	}
	return Result{Text: w.b.String(), Cut: w.cut}
}

// hunks writes edits, in order, with their context. The lists may be windows
// of the texts: aBase and bBase are the lines before them.
func (w *writer) hunks(a, b [][]byte, edits []change, aBase, bBase int) {
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].aLo-edits[n-1].aHi <= 2*w.o.Context {
			n++
		}
		w.hunk(a, b, edits[:n], aBase, bBase)
		edits = edits[n:]
	}
}

func (w *writer) hunk(a, b [][]byte, edits []change, aBase, bBase int) {
	changed := 0
	for _, e := range edits {
		changed += e.aHi - e.aLo + e.bHi - e.bLo
	}
	if w.b.Len() >= w.o.MaxBytes {
		w.left += changed
		return
	}
	first, last := edits[0], edits[len(edits)-1]
	before := min(w.o.Context, first.aLo, first.bLo)
	after := min(w.o.Context, len(a)-last.aHi)
	aLo, bLo := first.aLo-before, first.bLo-before
	fmt.Fprintf(&w.b, "@@ -%s +%s @@\n", span(aLo+aBase, last.aHi+after-aLo), span(bLo+bBase, last.bHi+after-bLo))
	at := aLo
	for _, e := range edits {
		w.lines(' ', a[at:e.aLo])
		changed -= w.lines('-', a[e.aLo:e.aHi])
		changed -= w.lines('+', b[e.bLo:e.bHi])
		at = e.aHi
	}
	w.lines(' ', a[at:at+after])
	w.left += changed
}

// lines writes lines of one kind and returns how many fitted.
func (w *writer) lines(op byte, list [][]byte) int {
	for i, line := range list {
		if w.b.Len() >= w.o.MaxBytes {
			return i
		}
		w.b.WriteByte(op)
		body, ended := line, false
		if n := len(line); n > 0 && line[n-1] == '\n' {
			body, ended = line[:n-1], true
		}
		if len(body) > w.o.MaxLine {
			n := w.o.MaxLine
			for n > 0 && !utf8.RuneStart(body[n]) {
				n--
			}
			w.b.Write(body[:n])
			fmt.Fprintf(&w.b, "[%d more bytes]", len(body)-n)
			w.cut = true
		} else {
			w.b.Write(body)
		}
		w.b.WriteByte('\n')
		if !ended {
			w.b.WriteString("\\ No newline at end of file\n")
		}
	}
	return len(list)
}
