package walk

// emit hands on a result of a slot. In an ordered walk it waits while the
// results held back exceed their bound, unless the slot is the one whose
// results are being delivered.
func (e *engine[R]) emit(s *slot[R], r R, bytes int) bool {
	if e.unordered {
		e.delivery.Lock()
		defer e.delivery.Unlock()
		return e.pass(r)
	}
	if s.direct {
		return e.pass(r)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.held >= maxHeld && s != e.current && !e.stopped {
		e.cond.Wait()
	}
	if e.stopped {
		return false
	}
	s.results = append(s.results, r)
	s.bytes += bytes
	e.held += bytes
	if s == e.current {
		e.cond.Broadcast()
	}
	return true
}

// pass delivers a result, unless the walk has ended.
func (e *engine[R]) pass(r R) bool {
	if e.ctx.Err() != nil {
		return false
	}
	return e.hand(r)
}

// hand gives a result to deliver and ends the walk when that wants no more.
func (e *engine[R]) hand(r R) bool {
	if e.deliver(r) {
		return true
	}
	e.mu.Lock()
	e.enough = true
	e.mu.Unlock()
	e.halt()
	return false
}

// consume delivers the results of all slots in order. It works on a slot that
// nobody has claimed itself, so a walk never waits for a worker that waits for
// it.
func (e *engine[R]) consume(s *slot[R]) {
	x := &expander{scope: e.scope}
	for s != nil {
		e.mu.Lock()
		e.current = s
		mine := !s.claimed
		s.claimed = true
		e.cond.Broadcast()
		e.mu.Unlock()
		if mine {
			e.advance(x, s)
		}
		if !e.drain(s) {
			return
		}
		e.mu.Lock()
		s, s.next = s.next, nil
		e.mu.Unlock()
	}
}

// advance works on the current slot. Of a directory it takes the first batch
// along only if that is delivered next; waiting for others to make room would
// be waiting for itself.
func (e *engine[R]) advance(x *expander, s *slot[R]) {
	if s.dir == nil {
		s.direct = true
		e.handle(s)
		return
	}
	first := e.expand(x, nil, s)
	if first == nil {
		return
	}
	if first == s.next {
		e.mu.Lock()
		e.count(s)
		e.mu.Unlock()
		first.direct = true
		e.handle(first)
		return
	}
	first.batch.close()
	e.mu.Lock()
	first.claimed = false
	e.batches = append(e.batches, first)
	e.cond.Broadcast()
	e.mu.Unlock()
}

// drain delivers the results of a slot as they come, until it is done; false
// means that the walk has ended.
func (e *engine[R]) drain(s *slot[R]) bool {
	for {
		e.mu.Lock()
		for len(s.results) == 0 && !s.done && !e.stopped {
			e.cond.Wait()
		}
		results, done := s.results, s.done
		s.results = nil
		e.held -= s.bytes
		s.bytes = 0
		stopped := e.stopped
		if done {
			if s.batch != nil {
				e.ahead -= len(s.batch.Entries)
			}
			e.count(s)
		}
		e.mu.Unlock()
		if stopped {
			return false
		}
		for _, r := range results {
			if !e.hand(r) {
				return false
			}
		}
		if done {
			return true
		}
	}
}

// count adds the numbers of a slot to those of the walk, once. The caller
// holds the lock.
func (e *engine[R]) count(s *slot[R]) {
	if s.stats != nil {
		e.stats.add(s.stats)
		s.stats = nil
	}
}
