package edit

import (
	"context"
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/dfa"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
	"github.com/toolfacade/toolfacade/internal/regex"
)

// maxRegex bounds a pattern's source.
const maxRegex = 10 << 10

// replaceRegex plans a substitution by pattern. A pattern that names CR sees
// the line ends as they are written; others see LF.
func replaceRegex(ctx context.Context, raw []byte, d textenc.Detection, s Substitution, o Options) (Plan, error) {
	p, err := compile(s.Old)
	if err != nil {
		return Plan{}, err
	}
	view := textenc.NewView
	if namesCR(s.Old) {
		view = textenc.NewVerbatimView
	}
	v, err := view(raw, d)
	if err != nil {
		return Plan{}, err
	}
	x := expander{pattern: p, template: []byte(v.Normalize(s.New)), limit: o.MaxOutput, matches: o.MaxMatches, text: v.Text()}
	if !p.nowhere(x.text) {
		if err := x.run(ctx); err != nil {
			return Plan{}, err
		}
	}
	starts := make([]int, len(x.spans))
	for i, sp := range x.spans {
		starts[i] = sp.Start
	}
	if err := s.verify(x.text, starts); err != nil {
		return Plan{}, err
	}
	lines := linesOf(x.text, x.spans)
	changed := x.spans[:0]
	for i, sp := range x.spans {
		if !v.Valid(sp.Start, sp.End) {
			return Plan{}, facade.Errorf(facade.CodeUnsupportedEncoding, "the match at line %d covers bytes that are not valid %s", lines[i], v.Encoding().Name()).
				WithHint("narrow the pattern so that it does not cover them")
		}
		if n := narrowed(x.text, sp); n.Start < n.End || n.New != "" {
			changed = append(changed, n)
		}
	}
	if len(changed) == 0 {
		return Plan{}, facade.InvalidArgument("new_content", "every match is replaced by itself; nothing would change")
	}
	out, err := splices(v, changed, o)
	if err != nil {
		return Plan{}, err
	}
	match := facade.EditMatch{Strategy: Regex, Confidence: 1, Lines: lines}
	return Plan{Splices: out, Matches: []facade.EditMatch{match}, Count: len(lines)}, nil
}

// pattern is a compiled regular expression that can search from any offset.
type pattern struct {
	re       *regexp.Regexp
	tree     *syntax.Regexp
	behind   *regexp.Regexp // the same after one character that it sees; nil when it does not look back
	atStart  bool           // the text's very start means something to it
	crossing bool           // a match may depend on more than one line
}

// sifted is the length of text from which on it is worth to look first whether
// any line matches, with an automaton that takes the same time for all patterns.
const sifted = 1 << 20

// nowhere reports that the pattern surely matches no line of the text.
func (p *pattern) nowhere(text []byte) bool {
	if p.crossing || len(text) < sifted {
		return false
	}
	program, err := dfa.Compile(p.tree)
	return err == nil && program.NewMatcher().Find(text, 0) < 0
}

// compile parses a pattern with ^ and $ at each line.
func compile(source string) (*pattern, error) {
	if len(source) > maxRegex {
		return nil, facade.InvalidArgument("old_content", "the pattern has %d bytes; the limit is %d", len(source), maxRegex)
	}
	re, tree, err := regex.Compile("(?m)" + source)
	if err != nil {
		message := err.Error()
		e, ok := errors.AsType[*syntax.Error](err)
		if ok && e.Code == syntax.ErrLarge {
			return nil, facade.InvalidArgument("old_content", "the pattern is too large with its repetitions written out").
				WithHint("it may come to %d steps: lower the counts in {n,m}, or replace less at once", regex.MaxSteps)
		}
		if ok {
			message = e.Code.String() + " in " + strings.TrimPrefix(e.Expr, "(?m)")
		}
		return nil, facade.InvalidArgument("old_content", "bad regular expression: %s", message).
			WithHint("the syntax is RE2; without is_regex the text is taken literally")
	}
	p := &pattern{re: re, tree: tree, crossing: contains(tree, crosses), atStart: contains(tree, looksAtStart)}
	if contains(tree, looksBack) {
		p.behind, err = regexp.Compile(`\A(?s:.)(?s:.*?)((?m:` + source + `))`)
		if err != nil { // the pattern itself is just below a limit
			return nil, facade.InvalidArgument("old_content", "bad regular expression: it is too large or nests too deep")
		}
	}
	return p, nil
}

// find returns the first match at pos or later, as [regexp.Regexp.FindSubmatchIndex].
func (p *pattern) find(text []byte, pos int) []int {
	re, from := p.re, pos
	// A line's start looks the same as the text's, but to \A.
	if p.behind != nil && pos > 0 && (p.atStart || text[pos-1] != '\n') {
		_, n := utf8.DecodeLastRune(text[:pos])
		re, from = p.behind, pos-n
	}
	m := re.FindSubmatchIndex(text[from:])
	if m == nil {
		return nil
	}
	if re == p.behind {
		m = m[2:]
	}
	for i := range m {
		if m[i] >= 0 {
			m[i] += from
		}
	}
	return m
}

// contains reports whether a part of the expression is such.
func contains(re *syntax.Regexp, such func(*syntax.Regexp) bool) bool {
	return such(re) || slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return contains(sub, such) })
}

func looksAtStart(re *syntax.Regexp) bool { return re.Op == syntax.OpBeginText }

func looksBack(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	default:
		return false
	}
}

// crosses reports whether an operator matches LF or the text's start or end.
func crosses(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	default:
	}
	return false
}

func namesCR(pattern string) bool {
	for _, s := range []string{"\r", `\r`, `\x0d`, `\x0D`, `\x{d}`, `\x{D}`, `\015`} {
		if strings.Contains(pattern, s) {
			return true
		}
	}
	return false
}
