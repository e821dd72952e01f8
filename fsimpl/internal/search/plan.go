package search

import (
	"regexp/syntax"
	"strings"

	"github.com/toolfacade/toolfacade/fsimpl/internal/bytescan"
)

// plan is how candidate lines are found.
type plan struct {
	literals literals
	needles  []*bytescan.Needle // of the literals
	// exact says that a literal, where found, is itself the match.
	exact bool
}

// makePlan chooses how to find the lines that may match.
func makePlan(ast *syntax.Regexp) plan {
	for ast.Op == syntax.OpCapture {
		ast = ast.Sub[0]
	}
	simple := ast.Simplify()
	p := plan{literals: required(simple)}
	p.exact = isExact(simple, p.literals)
	for _, text := range p.literals.texts {
		if strings.Contains(text, "\n") {
			return plan{} // only within a line is a text sure to be found
		}
	}
	for _, text := range p.literals.texts {
		p.needles = append(p.needles, bytescan.New(text, p.literals.fold, rarity))
	}
	return p
}

// isExact reports whether the expression is nothing but its literals.
func isExact(re *syntax.Regexp, l literals) bool {
	if l.fold {
		return re.Op == syntax.OpLiteral && len(l.texts) == 1 && len(l.texts[0]) == len(re.Rune)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(l.texts) == 1
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if sub.Op != syntax.OpLiteral {
				return false
			}
		}
		return len(l.texts) == len(re.Sub)
	}
	return false
}
