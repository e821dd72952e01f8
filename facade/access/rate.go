package access

import (
	"context"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Limit is the size of a token bucket.
type Limit struct {
	// PerMinute is how many calls a minute may have in the long run. Negative
	// means any number.
	PerMinute float64
	// Burst is how many calls may come at once after a pause; 0 means PerMinute,
	// and at least 1.
	Burst int
}

// Rate limits how often a session may call, by class of effect. A call takes
// one token of each of its classes, or none. It is safe for concurrent use.
type Rate struct {
	limits ByEffect[Limit]

	mu      sync.Mutex
	buckets map[bucketKey]*bucket
	swept   time.Time
}

type bucketKey struct {
	session string
	class   int
}

// bucket holds tokens, as of a moment.
type bucket struct {
	tokens float64
	asOf   time.Time
}

// sweepEvery is how often buckets that are full again are dropped.
const sweepEvery = time.Minute

// NewRate returns a rate limit. nil and zero limits mean the defaults: a minute
// may have 600 calls that read, 300 that write, 120 that execute, 60 that use
// the network and 300 that destroy.
func NewRate(limits *ByEffect[Limit]) *Rate {
	r := &Rate{buckets: map[bucketKey]*bucket{}}
	if limits != nil {
		r.limits = *limits
	}
	r.limits = orElse(r.limits, ByEffect[Limit]{
		Read: Limit{PerMinute: 600}, Write: Limit{PerMinute: 300}, Execute: Limit{PerMinute: 120},
		Network: Limit{PerMinute: 60}, Destructive: Limit{PerMinute: 300},
	})
	return r
}

// burst returns the most tokens a bucket holds.
func (l Limit) burst() float64 {
	if l.Burst > 0 {
		return float64(l.Burst)
	}
	return max(l.PerMinute, 1)
}

// Middleware enforces the limits; pass the method value to [facade.Set.With].
// A refused call fails with [facade.CodeRateLimited] and says when to repeat
// it.
func (r *Rate) Middleware(next facade.Handler) facade.Handler {
	return func(ctx context.Context, req *facade.Request) (any, error) {
		if wait, ok := r.take(req.Call.Session, req.Effect, time.Now()); !ok {
			if wait == 0 {
				return nil, facade.Errorf(facade.CodeRateLimited, "calls of this kind (%s) are used up", req.Effect)
			}
			wait = max(wait, time.Millisecond).Round(time.Millisecond)
			e := facade.Errorf(facade.CodeRateLimited, "too many calls of this kind (%s)", req.Effect).
				WithHint("repeat the call after %v; one call on several paths counts once", wait)
			e.RetryAfter = wait
			return nil, e
		}
		return next(ctx, req)
	}
}

// take takes the tokens of a call. Without enough of them it takes none and
// returns how long to wait; 0 when waiting does not help.
func (r *Rate) take(session string, effect facade.Effect, now time.Time) (time.Duration, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	var buckets []*bucket
	var wait time.Duration
	ok := true
	for _, class := range classesOf(effect) {
		limit := r.limits.all()[class]
		if limit.PerMinute < 0 {
			continue
		}
		b := r.bucket(bucketKey{session, class}, limit, now)
		buckets = append(buckets, b)
		if b.tokens >= 1 {
			continue
		}
		ok = false
		if limit.PerMinute > 0 {
			wait = max(wait, time.Duration((1-b.tokens)/limit.PerMinute*float64(time.Minute))+time.Nanosecond)
		}
	}
	if !ok {
		return wait, false
	}
	for _, b := range buckets {
		b.tokens--
	}
	return 0, true
}

// bucket returns a bucket, filled up to now.
func (r *Rate) bucket(key bucketKey, limit Limit, now time.Time) *bucket {
	b := r.buckets[key]
	if b == nil {
		b = &bucket{tokens: limit.burst(), asOf: now}
		r.buckets[key] = b
	}
	b.fill(limit, now)
	return b
}

func (b *bucket) fill(limit Limit, now time.Time) {
	if past := now.Sub(b.asOf); past > 0 {
		b.tokens = min(limit.burst(), b.tokens+past.Minutes()*limit.PerMinute)
		b.asOf = now
	}
}

// sweep drops the buckets that are full: a new one would be the same.
func (r *Rate) sweep(now time.Time) {
	if now.Sub(r.swept) < sweepEvery {
		return
	}
	r.swept = now
	for key, b := range r.buckets {
		limit := r.limits.all()[key.class]
		if b.fill(limit, now); b.tokens >= limit.burst() {
			delete(r.buckets, key)
		}
	}
}
