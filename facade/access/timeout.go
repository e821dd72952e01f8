package access

import (
	"context"
	"errors"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

var errTimeout = errors.New("the time limit of the host ended")

// Timeout returns a middleware that ends the context of a call after a time,
// by class of effect; a call in several classes gets the longest. nil and zero
// values mean the defaults: 2 minutes to read, write or destroy, 10 minutes for
// the network, 25 hours to execute, above the limit that a program may ask
// for. A negative value means no limit.
//
// A call that fails after its time has failed with [facade.CodeTimeout] and
// keeps its partial output; one that succeeds all the same has succeeded. The
// middleware waits for the implementation, which may take a moment to stop.
func Timeout(limits *ByEffect[time.Duration]) facade.Middleware {
	var l ByEffect[time.Duration]
	if limits != nil {
		l = *limits
	}
	l = orElse(l, ByEffect[time.Duration]{
		Read: 2 * time.Minute, Write: 2 * time.Minute, Execute: 25 * time.Hour,
		Network: 10 * time.Minute, Destructive: 2 * time.Minute,
	})
	return func(next facade.Handler) facade.Handler {
		return func(ctx context.Context, req *facade.Request) (any, error) {
			limit := longest(l.of(req.Effect))
			if limit < 0 {
				return next(ctx, req)
			}
			limited, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
			defer cancel()
			out, err := next(limited, req)
			if err == nil || !errors.Is(context.Cause(limited), errTimeout) || !cutShort(err) {
				return out, err
			}
			return out, facade.Errorf(facade.CodeTimeout, "the call took longer than %v: %w", limit, err).
				WithHint("ask for less in one call: a narrower path, a smaller limit, a shorter program")
		}
	}
}

// longest returns the longest of some durations, of which a negative one has
// no end.
func longest(limits []time.Duration) time.Duration {
	most := limits[0]
	for _, l := range limits {
		if l < 0 {
			return -1
		}
		most = max(most, l)
	}
	return most
}

// cutShort reports whether err may come from the end of the context: an
// operation cut short has many words for it.
func cutShort(err error) bool {
	switch facade.CodeOf(err) {
	case facade.CodeTimeout, facade.CodeCanceled, facade.CodeInternal:
		return true
	default:
		return false
	}
}
