package patch

import (
	"bytes"
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Content is the text of a created file.
func (f File) Content() string {
	if len(f.Hunks) == 0 {
		return ""
	}
	return f.Hunks[0].after()
}

// Plan plans the hunks as a change of raw, the whole content of the file. The
// lines of a hunk must match exactly, but for the kind of line ends, at the
// line that its header names or else at one other place only: there is no
// fuzz. A deleted file's hunks must cover all of it.
//
// Errors, which name the hunk: no_match, ambiguous_match, and those of the
// text's encoding.
func (f File) Plan(ctx context.Context, raw []byte, d textenc.Detection, o *edit.Options) (edit.Plan, error) {
	v, err := textenc.NewVerbatimView(raw, d)
	if err != nil {
		return edit.Plan{}, err
	}
	strategy := edit.Exact
	spans, lines, err := f.locate(ctx, v)
	if err != nil && (d.LineEnding != textenc.LF || f.hasCR()) {
		if v, err = textenc.NewView(raw, d); err != nil {
			return edit.Plan{}, err
		}
		strategy = edit.LineEnding
		spans, lines, err = f.locate(ctx, v)
	}
	if err != nil {
		return edit.Plan{}, err
	}
	if f.Status == Deleted && len(f.Hunks) > 0 && (len(spans) != 1 || spans[0].Start != 0 || spans[0].End != len(v.Text())) {
		return edit.Plan{}, facade.Errorf(facade.CodeNoMatch, "%s has more lines than the patch deletes", f.OldPath).WithPath(f.OldPath)
	}
	for i := range spans {
		spans[i] = narrowed(v.Text(), spans[i])
	}
	plan := edit.Plan{Count: len(spans)}
	for _, line := range lines {
		plan.Matches = append(plan.Matches, facade.EditMatch{Strategy: strategy, Confidence: 1, Lines: []int64{line}})
	}
	plan.Splices, err = edit.Splices(v, spans, o)
	return plan, err
}

// narrowed leaves context lines out of a span, so that they stay as they are.
func narrowed(text []byte, s edit.Span) edit.Span {
	for s.Start < s.End {
		n := bytes.IndexByte(text[s.Start:s.End], '\n') + 1
		if n == 0 || !strings.HasPrefix(s.New, string(text[s.Start:s.Start+n])) {
			break
		}
		s.Start, s.New = s.Start+n, s.New[n:]
	}
	for s.Start < s.End {
		last := s.Start + bytes.LastIndexByte(text[s.Start:s.End-1], '\n') + 1
		rest, ok := strings.CutSuffix(s.New, string(text[last:s.End]))
		if !ok || rest != "" && !strings.HasSuffix(rest, "\n") {
			break
		}
		s.End, s.New = last, rest
	}
	return s
}

func (f File) hasCR() bool {
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if strings.Contains(l.Text, "\r") {
				return true
			}
		}
	}
	return false
}

// locate finds the place of each hunk, in order.
func (f File) locate(ctx context.Context, v *textenc.View) (spans []edit.Span, lines []int64, err error) {
	starts := lineStarts(v.Text())
	from, drift := 0, 0
	for _, h := range f.Hunks {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		l := locator{text: v.Text(), starts: starts, from: from, before: v.Normalize(h.before()), after: v.Normalize(h.after())}
		line, err := l.find(ctx, f.Path(), h, drift)
		if err != nil {
			return nil, nil, err
		}
		s := l.span(line)
		spans, lines = append(spans, s), append(lines, int64(line)+1)
		drift, from = line-h.first(), s.End
	}
	return spans, lines, nil
}

// first is the line, from 0, at which the header puts the hunk.
func (h Hunk) first() int {
	if h.OldLines == 0 {
		return h.OldStart // the hunk comes after that line
	}
	return h.OldStart - 1
}

// lineStarts lists the offsets of the lines, and the text's end.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			n = len(text) - at - 1
		}
		at += n + 1
		starts = append(starts, at)
	}
	return starts
}

// locator finds one hunk's old text.
type locator struct {
	text          []byte
	starts        []int
	from          int // offset behind the hunk before
	before, after string
}

// fits reports whether the old text is at a line.
func (l *locator) fits(line int) bool {
	if line < 0 || line >= len(l.starts) || l.starts[line] < l.from {
		return false
	}
	rest := l.text[l.starts[line]:]
	if !bytes.HasPrefix(rest, []byte(l.before)) {
		return len(rest) > 0 && l.unended() && string(rest) == strings.TrimSuffix(l.before, "\n")
	}
	return strings.HasSuffix(l.before, "\n") || l.before == "" || len(rest) == len(l.before)
}

// unended reports that the text's last line has no end: then a hunk's last
// line may have one, for want of the note that says so.
func (l *locator) unended() bool {
	return len(l.text) > 0 && l.text[len(l.text)-1] != '\n' && strings.HasSuffix(l.before, "\n")
}

// span is the stretch to replace.
func (l *locator) span(line int) edit.Span {
	start := l.starts[line]
	s := edit.Span{Start: start, End: start + len(l.before), New: l.after}
	if s.End > len(l.text) {
		s.End, s.New = len(l.text), strings.TrimSuffix(l.after, "\n")
	}
	if l.before == "" && start == len(l.text) && len(l.text) > 0 && l.text[start-1] != '\n' {
		s.New = "\n" + s.New
	}
	return s
}

// maxPlaces bounds the places that an error names.
const maxPlaces = 20

// find returns the line of the hunk: where the header says, moved as the hunk
// before was; else the only other place.
func (l *locator) find(ctx context.Context, path string, h Hunk, drift int) (int, error) {
	if line := h.first() + drift; l.fits(line) {
		return line, nil
	}
	if drift != 0 && l.fits(h.first()) {
		return h.first(), nil
	}
	if l.before == "" {
		return 0, facade.Errorf(facade.CodeNoMatch, "%s of %s inserts at a line outside the file, which has %d", h, path, len(l.starts)-1).WithPath(path)
	}
	var places []int
	for line := range l.starts {
		if l.fits(line) {
			places = append(places, line)
		}
		if len(places) == maxPlaces {
			break
		}
	}
	switch len(places) {
	case 1:
		return places[0], nil
	case 0:
		return 0, facade.Errorf(facade.CodeNoMatch, "%s of %s does not match the file", h, path).WithPath(path).
			WithHint("%s", edit.Diagnose(ctx, l.text, l.before))
	}
	for i := range places {
		places[i]++ // messages count from 1
	}
	return 0, facade.Errorf(facade.CodeAmbiguousMatch, "%s of %s matches at the lines %v, but not where its header says", h, path, places).
		WithPath(path).WithHint("correct the line number in the header or add lines of context")
}
