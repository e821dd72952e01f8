// Package pathlock serialises changes to paths of one tree: an exclusive lock
// on a path excludes every lock on the path itself, on what is below it and on
// the directories above it that somebody holds exclusively.
package pathlock

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
)

// Locks holds the locks of one tree. The zero value is ready to use.
type Locks struct {
	mu   sync.Mutex
	held map[string]*state
}

// state is one path that somebody holds or waits for.
type state struct {
	readers int           // shared holders
	writer  bool          // an exclusive holder
	waiting int           // goroutines that will look again
	changed chan struct{} // closed when a holder leaves
}

// want is one lock of a request.
type want struct {
	path      string
	exclusive bool
}

// Lock takes exclusive locks on the paths ("a/b", "." for the root) and shared
// ones on all their parents, waiting as long as ctx allows. Paths are folded
// to lower case, so that names which a case-insensitive file system takes for
// one are one. Every caller takes its locks in the same order, hence nobody
// waits in a circle. The returned function releases them all.
func (l *Locks) Lock(ctx context.Context, paths ...string) (unlock func(), err error) {
	wants := expand(paths)
	for i, w := range wants {
		if err := l.take(ctx, w); err != nil {
			l.release(wants[:i])
			return nil, err
		}
	}
	return func() { l.release(wants) }, nil
}

// expand adds the parents and sorts: a parent's path precedes its children's.
func expand(paths []string) []want {
	exclusive := map[string]bool{}
	for _, p := range paths {
		p = strings.ToLower(path.Clean(p))
		exclusive[p] = true
		for p != "." && p != "/" {
			p = path.Dir(p)
			if !exclusive[p] {
				exclusive[p] = false
			}
		}
	}
	wants := make([]want, 0, len(exclusive))
	for p, x := range exclusive {
		wants = append(wants, want{p, x})
	}
	slices.SortFunc(wants, func(a, b want) int { return strings.Compare(a.path, b.path) })
	return wants
}

func (l *Locks) take(ctx context.Context, w want) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[string]*state{}
	}
	s := l.held[w.path]
	if s == nil {
		s = &state{changed: make(chan struct{})}
		l.held[w.path] = s
	}
	for s.writer || w.exclusive && s.readers > 0 {
		s.waiting++
		changed := s.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		l.mu.Lock()
		s.waiting--
		if err := ctx.Err(); err != nil {
			l.forget(w.path, s)
			return err
		}
	}
	if w.exclusive {
		s.writer = true
	} else {
		s.readers++
	}
	return nil
}

func (l *Locks) release(wants []want) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range slices.Backward(wants) {
		s := l.held[w.path]
		if w.exclusive {
			s.writer = false
		} else {
			s.readers--
		}
		close(s.changed)
		s.changed = make(chan struct{})
		l.forget(w.path, s)
	}
}

// forget drops a state that nobody holds or waits for.
func (l *Locks) forget(path string, s *state) {
	if !s.writer && s.readers == 0 && s.waiting == 0 {
		delete(l.held, path)
	}
}
