package edit

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Substitution is the action replace on one file.
type Substitution struct {
	Old, New string
	Regex    bool // Old is an RE2 pattern, and $1 in New a group
	All      bool // replace every match
	Expected int  // replace exactly so many matches, or nothing; 0 is unset
}

// Replace plans a substitution in raw, the whole content of a file. Without
// All and Expected the match must be the only one. Text is found exactly or
// with other line ends; a pattern matches ^ and $ at each line.
//
// When ctx ends it returns at once; raw may still be read for a moment then.
//
// Errors: invalid_argument for empty or equal texts and bad patterns,
// no_match, ambiguous_match with the lines of every match, too_large above a
// limit, binary_content, unsupported_encoding.
func Replace(ctx context.Context, raw []byte, d textenc.Detection, s Substitution, o *Options) (Plan, error) {
	opts := o.withDefaults()
	if err := s.check(opts); err != nil {
		return Plan{}, err
	}
	return aside(ctx, s.Regex || len(raw) >= asideSize, func() (Plan, error) {
		if s.Regex {
			return replaceRegex(ctx, raw, d, s, opts)
		}
		return replaceLiteral(ctx, raw, d, s, opts)
	})
}

func replaceLiteral(ctx context.Context, raw []byte, d textenc.Detection, s Substitution, opts Options) (Plan, error) {
	view := textenc.NewView
	if s.onlyLineEnds() {
		view = textenc.NewVerbatimView
	}
	v, err := view(raw, d)
	if err != nil {
		return Plan{}, err
	}
	// These differ: what differs in line ends only is taken verbatim.
	before, after := v.Normalize(s.Old), v.Normalize(s.New)
	starts, err := occurrences(ctx, v.Text(), before, opts.MaxMatches)
	if err != nil {
		return Plan{}, err
	}
	strategy := Exact
	if strings.Contains(before, "\n") {
		strategy, starts = prefer(v, starts, s)
	}
	if err := s.verify(v.Text(), starts); err != nil {
		if len(starts) == 0 {
			err.WithHint("%s", Diagnose(ctx, v.Text(), before))
		}
		return Plan{}, err
	}
	return s.plan(v, before, after, starts, strategy, opts)
}

// check refuses what means nothing.
func (s Substitution) check(o Options) error {
	switch {
	case s.Old == "":
		return errEmpty("old_content")
	case s.Old == s.New && !s.Regex:
		return errSame("new_content", "old_content", "new_content")
	case len(s.Old) > o.MaxPattern:
		e := facade.Errorf(facade.CodeTooLarge, "old_content has %d bytes; the limit is %d", len(s.Old), o.MaxPattern)
		e.Field = "old_content"
		return e.WithHint("use modify with a range of lines")
	}
	return nil
}

// onlyLineEnds reports that old and new differ in nothing but line ends: then
// these are what the caller wants to change, and are taken as they are.
func (s Substitution) onlyLineEnds() bool {
	return strings.ContainsAny(s.Old+s.New, "\r") && unifyEnds(s.Old) == unifyEnds(s.New)
}

func unifyEnds(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// occurrences returns the offsets of the matches, which do not overlap.
func occurrences(ctx context.Context, text []byte, old string, limit int) ([]int, error) {
	needle := []byte(old)
	var starts []int
	for at := 0; ; {
		if len(starts)%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		n := bytes.Index(text[at:], needle)
		if n < 0 {
			return starts, nil
		}
		if len(starts) == limit {
			return nil, tooMany(limit)
		}
		starts = append(starts, at+n)
		at += n + len(needle)
	}
}

func tooMany(limit int) error {
	return facade.Errorf(facade.CodeTooLarge, "more than %d matches", limit).WithHint("make the text to find longer, or replace in parts")
}

// prefer tells matches with the line ends as given from others. A single one
// of the former wins.
func prefer(v *textenc.View, starts []int, s Substitution) (string, []int) {
	var exact []int
	length := len(v.Normalize(s.Old))
	for _, at := range starts {
		if v.Verbatim(at, at+length) == s.Old {
			exact = append(exact, at)
		}
	}
	switch {
	case len(exact) == len(starts), len(exact) == 1 && !s.All && s.Expected == 0:
		return Exact, exact
	}
	return LineEnding, starts
}

// verify checks the number of matches.
func (s Substitution) verify(text []byte, starts []int) *facade.Error {
	spans := make([]Span, len(starts))
	for i, at := range starts {
		spans[i].Start = at
	}
	return s.verifyLines(len(starts), func() []int64 { return linesOf(text, spans) })
}

func (s Substitution) verifyLines(count int, lines func() []int64) *facade.Error {
	what := "old_content"
	if s.Regex {
		what = "the pattern"
	}
	fail := func(code facade.Code, format string, args ...any) *facade.Error {
		e := facade.Errorf(code, format, args...)
		e.Field = "old_content"
		return e
	}
	switch {
	case count == 0:
		return fail(facade.CodeNoMatch, "%s does not occur in the file", what)
	case s.Expected > 0 && count != s.Expected:
		return fail(facade.CodeAmbiguousMatch, "expected %s, found %d, at %s", times(s.Expected, "match"), count, lineList(lines())).
			WithHint("nothing was changed; set expected_count=%d if these are the ones", count)
	case s.Expected == 0 && !s.All && count > 1:
		return fail(facade.CodeAmbiguousMatch, "%s occurs %d times, at %s", what, count, lineList(lines())).
			WithHint("make it longer by the lines around the one meant, or set replace_all=true or expected_count=%d", count)
	}
	return nil
}

// plan makes the splices of a literal substitution.
func (s Substitution) plan(v *textenc.View, before, after string, starts []int, strategy string, o Options) (Plan, error) {
	prefix, suffix := narrow(before, after)
	middle := after[prefix : len(after)-suffix]
	spans := make([]Span, len(starts))
	for i, at := range starts {
		spans[i] = Span{at + prefix, at + len(before) - suffix, middle}
	}
	out, err := splices(v, spans, o)
	if err != nil {
		return Plan{}, err
	}
	for i, at := range starts {
		spans[i].Start = at
	}
	match := facade.EditMatch{Strategy: strategy, Confidence: 1, Lines: linesOf(v.Text(), spans)}
	return Plan{Splices: out, Matches: []facade.EditMatch{match}, Count: len(starts)}, nil
}

func errEmpty(field string) error {
	return facade.InvalidArgument(field, "%s must not be empty", field).
		WithHint("to insert text use modify; to write a whole file use write")
}

func errSame(field, before, after string) error {
	return facade.InvalidArgument(field, "%s and %s are the same; nothing would change", before, after)
}

// maxListed bounds the line numbers in a message.
const maxListed = 50

func lineList(lines []int64) string {
	var b strings.Builder
	b.WriteString("line")
	if len(lines) != 1 {
		b.WriteByte('s')
	}
	for i, n := range lines {
		switch {
		case i == maxListed:
			fmt.Fprintf(&b, " and %d more", len(lines)-i)
			return b.String()
		case i > 0:
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}

func times(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ses", n, noun)
}
