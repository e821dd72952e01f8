package exectool

import (
	"context"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// spec completes a job's spec.
func (r *Runner) spec(ctx context.Context, job Job) Job {
	job.Spec.Session, job.Spec.Tool = facade.Info(ctx).Session, r.hooks.Tool
	return job
}

// Run starts a job and waits for its end, for yield or for the end of ctx,
// which kills it.
func (r *Runner) Run(ctx context.Context, job Job) (facade.PythonRunOutput, error) {
	release, err := r.admit(ctx)
	if err != nil {
		return facade.PythonRunOutput{}, err
	}
	job = r.spec(ctx, job)
	if job.Yield > 0 && job.OnOutput == nil && job.Worker == nil {
		if store := r.background(true); store != nil {
			info, err := store.Submit(ctx, job.Spec)
			if release(); err != nil {
				return facade.PythonRunOutput{}, err
			}
			return r.runKept(ctx, store, job, info)
		}
	}
	t, err := r.own.start(ctx, job)
	if release(); err != nil {
		return facade.PythonRunOutput{}, err
	}
	defer t.quiet.hush()
	var yield <-chan time.Time
	if job.Yield > 0 {
		timer := time.NewTimer(job.Yield)
		defer timer.Stop()
		yield = timer.C
	}
	select {
	case <-t.done:
	case <-yield:
		return fit(ctx, t.output()), nil
	case <-ctx.Done():
		t.proc.Stop()
		<-t.done
		return fit(ctx, t.output()), ctx.Err()
	}
	return fit(ctx, t.output()), t.proc.Result().Err
}

// output is what a run gives, as far as it came.
func (t *task) output() facade.PythonRunOutput {
	out := runOutput(t.info())
	var whole bool
	out.Stdout, out.Stderr, whole = t.proc.Texts()
	out.Truncated = !whole
	return out
}

// runOutput is a run's output without what the program wrote.
func runOutput(i facade.TaskInfo) facade.PythonRunOutput {
	out := facade.PythonRunOutput{
		TaskID: i.ID, State: i.State, ExitCode: i.ExitCode, Signal: i.Signal, Reason: i.Reason,
		TimedOut: i.State == facade.TaskTimedOut, TotalBytes: i.TotalBytes, DurationMS: i.Duration(time.Now()).Milliseconds(),
		Artifacts: i.Artifacts, Results: i.Results, Leaked: i.Leaked, Isolation: i.Isolation,
	}
	for _, n := range i.Notes {
		out.AddNote(n)
	}
	return out
}

// Background starts a job and returns at once.
func (r *Runner) Background(ctx context.Context, job Job) (facade.PythonRunBackgroundOutput, error) {
	release, err := r.admit(ctx)
	if err != nil {
		return facade.PythonRunBackgroundOutput{}, err
	}
	defer release()
	job = r.spec(ctx, job)
	if job.Terminal { // a host that is gone leaves nobody to hold it
		t, err := r.own.start(ctx, job)
		if err != nil {
			return facade.PythonRunBackgroundOutput{}, err
		}
		t.quiet.hush()
		return facade.PythonRunBackgroundOutput{TaskID: t.id, State: facade.TaskRunning, PID: t.proc.PID()}, nil
	}
	store := r.background(true)
	if store == nil {
		store = r.own
	}
	info, err := store.Submit(ctx, job.Spec)
	if err != nil {
		return facade.PythonRunBackgroundOutput{}, err
	}
	if store != r.own {
		facade.Emit(ctx, facade.Event{Type: facade.EventProcessStarted, Data: map[string]any{"task_id": info.ID, "pid": info.PID}})
	}
	if info.State.Done() { // so soon
		info.State = facade.TaskRunning
	}
	return facade.PythonRunBackgroundOutput{TaskID: info.ID, State: info.State, PID: info.PID, Reason: info.Reason}, nil
}

// runKept waits for the end of a job that runs as a task which outlives the
// host, or for yield.
func (r *Runner) runKept(ctx context.Context, store facade.TaskStore, job Job, info facade.TaskInfo) (facade.PythonRunOutput, error) {
	h := handle{store, info.ID}
	facade.Emit(ctx, facade.Event{Type: facade.EventProcessStarted, Data: map[string]any{"task_id": info.ID, "pid": info.PID}})
	limited, cancel := context.WithTimeout(ctx, job.Yield)
	defer cancel()
	waited := h.follow(limited)
	err := ctx.Err()
	after := ctx
	if err != nil {
		var stop context.CancelFunc
		after, stop = context.WithTimeout(context.WithoutCancel(ctx), killTime)
		defer stop()
		if _, cancelErr := store.Cancel(after, info.ID); cancelErr != nil {
			return runOutput(info), err
		}
	} else if waited != nil && limited.Err() == nil {
		return runOutput(info), waited
	}
	info, getErr := store.Get(after, info.ID)
	if getErr != nil {
		return runOutput(info), getErr
	}
	if info.State.Done() {
		facade.Emit(ctx, facade.Event{Type: facade.EventProcessExited, Data: map[string]any{"task_id": info.ID, "state": info.State, "exit_code": info.ExitCode}})
	}
	out := runOutput(info)
	if readErr := h.texts(after, &out); readErr != nil && err == nil {
		err = readErr
	}
	return fit(ctx, out), err
}

// killTime is how long killing a task may take.
const killTime = 20 * time.Second
