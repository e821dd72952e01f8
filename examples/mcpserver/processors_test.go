package main

import (
	"runtime"
	"testing"
	"time"
)

// processorsBecome waits until the process has one processor, or several.
func processorsBecome(t *testing.T, one bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); (runtime.GOMAXPROCS(0) == 1) != one; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the process has %d processors; want one: %v", runtime.GOMAXPROCS(0), one)
		}
	}
}

func watched(t *testing.T) *processors {
	t.Helper()
	p := newProcessors()
	if p == nil {
		t.Skip("the process has one processor only, or GOMAXPROCS says how many")
	}
	t.Cleanup(p.close)
	processorsBecome(t, true) // no call, so there is calm
	return p
}

func TestProcessors(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	p := watched(t)
	for range 3 {
		p.begin() // becomes long
		processorsBecome(t, false)
		time.Sleep(2 * calmAfter)
		if n := runtime.GOMAXPROCS(0); n != all {
			t.Errorf("a long call has %d processors, want %d", n, all)
		}
		p.end()
		processorsBecome(t, true)
		p.begin()
		p.begin()
		if n := runtime.GOMAXPROCS(0); n != all {
			t.Errorf("two calls have %d processors, want %d", n, all)
		}
		p.end()
		p.end()
		processorsBecome(t, true)
		for range 100 {
			p.begin()
			p.end()
		}
		processorsBecome(t, true)
	}
	p.begin()
	p.close()
	p.look() // the timer may be on its way
	if n := runtime.GOMAXPROCS(0); n != all {
		t.Errorf("%d processors are left, want %d", n, all)
	}
	p.end()
	p.look()
	if n := runtime.GOMAXPROCS(0); n != all {
		t.Errorf("%d processors are left, want %d", n, all)
	}
}

func TestProcessorsAreChosen(t *testing.T) {
	t.Setenv("GOMAXPROCS", "2")
	if newProcessors() != nil {
		t.Error("GOMAXPROCS has no effect")
	}
}
