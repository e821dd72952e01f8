package access_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := access.NewRate(&access.ByEffect[access.Limit]{
			Read: access.Limit{PerMinute: 60, Burst: 3}, Write: access.Limit{PerMinute: -1},
			Destructive: access.Limit{PerMinute: 6, Burst: 1}, Execute: access.Limit{Burst: 2},
		})
		set := plain(nothing).With(r.Middleware)
		for i, step := range []struct {
			pause   time.Duration
			session string
			action  string
			ok      bool
			wait    time.Duration
		}{
			{0, "a", "read", true, 0},
			{0, "a", "read", true, 0},
			{0, "a", "read", true, 0},
			{0, "a", "read", false, time.Second},
			{0, "b", "read", true, 0},  // a session of its own
			{0, "a", "write", true, 0}, // a class of its own
			{400 * time.Millisecond, "a", "read", false, 600 * time.Millisecond},
			{600 * time.Millisecond, "a", "read", true, 0},
			{0, "a", "read", false, time.Second},
			{0, "a", "destroy", true, 0},
			{0, "a", "destroy", false, 10 * time.Second},
			{0, "a", "write", true, 0},
			{10 * time.Second, "a", "destroy", true, 0},
			{0, "a", "execute", true, 0},
			{0, "a", "execute", true, 0},
			{time.Hour, "a", "execute", false, 0},
			{time.Hour, "a", "read", true, 0},
			{0, "a", "read", true, 0},
			{0, "a", "read", true, 0}, // never above the burst
			{0, "a", "read", false, time.Second},
		} {
			time.Sleep(step.pause)
			res, err := set.Dispatch(t.Context(), "plain", facade.Call{
				Session: step.session, Args: json.RawMessage(`{"action":"` + step.action + `"}`),
			})
			if err != nil {
				t.Fatal(err)
			}
			if res.OK() != step.ok {
				t.Errorf("step %d: %s", i, res.Text)
			}
			if !step.ok && (codeOf(res) != facade.CodeRateLimited || res.Error.RetryAfter != step.wait) {
				t.Errorf("step %d: %q, wait %v; want %v", i, codeOf(res), res.Error.RetryAfter, step.wait)
			}
		}
	})
}

// A refused call takes nothing from its other classes.
func TestRateTakesAllOrNothing(t *testing.T) {
	r := access.NewRate(&access.ByEffect[access.Limit]{
		Write: access.Limit{Burst: 2}, Destructive: access.Limit{Burst: 1},
	})
	set := plain(nothing).With(r.Middleware)
	var got []string
	for _, action := range []string{"destroy", "destroy", "destroy", "write", "write"} {
		got = append(got, string(codeOf(dispatch(t, set, "plain", `{"action":"`+action+`"}`))))
	}
	if s := strings.Join(got, ","); s != ",rate_limited,rate_limited,,rate_limited" {
		t.Errorf("codes %s", s)
	}
}

// TestRateConcurrent hands out each token once.
func TestRateConcurrent(t *testing.T) {
	var ran atomic.Int64
	set := plain(func(ctxt) error { ran.Add(1); return nil }).
		With(access.NewRate(&access.ByEffect[access.Limit]{Read: access.Limit{Burst: 100}}).Middleware)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if _, err := set.Dispatch(t.Context(), "plain", facade.Call{Args: json.RawMessage(`{"action":"read"}`)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if ran.Load() != 100 {
		t.Errorf("%d calls ran, want 100", ran.Load())
	}
}

func TestConcurrency(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	set := plain(func(ctxt) error {
		began <- struct{}{}
		<-release
		panic("in a call")
	}).With(access.NewConcurrency(&access.ConcurrencyOptions{PerSession: 2, Total: 3}).Middleware)
	call := func(session string) facade.Code {
		r, err := set.Dispatch(t.Context(), "plain", facade.Call{Session: session, Args: json.RawMessage(`{"action":"read"}`)})
		if err != nil {
			t.Error(err)
		}
		return codeOf(r)
	}
	for round := range 2 { // the second proves that every place was given back
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				if code := call(fmt.Sprint(i / 2)); code != facade.CodeInternal {
					t.Errorf("round %d, call %d: code %q", round, i, code)
				}
			})
			<-began
		}
		for _, session := range []string{"0", "1", "2"} {
			if code := call(session); code != facade.CodeBusy {
				t.Errorf("round %d, session %s: code %q", round, session, code)
			}
		}
		for range 3 {
			release <- struct{}{}
		}
		wg.Wait()
	}
}
