//go:build amd64 || arm64

package taskspool

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// start is what the supervisor writes down at the start.
type start struct {
	PID             int    `json:"pid"`
	PIDStart        int64  `json:"pid_start"`
	Supervisor      int    `json:"supervisor"`
	SupervisorStart int64  `json:"supervisor_start"`
	BootID          string `json:"boot_id"`
	Started         int64  `json:"started"`
}

// exit is what the supervisor writes down at the end.
type exit struct {
	Cause  string                 `json:"cause"`
	Code   int                    `json:"code"`
	Signal int                    `json:"signal"`
	Total  int64                  `json:"total"`
	Ended  int64                  `json:"ended"`
	Leaked []facade.LeakedProcess `json:"leaked"`
}

// Get implements [facade.TaskQueue].
func (s *Spool) Get(ctx context.Context, id string) (facade.TaskInfo, error) {
	s.reap(false)
	return s.info(ctx, id)
}

// over reports whether a task's end is known to this host.
func (s *Spool) over(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.final[id]
	return ok
}

// written reports whether the supervisor has written down the end.
func (s *Spool) written(id string) bool {
	_, err := os.Stat(s.path(id, "exit.json"))
	return err == nil
}

// ended reports whether a task writes nothing any more. The order matters: a
// supervisor writes its last word and then lets go of the lock.
func (s *Spool) ended(id string) bool {
	return s.over(id) || s.written(id) || !held(s.path(id, "lock"))
}

// read returns what was written down of a task before it started.
func (s *Spool) read(id string) (meta, error) {
	var m meta
	if number(id) == 0 {
		return m, notFound(id)
	}
	err := readJSON(s.path(id, "meta.json"), &m)
	if missing(err) {
		s.mu.Lock()
		delete(s.final, id)
		s.mu.Unlock()
		return m, notFound(id)
	}
	if err != nil {
		e := facade.Errorf(facade.CodeIO, "the record of %s cannot be read", id)
		e.Err = err
		return m, e.WithHint("list the tasks to see which can")
	}
	return m, nil
}

// info tells where a task stands.
func (s *Spool) info(ctx context.Context, id string) (facade.TaskInfo, error) {
	m, err := s.read(id)
	if err != nil {
		return facade.TaskInfo{}, err
	}
	s.mu.Lock()
	known, ok := s.final[id]
	s.mu.Unlock()
	if ok {
		known.Orphan = s.orphan(m)
		return known, nil
	}
	if s.ended(id) {
		return s.finish(ctx, m)
	}
	info := m.Info
	info.State, info.Orphan, info.Started = facade.TaskRunning, s.orphan(m), &m.Info.Created
	var st start
	if readJSON(s.path(id, "start.json"), &st) == nil {
		began := time.Unix(0, st.Started)
		info.PID, info.Started = st.PID, &began
	} else {
		s.mu.Lock()
		info.PID = s.pids[id]
		s.mu.Unlock()
	}
	info.TotalBytes, err = s.total(m)
	return info, err
}

// orphan reports whether the host that submitted a task is gone.
func (s *Spool) orphan(m meta) bool { return m.Host != s.host && !held(s.path("hosts", m.Host)) }

// finish gives a task that has ended its final state, which the first host that
// sees it writes down.
func (s *Spool) finish(ctx context.Context, m meta) (facade.TaskInfo, error) {
	id := m.Info.ID
	path := s.path(id, "result.json")
	var info facade.TaskInfo
	if err := readJSON(path, &info); err != nil {
		if !missing(err) {
			return m.Info, err
		}
		release, err := s.own(ctx, id)
		if err != nil {
			return m.Info, err
		}
		defer release()
		if readJSON(path, &info) != nil { // nobody was faster
			if info, err = s.conclude(m); err != nil {
				return m.Info, err
			}
		}
	}
	s.mu.Lock()
	s.final[id] = info
	delete(s.pids, id)
	s.mu.Unlock()
	info.Orphan = s.orphan(m)
	return info, nil
}

// own takes a task's lock when its supervisor is gone, which is soon.
func (s *Spool) own(ctx context.Context, id string) (func(), error) {
	f, err := os.Open(s.path(id, "lock"))
	if missing(err) {
		return nil, notFound(id)
	}
	if err != nil {
		return nil, err
	}
	for unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		}
	}
	return func() { _ = f.Close() }, nil
}

// conclude makes the final state of what the supervisor wrote down.
func (s *Spool) conclude(m meta) (facade.TaskInfo, error) {
	id := m.Info.ID
	info := m.Info
	var st start
	if readJSON(s.path(id, "start.json"), &st) == nil {
		began := time.Unix(0, st.Started)
		info.PID, info.Started = st.PID, &began
	} else {
		info.Started = &m.Info.Created
	}
	var x exit
	if err := readJSON(s.path(id, "exit.json"), &x); err == nil {
		describe(&info, x)
	} else {
		for _, p := range proc.KillMarked(m.Mark) {
			info.Leaked = append(info.Leaked, facade.LeakedProcess{PID: p.PID, Command: p.Command})
		}
		now := time.Now()
		info.State, info.Reason, info.Ended = facade.TaskLost, s.trouble(id), &now
		total, err := s.total(m)
		if err != nil {
			return info, err
		}
		info.TotalBytes = total
	}
	run := s.path(id, "run")
	if s.opts.Finish != nil {
		s.opts.Finish(run, &info)
	}
	if err := writeJSON(s.path(id, "result.json"), info); err != nil {
		return info, err
	}
	return info, errors.Join(os.RemoveAll(run), removed(s.path(id, "stdin")), removed(s.path(id, "control")))
}

// trouble says why a task was lost.
func (s *Spool) trouble(id string) string {
	raw, _ := os.ReadFile(s.path(id, "trouble")) // none is the rule
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return "its supervisor failed: " + strings.ToValidUTF8(last[:min(len(last), 200)], "\uFFFD")
	}
	return "its supervisor was killed, or the machine went down; how it ended is unknown, and it was not started again"
}

// removed removes a file that need not be there.
func removed(path string) error {
	if err := os.Remove(path); err != nil && !missing(err) {
		return err
	}
	return nil
}

// describe names how a program ended.
func describe(info *facade.TaskInfo, x exit) {
	ended := time.Unix(0, x.Ended)
	info.Ended, info.TotalBytes, info.Leaked = &ended, x.Total, x.Leaked
	if x.Signal != 0 {
		info.Signal = unix.SignalName(unix.Signal(x.Signal))
	} else {
		info.ExitCode = &x.Code
	}
	cause := map[string]proc.Cause{"timed_out": proc.TimedOut, "canceled": proc.Canceled, "output_limit": proc.OutputLimit}[x.Cause]
	info.State, info.Reason = Ending(cause, info.Signal, x.Code)
}

// Running counts the tasks that run, and those of a session.
func (s *Spool) Running(session string) (all, own int) {
	ids, _ := s.ids() // none in a directory that cannot be read
	for _, id := range ids {
		if s.ended(id) {
			continue
		}
		all++
		if m, err := s.read(id); err == nil && m.Info.Session == session {
			own++
		}
	}
	return all, own
}
