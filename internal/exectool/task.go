package exectool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/sandbox"
)

// Job is a program to start.
type Job struct {
	Label    string   // what lists show
	Path     string   // of the program, absolute
	Args     []string // without the program's name
	Env      []string // on top of the tool's
	Dir      string   // absolute, from [Runner.Directory]
	Stdin    string
	KeepOpen bool // the input stays open behind Stdin
	Timeout  time.Duration
	Yield    time.Duration // 0 waits for the end
	// Writable and ReadOnly are more paths for the sandbox.
	Writable, ReadOnly []string
	// OnOutput gets the output as it comes.
	OnOutput func(facade.OutputChunk) error
	// Finish is called once, when the program has ended or could not start. It
	// adds to the output what the program left.
	Finish func(id string, out *facade.PythonRunOutput)
}

// task is a started job.
type task struct {
	id      string
	session string
	job     Job
	proc    *proc.Process
	quiet   quiet
	done    chan struct{}          // closed behind final
	final   facade.PythonRunOutput // how it ended
	ended   time.Time
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

// start starts a job as a task of the session that ctx names.
func (r *Runner) start(ctx context.Context, job Job) (*task, error) {
	t, err := r.admit(ctx, job)
	if err == nil {
		cmd := r.command(ctx, t)
		if t.proc, err = proc.Start(cmd); err == nil {
			r.mu.Lock()
			refused := r.closed
			if !refused {
				r.tasks = append(r.tasks, t)
			}
			r.mu.Unlock()
			if refused {
				t.proc.Stop()
			}
			go r.watch(ctx, t)
			t.emit(ctx, facade.EventProcessStarted, map[string]any{"task_id": t.id, "pid": t.proc.PID()})
			if refused {
				<-t.done
				return nil, errClosed()
			}
			r.forget()
			return t, nil
		}
		err = startError(job, err)
	}
	if job.Finish != nil {
		job.Finish("", &facade.PythonRunOutput{})
	}
	return nil, err
}

func errClosed() error {
	return facade.Errorf(facade.CodeUnavailable, "the tool is closed").WithHint("the host has to open it again")
}

// admit checks the caps and gives the task its name.
func (r *Runner) admit(ctx context.Context, job Job) (*task, error) {
	if err := errors.Join(ctx.Err(), r.Ready()); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed()
	}
	running := 0
	for _, t := range r.tasks {
		if !t.over() {
			running++
		}
	}
	if running >= r.opts.MaxRunning {
		e := facade.Errorf(facade.CodeBusy, "%d programs run already, which is the limit", running).
			WithHint("wait for one or kill one; %s shows them", r.terms.List)
		e.RetryAfter = time.Second
		return nil, e
	}
	r.count++
	return &task{
		id: fmt.Sprintf("task-%d", r.count), session: facade.Info(ctx).Session,
		job: job, done: make(chan struct{}),
	}, nil
}

func (r *Runner) command(ctx context.Context, t *task) proc.Command {
	job := t.job
	policy := sandbox.Policy{
		Writable: append([]string{r.dir}, job.Writable...),
		ReadOnly: slices.Concat(r.opts.ReadOnly, job.ReadOnly),
		Network:  r.opts.Network,
	}
	return proc.Command{
		Path: job.Path, Args: job.Args, Dir: job.Dir, Env: slices.Concat(r.environment(), r.opts.Env, job.Env),
		Stdin: job.Stdin, KeepInput: job.KeepOpen, Timeout: job.Timeout,
		Limits: r.opts.Limits, OutputLimit: r.opts.OutputLimit, SpillDir: r.spool,
		Contained: r.Contained(),
		Launch:    func(c proc.Child) (*os.Process, error) { return r.box.Start(c, policy) },
		OnOutput: func(c proc.Chunk) error {
			chunk := facade.OutputChunk{Stream: facade.StreamStdout, Offset: c.Offset, Data: c.Data, Dropped: c.Dropped}
			if c.Stream == proc.Stderr {
				chunk.Stream = facade.StreamStderr
			}
			t.emit(ctx, facade.EventProcessOutput, chunk)
			if job.OnOutput == nil {
				return nil
			}
			return job.OnOutput(chunk)
		},
	}
}

// environment is what every program gets: quiet, UTF-8, and nothing of the
// host's that could be a secret.
func (r *Runner) environment() []string {
	path, home := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/tmp"
	if !r.Contained() {
		path, home = os.Getenv("PATH"), os.Getenv("HOME")
	}
	return []string{
		"PATH=" + path, "HOME=" + home, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0",
	}
}

func startError(job Job, err error) error {
	code := facade.CodeOf(err)
	if code == facade.CodeInternal || code == facade.CodeInvalidArgument {
		code = facade.CodeUnavailable
	}
	e := facade.Errorf(code, "%s could not be started", strings.ReplaceAll(job.Label, "\n", " "))
	e.Err = err
	return e.WithHint("check that the program exists and may be executed")
}

func (t *task) emit(ctx context.Context, kind facade.EventType, data any) {
	t.quiet.unless(func() { facade.Emit(ctx, facade.Event{Type: kind, Data: data}) })
}

// watch records how a task ended.
func (r *Runner) watch(ctx context.Context, t *task) {
	res := t.proc.Result()
	out := r.snapshot(t)
	out.State, out.Reason = ending(res)
	out.TimedOut = res.Cause == proc.TimedOut
	if res.Signal == "" && res.ExitCode >= 0 {
		out.ExitCode = &res.ExitCode
	}
	out.Signal = res.Signal
	out.DurationMS = res.Ended.Sub(res.Started).Milliseconds()
	for _, s := range res.Leaked {
		out.Leaked = append(out.Leaked, facade.LeakedProcess{PID: s.PID, Command: s.Command})
	}
	if t.job.Finish != nil {
		t.job.Finish(t.id, &out)
	}
	t.ended, t.final = res.Ended, out
	t.emit(ctx, facade.EventProcessExited, map[string]any{"task_id": t.id, "state": out.State, "exit_code": out.ExitCode})
	close(t.done)
}

// ending names how a process ended.
func ending(res proc.Result) (facade.TaskState, string) {
	switch res.Cause {
	case proc.TimedOut:
		return facade.TaskTimedOut, "it was killed at its time limit"
	case proc.Canceled:
		return facade.TaskCanceled, ""
	case proc.OutputLimit:
		return facade.TaskOutputLimit, "it was killed for writing too much"
	case proc.Exited:
	}
	switch {
	case res.Signal == "SIGKILL":
		return facade.TaskFailed, "something else than this tool killed it; a lack of memory is likely"
	case res.ExitCode == 0:
		return facade.TaskSucceeded, ""
	}
	return facade.TaskFailed, ""
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

// forget drops the oldest ended tasks above the cap.
func (r *Runner) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	extra := -r.opts.Keep
	for _, t := range r.tasks {
		if t.over() {
			extra++
		}
	}
	r.tasks = slices.DeleteFunc(r.tasks, func(t *task) bool {
		if extra <= 0 || !t.over() {
			return false
		}
		extra--
		_ = t.proc.Log().Close() // nobody can read it any more
		return true
	})
}
