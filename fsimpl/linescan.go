package fsimpl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
)

const (
	// scanWorkers is how many goroutines count lines at most: more wait for the
	// memory.
	scanWorkers = 4
	// scanAlone is how many blocks are counted by one of them, before starting
	// others pays.
	scanAlone = 8
)

// lineScan passes lines of a large file. It counts on several goroutines, which
// take blocks in turn.
type lineScan struct {
	file   *os.File
	sep    byte  // ends a line
	start  int64 // offset of the first block
	wanted int64 // lines to pass

	mu     sync.Mutex
	next   int64             // block to be taken next
	early  map[int64]counted // blocks that are counted while one before them is not
	passed int64             // blocks that are in lines
	lines  int64
	size   int64 // bytes of them
	open   bool  // bytes since the last line end
	ended  bool  // nothing is to be taken any more
	err    error
}

// counted is a block that was read.
type counted struct {
	lines int64
	size  int
	open  bool
	err   error
}

// skip returns how many lines were passed, fewer than wanted at the end of the
// file only, and the offset behind them.
func (s *lineScan) skip(ctx context.Context) (lines, offset int64, err error) {
	if s.wanted <= 0 {
		return 0, s.start, nil
	}
	s.early = map[int64]counted{}
	buf := make([]byte, blockSize)
	for s.passed < scanAlone && !s.ended {
		s.step(ctx, buf)
	}
	var group sync.WaitGroup
	if !s.ended {
		for range min(runtime.NumCPU(), scanWorkers) - 1 {
			group.Go(func() { s.work(ctx, make([]byte, blockSize)) })
		}
		s.work(ctx, buf)
	}
	group.Wait()
	if s.err != nil {
		return s.lines, 0, s.err
	}
	return s.finish(buf)
}

func (s *lineScan) work(ctx context.Context, buf []byte) {
	for s.step(ctx, buf) {
	}
}

// step counts one block and reports whether there may be more.
func (s *lineScan) step(ctx context.Context, buf []byte) bool {
	s.mu.Lock()
	n := s.next
	s.next++
	ended := s.ended
	s.mu.Unlock()
	if ended {
		return false
	}
	var c counted
	if c.err = ctx.Err(); c.err == nil {
		c.size, c.err = s.file.ReadAt(buf, s.start+n*blockSize)
		c.lines = int64(bytes.Count(buf[:c.size], []byte{s.sep}))
		c.open = c.size > 0 && buf[c.size-1] != s.sep
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early[n] = c
	for !s.ended {
		c, ok := s.early[s.passed]
		if !ok {
			break
		}
		s.pass(c)
	}
	return !s.ended
}

// pass adds the block that comes next, unless the lines wanted end in it. The
// caller holds the lock, or is alone.
func (s *lineScan) pass(c counted) {
	delete(s.early, s.passed)
	if c.err != nil && !errors.Is(c.err, io.EOF) {
		s.ended, s.err = true, c.err
		return
	}
	if s.lines+c.lines >= s.wanted {
		s.ended = true
		return
	}
	s.lines += c.lines
	s.size += int64(c.size)
	if c.size > 0 {
		s.open = c.open
	}
	s.passed++
	switch {
	case c.err != nil:
		s.ended = true
	case s.size > maxScan:
		s.ended, s.err = true, errTooFar
	}
}

// finish passes the lines that are still wanted in the block that has them, or
// counts a last line without an end.
func (s *lineScan) finish(buf []byte) (lines, offset int64, err error) {
	offset = s.start + s.size
	n, err := s.file.ReadAt(buf, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return s.lines, offset, err
	}
	at := 0
	for s.lines < s.wanted {
		next := bytes.IndexByte(buf[at:n], s.sep) + 1
		if next == 0 {
			if n > at || n == 0 && s.open {
				s.lines++
			}
			return s.lines, offset + int64(n), nil
		}
		s.lines++
		at += next
	}
	return s.lines, offset + int64(at), nil
}
