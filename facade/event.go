package facade

import (
	"sync"
	"sync/atomic"
	"time"
)

// EventType names what happened.
type EventType string

// The event types. Tools may add their own.
const (
	EventCallStarted      EventType = "call:started"
	EventCallFinished     EventType = "call:finished"
	EventProgress         EventType = "progress"
	EventFileRead         EventType = "file:read"
	EventFileCreated      EventType = "file:created"
	EventFileModified     EventType = "file:modified"
	EventFileDeleted      EventType = "file:deleted"
	EventDirectoryCreated EventType = "directory:created"
	EventDirectoryDeleted EventType = "directory:deleted"
	EventProcessStarted   EventType = "process:started"
	EventProcessOutput    EventType = "process:output"
	EventProcessExited    EventType = "process:exited"
)

// Event is something that happened during a call.
type Event struct {
	Type    EventType `json:"type"`
	Time    time.Time `json:"time"`
	Call    string    `json:"call,omitempty"`    // the host's call ID
	Session string    `json:"session,omitempty"` // the host's session ID
	Tool    string    `json:"tool,omitempty"`    // the facade's name, as "git"
	Action  string    `json:"action,omitempty"`

	Path    string `json:"path,omitempty"`     // relative to the root
	OldPath string `json:"old_path,omitempty"` // of a move
	Message string `json:"message,omitempty"`  // for people
	Current int64  `json:"current,omitempty"`  // progress so far
	Total   int64  `json:"total,omitempty"`    // progress at the end, 0 when unknown
	Data    any    `json:"data,omitempty"`     // a chunk of output, for one

	Code     Code          `json:"code,omitempty"`     // of call:finished: the failure
	Duration time.Duration `json:"duration,omitempty"` // of call:finished
	// Dropped counts the events this subscriber missed just before this one
	// because it was too slow.
	Dropped int64 `json:"dropped,omitempty"`
}

// subscriberQueue is how many events a slow subscriber may lag behind.
const subscriberQueue = 1024

// Bus hands events to subscribers. Publishing never blocks and never panics: a
// subscriber has a queue and a goroutine of its own, loses events when it
// lags more than the queue holds, and may panic without harm to anyone else.
// The zero Bus is ready to use.
type Bus struct {
	mu     sync.RWMutex
	subs   map[*subscriber]struct{}
	closed bool
	wg     sync.WaitGroup
}

type subscriber struct {
	types   map[EventType]bool // nil takes all
	queue   chan Event
	dropped atomic.Int64
	stop    chan struct{}
	once    sync.Once
}

// Subscribe calls fn for each event of the given types, or of every type when
// none is given, in order, on one goroutine. The returned function ends the
// subscription; events published before are still delivered. On a closed bus
// fn is never called.
func (b *Bus) Subscribe(fn func(Event), types ...EventType) (cancel func()) {
	s := &subscriber{queue: make(chan Event, subscriberQueue), stop: make(chan struct{})}
	for _, t := range types {
		if s.types == nil {
			s.types = map[EventType]bool{}
		}
		s.types[t] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return func() {}
	}
	if b.subs == nil {
		b.subs = map[*subscriber]struct{}{}
	}
	b.subs[s] = struct{}{}
	b.wg.Go(func() { s.run(fn) })
	return func() {
		b.mu.Lock()
		delete(b.subs, s)
		b.mu.Unlock()
		s.end()
	}
}

// Publish queues e for every subscriber that takes its type.
func (b *Bus) Publish(e Event) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for s := range b.subs {
		if s.types == nil || s.types[e.Type] {
			s.offer(e)
		}
	}
}

// Close ends every subscription after its queued events are delivered, and
// waits for that. A subscriber must not call it: it would wait for itself.
func (b *Bus) Close() {
	b.mu.Lock()
	subs := b.subs
	b.subs, b.closed = nil, true
	b.mu.Unlock()
	for s := range subs {
		s.end()
	}
	b.wg.Wait()
}

// active reports whether anybody listens.
func (b *Bus) active() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.subs) > 0
}

func (s *subscriber) offer(e Event) {
	e.Dropped = s.dropped.Swap(0)
	select {
	case s.queue <- e:
	default:
		s.dropped.Add(e.Dropped + 1)
	}
}

func (s *subscriber) end() { s.once.Do(func() { close(s.stop) }) }

func (s *subscriber) run(fn func(Event)) {
	for {
		select {
		case e := <-s.queue:
			deliver(fn, e)
		case <-s.stop:
			for {
				select {
				case e := <-s.queue:
					deliver(fn, e)
				default:
					return
				}
			}
		}
	}
}

// deliver calls fn and swallows its panic: a listener's defect is not the
// caller's.
func deliver(fn func(Event), e Event) {
	defer func() { _ = recover() }()
	fn(e)
}
