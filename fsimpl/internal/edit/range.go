package edit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Range is the action modify on one file. Offsets count from 0 and End is
// inclusive: -1 is the end of the file, Start-1 inserts before Start. (With
// Start 0 an End of -1 is the end of the file.)
type Range struct {
	Start, End int64
	New        string
	Bytes      bool // offsets count raw bytes, not lines
}

// ReplaceRange plans the replacement of a range of raw, the whole content of a
// file.
//
// By lines, New is a list of lines whose last end may be missing: the lines
// get the ends of their place, a file without a final line end stays so, and
// an empty New deletes the lines. Start may be the number of lines, to append.
// By bytes, New goes in as it is, in the file's encoding; a range must not cut
// a character of a text, and binary content is allowed.
//
// Errors: invalid_argument for a range outside the file, binary_content,
// unsupported_encoding.
func ReplaceRange(raw []byte, d textenc.Detection, r Range, o *Options) (Plan, error) {
	if r.Bytes {
		return r.planBytes(raw, d)
	}
	v, err := textenc.NewView(raw, d)
	if err != nil {
		return Plan{}, err
	}
	s, err := r.lines(v)
	if err != nil {
		return Plan{}, err
	}
	line := linesOf(v.Text(), []Span{s})
	s = narrowed(v.Text(), s)
	match := facade.EditMatch{Strategy: Exact, Confidence: 1, Lines: line}
	plan := Plan{Matches: []facade.EditMatch{match}, Count: 1}
	if s.Start == s.End && s.New == "" {
		return plan, nil
	}
	plan.Splices, err = splices(v, []Span{s}, o.withDefaults())
	return plan, err
}

// lines returns the span of the view and its new text.
func (r Range) lines(v *textenc.View) (Span, error) {
	text := v.Text()
	count := int64(bytes.Count(text, []byte{'\n'}))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		count++
	}
	last, err := r.bounds(count, "lines")
	if err != nil {
		return Span{}, err
	}
	start := lineStart(text, 0, r.Start)
	end := start
	if last >= r.Start {
		end = lineStart(text, start, last-r.Start+1)
	}
	content := v.Normalize(r.New)
	if content == "" {
		return Span{start, end, ""}, nil
	}
	content = strings.TrimSuffix(content, "\n")
	open := len(text) > 0 && text[len(text)-1] != '\n'
	switch {
	case end < len(text) || !open:
		content += "\n"
	case start == len(text): // after a last line without an end
		content = "\n" + content
	}
	return Span{start, end, content}, nil
}

// bounds checks the range against a size and returns its last element, which
// is before Start for an insertion.
func (r Range) bounds(size int64, unit string) (int64, error) {
	last := r.End
	if last == -1 {
		last = size - 1
	}
	switch {
	case r.Start < 0 || r.Start > size:
		return 0, facade.InvalidArgument("start_offset_inclusive", "start_offset_inclusive %d is outside the file, which has %d %s", r.Start, size, unit).
			WithHint("offsets count from 0; %d appends", size)
	case last < r.Start-1:
		return 0, facade.InvalidArgument("end_offset_inclusive", "end_offset_inclusive %d is before start_offset_inclusive %d", r.End, r.Start).
			WithHint("%d inserts before %d", r.Start-1, r.Start)
	case last >= size:
		return 0, facade.InvalidArgument("end_offset_inclusive", "end_offset_inclusive %d is outside the file, which has %d %s", r.End, size, unit).
			WithHint("the last is %d; -1 stands for it", size-1)
	}
	return last, nil
}

// lineStart returns the offset n lines after the line that starts at from.
func lineStart(text []byte, from int, n int64) int {
	for ; n > 0; n-- {
		i := bytes.IndexByte(text[from:], '\n')
		if i < 0 {
			return len(text)
		}
		from += i + 1
	}
	return from
}

// planBytes splices raw offsets.
func (r Range) planBytes(raw []byte, d textenc.Detection) (Plan, error) {
	last, err := r.bounds(int64(len(raw)), "bytes")
	if err != nil {
		return Plan{}, err
	}
	start, end := int(r.Start), int(last+1)
	content := []byte(r.New)
	if !d.Binary {
		for field, at := range map[string]int{"start_offset_inclusive": start, "end_offset_inclusive": end} {
			if n := inside(raw, at, d); n > 0 {
				return Plan{}, facade.InvalidArgument(field, "byte %d is inside a character that starts at byte %d", at, at-n)
			}
		}
		if content, err = d.Encoding.Encode(r.New); err != nil {
			return Plan{}, err
		}
	}
	plan := Plan{Matches: []facade.EditMatch{{Strategy: Exact, Confidence: 1, Lines: []int64{int64(bytes.Count(raw[:start], []byte{'\n'})) + 1}}}, Count: 1}
	if !bytes.Equal(raw[start:end], content) {
		plan.Splices = []Splice{{r.Start, last + 1, content}}
	}
	return plan, nil
}

// inside returns how far an offset is from the start of the character that it
// cuts; 0 when it cuts none. Only Unicode encodings can tell.
func inside(raw []byte, at int, d textenc.Detection) int {
	switch d.Encoding.Name() {
	case "utf-8":
		for n := 1; n < utf8.UTFMax && n <= at; n++ {
			if _, size := utf8.DecodeRune(raw[at-n:]); size > n {
				return n
			}
		}
	case "utf-16le", "utf-16be":
		if n := (at - d.BOM) % 2; n > 0 {
			return n
		}
		if at >= 2 && textenc.Cut(raw[at-2:at], d.Encoding) == 0 && at < len(raw) && !isCR(raw[at-2:at]) {
			return 2
		}
	case "utf-32le", "utf-32be":
		return max(0, (at-d.BOM)%4)
	}
	return 0
}

func isCR(unit []byte) bool { return unit[0]+unit[1] == '\r' && unit[0]*unit[1] == 0 }
