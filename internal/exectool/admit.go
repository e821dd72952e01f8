package exectool

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// gate keeps places for programs that are being started: until they are among
// those that run they would not be counted.
type gate struct {
	mu      sync.Mutex
	places  map[string]int // by session
	all     int
	changed chan struct{} // closed when a place is given back
}

func newGate() gate { return gate{places: map[string]int{}, changed: make(chan struct{})} }

// release gives a place back.
func (g *gate) release(session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all--
	if g.places[session]--; g.places[session] == 0 {
		delete(g.places, session)
	}
	close(g.changed)
	g.changed = make(chan struct{})
}

// counter is a store that can tell quickly how many tasks run.
type counter interface {
	Running(session string) (all, own int)
}

// admit checks the caps on what runs and keeps a place for one more, until
// release is called: when the program is among those that run. A program may be
// both for a moment, so only with no start on the way a cap is a refusal.
func (r *Runner) admit(ctx context.Context) (release func(), err error) {
	session := facade.Info(ctx).Session
	for {
		if err := errors.Join(ctx.Err(), r.Ready()); err != nil {
			return nil, err
		}
		kept, _ := r.background(false).(counter)
		r.gate.mu.Lock()
		refused, changed, starting := r.full(session, kept), r.gate.changed, r.gate.all > 0
		if refused == nil {
			r.gate.places[session]++
			r.gate.all++
		}
		r.gate.mu.Unlock()
		if refused == nil {
			return func() { r.gate.release(session) }, nil
		}
		if !starting {
			return nil, refused
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// full is the refusal of one more program, nil while there is room. The caller
// holds the gate.
func (r *Runner) full(session string, kept counter) error {
	all, own := r.own.running(session)
	all, own = all+r.gate.all, own+r.gate.places[session]
	if kept != nil {
		a, o := kept.Running(session)
		all, own = all+a, own+o
	}
	where, n := "", 0
	switch {
	case own >= r.opts.MaxPerSession:
		where, n = " in this session", own
	case all >= r.opts.MaxRunning:
		n = all
	default:
		return nil
	}
	e := facade.Errorf(facade.CodeBusy, "%d programs run%s already, which is the limit", n, where).
		WithHint("wait for one or kill one; %s shows them", r.hooks.List)
	e.RetryAfter = time.Second
	return e
}
