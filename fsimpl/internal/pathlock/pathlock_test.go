package pathlock

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// blocked reports whether a lock on path has to wait.
func blocked(t *testing.T, l *Locks, path string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	unlock, err := l.Lock(ctx, path)
	if err != nil {
		return true
	}
	unlock()
	return false
}

func TestExclusion(t *testing.T) {
	var l Locks
	unlock, err := l.Lock(t.Context(), "a/b", "x")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"a/b": true, "A/B": true, "a/b/c": true, "a/b/c/d": true, "a": true, ".": true,
		"x": true, "x/y": true, "a/c": false, "ab": false, "y": false,
	} {
		if got := blocked(t, &l, path); got != want {
			t.Errorf("while a/b and x are held, %q blocked = %v, want %v", path, got, want)
		}
	}
	unlock()
	for _, path := range []string{".", "a", "a/b", "x/y"} {
		if blocked(t, &l, path) {
			t.Errorf("%q is blocked though nothing is held", path)
		}
	}
	if len(l.held) != 0 {
		t.Errorf("%d paths are remembered though nothing is held", len(l.held))
	}
}

func TestManyGoroutines(t *testing.T) {
	var l Locks
	var wg sync.WaitGroup
	counts := make([]int, 4) // guarded by the path locks alone
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(g)))
			for range 200 {
				i, j := rng.IntN(4), rng.IntN(4)
				unlock, err := l.Lock(t.Context(), fmt.Sprintf("d/%d", i), fmt.Sprintf("d/%d", j))
				if err != nil {
					t.Error(err)
					return
				}
				counts[i]++
				if j != i {
					counts[j]++
				}
				unlock()
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	if total < 1600 {
		t.Errorf("lost updates: %d in all", total)
	}
}
