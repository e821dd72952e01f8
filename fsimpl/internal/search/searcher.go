package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"github.com/toolfacade/toolfacade/fsimpl/internal/dfa"
)

const (
	bufferSize = 64 << 10 // bytes read at once
	maxLine    = 1 << 20  // bytes of a line that are searched as a whole
	overlap    = 64 << 10 // bytes shared by the pieces of a longer line
)

// Searcher searches files one after the other. It is not safe for concurrent
// use; each worker has its own.
type Searcher struct {
	p      *Pattern
	scope  Scope
	finder finder
	filter *dfa.Matcher // for lines that a literal is in
	buf    []byte       // grows up to maxLine
	ctx    context.Context
	rec    recorder

	line    int64 // lines before counted
	counted int   // position in the text up to which lines are counted
	piece   int   // bytes of a long line that have left the buffer
	matched bool  // the long line has matched
	decoded bool  // text comes from a decoder, or none is needed
	full    bool  // enough matches; only lines after the last are wanted
	stopped bool
	binary  bool

	longStart []byte // the first bytes of the long line
}

// NewSearcher returns a searcher for a pattern; nil for scope collects all
// matching lines.
func NewSearcher(p *Pattern, scope *Scope) *Searcher {
	s := &Searcher{p: p, finder: p.plan.newFinder(), buf: make([]byte, bufferSize)}
	if len(p.plan.needles) > 0 && p.plan.program != nil {
		s.filter = p.plan.program.NewMatcher()
	}
	if scope != nil {
		s.scope = *scope
	}
	if s.scope.Detect == nil {
		s.scope.Detect = DetectEncoding
	}
	s.rec.scope = &s.scope
	return s
}

// Source is a file to search.
type Source interface {
	io.Reader
	// Regular returns an error when the file is not a regular one.
	Regular() error
}

// errDecode says that the file must be searched again, through a decoder.
var errDecode = errors.New("the file is not UTF-8")

// Opener opens the file to search.
type Opener interface {
	Open() (io.ReadCloser, error)
}

// Search searches a file, which is opened again when it turns out to need a
// decoder. Yield gets the matches in parts, none when there are none; it
// returns false to stop. An error is that of the file or of ctx.
func (s *Searcher) Search(ctx context.Context, file Opener, yield func(Part) bool) (Result, error) {
	s.decoded = false
	result, err := s.once(ctx, file, yield)
	if errors.Is(err, errDecode) {
		s.decoded = true
		result, err = s.once(ctx, file, yield)
	}
	return result, err
}

// once opens and searches the file.
func (s *Searcher) once(ctx context.Context, file Opener, yield func(Part) bool) (Result, error) {
	f, err := file.Open()
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	if s.ctx = ctx; cap(s.buf) < bufferSize { // a canceled search kept it
		s.buf = make([]byte, bufferSize)
	}
	s.buf = s.buf[:bufferSize]
	s.line, s.counted, s.piece = 0, 0, 0
	s.matched, s.full, s.stopped, s.binary = false, false, false, false
	s.rec.start(yield)
	if s.p.multiline {
		err = s.searchWhole(f)
	} else {
		err = s.searchLines(f)
	}
	if err == nil && !s.rec.end() {
		s.stopped = true
	}
	return Result{Count: s.rec.count, Binary: s.binary, More: s.stopped && !s.binary}, err
}

// begin reads the first bytes into the buffer, removes a byte order mark and
// returns the reader to go on with and how much is in the buffer. It sets
// binary.
func (s *Searcher) begin(f io.Reader) (io.Reader, int, error) {
	n, err := s.fill(f, 0)
	if n == 0 || err != nil && !errors.Is(err, io.EOF) {
		return f, n, err
	}
	head := s.buf[:min(n, headSize)]
	if n == len(s.buf) {
		if src, ok := f.(Source); ok {
			if err := src.Regular(); err != nil {
				return f, 0, err
			}
		}
	}
	if !s.suspicious(head) {
		return f, n, err
	}
	decoder, binary := s.scope.Detect(head)
	if s.binary = binary; binary {
		return f, 0, nil
	}
	s.decoded = true
	if decoder == nil {
		if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
			n = copy(s.buf, s.buf[3:n])
		}
		return f, n, err
	}
	rest := bytes.Clone(s.buf[:n])
	r := transform.NewReader(io.MultiReader(bytes.NewReader(rest), f), decoder)
	n, err = s.fill(r, 0)
	return r, n, err
}

// suspicious reports whether the encoding has to be looked into.
func (s *Searcher) suspicious(head []byte) bool {
	switch {
	case bytes.IndexByte(head, 0) >= 0, head[0] == 0xef, head[0] == 0xff, head[0] == 0xfe:
		return true
	case s.decoded, s.p.wide:
		return !validHead(head)
	}
	return false
}

// grow doubles the buffer, up to a limit.
func (s *Searcher) grow(limit int) {
	size := min(2*len(s.buf), limit)
	if size <= cap(s.buf) {
		s.buf = s.buf[:size]
		return
	}
	s.buf = append(s.buf, make([]byte, size-len(s.buf))...)
}

// fill reads until the buffer is full or the file ends, which is io.EOF.
func (s *Searcher) fill(r io.Reader, n int) (int, error) {
	for n < len(s.buf) {
		if err := s.ctx.Err(); err != nil {
			return n, err
		}
		m, err := r.Read(s.buf[n:])
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// searchLines reads the file piece by piece and searches the complete lines
// of each.
func (s *Searcher) searchLines(f io.Reader) error {
	s.finder.reset()
	r, n, err := s.begin(f)
	if s.binary {
		return err // without reading on in what may be a terabyte
	}
	for {
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		final := errors.Is(err, io.EOF)
		used, serr := s.searchBuffer(s.buf[:n], final)
		if serr != nil || final || s.stopped {
			return serr
		}
		n = copy(s.buf, s.buf[used:n])
		if n == len(s.buf) {
			s.grow(maxLine)
		}
		n, err = s.fill(r, n)
	}
}

// searchBuffer searches what the buffer holds and returns how much of it is
// done with.
func (s *Searcher) searchBuffer(b []byte, final bool) (int, error) {
	used := 0
	if s.piece > 0 {
		n, ended, err := s.searchPiece(b, final)
		if err != nil || s.stopped || !ended {
			return n, err
		}
		used = n
	}
	end := len(b)
	if !final {
		end = bytes.LastIndexByte(b, '\n') + 1
	}
	if end > used {
		if err := s.scan(b[used:end], final); err != nil || s.stopped {
			return end, err
		}
		used = end
	}
	if used == 0 && len(b) >= maxLine {
		n, _, err := s.searchPiece(b, false)
		return n, err
	}
	return used, nil
}

// scan searches complete lines, in a final text without more to come.
func (s *Searcher) scan(b []byte, final bool) error {
	s.counted = 0
	s.finder.reset()
	for pos := 0; pos < len(b) && !s.full; {
		at := s.finder.next(b, pos)
		if at < 0 {
			break
		}
		start := bytes.LastIndexByte(b[pos:at], '\n') + 1 + pos
		end, next := lineEnd(b, at)
		from, to, ok, err := s.locate(b[start:end], at-start)
		if err != nil {
			return err
		}
		if ok {
			if err := s.found(b, start, end, from, to); err != nil || s.stopped {
				return err
			}
		}
		pos = next
		if err := s.ctx.Err(); err != nil {
			return err
		}
	}
	s.rec.finish(b)
	s.stopped = s.stopped || s.full && !s.rec.waiting()
	if !final {
		s.count(b, len(b))
	}
	return nil
}

// lineEnd returns where the line around at ends, without its line ending, and
// where the next starts.
func lineEnd(b []byte, at int) (end, next int) {
	n := bytes.IndexByte(b[at:], '\n')
	if n < 0 {
		end, next = len(b), len(b)
	} else {
		end, next = at+n, at+n+1
	}
	if end > 0 && end < next && b[end-1] == '\r' {
		end--
	}
	return end, next
}

// count advances the line number to a position.
func (s *Searcher) count(b []byte, to int) {
	s.line += int64(bytes.Count(b[s.counted:to], []byte{'\n'}))
	s.counted = to
}

// found handles a match in the line b[start:end].
func (s *Searcher) found(b []byte, start, end, from, to int) error {
	s.count(b, start)
	if ok, err := s.accept(b[start:end]); !ok || err != nil {
		return err
	}
	s.record(b, spot{start: start, end: end, from: start + from, to: start + to})
	return nil
}

// accept reports whether a match in the text is wanted. It may find that the
// file is binary, or needs a decoder after all.
func (s *Searcher) accept(text []byte) (bool, error) {
	if bytes.IndexByte(text, 0) >= 0 {
		s.binary, s.stopped = true, true
		return false, nil
	}
	if !s.decoded && !s.rec.flushed && !utf8.Valid(text) {
		return false, errDecode
	}
	return s.line+1 > s.scope.AfterLine, nil
}

// record notes a match, unless enough were found.
func (s *Searcher) record(b []byte, m spot) {
	m.line = s.line + 1
	more := s.rec.add(b, m)
	switch {
	case !more, s.scope.Mode == Files:
		s.stopped = true
	case s.scope.MaxMatches > 0 && s.rec.count >= s.scope.MaxMatches:
		s.full = true
		s.stopped = !s.rec.waiting()
	}
}
