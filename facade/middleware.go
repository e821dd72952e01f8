package facade

import "context"

// Request is a decoded, validated call on its way to an implementation.
type Request struct {
	Call Call
	// Tool is the facade's name, as "git", whatever name the call was made by.
	Tool   string
	Action string
	// Effect is what this very call may do.
	Effect Effect
	// Input points to the action's input struct, as *WriteInput. Decisions
	// belong on it, never on the raw arguments.
	Input any
}

// Handler serves a request. The output is the action's output struct; beside
// an error it may hold what was produced before the failure.
type Handler func(ctx context.Context, req *Request) (output any, err error)

// Middleware wraps a handler: access checks, approval, rate limits, timeouts,
// audit. It sees only calls that decoded and validated. To refuse one, return
// an *Error.
type Middleware func(next Handler) Handler

// chain puts the middlewares around h, the first outermost.
func chain(h Handler, mw []Middleware) Handler {
	for i := len(mw) - 1; i >= 0; i-- {
		h = mw[i](h)
	}
	return h
}
