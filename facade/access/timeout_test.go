package access_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

type partial struct {
	Text string `json:"text"`
}

// Present shows what there is.
func (p partial) Present(r *facade.Result) { r.Text = p.Text }

// slow is a tool that waits for the end of its context, but at most an hour,
// and then returns err of it.
func slow(effect facade.Effect, err func(ctxt) error) *facade.Set {
	return facade.NewSet([]*facade.Tool{facade.New("slow", "",
		facade.Bind("wait", effect, "", func(ctx ctxt, _ empty) (partial, error) {
			select {
			case <-ctx.Done():
			case <-time.After(time.Hour):
			}
			return partial{"half of it"}, err(ctx)
		}))}, nil)
}

func TestTimeout(t *testing.T) {
	limits := &access.ByEffect[time.Duration]{Read: time.Second, Write: 3 * time.Second, Execute: -1}
	ended := func(ctx ctxt) error { return fmt.Errorf("reading: %w", ctx.Err()) }
	for _, c := range []struct {
		name   string
		limits *access.ByEffect[time.Duration]
		effect facade.Effect
		err    func(ctxt) error
		code   facade.Code
		took   time.Duration
	}{
		{"by class", limits, facade.EffectRead, ended, facade.CodeTimeout, time.Second},
		{"the longest of two", limits, facade.EffectRead | facade.EffectWrite, ended, facade.CodeTimeout, 3 * time.Second},
		{"none", limits, facade.EffectExecute, func(ctxt) error { return nil }, "", time.Hour},
		{"none of two", limits, facade.EffectExecute | facade.EffectRead, func(ctxt) error { return nil }, "", time.Hour},
		{"default", nil, facade.EffectRead, ended, facade.CodeTimeout, 2 * time.Minute},
		{"in other words", limits, facade.EffectRead, func(ctxt) error { return errors.New("signal: killed") }, facade.CodeTimeout, time.Second},
		{"success all the same", limits, facade.EffectRead, func(ctxt) error { return nil }, "", time.Second},
		{"another failure", limits, facade.EffectRead, func(ctxt) error { return facade.Errorf(facade.CodeNoSpace, "full") }, facade.CodeNoSpace, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := dispatch(t, slow(c.effect, c.err).With(access.Timeout(c.limits)), "slow", `{"action":"wait"}`)
				if codeOf(r) != c.code || time.Since(start) != c.took {
					t.Errorf("code %q after %v: %s; want %q after %v", codeOf(r), time.Since(start), r.Text, c.code, c.took)
				}
				if !strings.Contains(r.Text, "half of it") {
					t.Errorf("the output is lost: %s", r.Text)
				}
				if c.code == facade.CodeTimeout && !strings.Contains(r.Text, c.took.String()) {
					t.Errorf("the limit is not told: %s", r.Text)
				}
			})
		})
	}
}

// The end of the caller's context is not the host's limit.
func TestTimeoutCanceledCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	set := slow(facade.EffectRead, func(ctx ctxt) error { return ctx.Err() }).With(access.Timeout(nil))
	r, err := set.Dispatch(ctx, "slow", facade.Call{Args: json.RawMessage(`{"action":"wait"}`), Emit: func(e facade.Event) {
		if e.Type == facade.EventCallStarted {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || codeOf(r) != facade.CodeCanceled {
		t.Errorf("%v, %s", err, r.Text)
	}
}
