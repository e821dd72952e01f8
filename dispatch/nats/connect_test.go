package nats

import (
	"testing"
	"time"
)

// TestOpenAgain opens a store with the same limits, which changes nothing at
// the server, and with others, which it takes over.
func TestOpenAgain(t *testing.T) {
	conn := dial(t, serve(t))
	updates, err := conn.SubscribeSync("$JS.EVENT.ADVISORY.STREAM.UPDATED.>")
	if err != nil {
		t.Fatal(err)
	}
	o := testOptions("again")
	o.MaxQueued, o.Keep = 5, time.Hour
	for _, step := range []struct {
		change  func()
		updates int
	}{
		{func() {}, 0},
		{func() {}, 0},
		{func() { o.MaxQueued = 7 }, 1},
		{func() { o.Keep += time.Hour }, 4},
		{func() {}, 0},
	} {
		step.change()
		s, err := Open(t.Context(), conn, &o)
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.queue.Info(t.Context())
		if err != nil || info.Config.MaxMsgs != o.MaxQueued || info.Config.MaxAge != o.Keep {
			t.Errorf("the queue differs from %+v: %v", o, err)
		}
		status, err := s.tasks.Status(t.Context())
		if err != nil || status.TTL() != o.Keep {
			t.Errorf("tasks are not kept for %v: %v", o.Keep, err)
		}
		seen := 0
		for ; seen < step.updates; seen++ {
			if _, err := updates.NextMsg(10 * time.Second); err != nil {
				t.Fatalf("%d of %d updates: %v", seen, step.updates, err)
			}
		}
		if msg, err := updates.NextMsg(100 * time.Millisecond); err == nil {
			t.Errorf("more than %d updates: %s", step.updates, msg.Subject)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
