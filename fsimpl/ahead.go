package fsimpl

import (
	"hash"
	"io"

	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
)

// ahead hashes blocks on a goroutine of its own, beside whoever makes them.
// Nothing is copied: in memory that a processor has not at hand a copy takes
// half as long as a hash.
type ahead struct {
	full chan []byte
	done chan struct{}
}

func newAhead(h hash.Hash) *ahead {
	// One block is at work and one has just been given.
	a := &ahead{full: make(chan []byte, edit.Parts-2), done: make(chan struct{})}
	go func() {
		defer close(a.done)
		for b := range a.full {
			_, _ = h.Write(b) // a hash takes everything
		}
	}()
	return a
}

// add gives a block to be hashed, which must stay as it is until edit.Parts-1
// more were given, or until close.
func (a *ahead) add(b []byte) { a.full <- b }

// close waits until everything is hashed.
func (a *ahead) close() {
	select {
	case <-a.done:
	default:
		close(a.full)
		<-a.done
	}
}

// hashedWriter writes to a file in blocks, which are hashed meanwhile.
type hashedWriter struct {
	w      io.Writer
	hash   *ahead
	blocks [edit.Parts][]byte
	turn   int
	buf    []byte // one of blocks
}

// Write implements [io.Writer].
func (w *hashedWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if len(w.buf) == cap(w.buf) {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
		k := min(len(p), cap(w.buf)-len(w.buf))
		w.buf, p = append(w.buf, p[:k]...), p[k:]
	}
	return n, nil
}

// flush writes what is left of a block and goes on to the next one.
func (w *hashedWriter) flush() error {
	if len(w.buf) > 0 {
		if _, err := w.w.Write(w.buf); err != nil {
			return err
		}
		w.hash.add(w.buf)
	}
	b := &w.blocks[w.turn%len(w.blocks)]
	if w.turn++; *b == nil {
		*b = make([]byte, 0, blockSize)
	}
	w.buf = (*b)[:0]
	return nil
}
