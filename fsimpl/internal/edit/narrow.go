package edit

import (
	"strings"
	"unicode/utf8"
)

// narrow returns the lengths of what two texts share at their starts and at
// their ends, in whole characters and not overlapping in either text. Only
// what lies between is rewritten.
func narrow(before, after string) (prefix, suffix int) {
	for prefix < len(before) && prefix < len(after) {
		r, n := utf8.DecodeRuneInString(before[prefix:])
		q, m := utf8.DecodeRuneInString(after[prefix:])
		if r != q || n != m || before[prefix:prefix+n] != after[prefix:prefix+m] {
			break
		}
		prefix += n
	}
	rest := min(len(before), len(after)) - prefix
	for suffix < rest {
		r, n := utf8.DecodeLastRuneInString(before[:len(before)-suffix])
		q, m := utf8.DecodeLastRuneInString(after[:len(after)-suffix])
		if r != q || n != m || suffix+n > rest || before[len(before)-suffix-n:len(before)-suffix] != after[len(after)-suffix-m:len(after)-suffix] {
			break
		}
		suffix += n
	}
	return prefix, suffix
}

// narrowed returns the part of a span that really changes.
func narrowed(text []byte, s Span) Span {
	prefix, suffix := narrow(string(text[s.Start:s.End]), s.New)
	return Span{s.Start + prefix, s.End - suffix, s.New[prefix : len(s.New)-suffix]}
}

// unchangedLinesOut splits spans whose number of lines stays, so that lines in
// them that do not change keep their own line ends.
func unchangedLinesOut(text []byte, spans []Span) []Span {
	out := make([]Span, 0, len(spans))
	for _, s := range spans {
		before := strings.SplitAfter(string(text[s.Start:s.End]), "\n")
		after := strings.SplitAfter(s.New, "\n")
		if len(before) < 3 || len(before) != len(after) {
			out = append(out, s)
			continue
		}
		at := s.Start
		for i, line := range before {
			if line != after[i] {
				out = append(out, Span{at, at + len(line), after[i]})
			}
			at += len(line)
		}
	}
	return out
}

// narrowLines returns how many lines two lists share at start and end.
func narrowLines(before, after []string) (prefix, suffix int) {
	for prefix < len(before) && prefix < len(after) && before[prefix] == after[prefix] {
		prefix++
	}
	rest := min(len(before), len(after)) - prefix
	for suffix < rest && before[len(before)-1-suffix] == after[len(after)-1-suffix] {
		suffix++
	}
	return prefix, suffix
}

// splitLines cuts a text into lines without their ends. The text after a last
// LF is no line when it is empty, which ended reports.
func splitLines(text string) (lines []string, ended bool) {
	if text == "" {
		return nil, false
	}
	ended = strings.HasSuffix(text, "\n")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), ended
}
