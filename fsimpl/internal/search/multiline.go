package search

import (
	"bytes"
	"errors"
	"io"
)

const (
	// windowSize is how much of a file a multiline pattern sees at once.
	windowSize = 2 << 20
	// windowOverlap is what neighboring windows share: only a match longer
	// than this can be missed, in files larger than a window.
	windowOverlap = 512 << 10
)

// searchWhole searches a file for matches that may span lines, in a window
// that moves over the file.
func (s *Searcher) searchWhole(f io.Reader) error {
	r, n, err := s.begin(f)
	if s.binary {
		return nil
	}
	resume := 0 // where to go on in the window
	for {
		for err == nil && n == len(s.buf) && n < windowSize {
			s.grow(windowSize)
			n, err = s.fill(r, n)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		final := errors.Is(err, io.EOF)
		n = s.stripCR(n)
		used, serr := s.searchWindow(s.buf[:n], &resume, final)
		if serr != nil || final || s.stopped {
			return serr
		}
		n = copy(s.buf, s.buf[used:n])
		n, err = s.fill(r, n)
	}
}

// stripCR turns "\r\n" in the first n bytes of the buffer into "\n" and returns
// how many are left. A "\r" at their end waits for what comes next.
func (s *Searcher) stripCR(n int) int {
	b := s.buf[:n]
	from := bytes.Index(b, []byte("\r\n"))
	if from < 0 || s.p.keepCR {
		return n
	}
	to := from
	for from < n {
		next := bytes.Index(b[from+1:], []byte("\r\n"))
		if next < 0 {
			next = n
		} else {
			next += from + 1
		}
		to += copy(b[to:], b[from+1:next])
		from = next
	}
	return to
}

// searchWindow finds the matches that start in the part of the window that
// the next one does not have, and returns the length of that part. Resume is
// where to start, and is set to where the next window starts.
func (s *Searcher) searchWindow(b []byte, resume *int, final bool) (int, error) {
	s.counted = 0
	limit := len(b)
	if !final {
		limit = max(1, len(b)-windowOverlap)
		if nl := bytes.LastIndexByte(b[:limit], '\n'); nl >= 0 {
			limit = nl + 1
		}
	}
	pos := *resume
	for pos < len(b) && !s.full {
		from, to, ok, err := s.nextMatch(b, pos, final)
		if err != nil {
			return limit, err
		}
		if !ok || from >= limit {
			break
		}
		last := max(from, to-1) // in the last line of the match
		end, next := lineEnd(b, last)
		if err := s.foundLines(b, from, to, end); err != nil || s.stopped {
			return limit, err
		}
		pos = next // the next match of interest starts on another line
		if err := s.ctx.Err(); err != nil {
			return limit, err
		}
	}
	*resume = max(0, pos-limit)
	s.rec.finish(b[:limit])
	s.stopped = s.stopped || s.full && !s.rec.waiting()
	s.count(b, limit)
	if nl := bytes.LastIndexByte(b[:limit], '\n'); nl >= 0 {
		s.piece = limit - nl - 1
	} else {
		s.piece += limit
	}
	return limit, nil
}

// nextMatch returns the first match at or after pos, where a line starts
// unless that line is longer than a window.
func (s *Searcher) nextMatch(b []byte, pos int, final bool) (from, to int, ok bool, err error) {
	if len(s.p.plan.needles) > 0 {
		s.finder.reset()
		if s.finder.next(b, pos) < 0 {
			return 0, 0, false, nil
		}
	}
	re := s.p.edges.get(pos == 0 && s.line == 0 && s.piece == 0, final)
	loc, err := s.find(re, b[pos:])
	if loc == nil || pos+loc[0] == len(b) && b[len(b)-1] == '\n' {
		return 0, 0, false, err // after the last line there is no line
	}
	return pos + loc[0], pos + loc[1], true, nil
}

// foundLines handles a match from a position to another; the last of its lines
// ends at end.
func (s *Searcher) foundLines(b []byte, from, to, end int) error {
	start := bytes.LastIndexByte(b[:from], '\n') + 1
	s.count(b, start)
	if ok, err := s.accept(b[start:end]); !ok || err != nil {
		return err
	}
	m := spot{start: start, end: max(end, from), from: from, to: to}
	if start == 0 {
		m.skipped = s.piece
	}
	s.record(b, m)
	return nil
}
