package search

import "regexp"

// asideWork is the length of text, times the steps of the expression, from
// which on a regular expression gets a goroutine of its own: what may take
// twentieths of a second.
const asideWork = 4 << 20

// find returns the first match in b. A regular expression cannot be interrupted
// and may take a tenth of a second for a megabyte, or a second for some
// kilobytes when it is large. So when the context ends a long search is left to
// itself: it ends some time, and keeps the buffer.
func (s *Searcher) find(re *regexp.Regexp, b []byte) ([]int, error) {
	if len(b)*s.p.steps < asideWork {
		return re.FindIndex(b), nil
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	found := make(chan []int, 1)
	go func() { found <- re.FindIndex(b) }()
	select {
	case loc := <-found:
		return loc, nil
	case <-s.ctx.Done():
		s.buf = nil
		return nil, s.ctx.Err()
	}
}
