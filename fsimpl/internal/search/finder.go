package search

import (
	"github.com/toolfacade/toolfacade/fsimpl/internal/bytescan"
	"github.com/toolfacade/toolfacade/fsimpl/internal/dfa"
)

// finder finds lines that may match. It keeps state, so each searcher has its
// own.
type finder interface {
	// reset prepares for another text.
	reset()
	// next returns a position in the first line of b that may match; from is
	// where a line starts. A literal finder returns where the literal is.
	// It returns -1 when no line can match.
	next(b []byte, from int) int
}

// everyLine lets every line match.
type everyLine struct{}

func (everyLine) reset() {}

func (everyLine) next(b []byte, from int) int {
	if from >= len(b) {
		return -1
	}
	return from
}

// newFinder returns the finder of a plan.
func (p *plan) newFinder() finder {
	switch {
	case len(p.needles) == 1:
		return oneFinder{p.needles[0]}
	case len(p.needles) > 1:
		return &anyFinder{needles: p.needles, seen: make([]int, len(p.needles))}
	case p.program != nil:
		return &dfaFinder{p.program.NewMatcher()}
	}
	return everyLine{}
}

// dfaFinder runs an automaton. Once that has given up, every line may match.
type dfaFinder struct{ matcher *dfa.Matcher }

func (dfaFinder) reset() {}

func (f *dfaFinder) next(b []byte, from int) int { return f.matcher.Find(b, from) }

// oneFinder looks for one text.
type oneFinder struct{ needle *bytescan.Needle }

func (oneFinder) reset() {}

func (f oneFinder) next(b []byte, from int) int {
	i := f.needle.Index(b[from:])
	if i < 0 {
		return -1
	}
	return from + i
}

// anyFinder looks for several texts and remembers where each comes next.
type anyFinder struct {
	needles []*bytescan.Needle
	seen    []int
}

func (f *anyFinder) reset() {
	for i := range f.seen {
		f.seen[i] = -1
	}
}

func (f *anyFinder) next(b []byte, from int) int {
	first := len(b)
	for i, at := range f.seen {
		if at < from {
			if at = f.needles[i].Index(b[from:]); at >= 0 {
				at += from
			} else {
				at = len(b)
			}
			f.seen[i] = at
		}
		first = min(first, at)
	}
	if first == len(b) {
		return -1
	}
	return first
}

// locate returns where the pattern first matches in a line; at is what the
// finder returned, relative to the line.
func (s *Searcher) locate(line []byte, at int) (start, end int, ok bool, err error) {
	if s.p.plan.exact {
		if n := s.p.plan.lengthAt(line, at); n > 0 {
			return at, at + n, true, nil
		}
		return 0, 0, false, nil // the literal is in the line's ending
	}
	for _, text := range s.p.plan.also {
		if text.Index(line) < 0 {
			return 0, 0, false, nil
		}
	}
	if s.filter != nil && !s.filter.Match(line) {
		return 0, 0, false, nil
	}
	loc, err := s.find(s.p.re, line)
	if loc == nil {
		return 0, 0, false, err
	}
	return loc[0], loc[1], true, nil
}

// lengthAt returns the length of the literal at a position of the line: of the
// first in the order of the pattern, as regexps prefer.
func (p *plan) lengthAt(line []byte, at int) int {
	for _, text := range p.literals.texts {
		if len(line)-at < len(text) {
			continue
		}
		got := line[at : at+len(text)]
		if string(got) == text || p.literals.fold && equalFold(got, text) {
			return len(text)
		}
	}
	return 0
}

// equalFold compares ASCII text; lower is in lower case.
func equalFold(b []byte, lower string) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return len(b) == len(lower)
}
