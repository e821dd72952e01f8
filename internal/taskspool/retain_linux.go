//go:build amd64 || arm64

package taskspool

import (
	"context"
	"os"
	"strings"
	"time"
)

// sweepEvery is how often what is kept is looked through.
const sweepEvery = time.Minute

// abandoned is the age from which a directory without its task is removed.
const abandoned = time.Hour

// sweep forgets ended tasks beyond the bounds, the oldest first, and what hosts
// left behind. What cannot be removed now is tried again the next time.
func (s *Spool) sweep(ctx context.Context) {
	s.mu.Lock()
	due := time.Since(s.swept) > sweepEvery || len(s.final) > s.opts.Keep+s.opts.Keep/8
	if due {
		s.swept = time.Now()
	}
	s.mu.Unlock()
	if !due {
		return
	}
	ids, err := s.ids()
	if err != nil {
		return
	}
	kept, bytes := 0, int64(0)
	for _, id := range ids {
		info, err := s.info(ctx, id)
		if err != nil || !info.State.Done() {
			continue
		}
		kept++
		bytes += s.weight(id)
		if kept > s.opts.Keep || bytes > s.opts.MaxBytes || info.Ended != nil && time.Since(*info.Ended) > s.opts.MaxAge {
			s.forget(id)
		}
	}
	s.tidy()
}

// weight is how many bytes a task's output takes.
func (s *Spool) weight(id string) int64 {
	var sum int64
	for _, name := range []string{"output", "tail", "streams"} {
		if info, err := os.Stat(s.path(id, name)); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// forget removes a task. Its name goes first, so that nobody sees half of it.
func (s *Spool) forget(id string) {
	old := s.path(".old-" + id)
	if os.Rename(s.path(id), old) == nil {
		_ = os.RemoveAll(old) // tidy does it otherwise
	}
	s.mu.Lock()
	delete(s.final, id)
	s.mu.Unlock()
}

// tidy removes what was left by hosts that are gone, and keys of forgotten
// tasks.
func (s *Spool) tidy() {
	_ = s.exclusive(func() error {
		for _, e := range entries(s.dir) {
			if strings.HasPrefix(e.Name(), ".old-") || strings.HasPrefix(e.Name(), ".new-") && older(e, abandoned) {
				_ = os.RemoveAll(s.path(e.Name()))
			}
		}
		for _, e := range entries(s.path("hosts")) {
			if !held(s.path("hosts", e.Name())) {
				_ = os.Remove(s.path("hosts", e.Name()))
			}
		}
		for _, e := range entries(s.path("keys")) {
			raw, err := os.ReadFile(s.path("keys", e.Name()))
			if err == nil && s.lacks(string(raw)) {
				_ = os.Remove(s.path("keys", e.Name()))
			}
		}
		return nil
	})
}

func entries(dir string) []os.DirEntry {
	all, _ := os.ReadDir(dir) // none where there is nothing
	return all
}

func older(e os.DirEntry, age time.Duration) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > age
}

// lacks reports whether there is no such task any more.
func (s *Spool) lacks(id string) bool {
	_, err := os.Stat(s.path(id, "meta.json"))
	return missing(err)
}
