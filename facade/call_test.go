package facade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

type ctxt = context.Context

// bomb panics where its input says.
type bomb struct {
	Where string `json:"where,omitempty"`
}

func (b bomb) Validate() error {
	if b.Where == "validate" {
		panic("in Validate of /srv/root")
	}
	return nil
}

func (b bomb) Effect(e facade.Effect) facade.Effect {
	if b.Where == "effect" {
		panic("in Effect")
	}
	return e
}

type shrapnel struct {
	Where string `json:"where"`
}

func (s shrapnel) Present(r *facade.Result) {
	r.Text, r.Parts = "half a text", []facade.Part{{MIME: "image/png"}}
	if s.Where == "present" {
		panic("in Present")
	}
}

func bombTool() *facade.Tool {
	return facade.New("bomb", "", facade.Bind("go", facade.EffectRead, "", func(_ ctxt, in bomb) (shrapnel, error) {
		if in.Where == "method" {
			var m map[string]int
			m["a"] = 1 //nolint:staticcheck // a real defect is wanted
		}
		return shrapnel(in), nil
	})).With(func(next facade.Handler) facade.Handler {
		return func(ctx ctxt, req *facade.Request) (any, error) {
			switch req.Input.(*bomb).Where {
			case "middleware":
				panic("in a middleware")
			case "wrong input":
				req.Input = &other{}
			}
			return next(ctx, req)
		}
	})
}

func TestPanicBarrier(t *testing.T) {
	for _, where := range []string{"validate", "effect", "middleware", "wrong input", "method", "present"} {
		var told []string
		set := facade.NewSet([]*facade.Tool{bombTool()}, &facade.Options{
			OnPanic: func(tool, action string, recovered any, stack []byte) {
				told = append(told, tool+"."+action)
				if recovered == nil || !strings.Contains(string(stack), "facade_test.") {
					t.Errorf("%s: recovered %v, stack %s", where, recovered, stack)
				}
				panic("a listener's defect")
			},
		})
		var finished facade.Code
		set.Subscribe(func(e facade.Event) { finished = e.Code }, facade.EventCallFinished)
		r, err := set.Dispatch(t.Context(), "bomb", facade.Call{Args: json.RawMessage(`{"action":"go","where":"` + where + `"}`)})
		if err != nil {
			t.Fatal(err)
		}
		const want = "error (internal): the go action failed unexpectedly; this is a defect of the tool\n" +
			"hint: try another way; repeating the same call will fail again"
		if r.OK() || r.Error.Code != facade.CodeInternal || r.Text != want || r.Data != nil || r.Parts != nil {
			t.Errorf("%s: %+v", where, r)
		}
		if r.Error != nil && (r.Error.Tool != "bomb" || r.Error.Action != "go") {
			t.Errorf("%s: %s.%s", where, r.Error.Tool, r.Error.Action)
		}
		if diff := cmp.Diff([]string{"bomb.go"}, told); diff != "" {
			t.Errorf("%s: OnPanic: %s", where, diff)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
		if finished != facade.CodeInternal {
			t.Errorf("%s: finished with %q", where, finished)
		}
	}
	if r := call(t, bombTool(), `{"action":"go"}`); !r.OK() || r.Text != "half a text" {
		t.Errorf("without a panic: %+v", r)
	}
}

// waiter returns what was done when its context ends, with the error it is told
// to.
func waiter(err func(ctxt) error) *facade.Tool {
	return facade.New("wait", "", facade.Bind("wait", facade.EffectRead, "", func(ctx ctxt, _ nothing) (long, error) {
		<-ctx.Done()
		return long{"half of it"}, err(ctx)
	}))
}

func TestContextEnds(t *testing.T) {
	why := errors.New("the user went home")
	for _, c := range []struct {
		what    string
		err     func(ctxt) error
		code    facade.Code
		message string
	}{
		{"bare", func(ctx ctxt) error { return ctx.Err() }, facade.CodeCanceled, "the call was canceled"},
		{"wrapped", func(ctx ctxt) error { return fmt.Errorf("reading: %w", ctx.Err()) }, facade.CodeCanceled, "reading: context canceled"},
		{"in other words", func(ctxt) error { return errors.New("signal: killed") }, facade.CodeCanceled, "signal: killed"},
		{"another failure", func(ctxt) error { return facade.Errorf(facade.CodeIO, "bad disk") }, facade.CodeIO, "bad disk"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := waiter(c.err).Call(ctx, facade.Call{
			Args: json.RawMessage(`{"action":"wait"}`),
			Emit: func(e facade.Event) {
				if e.Type == facade.EventCallStarted {
					cancel(why)
				}
			},
		})
		if !errors.Is(err, why) {
			t.Errorf("%s: the Go error is %v", c.what, err)
		}
		if r == nil || r.OK() || r.Error.Code != c.code || r.Error.Message != c.message {
			t.Errorf("%s: %+v", c.what, r.Error)
		}
		if r.Data != any(long{"half of it"}) || !strings.HasSuffix(r.Text, "\nhalf of it") {
			t.Errorf("%s: the partial output is lost: %q", c.what, r.Text)
		}
	}
}

func TestContextDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	r, err := waiter(func(ctx ctxt) error { return ctx.Err() }).Call(ctx, facade.Call{Args: json.RawMessage(`{"action":"wait"}`)})
	if !errors.Is(err, context.DeadlineExceeded) || r.Error.Code != facade.CodeTimeout || r.Error.Message != "the time for the call ran out" {
		t.Errorf("%v, %v", err, r.Error)
	}
}

// TestContextEndedBefore checks that nothing runs, middlewares included.
func TestContextEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &projects{}
	tool := projectTool(p).With(func(facade.Handler) facade.Handler {
		return func(ctxt, *facade.Request) (any, error) {
			t.Error("a middleware ran")
			return nil, nil
		}
	})
	r, err := tool.Call(ctx, facade.Call{Args: json.RawMessage(`{"action":"create","name":"a"}`)})
	if !errors.Is(err, context.Canceled) || r.Error.Code != facade.CodeCanceled || len(p.names) != 0 {
		t.Errorf("%v, %v, %v", err, r.Error, p.names)
	}
}

// TestOuterContextGoesOn ends only the context that a middleware made: the
// result has a timeout, and Go no error.
func TestOuterContextGoesOn(t *testing.T) {
	tool := waiter(func(ctx ctxt) error { return ctx.Err() }).With(func(next facade.Handler) facade.Handler {
		return func(ctx ctxt, req *facade.Request) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			return next(ctx, req)
		}
	})
	r := call(t, tool, `{"action":"wait"}`)
	if r.OK() || r.Error.Code != facade.CodeTimeout {
		t.Errorf("%+v", r)
	}
}

func TestContextOfACall(t *testing.T) {
	var info facade.CallInfo
	var progress facade.Event
	tool := facade.New("t", "", facade.Bind("a", facade.EffectRead, "", func(ctx ctxt, _ nothing) (nothing, error) {
		info = facade.Info(ctx)
		facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Current: 3, Tool: "forged"})
		return nothing{}, nil
	}))
	_, err := tool.Call(t.Context(), facade.Call{ID: "7", Session: "s", Args: json.RawMessage(`{"action":"a"}`), Emit: func(e facade.Event) {
		if e.Type == facade.EventProgress {
			progress = e
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(facade.CallInfo{ID: "7", Session: "s", Tool: "t", Action: "a"}, info); diff != "" {
		t.Error(diff)
	}
	if progress.Current != 3 || progress.Tool != "t" || progress.Call != "7" || progress.Time.IsZero() {
		t.Errorf("%+v", progress)
	}
	ctx := t.Context()
	facade.Emit(ctx, facade.Event{}) // to nobody
	if facade.Info(ctx) != (facade.CallInfo{}) || facade.Budget(ctx) != facade.DefaultOutputBudget {
		t.Error("a context without a call knows of one")
	}
	heard := 0
	ctx = facade.WithSession(ctx, "s2", func(facade.Event) { heard++ })
	facade.Emit(ctx, facade.Event{})
	if facade.Info(ctx).Session != "s2" || heard != 1 {
		t.Errorf("%+v, %d events", facade.Info(ctx), heard)
	}
}

// TestConcurrentCalls uses one tool, its views and its events from many
// goroutines; the race detector watches.
func TestConcurrentCalls(t *testing.T) {
	set := facade.NewSet([]*facade.Tool{sampleTool()}, nil)
	var events atomic.Int64
	set.Subscribe(func(facade.Event) { events.Add(1) })
	granular := set.View(facade.Granular)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 50 {
				n := g*50 + i + 1
				s, name := set, "sample"
				if i%2 == 1 {
					s, name = granular, "sample_echo"
				}
				r, err := s.Dispatch(context.Background(), name, facade.Call{
					Args: fmt.Appendf(nil, `{"action":"echo","int":"%d","names":["%d"]}`, n, n),
				})
				if err != nil || !r.OK() {
					t.Errorf("%v %v", err, r.Error)
					return
				}
				if in := r.Data.(echo).In; in.Int != n || in.Names[0] != fmt.Sprint(n) {
					t.Errorf("call %d got the input of another: %+v", n, in)
				}
			}
		})
	}
	wg.Wait()
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	if events.Load() == 0 {
		t.Error("no events")
	}
}
