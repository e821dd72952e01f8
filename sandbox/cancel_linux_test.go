//go:build amd64 || arm64

package sandbox

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// TestCancelIsQuick measures, with the default grace, how long it takes until a
// canceled program and all that it started are gone, by kind of escape and
// containment. The long variant makes over 200 runs of each containment.
func TestCancelIsQuick(t *testing.T) {
	needPython(t)
	rounds, limit := 2, 5*time.Second
	if testenv.Full() {
		rounds, limit = 40, 500*time.Millisecond
	}
	kinds := []string{"child", "setpgid", "setsid", "daemon", "ignoreterm", "clearenv"}
	for _, s := range []Sandbox{None{}, Namespaces{}, Bubblewrap{}} {
		t.Run(s.Name(), func(t *testing.T) {
			if err := Require(t.Context(), s, ProcessTree); err != nil && s.Name() != "none" {
				testenv.Missing(t, "%v", err)
			}
			var took []time.Duration
			for range rounds {
				for i, kind := range kinds {
					took = append(took, cancel(t, s, kind, 64000+100*i+len(s.Name())))
				}
			}
			slices.Sort(took)
			p99 := took[len(took)*99/100]
			t.Logf("%d runs: p50 %v, p99 %v", len(took), took[len(took)/2], p99)
			if p99 > limit {
				t.Errorf("p99 is %v, want at most %v", p99, limit)
			}
		})
	}
}

// cancel starts an escape, whose process sleeps for the given seconds, cancels
// it and returns how long the end took. Whatever is left is a failure.
func cancel(t *testing.T, s Sandbox, kind string, seconds int) time.Duration {
	t.Helper()
	mark := "sleep\x00" + strconv.Itoa(seconds)
	c := command(t, s, Policy{Writable: []string{t.TempDir()}}, python, "-c", escapeScript(t, strconv.Itoa(seconds)), kind)
	c.Contained, c.Grace = s.Name() != "none", proc.DefaultGrace
	p := start(t, c)
	if err := p.Log().Wait(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); len(running(t, mark)) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: the process to kill does not run", kind)
		}
	}
	begin := time.Now()
	p.Stop()
	r := p.Result()
	end := time.Since(begin)
	if left := running(t, mark); r.Cause != proc.Canceled || len(r.Leaked) > 0 || len(left) > 0 {
		t.Errorf("%s: %v, leaked %v, still running %v", kind, r.Cause, r.Leaked, left)
	}
	return end
}
