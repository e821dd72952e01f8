package escapetest

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// Attacker exchanges an entry of the root with a link that leads outside, over
// and over, while calls under test use the entry's name.
type Attacker struct {
	swaps atomic.Int64
	stop  chan struct{}
	done  chan struct{}
}

// AttackDir swaps root/victim, a directory with the files secret.txt and
// inside.txt, with a link to outside/dir.
func (w *World) AttackDir(t testing.TB) *Attacker {
	t.Helper()
	victim := filepath.Join(w.Root, "victim")
	check(t, os.MkdirAll(victim, 0o755))
	for _, name := range []string{"secret.txt", "inside.txt"} {
		check(t, os.WriteFile(filepath.Join(victim, name), []byte("inside\n"), 0o644))
	}
	return w.attack(t, victim, filepath.Join("..", "outside", "dir"))
}

// AttackFile swaps the file root/victim with a link to outside/secret.txt.
func (w *World) AttackFile(t testing.TB) *Attacker {
	t.Helper()
	victim := filepath.Join(w.Root, "victim")
	check(t, os.WriteFile(victim, []byte("inside\n"), 0o644))
	return w.attack(t, victim, filepath.Join("..", "outside", "secret.txt"))
}

func (w *World) attack(t testing.TB, victim, target string) *Attacker {
	t.Helper()
	link := filepath.Join(w.Root, "swap")
	check(t, os.Symlink(target, link))
	a := &Attacker{stop: make(chan struct{}), done: make(chan struct{})}
	go a.run(victim, link)
	return a
}

// run goes on without an entry that a call under test has removed or renamed:
// the next exchange puts another there or fails.
func (a *Attacker) run(victim, link string) {
	defer close(a.done)
	for {
		select {
		case <-a.stop:
			return
		default:
		}
		if exchange(victim, link) == nil {
			a.swaps.Add(1)
		}
	}
}

// Swaps returns how often the entries were exchanged so far.
func (a *Attacker) Swaps() int64 { return a.swaps.Load() }

// Stop ends the attack and returns the number of exchanges.
func (a *Attacker) Stop() int64 {
	close(a.stop)
	<-a.done
	return a.Swaps()
}
