package gitrule

import (
	"context"
	"sync"
)

// Locks has one lock per directory of a repository, for the actions that write.
// The zero value is ready.
type Locks struct {
	mu    sync.Mutex
	byDir map[string]chan struct{}
}

// Acquire waits for the lock of a directory and returns what releases it.
func (l *Locks) Acquire(ctx context.Context, dir string) (release func(), err error) {
	l.mu.Lock()
	if l.byDir == nil {
		l.byDir = map[string]chan struct{}{}
	}
	c, ok := l.byDir[dir]
	if !ok {
		c = make(chan struct{}, 1)
		l.byDir[dir] = c
	}
	l.mu.Unlock()
	select {
	case c <- struct{}{}:
		return func() { <-c }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
