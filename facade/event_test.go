package facade_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func TestBusKeepsOrderAndTypes(t *testing.T) {
	var bus facade.Bus
	var all, some []int64
	bus.Subscribe(func(e facade.Event) { all = append(all, e.Current) })
	bus.Subscribe(func(e facade.Event) { some = append(some, e.Current) }, facade.EventProgress, facade.EventFileRead)
	types := []facade.EventType{facade.EventProgress, facade.EventCallStarted, facade.EventFileRead}
	var wantAll, wantSome []int64
	for i := range int64(300) {
		wantAll = append(wantAll, i)
		if i%3 != 1 {
			wantSome = append(wantSome, i)
		}
		bus.Publish(facade.Event{Type: types[i%3], Current: i})
	}
	bus.Close() // delivers what is queued
	if diff := cmp.Diff(wantAll, all); diff != "" {
		t.Errorf("all: %s", diff)
	}
	if diff := cmp.Diff(wantSome, some); diff != "" {
		t.Errorf("some: %s", diff)
	}
}

// TestBusSlowSubscriber blocks one subscriber: publishing goes on, the other
// subscriber is served, and the slow one learns how much it missed.
func TestBusSlowSubscriber(t *testing.T) {
	const more, queue = 5000, 1024
	var bus facade.Bus
	block, blocked := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var got, dropped, other atomic.Int64
	bus.Subscribe(func(e facade.Event) {
		once.Do(func() { close(blocked); <-block })
		dropped.Add(e.Dropped)
		got.Add(1)
	})
	bus.Subscribe(func(facade.Event) { other.Add(1) })
	bus.Publish(facade.Event{})
	<-blocked
	for range more {
		bus.Publish(facade.Event{})
	}
	waitFor(t, func() bool { return other.Load() >= queue })
	close(block)
	waitFor(t, func() bool { return got.Load() == 1+queue })
	bus.Publish(facade.Event{}) // carries the count
	bus.Close()
	if got.Load() != 1+queue+1 || dropped.Load() != more-queue {
		t.Errorf("%d events came and %d were counted as dropped, of %d", got.Load(), dropped.Load(), 1+more+1)
	}
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never happened")
		}
	}
}

func TestBusPanickingSubscriber(t *testing.T) {
	var bus facade.Bus
	calls, healthy := 0, 0
	bus.Subscribe(func(facade.Event) { calls++; panic("a listener's defect") })
	bus.Subscribe(func(facade.Event) { healthy++ })
	for range 10 {
		bus.Publish(facade.Event{})
	}
	bus.Close()
	if calls != 10 || healthy != 10 {
		t.Errorf("the panicking one got %d, the other %d of 10", calls, healthy)
	}
}

func TestBusCancel(t *testing.T) {
	var bus facade.Bus
	var got atomic.Int64
	cancel := bus.Subscribe(func(facade.Event) { got.Add(1) })
	for range 100 {
		bus.Publish(facade.Event{})
	}
	cancel()
	cancel() // again changes nothing
	bus.Publish(facade.Event{})
	bus.Close()
	bus.Close()
	if got.Load() != 100 {
		t.Errorf("%d events, want those before cancel: 100", got.Load())
	}
	bus.Subscribe(func(facade.Event) { t.Error("called by a closed bus") })()
	bus.Publish(facade.Event{})
}

func TestBusCancelWithinItsOwnEvent(t *testing.T) {
	var bus facade.Bus
	var got atomic.Int64
	ready := make(chan func(), 1)
	cancel := bus.Subscribe(func(facade.Event) {
		got.Add(1)
		(<-ready)()
	})
	ready <- cancel
	bus.Publish(facade.Event{})
	waitFor(t, func() bool { return got.Load() == 1 })
	bus.Close()
}

// TestBusRace publishes, subscribes, cancels and closes at once.
func TestBusRace(t *testing.T) {
	var bus facade.Bus
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				cancel := bus.Subscribe(func(facade.Event) {}, facade.EventProgress)
				bus.Publish(facade.Event{Type: facade.EventProgress})
				cancel()
			}
		})
	}
	wg.Go(func() { time.Sleep(2 * time.Millisecond); bus.Close() })
	wg.Wait()
	bus.Close()
}

// TestCallEvents holds which events a call has, in order, for every way it can
// end: what is refused before it runs has no start.
func TestCallEvents(t *testing.T) {
	deny := func(next facade.Handler) facade.Handler {
		return func(ctx ctxt, req *facade.Request) (any, error) {
			if req.Action == "delete" {
				return nil, facade.Errorf(facade.CodeDenied, "no")
			}
			return next(ctx, req)
		}
	}
	set := facade.NewSet([]*facade.Tool{projectTool(&projects{})}, nil).With(deny)
	var subscribed, emitted []string
	line := func(e facade.Event) string {
		if e.Time.IsZero() || e.Session != "s1" {
			t.Errorf("an event without time or session: %+v", e)
		}
		return fmt.Sprintf("%s %s %s.%s %s", e.Call, e.Type, e.Tool, e.Action, e.Code)
	}
	set.Subscribe(func(e facade.Event) { subscribed = append(subscribed, line(e)) })
	for i, c := range []struct{ tool, args string }{
		{"project", `{"action":"create","name":"a"}`},
		{"project", `{"action":"create","name":"a"}`},
		{"project", `{"action":"create"}`},
		{"project", `{"action":"foo"}`},
		{"project", `{"action":"delete","name":"a"}`},
		{"project_list", `{}`},
		{"projekt", `{}`},
	} {
		_, err := set.Dispatch(t.Context(), c.tool, facade.Call{
			ID: fmt.Sprint(i + 1), Session: "s1", Args: json.RawMessage(c.args),
			Emit: func(e facade.Event) { emitted = append(emitted, line(e)); panic("a listener's defect") },
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 call:started project.create ", "1 call:finished project.create ",
		"2 call:started project.create ", "2 call:finished project.create already_exists",
		"3 call:finished project.create invalid_argument",
		"4 call:finished project. unknown_action",
		"5 call:finished project.delete denied",
		"6 call:started project.list ", "6 call:finished project.list ",
		"7 call:finished projekt. unknown_action",
	}
	if diff := cmp.Diff(want, emitted); diff != "" {
		t.Errorf("emitted: %s", diff)
	}
	if diff := cmp.Diff(want, subscribed); diff != "" {
		t.Errorf("subscribed: %s", diff)
	}
}
