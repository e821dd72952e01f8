package search

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// edges holds variants of a pattern for a piece of a line that is too long to
// be searched whole: where the piece does not begin or end with the line, ^
// and $ must not match.
type edges struct {
	expr string
	// multiline leaves the anchors of lines alone and takes those of the text
	// only.
	multiline bool
	once      [4]sync.Once
	variants  [4]*regexp.Regexp
}

// get returns the variant for a piece that holds the line's start, its end,
// both or neither.
func (e *edges) get(start, end bool) *regexp.Regexp {
	i := 0
	if start {
		i |= 1
	}
	if end {
		i |= 2
	}
	e.once[i].Do(func() {
		ast, err := syntax.Parse(e.expr, syntax.Perl)
		if err == nil {
			e.dropAnchors(ast, start, end)
			e.variants[i], err = regexp.Compile(ast.String())
		}
		if err != nil {
			e.variants[i] = regexp.MustCompile(e.expr) // valid: it was compiled before
		}
	})
	return e.variants[i]
}

// dropAnchors makes the anchors of missing edges match nothing.
func (e *edges) dropAnchors(re *syntax.Regexp, start, end bool) {
	missing := false
	switch re.Op {
	case syntax.OpBeginLine:
		missing = !start && !e.multiline
	case syntax.OpBeginText:
		missing = !start
	case syntax.OpEndLine:
		missing = !end && !e.multiline
	case syntax.OpEndText:
		missing = !end
	}
	if missing {
		re.Op, re.Flags = syntax.OpNoMatch, 0
	}
	for _, sub := range re.Sub {
		e.dropAnchors(sub, start, end)
	}
}
