package docs

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// A batch is stored when it has that many chunks, or its first document is
// that old.
const (
	batchChunks = 2000
	batchAge    = 2 * time.Second
)

// storing is the part of an index call that one backend has: a goroutine
// stores batches while documents are parsed. A backend that fails drops out;
// the others go on.
type storing struct {
	facade.DocumentIndexed
	index Index
	files *selection
	known map[string]string // versions in the index when the call began
	queue chan Indexed
	done  chan struct{}

	mu   sync.Mutex
	gone map[string]bool // paths of the index that the call has not seen yet
}

func newStoring(ctx context.Context, b Index, files *selection) *storing {
	s := &storing{
		DocumentIndexed: facade.DocumentIndexed{Backend: b.Name(), Skipped: []facade.DocumentSkipped{}},
		index:           b, files: files, queue: make(chan Indexed), done: make(chan struct{}), gone: map[string]bool{},
	}
	known, err := b.Documents(ctx, pathname.Escape(files.base))
	s.known = known
	s.fail(err)
	for p := range known {
		if files.takes(pathname.Unescape(p)) {
			s.gone[p] = true
		}
	}
	go s.store(context.WithoutCancel(ctx))
	return s
}

// store collects and stores until the queue is closed. It does not end with
// the call's context, so that what has been parsed is not lost.
func (s *storing) store(ctx context.Context) {
	defer close(s.done)
	var batch []Indexed
	chunks := 0
	flush := func() {
		if len(batch) > 0 {
			s.put(ctx, batch, chunks)
		}
		batch, chunks = nil, 0
	}
	tick := time.NewTicker(batchAge)
	defer tick.Stop()
	for {
		select {
		case doc, ok := <-s.queue:
			if !ok {
				flush()
				return
			}
			batch = append(batch, doc)
			if chunks += len(doc.Chunks); chunks >= batchChunks || len(batch) >= batchChunks {
				flush()
			}
		case <-tick.C:
			flush()
		}
	}
}

// putTime bounds the storing of one batch.
const putTime = 2 * time.Minute

func (s *storing) put(ctx context.Context, batch []Indexed, chunks int) {
	if s.failed() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, putTime)
	defer cancel()
	if err := s.index.Put(ctx, batch); err != nil {
		s.fail(err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Documents += len(batch)
	s.Chunks += chunks
}

// lacks reports whether the document has to be stored, and counts it when it
// is there already.
func (s *storing) lacks(doc Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.gone, doc.Path)
	switch {
	case s.Error != nil:
		return false
	case s.known[doc.Path] == doc.Version:
		s.Unchanged++
		return false
	}
	return true
}

// skip notes a file or directory that was not indexed; what the index holds of
// an earlier content goes.
func (s *storing) skip(path, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known[path]; ok {
		s.gone[path] = true
	}
	switch n := len(s.Skipped); {
	case n < maxSkipped:
		s.Skipped = append(s.Skipped, facade.DocumentSkipped{Path: path, Reason: why})
	case n == maxSkipped:
		s.Skipped = append(s.Skipped, facade.DocumentSkipped{Path: ".", Reason: "more files were skipped"})
	}
}

// finish waits for what is still being stored, and after a whole pass removes
// what is no longer there.
func (s *storing) finish(ctx context.Context, whole bool) {
	close(s.queue)
	<-s.done
	slices.SortFunc(s.Skipped[:min(len(s.Skipped), maxSkipped)], func(a, b facade.DocumentSkipped) int { return strings.Compare(a.Path, b.Path) })
	if !whole || s.Error != nil {
		return
	}
	var gone []string
	for p := range s.gone {
		if !s.unseen(p) {
			gone = append(gone, p)
		}
	}
	if len(gone) == 0 {
		return
	}
	if err := s.index.Delete(ctx, gone); err != nil {
		s.fail(err)
		return
	}
	s.Removed = len(gone)
}

// unseen reports whether a path is below a directory that could not be read.
func (s *storing) unseen(p string) bool {
	for dir := range s.files.failed {
		if Under(dir, p) {
			return true
		}
	}
	return false
}

func (s *storing) failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Error != nil
}

func (s *storing) fail(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Error != nil {
		return
	}
	code := facade.CodeOf(err)
	if code == facade.CodeInternal {
		code = facade.CodeIO
	}
	s.Error = facade.Errorf(code, "the storage backend %s failed: %w", s.Backend, err).WithHint("call index again; what is stored already is kept")
}
