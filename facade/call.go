package facade

import (
	"context"
	"encoding/json"
	"time"
)

// Call is one request of a model, as a host received it.
type Call struct {
	// ID is the host's identifier of the call; it is copied into events.
	ID string
	// Session separates what is remembered between calls: current directory,
	// undo history, tasks. Hosts with one conversation may leave it empty.
	Session string
	// Args is the JSON object of arguments, with "action" among them.
	Args json.RawMessage
	// Emit, when not nil, receives the call's events on the calling goroutine
	// or on one of the implementation's. It must be quick.
	Emit func(Event)
}

// CallInfo tells an implementation about the call it serves.
type CallInfo struct {
	ID, Session, Tool, Action string
}

type callKey struct{}

// scope is what a context carries about the call in progress.
type scope struct {
	CallInfo
	emit   func(Event)
	bus    *Bus
	budget int
}

func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(callKey{}).(*scope)
	return s
}

// WithSession returns a context for calling an implementation directly, on
// behalf of a session. emit, when not nil, receives the call's events.
func WithSession(ctx context.Context, session string, emit func(Event)) context.Context {
	return context.WithValue(ctx, callKey{}, &scope{CallInfo: CallInfo{Session: session}, emit: emit})
}

// Info returns what is known about the call in progress.
func Info(ctx context.Context) CallInfo {
	if s := scopeOf(ctx); s != nil {
		return s.CallInfo
	}
	return CallInfo{}
}

// Budget returns how many bytes of text or JSON the reply may have.
func Budget(ctx context.Context) int {
	if s := scopeOf(ctx); s != nil && s.budget > 0 {
		return s.budget
	}
	return DefaultOutputBudget
}

// Emit reports an event of the call in progress to its caller and to the
// subscribers of its set. Time and the call's identity are filled in. It does
// nothing when nobody listens.
func Emit(ctx context.Context, e Event) {
	if s := scopeOf(ctx); s != nil {
		s.publish(e)
	}
}

// Heard reports whether anybody listens to the events of the call now, so that
// an implementation can spare itself what costs much.
func Heard(ctx context.Context) bool {
	s := scopeOf(ctx)
	return s != nil && (s.emit != nil || s.bus != nil && s.bus.active())
}

func (s *scope) publish(e Event) {
	heard := s.bus != nil && s.bus.active()
	if s.emit == nil && !heard {
		return
	}
	e.Time = time.Now()
	e.Call, e.Session, e.Tool, e.Action = s.ID, s.Session, s.Tool, s.Action
	if heard {
		s.bus.Publish(e)
	}
	if s.emit != nil {
		deliver(s.emit, e)
	}
}
