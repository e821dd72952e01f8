// Package edit plans changes of a file's text as splices of its raw bytes, so
// that every byte outside a change stays: line ends, byte order mark, bytes
// that are not valid in the file's encoding.
//
// Text is matched on a view with LF line ends in UTF-8, and what goes in gets
// the encoding of the file and the line ends of its place. A plan says what to
// write; nothing here touches a file system.
package edit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// The strategies by which text is found, in the order they are tried.
const (
	Exact          = "exact"
	LineEnding     = "line_ending"
	TrailingBlanks = "trailing_blanks"
	Indentation    = "indentation"
	Punctuation    = "punctuation"
	Similar        = "similar"
	Regex          = "regex"
)

// Splice replaces the raw bytes from Start to End, exclusive, by New.
type Splice struct {
	Start, End int64
	New        []byte
}

// Plan is a change of one file. Splices are in ascending order and do not
// overlap; they count raw bytes of the file before the change.
type Plan struct {
	Splices []Splice
	Matches []facade.EditMatch // one per edit, in the order of the edits
	Count   int                // places that were replaced
}

// Options bounds the work. Nil and zero values are safe defaults.
type Options struct {
	MaxOutput  int64 // most bytes that a change may put in; 0 is 256 MiB
	MaxPattern int   // most bytes of a text to find or of a pattern; 0 is 1 MiB
	MaxMatches int   // most places to replace at once; 0 is 1,000,000
	// Spliced, when not nil, is told by [ReplaceStream] of every splice, in
	// order: its start in the raw bytes, and these before and after. It must not
	// keep them.
	Spliced func(start int64, old, new []byte)
	// Read, when not nil, is told by [ReplaceStream] of all that it reads, in
	// order. A part stays as it is until [Parts]-1 more were told, or for ever at
	// the end, so that somebody else can work on it meanwhile.
	Read func(part []byte)
}

// Parts is how many parts of a file [ReplaceStream] holds for [Options.Read].
const Parts = 4

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxOutput <= 0 {
		c.MaxOutput = 256 << 20
	}
	if c.MaxPattern <= 0 {
		c.MaxPattern = 1 << 20
	}
	if c.MaxMatches <= 0 {
		c.MaxMatches = 1_000_000
	}
	return c
}

// Size returns the size of the file after the change.
func Size(before int64, splices []Splice) int64 {
	for _, s := range splices {
		before += int64(len(s.New)) - (s.End - s.Start)
	}
	return before
}

// Apply returns raw with the splices done. raw itself is not changed.
func Apply(raw []byte, splices []Splice) []byte {
	out := make([]byte, 0, Size(int64(len(raw)), splices))
	at := int64(0)
	for _, s := range splices {
		out = append(out, raw[at:s.Start]...)
		out = append(out, s.New...)
		at = s.End
	}
	return append(out, raw[at:]...)
}

// bufferSize is what streaming holds of a file at a time.
const bufferSize = 256 << 10

// ApplyStream copies r, the raw bytes, to w with the splices done, and returns
// how many bytes it wrote. It holds one buffer of 256 KiB, and stops soon
// after ctx ends.
func ApplyStream(ctx context.Context, w io.Writer, r io.Reader, splices []Splice) (int64, error) {
	buf := make([]byte, bufferSize)
	var written, at int64
	for _, s := range splices {
		n, err := copyN(ctx, w, r, s.Start-at, buf)
		if written += n; err != nil {
			return written, err
		}
		m, err := w.Write(s.New)
		if written += int64(m); err != nil {
			return written, err
		}
		if _, err := copyN(ctx, io.Discard, r, s.End-s.Start, buf); err != nil {
			return written, err
		}
		at = s.End
	}
	n, err := copyN(ctx, w, r, -1, buf)
	return written + n, err
}

// copyN copies n bytes, or all when n is negative.
func copyN(ctx context.Context, w io.Writer, r io.Reader, n int64, buf []byte) (int64, error) {
	var done int64
	for n != done {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		want := len(buf)
		if n > 0 {
			want = int(min(int64(want), n-done))
		}
		got, err := r.Read(buf[:want])
		m, werr := w.Write(buf[:got])
		done += int64(m)
		switch {
		case werr != nil:
			return done, werr
		case err == io.EOF && n < 0:
			return done, nil
		case err == io.EOF && done == n:
			return done, nil
		case err == io.EOF:
			return done, fmt.Errorf("the file ended %d bytes before the change: %w", n-done, io.ErrUnexpectedEOF)
		case err != nil:
			return done, err
		}
	}
	return done, nil
}

// lineCounter gives line numbers of ascending offsets of a text.
type lineCounter struct {
	text []byte
	at   int
	line int64
}

func (c *lineCounter) number(offset int) int64 {
	c.line += int64(bytes.Count(c.text[c.at:offset], []byte{'\n'}))
	c.at = offset
	return c.line + 1
}

// linesOf returns the numbers of the lines at which the spans start.
func linesOf(text []byte, spans []Span) []int64 {
	c := lineCounter{text: text}
	lines := make([]int64, len(spans))
	for i, s := range spans {
		lines[i] = c.number(s.Start)
	}
	return lines
}

// Span is a stretch of a view's text, in bytes, and what to put there.
type Span struct {
	Start, End int
	New        string
}

// Splices turns spans of the view, in ascending order and not overlapping,
// into splices of its raw bytes.
func Splices(v *textenc.View, spans []Span, o *Options) ([]Splice, error) {
	return splices(v, spans, o.withDefaults())
}

func splices(v *textenc.View, spans []Span, o Options) ([]Splice, error) {
	if v.LineEnding() == textenc.Mixed {
		spans = unchangedLinesOut(v.Text(), spans)
	}
	out := make([]Splice, 0, len(spans))
	var total int64
	var last Span
	var lastEnd string
	var lastNew []byte
	for _, s := range spans {
		end := v.LineEndAt(s.Start)
		if len(out) == 0 || s.New != last.New || end != lastEnd {
			b, err := v.Encode(s.New, s.Start)
			if err != nil {
				return nil, err
			}
			last, lastEnd, lastNew = s, end, b
		}
		if total += int64(len(lastNew)); total > o.MaxOutput {
			return nil, tooLarge(o.MaxOutput)
		}
		out = append(out, Splice{int64(v.RawOffset(s.Start)), int64(v.RawOffset(s.End)), lastNew})
	}
	return slices.Clip(out), nil
}

func tooLarge(limit int64) error {
	return facade.Errorf(facade.CodeTooLarge, "the replacements exceed %d bytes", limit).
		WithHint("narrow the pattern, or replace in parts")
}
