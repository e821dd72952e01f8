// Package regex bounds the regular expressions that callers send. Package
// regexp takes time that is linear in the text, but the factor is the size of
// the compiled expression, and counted repetitions multiply that: of
// `(?:a?){1000}` a hundred times, 1,200 bytes, become 200,000 instructions.
package regex

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// MaxSteps is how large an expression may be, as [Steps] counts. At that size
// package regexp takes up to a second for 8 KiB of text, and the compiled form
// some megabytes.
const MaxSteps = 10_000

// literalStep is how many characters of plain text count as one step: they take
// memory, but next to no time.
const literalStep = 16

// Compile is [regexp.Compile] for expressions of up to [MaxSteps]. Larger ones
// are a [syntax.Error] with [syntax.ErrLarge], which package syntax has for what
// is far larger.
func Compile(expr string) (*regexp.Regexp, *syntax.Regexp, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, nil, err
	}
	if Steps(tree) > MaxSteps {
		return nil, nil, &syntax.Error{Code: syntax.ErrLarge, Expr: expr}
	}
	re, err := regexp.Compile(expr)
	return re, tree, err
}

// Any joins expressions, each of them valid, to one that matches what any of
// them matches, with flags as package syntax has them in a group.
func Any(exprs []string, flags string) string {
	expr := strings.Join(exprs, "|")
	if len(exprs) > 1 {
		expr = "(?:" + strings.Join(exprs, ")|(?:") + ")"
	}
	if flags != "" {
		expr = "(?" + flags + ":" + expr + ")"
	}
	return expr
}

// Steps tells how large an expression is when its repetitions are written out.
// A step is an operator, a class of characters, or some characters of plain
// text.
func Steps(re *syntax.Regexp) int {
	steps := 0
	for _, sub := range re.Sub {
		steps += Steps(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		steps = len(re.Rune) / literalStep
	case syntax.OpRepeat:
		steps *= max(re.Max, re.Min+1)
	default:
	}
	return steps + 1
}
