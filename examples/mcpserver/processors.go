package main

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// shortCall is how long a call may take on one processor.
	shortCall = 2 * time.Millisecond
	// calmAfter is how long no call may have needed more than one.
	calmAfter = 100 * time.Millisecond
)

// processors gives the process one processor while its calls are short and come
// one at a time, and all of them otherwise. The goroutines of a short call only
// hand over to one another; with more processors the runtime wakes threads that
// look for work and find none, which costs as much as the call. See
// design/0042-one-processor.md.
type processors struct {
	timer *time.Timer

	mu     sync.Mutex
	one    bool
	closed bool
	armed  bool      // with one processor: the timer runs
	calls  int       // in progress
	since  time.Time // when the first of them began
	busy   bool      // more than one processor was of use since the timer was set
}

// newProcessors watches from now on. It returns nil where there is nothing to
// gain, or somebody else has chosen.
func newProcessors() *processors {
	if runtime.GOMAXPROCS(0) == 1 || os.Getenv("GOMAXPROCS") != "" {
		return nil
	}
	p := &processors{}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(calmAfter, p.look)
	return p
}

// close gives all processors back.
func (p *processors) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.timer.Stop()
	p.set(false)
}

// middleware counts the calls of a server.
func (p *processors) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p.begin()
		defer p.end()
		return next(ctx, method, req)
	}
}

func (p *processors) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls++; p.calls > 1 {
		p.widen()
		return
	}
	p.since = time.Now()
	if p.one && !p.armed { // rather than for each call, which costs a twentieth of it
		p.armed = true
		p.timer.Reset(shortCall)
	}
}

func (p *processors) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls--
	p.busy = p.busy || time.Since(p.since) > shortCall
}

// look is what the timer calls.
func (p *processors) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed = false
	switch age := time.Since(p.since); {
	case p.closed, p.one && p.calls == 0:
	case p.one && age >= shortCall:
		p.widen()
	case p.one:
		p.armed = true
		p.timer.Reset(shortCall - age)
	case p.calls > 0 || p.busy:
		p.busy = false
		p.timer.Reset(calmAfter)
	default:
		p.set(true)
	}
}

// widen takes all processors until there is calm; the caller holds the lock.
func (p *processors) widen() {
	p.busy = true
	if p.one {
		p.set(false)
		p.timer.Reset(calmAfter)
	}
}

func (p *processors) set(one bool) {
	if p.one == one {
		return
	}
	p.one = one
	if one {
		runtime.GOMAXPROCS(1)
	} else {
		runtime.SetDefaultGOMAXPROCS()
	}
}
