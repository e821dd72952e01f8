package access

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// AuditOptions tune an audit log. nil and the zero value mean the defaults.
type AuditOptions struct {
	// BestEffort lets calls go on when the log cannot be written. Without it a
	// call whose record is not taken loses its result, and later ones are refused,
	// both with [facade.CodeUnavailable], until the log takes the missing records.
	BestEffort bool
	// OnFailure, when not nil, is told of each record that the log did not take.
	OnFailure func(err error)
	// Level is that of records; failures have at least slog.LevelWarn. The
	// handler must be enabled for it.
	Level slog.Level
}

// Audit writes one record for each call that reaches it: id, session, tool,
// action, effect, decision and rule of the policy inside it, paths, duration
// in milliseconds and the code of a failure. It writes no contents. Calls that
// are refused for their arguments reach no middleware; the set's
// [facade.EventCallFinished] has them. It is safe for concurrent use when its
// handler is.
type Audit struct {
	handler slog.Handler
	opts    AuditOptions

	mu      sync.Mutex
	missing []slog.Record // not taken, of calls that ran
	refused int           // calls refused since
}

// NewAudit returns an audit log. The handler reports a record that it could not
// write by an error, as those of log/slog do.
func NewAudit(handler slog.Handler, opts *AuditOptions) *Audit {
	a := &Audit{handler: handler}
	if opts != nil {
		a.opts = *opts
	}
	return a
}

// Middleware records calls; pass the method value to [facade.Set.With], before
// the policy whose decisions it records.
func (a *Audit) Middleware(next facade.Handler) facade.Handler {
	return func(ctx context.Context, req *facade.Request) (out any, err error) {
		start := time.Now()
		if !a.opts.BestEffort && !a.caughtUp(ctx) {
			return nil, facade.Errorf(facade.CodeUnavailable, "the audit log cannot be written, so nothing may run").
				WithHint("tell the user that the host's audit log fails")
		}
		t := &trail{}
		code := facade.CodeInternal // of a panic
		defer func() {
			if !a.write(ctx, a.record(start, req, t, code)) {
				out, err = nil, facade.Errorf(facade.CodeUnavailable, "the call ran, but the audit log did not take its record").
					WithHint("tell the user that the host's audit log fails; look at what the call did before repeating it")
			}
		}()
		out, err = next(context.WithValue(ctx, trailKey{}, t), req)
		code = facade.CodeOf(err)
		return out, err
	}
}

// record describes a finished call.
func (a *Audit) record(start time.Time, req *facade.Request, t *trail, code facade.Code) slog.Record {
	level := a.opts.Level
	if code != "" {
		level = max(level, slog.LevelWarn)
	}
	r := slog.NewRecord(time.Now(), level, "tool call", 0)
	var paths []string
	for _, res := range Resources(req.Input) {
		paths = append(paths, res.Path)
	}
	decision := decided{"none", ""}
	if d := t.last.Load(); d != nil {
		decision = *d
	}
	r.AddAttrs(
		slog.String("id", req.Call.ID), slog.String("session", req.Call.Session),
		slog.String("tool", req.Tool), slog.String("action", req.Action), slog.String("effect", req.Effect.String()),
		slog.String("decision", decision.what), slog.String("rule", decision.rule),
		slog.Any("resources", paths), slog.Int64("duration_ms", time.Since(start).Milliseconds()),
		slog.String("code", string(code)),
	)
	return r
}

// write hands a record to the log and reports whether the call may have its
// result.
func (a *Audit) write(ctx context.Context, r slog.Record) bool {
	err := a.handle(ctx, r)
	if err == nil {
		return true
	}
	if a.opts.OnFailure != nil {
		a.opts.OnFailure(err)
	}
	if a.opts.BestEffort {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.missing = append(a.missing, r)
	return false
}

// handle calls the handler, whose panic is a failure, and whose filter too: a
// record that it drops is missing.
func (a *Audit) handle(ctx context.Context, r slog.Record) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("access: the audit handler panicked: %v", p)
		}
	}()
	ctx = context.WithoutCancel(ctx) // the end of a call is no reason not to record it
	if !a.handler.Enabled(ctx, r.Level) {
		return fmt.Errorf("access: the audit handler drops records of level %v", r.Level)
	}
	return a.handler.Handle(ctx, r)
}

// caughtUp writes the missing records and reports whether none is left.
func (a *Audit) caughtUp(ctx context.Context) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.missing) > 0 {
		if a.handle(ctx, a.missing[0]) != nil {
			a.refused++
			return false
		}
		a.missing = a.missing[1:]
	}
	if a.refused > 0 {
		r := slog.NewRecord(time.Now(), slog.LevelError, "tool calls were refused while the audit log failed", 0)
		r.AddAttrs(slog.Int("count", a.refused))
		if a.handle(ctx, r) != nil {
			a.refused++
			return false
		}
		a.refused = 0
	}
	return true
}

type trailKey struct{}

// trail carries a decision from the policy to the audit log around it.
type trail struct{ last atomic.Pointer[decided] }

type decided struct{ what, rule string }

// note leaves a decision for the audit log.
func note(ctx context.Context, what, rule string) {
	if t, ok := ctx.Value(trailKey{}).(*trail); ok {
		t.last.Store(&decided{what, rule})
	}
}
