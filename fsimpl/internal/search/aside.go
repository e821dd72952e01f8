package search

import "regexp"

// asideSize is the length of text from which on a regular expression gets a
// goroutine of its own.
const asideSize = 64 << 10

// find returns the first match in b. A regular expression cannot be interrupted
// and may take a tenth of a second for a megabyte. So when the context ends a
// search of long text is left to itself: it ends soon, and keeps the buffer.
func (s *Searcher) find(re *regexp.Regexp, b []byte) ([]int, error) {
	if len(b) < asideSize {
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
