package access

import (
	"context"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

// DefaultConcurrency is how many calls of one session may run at a time.
const DefaultConcurrency = 16

// ConcurrencyOptions tune a [Concurrency]. nil and zero values mean the
// defaults.
type ConcurrencyOptions struct {
	// PerSession is how many calls of one session may run at a time; 0 means
	// [DefaultConcurrency].
	PerSession int
	// Total is how many calls of all sessions may; 0 means any number.
	Total int
}

// Concurrency limits how many calls run at a time. A call too many fails at
// once with [facade.CodeBusy]. It is safe for concurrent use.
type Concurrency struct {
	opts ConcurrencyOptions

	mu      sync.Mutex
	running map[string]int // by session
	total   int
}

// NewConcurrency returns a limit.
func NewConcurrency(opts *ConcurrencyOptions) *Concurrency {
	c := &Concurrency{running: map[string]int{}}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.PerSession <= 0 {
		c.opts.PerSession = DefaultConcurrency
	}
	return c
}

// Middleware enforces the limit; pass the method value to [facade.Set.With].
func (c *Concurrency) Middleware(next facade.Handler) facade.Handler {
	return func(ctx context.Context, req *facade.Request) (any, error) {
		if err := c.enter(req.Call.Session); err != nil {
			return nil, err
		}
		defer c.leave(req.Call.Session)
		return next(ctx, req)
	}
}

func (c *Concurrency) enter(session string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.running[session] >= c.opts.PerSession:
		return facade.Errorf(facade.CodeBusy, "%d calls of this session are running, the limit is %d",
			c.running[session], c.opts.PerSession).WithHint("wait for one of them to end, then repeat the call")
	case c.opts.Total > 0 && c.total >= c.opts.Total:
		return facade.Errorf(facade.CodeBusy, "%d calls are running, the limit is %d", c.total, c.opts.Total).
			WithHint("repeat the call in a while")
	}
	c.running[session]++
	c.total++
	return nil
}

func (c *Concurrency) leave(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total--
	if c.running[session]--; c.running[session] == 0 {
		delete(c.running, session)
	}
}
