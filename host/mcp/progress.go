package mcphost

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
)

// progressInterval is the least time between two notifications of one call:
// nobody reads faster, and a notification costs a write to the client.
const progressInterval = 100 * time.Millisecond

// progress forwards the progress events of one call, when the client asked for
// them with a token. The protocol wants increasing values and silence after
// the reply; implementations may emit from several goroutines.
type progress struct {
	ctx     context.Context
	session *mcp.ServerSession
	token   any

	mu   sync.Mutex
	over bool
	last float64
	next time.Time
}

func newProgress(ctx context.Context, req *mcp.CallToolRequest) *progress {
	return &progress{ctx: ctx, session: req.Session, token: req.Params.GetProgressToken(), last: -1}
}

func (p *progress) emit(e facade.Event) {
	if p.token == nil || e.Type != facade.EventProgress {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	current, now := float64(e.Current), time.Now()
	complete := e.Total > 0 && e.Current >= e.Total
	if p.over || current <= p.last || now.Before(p.next) && !complete {
		return
	}
	p.last, p.next = current, now.Add(progressInterval)
	// A client that is gone does not fail the call: its context tells it.
	_ = p.session.NotifyProgress(p.ctx, &mcp.ProgressNotificationParams{
		ProgressToken: p.token, Progress: current, Total: float64(e.Total), Message: e.Message,
	})
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
}
