package exectool

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/internal/taskspool"
)

// task is a started job of a [memory].
type task struct {
	id        string
	job       Job
	isolation string
	dir       string // of its own; made when it has files
	made      bool   // ahead
	proc      *proc.Process
	quiet     quiet
	done      chan struct{}   // closed behind final
	final     facade.TaskInfo // how it ended
}

// quiet is set when the call that started a task has returned: from then on its
// events belong to nobody.
type quiet struct {
	mu  sync.RWMutex
	set bool
}

func (q *quiet) hush() {
	q.mu.Lock()
	q.set = true
	q.mu.Unlock()
}

func (q *quiet) unless(do func()) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if !q.set {
		do()
	}
}

// lay puts the task's files into a directory of its own.
func (t *task) lay() error {
	if len(t.job.Spec.Files) == 0 {
		return nil
	}
	var err error
	if !t.made {
		err = os.Mkdir(t.dir, 0o700)
	}
	for _, f := range t.job.Spec.Files {
		if f.Name == "" || f.Name == ".." || strings.ContainsAny(f.Name, "/\x00") {
			return facade.InvalidArgument("files", "%q is no name of a file", f.Name)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(t.dir, f.Name), f.Data, 0o600)
		}
	}
	if err == nil {
		return nil
	}
	e := facade.Errorf(facade.CodeOf(err), "the program could not be laid down")
	e.Err = err
	return e.WithHint("the host's temporary directory is full or cannot be written")
}

// forward hands output over to the caller as long as there is one.
func (t *task) forward(ctx context.Context) func(proc.Chunk) error {
	if !facade.Heard(ctx) && t.job.OnOutput == nil {
		return nil
	}
	return func(c proc.Chunk) error {
		chunk := facade.OutputChunk{Stream: facade.StreamStdout, Offset: c.Offset, Data: c.Data, Dropped: c.Dropped}
		if c.Stream == proc.Stderr {
			chunk.Stream = facade.StreamStderr
		}
		t.emit(ctx, facade.EventProcessOutput, chunk)
		if t.job.OnOutput == nil {
			return nil
		}
		return t.job.OnOutput(chunk)
	}
}

func (t *task) emit(ctx context.Context, kind facade.EventType, data any) {
	t.quiet.unless(func() { facade.Emit(ctx, facade.Event{Type: kind, Data: data}) })
}

// watch records how a task ended.
func (t *task) watch(ctx context.Context, finish func(dir string, info *facade.TaskInfo)) {
	res := t.proc.Result()
	info := t.now()
	info.State, info.Reason = taskspool.Ending(res.Cause, res.Signal, res.ExitCode)
	if res.OutOfMemory && info.State == facade.TaskFailed {
		info.State, info.Reason = facade.TaskOOMKilled, "it needed more memory than it may have"
	}
	if res.Signal == "" && res.ExitCode >= 0 {
		info.ExitCode = &res.ExitCode
	}
	info.Signal, info.Ended, info.TotalBytes = res.Signal, &res.Ended, res.TotalBytes
	for _, s := range res.Leaked {
		info.Leaked = append(info.Leaked, facade.LeakedProcess{PID: s.PID, Command: s.Command})
	}
	if len(t.job.Spec.Files) > 0 && finish != nil {
		finish(t.dir, &info)
	}
	t.final = info
	t.emit(ctx, facade.EventProcessExited, map[string]any{"task_id": t.id, "state": info.State, "exit_code": info.ExitCode})
	close(t.done)
}

// over reports whether the task has ended.
func (t *task) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// now describes the task as one that runs.
func (t *task) now() facade.TaskInfo {
	spec, started := t.job.Spec, t.proc.Started()
	return facade.TaskInfo{
		ID: t.id, Session: spec.Session, Tool: spec.Tool, Label: spec.Label, State: facade.TaskRunning,
		PID: t.proc.PID(), Created: started, Started: &started, TotalBytes: t.proc.Log().Total(), Isolation: t.isolation,
	}
}

func (t *task) info() facade.TaskInfo {
	if t.over() {
		return t.final
	}
	return t.now()
}
