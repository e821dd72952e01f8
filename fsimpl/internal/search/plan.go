package search

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/fsimpl/internal/bytescan"
	"github.com/toolfacade/toolfacade/fsimpl/internal/dfa"
)

// plan is how candidate lines are found.
type plan struct {
	literals literals
	needles  []*bytescan.Needle // of the literals
	// also are other texts that every match contains: most lines that a literal
	// is in lack them, which is seen faster than what an automaton sees.
	also []*bytescan.Needle
	// exact says that a literal, where found, is itself the match.
	exact bool
	// program tells which lines may match; nil when the expression is too
	// large for it, or exact.
	program *dfa.Program
}

// makePlan chooses how to find the lines that may match: by literals when
// there are any worth it, else by an automaton, which also sifts the lines
// that the literals are in.
func makePlan(ast *syntax.Regexp, multiline bool) plan {
	simple := ast.Simplify()
	for simple.Op == syntax.OpCapture {
		simple = simple.Sub[0]
	}
	p := plan{literals: required(simple)}
	for _, text := range p.literals.texts {
		if strings.Contains(text, "\n") && !multiline {
			p.literals = literals{} // no line contains it
		}
	}
	p.exact = isExact(simple, p.literals)
	if !p.exact && !multiline {
		if program, err := dfa.Compile(ast); err == nil {
			p.program = program
		}
		if p.program != nil && p.literals.common() {
			p.literals = literals{}
		}
	}
	for _, text := range p.literals.texts {
		p.needles = append(p.needles, bytescan.New(text, p.literals.fold, bytescan.Rarity))
	}
	if !p.exact && !multiline && len(p.needles) > 0 {
		p.also = others(simple, p.literals)
	}
	return p
}

// others returns the texts that the parts of an expression require beside best.
func others(re *syntax.Regexp, best literals) []*bytescan.Needle {
	if re.Op != syntax.OpConcat {
		return nil
	}
	var also []*bytescan.Needle
	for _, sub := range re.Sub {
		l := required(sub)
		if len(l.texts) == 1 && len(l.texts[0]) > 1 && !strings.Contains(l.texts[0], "\n") && !slices.Equal(l.texts, best.texts) {
			also = append(also, bytescan.New(l.texts[0], l.fold, bytescan.Rarity))
		}
	}
	return also
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
