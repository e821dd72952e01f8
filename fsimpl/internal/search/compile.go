package search

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/regex"
)

// MaxPattern is the length of all patterns of a search together, in bytes.
const MaxPattern = 32 << 10

// Options say how to read the patterns.
type Options struct {
	Literal   bool // plain text instead of regular expressions
	FoldCase  bool // ignore upper and lower case
	Multiline bool // let the pattern match across lines; ^ and $ match at each
}

// Pattern is a compiled pattern. It may be used by several goroutines at once.
type Pattern struct {
	re        *regexp.Regexp
	steps     int // of re, as [regex.Steps] counts
	multiline bool
	wide      bool // matches depend on characters beyond ASCII
	keepCR    bool // the pattern mentions '\r'
	plan      plan
	edges     edges
}

// Compile translates patterns, any of which may match. An error is an invalid
// argument that names the field and says what is wrong.
func Compile(field string, patterns []string, opt *Options) (*Pattern, error) {
	if opt == nil {
		opt = &Options{}
	}
	expr, err := combine(patterns, opt)
	if err != nil {
		return nil, invalid(field, err)
	}
	re, ast, err := regex.Compile(expr)
	if err != nil {
		return nil, invalid(field, err)
	}
	// What cannot match a line's end is found line by line, which is faster and
	// comes to the same.
	multiline := opt.Multiline && crosses(ast)
	p := &Pattern{
		re:        re,
		steps:     regex.Steps(ast),
		multiline: multiline,
		wide:      dependsOnWide(ast),
		keepCR:    mentions(ast, '\r'),
	}
	if !opt.Multiline && mentions(ast, '\n') {
		return nil, facade.InvalidArgument(field, `the pattern contains a line break, but lines are searched one by one`).
			WithHint("set multiline=true to match across lines")
	}
	p.edges.expr, p.edges.multiline = expr, multiline
	p.plan = makePlan(ast, multiline)
	return p, nil
}

// combine joins patterns to one expression.
func combine(patterns []string, opt *Options) (string, error) {
	total := 0
	parts := make([]string, len(patterns))
	for i, text := range patterns {
		switch total += len(text); {
		case text == "":
			return "", errEmpty
		case total > MaxPattern:
			return "", fmt.Errorf("the pattern is longer than %d bytes", MaxPattern)
		}
		if opt.Literal {
			text = regexp.QuoteMeta(text)
		} else if _, err := syntax.Parse(text, syntax.Perl); err != nil {
			return "", err
		}
		parts[i] = text
	}
	flags := ""
	if opt.FoldCase {
		flags += "i"
	}
	if opt.Multiline {
		flags += "m"
	}
	return regex.Any(parts, flags), nil
}

// keywordsField is the parameter of find whose patterns are regular
// expressions on request only.
const keywordsField = "keywords_file_content"

var errEmpty = errors.New("the pattern is empty")

// invalid words what is wrong with a pattern for its author.
func invalid(field string, err error) error {
	reason, hint := err.Error(), "to search for the text as it stands, set literal=true"
	if field == keywordsField {
		hint = "to search for the text as it stands, leave out regex_keywords"
	}
	if errors.Is(err, errEmpty) {
		hint = "every line would match; to find files by name use the action find"
	}
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		reason = fmt.Sprintf("bad regular expression: %s: `%s`", e.Code, e.Expr)
		switch {
		case e.Code == syntax.ErrLarge:
			reason, hint = "the pattern is too large with its repetitions written out", fmt.Sprintf("it may come to %d steps: lower the counts in {n,m}, or search for less at once", regex.MaxSteps)
		case e.Code == syntax.ErrInvalidPerlOp:
			hint = "the syntax is RE2, which has no look-around; " + hint
		case strings.HasPrefix(e.Expr, "(?<=") || strings.HasPrefix(e.Expr, "(?<!"): // which the parser takes for a named group
			reason = fmt.Sprintf("bad regular expression: invalid or unsupported Perl syntax: `%s`", e.Expr[:4])
			hint = "the syntax is RE2, which has no look-around; " + hint
		case e.Code == syntax.ErrInvalidEscape && len(e.Expr) == 2 && e.Expr[1] >= '1' && e.Expr[1] <= '9':
			hint = "the syntax is RE2, which has no backreferences; " + hint
		}
	}
	return facade.InvalidArgument(field, "%s", reason).WithHint("%s", hint)
}

// crosses reports whether a match may have a line end in it, or depend on the
// start or the end of the text.
func crosses(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	default:
	}
	return slices.ContainsFunc(re.Sub, crosses) || re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n')
}

// mentions reports whether a literal of the expression contains r.
func mentions(re *syntax.Regexp, r rune) bool {
	if re.Op == syntax.OpLiteral {
		for _, c := range re.Rune {
			if c == r {
				return true
			}
		}
	}
	for _, sub := range re.Sub {
		if mentions(sub, r) {
			return true
		}
	}
	return false
}

// dependsOnWide reports whether the expression tells some characters beyond
// ASCII from others, so that text in a legacy encoding must be decoded before
// it is searched. The few that fold to ASCII letters do not count: no legacy
// encoding has them.
func dependsOnWide(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if c >= 0x80 {
				return true
			}
		}
	case syntax.OpCharClass:
		return classDependsOnWide(re.Rune)
	}
	for _, sub := range re.Sub {
		if dependsOnWide(sub) {
			return true
		}
	}
	return false
}

// Characters that fold to the ASCII letters s and k.
const (
	longS      = '\u017F'
	kelvinSign = '\u212A'
)

func classDependsOnWide(ranges []rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		switch {
		case hi < 0x80, lo == hi && (lo == longS || lo == kelvinSign):
		case lo <= 0x80 && hi == 0x10FFFF: // all of them
		default:
			return true
		}
	}
	return false
}
