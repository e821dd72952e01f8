package edit

import (
	"bytes"
	"context"
	"unicode/utf8"
)

// chunkSize is how much text one search of a pattern is given, where the
// pattern cannot match across lines: few enough bytes for the context to be
// looked at every few milliseconds.
const chunkSize = 256 << 10

// expander finds the matches of a pattern and expands the template for each.
type expander struct {
	pattern  *pattern
	template []byte
	text     []byte
	limit    int64 // bytes of all expansions
	matches  int
	size     int64
	spans    []Span
}

// run searches in pieces of whole lines where the pattern allows it.
func (x *expander) run(ctx context.Context) error {
	for at := 0; ; {
		end := len(x.text)
		if !x.pattern.crossing && end-at > chunkSize {
			if n := bytes.IndexByte(x.text[at+chunkSize:], '\n'); n >= 0 {
				end = at + chunkSize + n + 1
			}
		}
		if err := x.search(ctx, at, end); err != nil || end == len(x.text) {
			return err
		}
		at = end
	}
}

// search adds the matches of the piece from at to end. An empty match at the
// piece's end belongs to the next piece, which starts there.
func (x *expander) search(ctx context.Context, at, end int) error {
	piece, last := x.text[at:end], -1
	for pos := 0; pos <= len(piece); {
		if err := ctx.Err(); err != nil {
			return err
		}
		m := x.pattern.find(piece, pos)
		if m == nil || m[0] == len(piece) && end < len(x.text) {
			return nil
		}
		empty := m[1] == pos
		if !empty || m[0] != last {
			if err := x.add(m, piece, at); err != nil {
				return err
			}
		}
		last, pos = m[1], m[1]
		if empty {
			_, n := utf8.DecodeRune(piece[pos:])
			pos += max(n, 1)
		}
	}
	return nil
}

// add expands the template for a match.
func (x *expander) add(m []int, piece []byte, at int) error {
	if len(x.spans) == x.matches {
		return tooMany(x.matches)
	}
	text := x.pattern.re.Expand(nil, x.template, piece, m)
	if x.size += int64(len(text)); x.size > x.limit {
		return tooLarge(x.limit)
	}
	x.spans = append(x.spans, Span{m[0] + at, m[1] + at, string(text)})
	return nil
}
