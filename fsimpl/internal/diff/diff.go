// Package diff shows the difference of two texts as a unified diff. Time and
// output are bounded: what does not fit is cut, with a note.
package diff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Options bounds a diff. Nil and zero values are safe defaults.
type Options struct {
	Context  int // unchanged lines around a change; 0 is 3, negative none
	MaxBytes int // most bytes of output; 0 is 32 KiB
	MaxLine  int // most bytes shown of a line; 0 is 2000
	MaxEdits int // effort: edits between the halves of a part before it counts as changed altogether; 0 is 1000
	MaxInput int // most bytes of both texts together; 0 is 64 MiB
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	switch {
	case c.Context == 0:
		c.Context = 3
	case c.Context < 0:
		c.Context = 0
	}
	set := func(p *int, value int) {
		if *p <= 0 {
			*p = value
		}
	}
	set(&c.MaxBytes, 32<<10)
	set(&c.MaxLine, 2000)
	set(&c.MaxEdits, 1000)
	set(&c.MaxInput, 64<<20)
	return c
}

// Result is a diff.
type Result struct {
	Text string // "" when the texts are equal
	Cut  bool   // something is left out, so the text is for reading only
}

// Unified compares two UTF-8 texts line by line. Line ends count: a line that
// ends with CRLF keeps its CR. A name of "" stands for a file that does not
// exist, shown as /dev/null. An uncut result applied to before gives after.
func Unified(oldName, newName string, before, after []byte, o *Options) Result {
	opts := o.withDefaults()
	if bytes.Equal(before, after) {
		return Result{}
	}
	w := newWriter(oldName, newName, opts)
	if len(before)+len(after) > opts.MaxInput {
		w.note("%d bytes became %d; too large to compare", len(before), len(after))
		return w.result()
	}
	from, x, y := window(before, after, opts.Context)
	w.show(lines(x), lines(y), bytes.Count(before[:from], []byte{'\n'}))
	return w.result()
}

// show writes the changes that make the lines a the lines b, with base lines
// before both.
func (w *writer) show(a, b [][]byte, base int) {
	head, tail := common(a, b)
	x, y := intern(a[head:len(a)-tail], b[head:len(b)-tail])
	deleted, inserted := compare(x, y, w.o.MaxEdits)
	w.hunks(a, b, script(deleted, inserted, head), base, base)
}

// Content compares the contents of two files in any encoding. Text is decoded
// for display, with U+FFFD for bytes that are not valid; of other content only
// the sizes are told.
func Content(oldName, newName string, before, after []byte, o *Options) Result {
	if bytes.Equal(before, after) {
		return Result{}
	}
	x, ok := decoded(before)
	y, ok2 := decoded(after)
	if !ok || !ok2 {
		w := newWriter(oldName, newName, o.withDefaults())
		w.note("not text: %d bytes became %d", len(before), len(after))
		return w.result()
	}
	r := Unified(oldName, newName, x, y, o)
	if r.Text == "" { // the encoding or the byte order mark changed
		w := newWriter(oldName, newName, o.withDefaults())
		w.note("the same text in other bytes: %s became %s", describe(before), describe(after))
		return w.result()
	}
	if !utf8.ValidString(r.Text) {
		r.Text = strings.ToValidUTF8(r.Text, "\uFFFD")
	}
	return r
}

func decoded(raw []byte) ([]byte, bool) {
	d := textenc.Detect(raw)
	if d.Binary {
		return nil, false
	}
	if d.Name() == "utf-8" {
		return raw[d.BOM:], true
	}
	text, err := textenc.Decode(raw[d.BOM:], d.Encoding)
	return text, err == nil
}

func describe(raw []byte) string {
	d := textenc.Detect(raw)
	if d.BOM > 0 {
		return d.Name() + " with byte order mark"
	}
	return d.Name()
}

// lines cuts a text after each LF.
func lines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	all := bytes.SplitAfter(text, []byte{'\n'})
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// common returns how many lines two texts share at start and end.
func common(a, b [][]byte) (head, tail int) {
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	for tail < min(len(a), len(b))-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	return head, tail
}

// intern gives equal lines equal numbers.
func intern(a, b [][]byte) (x, y []int) {
	numbers := make(map[string]int, len(a))
	number := func(list [][]byte) []int {
		out := make([]int, len(list))
		for i, line := range list {
			n, ok := numbers[string(line)]
			if !ok {
				n = len(numbers)
				numbers[string(line)] = n
			}
			out[i] = n
		}
		return out
	}
	return number(a), number(b)
}

// change says that lines aLo to aHi of the old text became bLo to bHi.
type change struct{ aLo, aHi, bLo, bHi int }

// script joins marked lines into changes; head lines come before them.
func script(deleted, inserted []bool, head int) []change {
	var out []change
	for i, j := 0, 0; i < len(deleted) || j < len(inserted); {
		if (i >= len(deleted) || !deleted[i]) && (j >= len(inserted) || !inserted[j]) {
			i, j = i+1, j+1
			continue
		}
		e := change{aLo: head + i, bLo: head + j}
		for i < len(deleted) && deleted[i] {
			i++
		}
		for j < len(inserted) && inserted[j] {
			j++
		}
		e.aHi, e.bHi = head+i, head+j
		out = append(out, e)
	}
	return out
}

// name writes a path as git does: quoted when it holds what would break the
// line.
func name(prefix, path string) string {
	if path == "" {
		return "/dev/null"
	}
	for _, r := range path {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7F || r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			return quoted(prefix + path)
		}
	}
	if strings.HasSuffix(path, " ") {
		return quoted(prefix + path)
	}
	return prefix + path
}

// quoted writes a name in quotes, with octal escapes for control characters
// and for bytes that are not ASCII.
func quoted(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7F:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// span writes a hunk's range: the number of the first line and how many.
func span(lo, n int) string {
	if n == 0 {
		return strconv.Itoa(lo) + ",0"
	}
	if n == 1 {
		return strconv.Itoa(lo + 1)
	}
	return strconv.Itoa(lo+1) + "," + strconv.Itoa(n)
}
