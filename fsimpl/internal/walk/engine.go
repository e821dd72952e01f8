package walk

import (
	"context"
	"sync"
)

const (
	// maxAhead is how many entries may be read ahead of an ordered delivery.
	maxAhead = 4096
	// maxHeld is how many bytes of results may wait for an ordered delivery.
	maxHeld = 8 << 20
)

// slot is a place in the sequence of an ordered walk: a directory that is
// still to be read, or a batch and its results.
type slot[R any] struct {
	next    *slot[R]
	dir     *dirTask
	batch   *Batch
	claimed bool // someone works on it
	direct  bool // its results go to deliver without being held
	done    bool
	results []R
	bytes   int    // of results
	stats   *Stats // of a directory, until an ordered walk comes to it
}

// engine shares the slots among the workers. Reading a directory replaces its
// slot by those of its pieces, so the list of slots is at any time the
// sequence in which an ordered walk delivers.
type engine[R any] struct {
	*scope
	parent    context.Context // of the caller
	ctx       context.Context
	cancel    context.CancelFunc
	work      Work[R]
	deliver   func(R) bool
	unordered bool

	delivery sync.Mutex // serializes deliver in an unordered walk

	mu       sync.Mutex
	cond     *sync.Cond
	dirs     []*slot[R] // to be read, the next one last
	batches  []*slot[R] // to be worked on, the next one last
	open     int        // slots that are not done
	ahead    int        // entries in batches that an ordered walk has not delivered
	held     int        // bytes of results likewise
	current  *slot[R]   // what an ordered walk delivers now
	stopped  bool
	enough   bool // deliver wanted no more
	err      error
	panicked any
	stats    Stats
}

// run works off all slots, starting with first.
func (e *engine[R]) run(first *slot[R], workers int) (Stats, error) {
	unhook := context.AfterFunc(e.ctx, func() { e.stop(context.Cause(e.ctx)) })
	defer unhook()
	e.add(first)
	var group sync.WaitGroup
	inline := 1
	if !e.unordered && workers > 1 {
		inline = 0
	}
	for range workers - inline {
		group.Go(e.guardedWorker)
	}
	func() {
		defer group.Wait()
		defer e.halt() // in a panic too
		if e.unordered {
			e.worker()
		} else {
			e.consume(first)
		}
		e.wait()
	}()
	if e.panicked != nil {
		panic(e.panicked)
	}
	if e.err == nil && !e.enough {
		e.err = e.parent.Err() // work may have ended early without saying so
	}
	return e.stats, e.err
}

// guardedWorker keeps a panic for the goroutine of the caller, where it can be
// caught.
func (e *engine[R]) guardedWorker() {
	defer func() {
		if p := recover(); p != nil {
			e.mu.Lock()
			e.panicked = p
			e.mu.Unlock()
			e.halt()
		}
	}()
	e.worker()
}

func (e *engine[R]) worker() {
	x, own := &expander{scope: e.scope}, &slot[R]{}
	for s := e.take(); s != nil; s = e.take() {
		e.process(x, own, s)
	}
}

// wait returns when all slots are done or the walk was stopped.
func (e *engine[R]) wait() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.open > 0 && !e.stopped {
		e.cond.Wait()
	}
}

// stop ends the walk, with the first error given.
func (e *engine[R]) stop(err error) {
	e.mu.Lock()
	if !e.stopped {
		e.stopped, e.err = true, err
	}
	e.cond.Broadcast()
	e.mu.Unlock()
	e.cancel()
}

func (e *engine[R]) halt() { e.stop(nil) }

// add makes a slot known to the workers. The caller holds the lock, or no
// worker runs yet.
func (e *engine[R]) add(s *slot[R]) {
	e.open++
	if s.dir != nil {
		e.dirs = append(e.dirs, s)
		return
	}
	e.batches = append(e.batches, s)
	e.ahead += len(s.batch.Entries)
}

// take claims the next slot, or returns nil when there is nothing left to do.
func (e *engine[R]) take() *slot[R] {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if e.stopped || e.open == 0 {
			return nil
		}
		if s := pop(&e.batches); s != nil {
			return s
		}
		if e.unordered || e.ahead < maxAhead {
			if s := pop(&e.dirs); s != nil {
				return s
			}
		}
		e.cond.Wait()
	}
}

// pop takes the last slot that nobody claimed, and claims it.
func pop[R any](stack *[]*slot[R]) *slot[R] {
	for n := len(*stack); n > 0; n-- {
		s := (*stack)[n-1]
		(*stack)[n-1] = nil
		*stack = (*stack)[:n-1]
		if !s.claimed {
			s.claimed = true
			return s
		}
	}
	return nil
}

// process reads a directory or works on a batch. own is a slot of the worker's.
func (e *engine[R]) process(x *expander, own, s *slot[R]) {
	if s.dir != nil {
		if s = e.expand(x, own, s); s == nil {
			return
		}
	}
	e.handle(s)
}

// handle works on a batch.
func (e *engine[R]) handle(s *slot[R]) {
	err := e.work(e.ctx, s.batch, func(r R, bytes int) bool { return e.emit(s, r, bytes) })
	s.batch.close()
	e.recycle(s.batch)
	if err != nil {
		e.stop(err)
	}
	e.finish(s)
}

// expand replaces the slot of a directory by those of its pieces and returns
// that of the first batch, which has the directory open and is claimed. It is
// own, when that is not nil, in an unordered walk: most directories have no other.
func (e *engine[R]) expand(x *expander, own, s *slot[R]) *slot[R] {
	pieces, stats := x.expand(s.dir, func(p []piece) bool { return e.flush(p) })
	var first *slot[R]
	if e.unordered && len(pieces) > 0 && pieces[0].batch != nil {
		*own = slot[R]{batch: pieces[0].batch, claimed: true}
		first, pieces = own, pieces[1:]
	}
	slots := make([]slot[R], len(pieces))
	for i, p := range pieces {
		slots[i].dir, slots[i].batch = p.dir, p.batch
		if i > 0 {
			slots[i-1].next = &slots[i]
		}
		if p.batch != nil && first == nil {
			first = &slots[i]
			first.claimed = true
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unordered {
		e.stats.add(&stats)
	} else {
		s.stats = new(stats)
	}
	if n := len(slots); n > 0 {
		slots[n-1].next = s.next
		s.next = &slots[0]
	}
	for i := len(slots) - 1; i >= 0; i-- {
		if p := &slots[i]; p != first {
			e.add(p)
		}
	}
	if first != nil {
		e.open++
		e.ahead += len(first.batch.Entries)
	}
	e.done(s)
	return first
}

// flush works at once on the batches of a directory too large to be held.
func (e *engine[R]) flush(pieces []piece) bool {
	for _, p := range pieces {
		s := &slot[R]{dir: p.dir, batch: p.batch, claimed: p.batch != nil}
		e.mu.Lock()
		stopped := e.stopped
		if p.dir != nil {
			e.add(s)
			e.cond.Broadcast()
		} else {
			e.open++
		}
		e.mu.Unlock()
		if stopped {
			return false
		}
		if p.batch != nil {
			e.handle(s)
		}
	}
	return true
}

// finish marks a batch as done.
func (e *engine[R]) finish(s *slot[R]) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done(s)
}

// done is called with the lock held.
func (e *engine[R]) done(s *slot[R]) {
	s.done = true
	e.open--
	e.cond.Broadcast()
}
