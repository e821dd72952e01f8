package pyexec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/exectool"
)

// DefaultMaxSessions is how many interpreters keep their variables when the
// host does not say.
const DefaultMaxSessions = 8

// sessions are interpreters that keep their variables between calls. Each is a
// sandboxed process that runs one program at a time. They end with the tool.
type sessions struct {
	p   *Python
	max int

	mu      sync.Mutex
	live    map[key]*session
	evicted []key // those whose users have not been told
	closed  bool
}

// key names an interpreter: its user's session, and the name it was given.
type key struct{ session, name string }

// session is one interpreter.
type session struct {
	turn   chan struct{} // holds a value when nobody runs a program
	worker *exectool.Worker
	python string
	used   time.Time
	ended  bool // by its own program, since the last call
}

func newSessions(p *Python, most int) *sessions {
	if most <= 0 {
		most = DefaultMaxSessions
	}
	return &sessions{p: p, max: most, live: map[key]*session{}}
}

// run runs a job in a session, which begins with it when there is none.
func (s *sessions) run(ctx context.Context, name string, job exectool.Job) (facade.PythonRunOutput, error) {
	k := key{facade.Info(ctx).Session, name}
	one, err := s.turnOf(ctx, k)
	if err != nil {
		return facade.PythonRunOutput{}, err
	}
	fresh := one.worker == nil
	if !fresh && one.python != job.Spec.Program {
		one.turn <- struct{}{}
		e := facade.Errorf(facade.CodeConflict, "session %s runs another interpreter", name)
		e.Field = "python"
		return facade.PythonRunOutput{}, e.WithHint("leave out 'python', or use another 'session'")
	}
	if fresh {
		if err := s.begin(ctx, one, job.Spec); err != nil {
			one.turn <- struct{}{}
			return facade.PythonRunOutput{}, err
		}
	}
	begun := false
	job.Worker, job.Request.Begun = one.worker, &begun
	out, err := s.p.run.Run(ctx, job)
	if !begun {
		one.turn <- struct{}{}
	}
	if fresh && s.wasEvicted(k) {
		out.AddNote(fmt.Sprintf("session %s began anew: it had been ended for another, as at most %d are kept, and its variables are gone", name, s.max))
	}
	if out.State.Done() && s.over(one) {
		out.AddNote("the interpreter of session " + name + " has ended and its variables are gone; the next call begins a new one")
	}
	return out, err
}

// turnOf waits for a session's turn.
func (s *sessions) turnOf(ctx context.Context, k key) (*session, error) {
	s.mu.Lock()
	one := s.live[k]
	if one == nil {
		if len(s.live) >= s.max && !s.evict() {
			s.mu.Unlock()
			return nil, facade.Errorf(facade.CodeBusy, "%d sessions run programs, which is the limit", s.max).
				WithHint("wait for one, or use the name of one")
		}
		one = &session{turn: make(chan struct{}, 1)}
		one.turn <- struct{}{}
		s.live[k] = one
	}
	one.used = time.Now()
	s.mu.Unlock()
	select {
	case <-one.turn:
		return one, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// evict ends the idle session that was used least lately; the caller holds the
// lock.
func (s *sessions) evict() bool {
	var oldest key
	var found *session
	for k, one := range s.live {
		if len(one.turn) > 0 && (found == nil || one.used.Before(found.used)) {
			oldest, found = k, one
		}
	}
	if found == nil {
		return false
	}
	delete(s.live, oldest)
	if found.worker != nil {
		_ = found.worker.Close() // it has nothing to say
		if s.evicted = append(s.evicted, oldest); len(s.evicted) > mostEvicted {
			s.evicted = s.evicted[1:]
		}
	}
	return true
}

// mostEvicted is how many sessions that were ended for others are remembered.
const mostEvicted = 256

// wasEvicted reports, once, whether a session was ended for another.
func (s *sessions) wasEvicted(k key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.evicted, k)
	if i < 0 {
		return false
	}
	s.evicted = slices.Delete(s.evicted, i, i+1)
	return true
}

// begin starts a session's interpreter.
func (s *sessions) begin(ctx context.Context, one *session, spec facade.TaskSpec) error {
	flags := spec.Flags[:len(spec.Flags)-2] // behind them comes the launcher
	w, err := s.p.run.StartWorker(ctx, exectool.WorkerSpec{
		Path: spec.Program, Args: slices.Concat(flags, []string{"-c", s.p.worker, "session", ""}),
		Env: variables(), ReadOnly: spec.ReadOnly, OnEnd: func(_ *exectool.Worker, usable bool) { s.done(one, usable) },
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.Join(facade.Errorf(facade.CodeUnavailable, "the tool is closed"), w.Close())
	}
	one.worker, one.python, one.ended = w, spec.Program, false
	return nil
}

// done ends a session's turn.
func (s *sessions) done(one *session, usable bool) {
	s.mu.Lock()
	worker := one.worker
	if !usable {
		one.worker, one.ended = nil, true
	}
	s.mu.Unlock()
	if !usable && worker != nil {
		_ = worker.Close() // it is over already
	}
	one.turn <- struct{}{}
}

// over reports, once, whether a session's interpreter has ended.
func (s *sessions) over(one *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := one.ended
	one.ended = false
	return ended
}

// Restart ends the interpreter of a session of the caller that ctx names, with
// the program that it runs; the next call begins a new one. A session that is
// not there is no error.
func (p *Python) Restart(ctx context.Context, name string) error {
	s := p.sessions
	k := key{facade.Info(ctx).Session, name}
	s.mu.Lock()
	var worker *exectool.Worker
	if one := s.live[k]; one != nil {
		worker = one.worker
	}
	delete(s.live, k)
	s.mu.Unlock()
	if worker == nil {
		return nil
	}
	return worker.Close()
}

// close ends all interpreters.
func (s *sessions) close() error {
	s.mu.Lock()
	s.closed = true
	var workers []*exectool.Worker
	for _, one := range s.live {
		if one.worker != nil {
			workers = append(workers, one.worker)
		}
	}
	s.mu.Unlock()
	var err error
	for _, w := range workers {
		err = errors.Join(err, w.Close())
	}
	return err
}
