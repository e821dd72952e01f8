package search

import "bytes"

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
func (p *Pattern) newFinder() finder {
	if len(p.plan.literals.texts) == 1 && !p.plan.literals.fold {
		return plainFinder{[]byte(p.plan.literals.texts[0])}
	}
	return everyLine{}
}

type plainFinder struct{ text []byte }

func (plainFinder) reset() {}

func (f plainFinder) next(b []byte, from int) int {
	i := bytes.Index(b[from:], f.text)
	if i < 0 {
		return -1
	}
	return from + i
}

// locate returns where the pattern first matches in a line; at is what the
// finder returned, relative to the line.
func (p *Pattern) locate(line []byte, at int) (start, end int, ok bool) {
	if p.plan.exact {
		if n := p.plan.lengthAt(line, at); n > 0 {
			return at, at + n, true
		}
		return 0, 0, false // the literal is in the line's ending
	}
	loc := p.re.FindIndex(line)
	if loc == nil {
		return 0, 0, false
	}
	return loc[0], loc[1], true
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
