package search

import (
	"bytes"
	"unicode/utf8"
)

// searchPiece searches the next piece of a line longer than the buffer.
// Neighboring pieces overlap, so only a match longer than the overlap can be
// missed. It returns how much of b is done with, and whether that is the end
// of the line.
func (s *Searcher) searchPiece(b []byte, final bool) (used int, ended bool, err error) {
	first := s.piece == 0
	end, next := lineEnd(b, 0)
	last := final || bytes.IndexByte(b, '\n') >= 0
	if first {
		s.matched = false
		s.longStart = append(s.longStart[:0], b[:min(end, s.scope.maxContent()+utf8.UTFMax)]...)
		s.rec.belowLine(s.longStart)
	}
	if !s.matched && !s.full {
		if err := s.locatePiece(b[:end], first, last); err != nil || s.stopped {
			return next, last, err
		}
	}
	if !last {
		next = max(1, len(b)-overlap)
		s.piece += next
		return next, false, s.ctx.Err()
	}
	s.rec.aboveLine(s.longStart)
	s.stopped = s.full && !s.rec.waiting()
	s.piece = 0
	if next > end {
		s.line++
	}
	return next, true, s.ctx.Err()
}

// locatePiece looks for the first match of a long line in a piece of it.
func (s *Searcher) locatePiece(b []byte, first, last bool) error {
	if len(s.p.plan.needles) > 0 {
		s.finder.reset()
		if s.finder.next(b, 0) < 0 {
			return nil
		}
	}
	if s.filter == nil && s.p.plan.program != nil {
		s.filter = s.p.plan.program.NewMatcher()
	}
	if s.filter != nil && !s.filter.Match(b) {
		return nil // nor would a part of the piece, which has fewer starts and ends of lines
	}
	from, to, ok, err := s.findPiece(b, first, last)
	if !ok {
		return err
	}
	if !last && to == len(b) && from > len(b)-overlap {
		return nil // it may go on; the next piece has all of it
	}
	s.matched = true
	if ok, err := s.accept(b); !ok || err != nil {
		return err
	}
	s.record(b, spot{start: 0, end: len(b), from: from, to: to, skipped: s.piece, long: true})
	return nil
}

// findPiece returns the first match in a piece. The piece before has been
// searched up to where the two stop overlapping, so a match at the very start
// is there only because the byte before it is missing.
func (s *Searcher) findPiece(b []byte, first, last bool) (from, to int, ok bool, err error) {
	re := s.p.edges.get(first, last)
	for skip := 0; skip < len(b); {
		loc, err := s.find(re, b[skip:])
		if loc == nil {
			return 0, 0, false, err
		}
		if first || loc[0] > 0 || skip > overlap/2 {
			return skip + loc[0], skip + loc[1], true, nil
		}
		skip++
	}
	return 0, 0, false, nil
}
