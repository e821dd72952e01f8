package edit

import (
	"bytes"
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/bytescan"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

const (
	maxStreamLines   = 10_000 // line numbers that a streamed plan lists
	maxStreamSplices = 1_000  // splices that it lists, for a diff
)

// ReplaceStream does a literal substitution on its way from r, the whole of a
// file, to w, holding some 256 KiB, whatever the file's size. On an error what
// was written to w is to be thrown away: that there is one match only is known
// at the end.
//
// The plan's Count is complete; of lines it lists the first 10,000 and of
// splices, which show a diff but are done already, the first 1,000. Unlike
// [Replace] a match with exact line ends is not preferred to others. A pattern
// is an invalid_argument error: it needs the whole content.
func ReplaceStream(ctx context.Context, w io.Writer, r io.Reader, d textenc.Detection, s Substitution, o *Options) (Plan, error) {
	opts := o.withDefaults()
	if err := s.check(opts); err != nil {
		return Plan{}, err
	}
	if s.Regex {
		return Plan{}, facade.InvalidArgument("is_regex", "the file is too large for a regular expression")
	}
	v, err := textenc.NewPartView(nil, d, s.onlyLineEnds())
	if err != nil {
		return Plan{}, err
	}
	st := &streamer{w: w, r: r, d: d, s: s, o: opts, old: v.Normalize(s.Old), new: v.Normalize(s.New), exact: true, line: 1}
	st.needle = bytescan.New(st.old, false, bytescan.Rarity)
	st.prefix, st.suffix = narrow(st.old, st.new)
	if err := st.run(ctx); err != nil {
		return Plan{}, err
	}
	return st.result()
}

type streamer struct {
	w   io.Writer
	r   io.Reader
	d   textenc.Detection
	s   Substitution
	o   Options
	old string
	new string

	needle         *bytescan.Needle // for old
	prefix, suffix int
	parts          [][]byte // taken in turn
	turn           int
	size           int    // bytes of a part
	buf            []byte // raw bytes not yet written, of a part
	base           int64  // raw offset of buf[0]
	eof            bool
	line           int64 // number of the line at buf[0]
	count          int
	exact          bool
	lines          []int64
	splices        []Splice
	added          int64
}

func (st *streamer) run(ctx context.Context) error {
	st.size, st.parts = bufferSize+8*len(st.old), make([][]byte, 1)
	if st.o.Read != nil {
		st.parts = make([][]byte, Parts)
	}
	if err := st.fill(); err != nil {
		return err
	}
	if err := st.flush(min(st.d.BOM, len(st.buf)), nil); err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := st.fill(); err != nil {
			return err
		}
		if err := st.piece(); err != nil {
			return err
		}
		if st.eof && len(st.buf) == 0 {
			return nil
		}
	}
}

// fill reads until the buffer is full or the file ends.
func (st *streamer) fill() error {
	if st.eof || len(st.buf) >= st.size {
		return nil
	}
	part := &st.parts[st.turn%len(st.parts)]
	if st.turn++; cap(*part) < st.size {
		*part = make([]byte, 0, st.size)
	}
	buf := append((*part)[:0], st.buf...)
	from := len(buf)
	for !st.eof && len(buf) < st.size {
		n, err := st.r.Read(buf[len(buf):st.size])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			st.eof = true
		} else if err != nil {
			return err
		}
	}
	if st.o.Read != nil && len(buf) > from {
		st.o.Read(buf[from:])
	}
	st.buf = buf
	return nil
}

// piece does the matches in the buffer and writes all of it but what may be
// the start of a match.
func (st *streamer) piece() error {
	n := len(st.buf)
	if !st.eof {
		n = textenc.Cut(st.buf, st.d.Encoding)
	}
	if n == 0 && !st.eof { // no place to cut: a long line in a multi-byte encoding
		st.size *= 2
		return nil
	}
	v, err := textenc.NewPartView(st.buf[:n], st.d, st.s.onlyLineEnds())
	if err != nil {
		return err
	}
	text, at := v.Text(), 0
	spans, err := st.spans(v)
	if err != nil {
		return err
	}
	if len(spans) > 0 {
		at = spans[len(spans)-1].End + st.suffix
	}
	keep := len(text)
	if !st.eof {
		keep = max(at, len(text)-len(st.old)+1)
		for back := 0; back < utf8.UTFMax-1 && keep > at && keep < len(text) && !utf8.RuneStart(text[keep]); back++ {
			keep--
		}
	}
	out, err := splices(v, spans, st.o)
	if err != nil {
		return err
	}
	cut := v.RawOffset(keep)
	st.line += int64(bytes.Count(text[:keep], []byte{'\n'}))
	return st.flush(cut, out)
}

// spans finds and counts the matches of a piece.
func (st *streamer) spans(v *textenc.View) ([]Span, error) {
	text := v.Text()
	lines := lineCounter{text: text}
	var spans []Span
	for at := 0; ; {
		n := st.needle.Index(text[at:])
		if n < 0 {
			return spans, nil
		}
		at += n
		if st.count++; st.count > st.o.MaxMatches {
			return nil, tooMany(st.o.MaxMatches)
		}
		if len(st.lines) < maxStreamLines {
			st.lines = append(st.lines, st.line-1+lines.number(at))
		}
		end := at + st.needle.Len()
		if st.exact && strings.Contains(st.old, "\n") && v.Verbatim(at, end) != st.s.Old {
			st.exact = false
		}
		spans = append(spans, Span{at + st.prefix, end - st.suffix, st.new[st.prefix : len(st.new)-st.suffix]})
		at = end
	}
}

// flush writes the first n bytes of the buffer with the splices done.
func (st *streamer) flush(n int, out []Splice) error {
	at := int64(0)
	for _, s := range out {
		if st.added += int64(len(s.New)); st.added > st.o.MaxOutput {
			return tooLarge(st.o.MaxOutput)
		}
		if _, err := st.w.Write(st.buf[at:s.Start]); err != nil {
			return err
		}
		if _, err := st.w.Write(s.New); err != nil {
			return err
		}
		at = s.End
		if st.o.Spliced != nil {
			st.o.Spliced(s.Start+st.base, st.buf[s.Start:s.End], s.New)
		}
		if len(st.splices) < maxStreamSplices {
			st.splices = append(st.splices, Splice{s.Start + st.base, s.End + st.base, s.New})
		}
	}
	if _, err := st.w.Write(st.buf[at:n]); err != nil {
		return err
	}
	st.base += int64(n)
	st.buf = st.buf[n:]
	return nil
}

func (st *streamer) result() (Plan, error) {
	if err := st.s.verifyLines(st.count, func() []int64 { return st.lines }); err != nil {
		return Plan{}, err
	}
	strategy := Exact
	if !st.exact {
		strategy = LineEnding
	}
	match := facade.EditMatch{Strategy: strategy, Confidence: 1, Lines: st.lines}
	return Plan{Splices: st.splices, Matches: []facade.EditMatch{match}, Count: st.count}, nil
}
