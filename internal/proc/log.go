package proc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
)

// memoryLog is how much output is kept in memory before a file is made.
const memoryLog = 128 << 10

// tailLog is how much of the end stays readable behind the file's cap.
const tailLog = 256 << 10

// Log keeps the output of both streams in the order of its arrival, by byte
// offset: the start in memory, then a file up to its cap, and always the end.
// It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	dir     string
	max     int64
	head    []byte
	file    *os.File
	kept    int64 // bytes from the start that head and file hold
	tail    ring
	total   int64
	ended   bool
	waiting chan struct{}
	err     error
	streams []Span // of the standard error
}

// maxSpans is how many changes between the streams a log remembers.
const maxSpans = 1 << 15

// Span is a range of bytes.
type Span struct{ From, To int64 }

func newLog(dir string, limit int64) *Log {
	return &Log{dir: dir, max: limit, tail: ring{size: tailLog}}
}

func (l *Log) write(s Stream, p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s == Stderr {
		l.note(Span{l.total, l.total + int64(len(p))})
	}
	l.keep(p)
	l.tail.write(p)
	l.total += int64(len(p))
	l.wake()
}

// note remembers what was written to the standard error.
func (l *Log) note(s Span) {
	if n := len(l.streams); n > 0 && l.streams[n-1].To == s.From {
		l.streams[n-1].To = s.To
	} else if n < maxSpans {
		l.streams = append(l.streams, s)
	}
}

// keep stores what of p lies below the cap and follows what is stored.
func (l *Log) keep(p []byte) {
	if l.kept != l.total || l.kept >= l.max || l.err != nil {
		return
	}
	p = p[:min(int64(len(p)), l.max-l.kept)]
	if free := memoryLog - len(l.head); free > 0 {
		n := min(free, len(p))
		l.head = append(l.head, p[:n]...)
		l.kept += int64(n)
		p = p[n:]
	}
	if len(p) == 0 {
		return
	}
	if l.file == nil {
		if l.file, l.err = spill(l.dir); l.err != nil {
			return
		}
	}
	n, err := l.file.Write(p)
	l.kept += int64(n)
	l.err = err
}

func (l *Log) wake() {
	if l.waiting != nil {
		close(l.waiting)
		l.waiting = nil
	}
}

func (l *Log) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.wake()
}

// Range is a piece of a log.
type Range struct {
	Data   []byte
	Offset int64 // of Data's first byte: behind the one asked for where bytes were not kept
	Next   int64 // behind Data
	Total  int64 // written so far
	Ended  bool  // nothing more will come
	Stderr []Span
}

// Total returns how many bytes were written so far.
func (l *Log) Total() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Read returns up to limit bytes from offset, cut at a character's boundary.
// Where the bytes at offset were not kept it goes on at the first that was.
func (l *Log) Read(offset int64, limit int) (Range, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := Range{Total: l.total, Ended: l.ended, Offset: min(max(offset, 0), l.total)}
	data, err := l.at(&r.Offset, limit)
	if short := trimEnd(data); len(short) > 0 && r.Offset+int64(len(data)) < l.total {
		data = short
	}
	r.Data, r.Next = data, r.Offset+int64(len(data))
	for _, s := range l.streams {
		if from, to := max(s.From, r.Offset), min(s.To, r.Next); from < to {
			r.Stderr = append(r.Stderr, Span{from, to})
		}
	}
	return r, err
}

// at returns up to limit bytes from *offset and moves *offset over a gap.
func (l *Log) at(offset *int64, limit int) ([]byte, error) {
	tail, from := l.tail.bytes()
	if *offset >= l.kept && *offset < from {
		*offset = from + int64(len(tail)-len(trimStart(tail)))
	}
	var src []byte
	switch at := *offset; {
	case at >= from:
		src = tail[at-from:]
	case at < int64(len(l.head)):
		src = l.head[at:]
	default:
		if l.file == nil {
			return nil, fmt.Errorf("the output at byte %d is not kept any more: %w", at, os.ErrClosed)
		}
		buf := make([]byte, min(int64(limit), l.kept-at))
		n, err := l.file.ReadAt(buf, at-int64(len(l.head)))
		return buf[:n], err
	}
	return bytes.Clone(src[:min(limit, len(src))]), nil
}

// Wait returns when there is output behind offset, when no more will come, or
// with the error of ctx.
func (l *Log) Wait(ctx context.Context, offset int64) error {
	for {
		l.mu.Lock()
		if l.total > offset || l.ended {
			l.mu.Unlock()
			return nil
		}
		if l.waiting == nil {
			l.waiting = make(chan struct{})
		}
		c := l.waiting
		l.mu.Unlock()
		select {
		case <-c:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close releases the file. What memory holds stays readable.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := drop(l.file)
	l.file, l.kept = nil, int64(len(l.head))
	l.err = os.ErrClosed
	return err
}
