package exectool

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// find returns the session's task, by name or else by process id.
func (r *Runner) find(ctx context.Context, id string, pid int) (*task, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	session := facade.Info(ctx).Session
	var known []string
	for _, t := range slices.Backward(r.tasks) {
		if t.session != session {
			continue
		}
		if id != "" && t.id == id || id == "" && t.proc.PID() == pid {
			return t, nil
		}
		known = append(known, t.id)
	}
	e := facade.Errorf(facade.CodeNotFound, "there is no task %q", id)
	e.Field = "task_id"
	if id == "" {
		e = facade.Errorf(facade.CodeNotFound, "process %d was not started here", pid)
		e.Field = "pid"
	}
	if len(known) == 0 {
		return nil, e.WithHint("nothing was started in this session, or it is forgotten")
	}
	return nil, e.WithHint("known tasks: %s", strings.Join(known[:min(len(known), 20)], ", "))
}

// await waits up to ms milliseconds for done.
func await(ctx context.Context, ms int, wait func(ctx context.Context) error) error {
	if ms <= 0 {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
	defer cancel()
	if err := wait(limited); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// defaultTail is how many lines a status shows.
const defaultTail = 20

// Status tells where a task stands.
func (r *Runner) Status(ctx context.Context, in facade.PythonTaskStatusInput) (facade.PythonTaskStatusOutput, error) {
	t, err := r.find(ctx, in.TaskID, 0)
	if err != nil {
		return facade.PythonTaskStatusOutput{}, err
	}
	err = await(ctx, in.WaitMS, func(ctx context.Context) error {
		select {
		case <-t.done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	lines := defaultTail
	if in.Tail != nil {
		lines = *in.Tail
	}
	now, started := r.snapshot(t), t.proc.Started()
	content, at := tail(ctx, t.proc.Log(), lines)
	out := facade.PythonTaskStatusOutput{
		TaskID: t.id, State: now.State, ExitCode: now.ExitCode, Signal: now.Signal, Reason: now.Reason,
		Started: &started, DurationMS: now.DurationMS, Output: content, NextOffset: at.Next,
	}
	if now.State.Done() {
		out.Ended = &t.ended
	}
	return out, err
}

// tail returns the last lines, in what a reply can hold.
func tail(ctx context.Context, log *proc.Log, lines int) (string, proc.Range) {
	for limit := facade.Budget(ctx) / 2; ; limit /= 2 {
		r := log.Tail(lines, limit)
		if s := text(r.Data); size(s) < facade.Budget(ctx)-room || limit < 16 {
			return s, r
		}
	}
}

// defaultLimit is how many bytes of output a reply has.
const defaultLimit = 16 << 10

// Output returns a range of what a task wrote. pid is used when in names no
// task.
func (r *Runner) Output(ctx context.Context, in facade.PythonTaskOutputInput, pid int) (facade.PythonTaskOutputOutput, error) {
	t, err := r.find(ctx, in.TaskID, pid)
	if err != nil {
		return facade.PythonTaskOutputOutput{}, err
	}
	log := t.proc.Log()
	from := int64(0)
	if in.Offset != nil {
		from = *in.Offset
	} else if in.Tail != nil {
		from = log.Total()
	}
	if err := await(ctx, in.WaitMS, func(ctx context.Context) error { return log.Wait(ctx, from) }); err != nil {
		return facade.PythonTaskOutputOutput{TaskID: t.id, State: r.snapshot(t).State}, err
	}
	var content string
	var got proc.Range
	if in.Tail != nil {
		content, got = tail(ctx, log, *in.Tail)
	} else if content, got, err = window(ctx, log, from, in.Limit); err != nil {
		return facade.PythonTaskOutputOutput{}, facade.Errorf(facade.CodeNotFound, "the output at byte %d is not kept any more", from).
			WithHint("read its end with 'tail'")
	}
	if got.Ended {
		<-t.done // so that the state is final where the end is seen
	}
	now := r.snapshot(t)
	return facade.PythonTaskOutputOutput{
		TaskID: t.id, State: now.State, ExitCode: now.ExitCode, Content: content,
		Offset: got.Offset, NextOffset: got.Next, EOF: got.Ended && got.Next >= got.Total,
	}, nil
}

// window returns the output from an offset, in what a reply can hold.
func window(ctx context.Context, log *proc.Log, from int64, limit int) (string, proc.Range, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	for limit = min(limit, facade.Budget(ctx)/2); ; limit /= 2 {
		r, err := log.Read(from, max(limit, 1))
		if s := text(r.Data); err != nil || size(s) < facade.Budget(ctx)-room || limit < 16 {
			return s, r, err
		}
	}
}

// inputWait is how long a program may take to read what it is given.
const inputWait = 5 * time.Second

// Input writes to a task.
func (r *Runner) Input(ctx context.Context, in facade.PythonTaskInputInput, pid int) (facade.PythonTaskInputOutput, error) {
	t, err := r.find(ctx, in.TaskID, pid)
	if err != nil {
		return facade.PythonTaskInputOutput{}, err
	}
	out := facade.PythonTaskInputOutput{TaskID: t.id}
	limited, cancel := context.WithTimeout(ctx, inputWait)
	defer cancel()
	if in.Data != "" {
		out.Accepted, err = t.proc.Write(limited, in.Data)
	}
	if err == nil && in.EOF {
		err = t.proc.CloseInput(limited)
		out.EOF = err == nil
	}
	switch {
	case err == nil, ctx.Err() != nil:
		return out, ctx.Err()
	case errors.Is(err, proc.ErrInputClosed):
		return out, facade.Errorf(facade.CodeConflict, "the input of task %s is closed", t.id).
			WithHint("it has ended, its input was closed, or it was not started in the background")
	default:
		return out, facade.Errorf(facade.CodeBusy, "task %s does not read its input; it took %d bytes", t.id, out.Accepted).
			WithHint("send the rest when it reads again")
	}
}

// Cancel kills a task and waits for its end.
func (r *Runner) Cancel(ctx context.Context, id string, pid int) (facade.PythonTaskCancelOutput, error) {
	t, err := r.find(ctx, id, pid)
	if err != nil {
		return facade.PythonTaskCancelOutput{}, err
	}
	t.proc.Stop()
	<-t.done // the ladder ends soon
	return facade.PythonTaskCancelOutput{
		TaskID: t.id, State: t.final.State, Leaked: append([]facade.LeakedProcess{}, t.final.Leaked...),
	}, nil
}

// defaultList is how many tasks a list has.
const defaultList = 50

// itemRoom is what a task of a list needs besides its command.
const itemRoom = 300

// List lists the session's tasks, the latest first.
func (r *Runner) List(ctx context.Context, in facade.PythonListTasksInput) (facade.PythonListTasksOutput, error) {
	r.mu.Lock()
	tasks := slices.Clone(r.tasks)
	r.mu.Unlock()
	if in.Limit <= 0 {
		in.Limit = defaultList
	}
	session := facade.Info(ctx).Session
	out := facade.PythonListTasksOutput{Tasks: []facade.PythonTask{}}
	left := facade.Budget(ctx) - room
	for _, t := range slices.Backward(tasks) {
		now := r.snapshot(t)
		if len(out.Tasks) == in.Limit || left < 0 || t.session != session || in.State != "" && now.State != in.State {
			continue
		}
		started := t.proc.Started()
		item := facade.PythonTask{
			TaskID: t.id, State: now.State, Command: t.job.Label, ExitCode: now.ExitCode,
			PID: t.proc.PID(), Started: &started, DurationMS: now.DurationMS,
		}
		if now.State.Done() {
			item.Ended = &t.ended
		}
		out.Tasks = append(out.Tasks, item)
		left -= size(item.Command) + itemRoom
	}
	return out, ctx.Err()
}
