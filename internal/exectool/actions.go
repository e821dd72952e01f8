package exectool

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// await waits up to ms milliseconds for output behind offset, or for the end.
func (h handle) await(ctx context.Context, ms int, offset int64) error {
	if ms <= 0 {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
	defer cancel()
	err := h.store.Wait(limited, h.id, offset)
	if err != nil && limited.Err() != nil {
		return ctx.Err()
	}
	return err
}

// defaultTail is how many lines a status shows.
const defaultTail = 20

// Status tells where a task stands.
func (r *Runner) Status(ctx context.Context, in facade.PythonTaskStatusInput) (facade.PythonTaskStatusOutput, error) {
	h, err := r.find(ctx, in.TaskID, 0)
	if err != nil {
		return facade.PythonTaskStatusOutput{}, err
	}
	waited := h.await(ctx, in.WaitMS, facade.TaskEnd)
	now, err := h.store.Get(context.WithoutCancel(ctx), h.id)
	if err != nil {
		return facade.PythonTaskStatusOutput{}, err
	}
	lines := defaultTail
	if in.Tail != nil {
		lines = *in.Tail
	}
	results, used := fitResults(ctx, now.Results)
	content, at, err := h.tail(context.WithoutCancel(ctx), lines, facade.Budget(ctx)-used)
	out := facade.PythonTaskStatusOutput{
		TaskID: now.ID, State: now.State, ExitCode: now.ExitCode, Signal: now.Signal, Reason: now.Reason,
		Started: now.Started, Ended: now.Ended, DurationMS: now.Duration(time.Now()).Milliseconds(),
		Output: content, NextOffset: at.Next, Artifacts: now.Artifacts, Results: results, Leaked: now.Leaked,
	}
	for _, n := range now.Notes {
		out.AddNote(n)
	}
	return out, errors.Join(waited, err)
}

// mostTail is how much of the end is looked through for lines.
const mostTail = 128 << 10

// tail returns the last lines, in what a reply can hold.
func (h handle) tail(ctx context.Context, lines, budget int) (string, facade.TaskOutput, error) {
	out, err := h.store.Output(ctx, h.id, facade.TaskEnd-1, 1)
	if err != nil {
		return "", out, err
	}
	if from := max(out.Total-mostTail, 0); from < out.Total {
		if out, err = h.store.Output(ctx, h.id, from, mostTail); err != nil {
			return "", out, err
		}
	}
	for limit := budget / 2; ; limit /= 2 {
		data := lastLines(out.Data, lines, limit)
		if s := text(data); size(s) < budget-room || limit < 16 {
			out.Offset = out.Next - int64(len(data))
			return s, out, nil
		}
	}
}

// lastLines returns the last lines of data, in at most limit bytes that start
// with a whole character.
func lastLines(data []byte, lines, limit int) []byte {
	if lines <= 0 {
		return nil
	}
	cut := max(0, len(data)-limit)
	for end := len(data) - 1; lines > 0 && end > cut; lines-- {
		i := bytes.LastIndexByte(data[cut:end], '\n')
		if i < 0 {
			break
		}
		end = cut + i
		if lines == 1 {
			cut = end + 1
		}
	}
	for i := 0; i < utf8.UTFMax && cut < len(data) && !utf8.RuneStart(data[cut]); i++ {
		cut++
	}
	return data[cut:]
}

// defaultLimit is how many bytes of output a reply has.
const defaultLimit = 16 << 10

// Output returns a range of what a task wrote. pid is used when in names no
// task.
func (r *Runner) Output(ctx context.Context, in facade.PythonTaskOutputInput, pid int) (facade.PythonTaskOutputOutput, error) {
	h, err := r.find(ctx, in.TaskID, pid)
	if err != nil {
		return facade.PythonTaskOutputOutput{}, err
	}
	from := int64(0)
	if in.Offset != nil {
		from = *in.Offset
	} else if in.Tail != nil {
		out, err := h.store.Output(ctx, h.id, facade.TaskEnd-1, 1)
		if err != nil {
			return facade.PythonTaskOutputOutput{}, err
		}
		from = out.Total
	}
	waited := h.await(ctx, in.WaitMS, from)
	ctx = context.WithoutCancel(ctx)
	var content string
	var got facade.TaskOutput
	if in.Tail != nil {
		content, got, err = h.tail(ctx, *in.Tail, facade.Budget(ctx))
	} else {
		content, got, err = h.window(ctx, from, in.Limit)
	}
	if err != nil {
		return facade.PythonTaskOutputOutput{}, err
	}
	now, err := h.store.Get(ctx, h.id)
	return facade.PythonTaskOutputOutput{
		TaskID: h.id, State: now.State, ExitCode: now.ExitCode, Content: content,
		Offset: got.Offset, NextOffset: got.Next, EOF: got.Ended && got.Next >= got.Total,
	}, errors.Join(waited, err)
}

// window returns the output from an offset, in what a reply can hold, cut at
// characters.
func (h handle) window(ctx context.Context, from int64, limit int) (string, facade.TaskOutput, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	budget := facade.Budget(ctx)
	limit = min(limit, budget/2)
	out, err := h.store.Output(ctx, h.id, from, limit)
	if err != nil {
		return "", out, err
	}
	for {
		if n := whole(out.Data); n > 0 && out.Offset+int64(n) < out.Total {
			out.Data = out.Data[:n]
		}
		out.Next = out.Offset + int64(len(out.Data))
		if s := text(out.Data); size(s) < budget-room || len(out.Data) < 16 {
			return s, out, nil
		}
		out.Data = out.Data[:len(out.Data)/2]
	}
}

// whole is the length of data without a character it ends within.
func whole(data []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(data); i++ {
		if at := len(data) - i; utf8.RuneStart(data[at]) {
			if data[at] >= utf8.RuneSelf && !utf8.FullRune(data[at:]) {
				return at
			}
			break
		}
	}
	return len(data)
}

// inputWait is how long a program may take to read what it is given.
const inputWait = 5 * time.Second

// Input writes to a task.
func (r *Runner) Input(ctx context.Context, in facade.PythonTaskInputInput, pid int) (facade.PythonTaskInputOutput, error) {
	h, err := r.find(ctx, in.TaskID, pid)
	if err != nil {
		return facade.PythonTaskInputOutput{}, err
	}
	feeder, ok := h.store.(facade.TaskFeeder)
	if !ok {
		return facade.PythonTaskInputOutput{}, facade.Errorf(facade.CodeUnsupported, "tasks here take no input").
			WithHint("give the input as 'stdin' when the task is started")
	}
	limited, cancel := context.WithTimeout(ctx, inputWait)
	defer cancel()
	out := facade.PythonTaskInputOutput{TaskID: h.id}
	out.Accepted, err = feeder.Input(limited, h.id, in.Data, in.EOF)
	out.EOF = in.EOF && err == nil
	switch {
	case err == nil, ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() == nil:
		return h.notFed(ctx, r.hooks, out, err)
	default:
		return out, facade.Errorf(facade.CodeBusy, "task %s does not read its input; it took %d bytes", h.id, out.Accepted).
			WithHint("send the rest when it reads again")
	}
}

// notFed says why a task takes no input, and what to do instead.
func (h handle) notFed(ctx context.Context, hooks Hooks, out facade.PythonTaskInputOutput, err error) (facade.PythonTaskInputOutput, error) {
	if out.Accepted == 0 {
		out = facade.PythonTaskInputOutput{}
	}
	if facade.CodeOf(err) != facade.CodeConflict {
		return out, err
	}
	e := facade.Errorf(facade.CodeConflict, "the input of task %s is closed", h.id)
	e.Err = err
	if now, getErr := h.store.Get(ctx, h.id); getErr == nil && now.State.Done() {
		e.Message = "task " + h.id + " has ended: " + string(now.State)
		return out, e.WithHint("start it again to feed it; %s has what it wrote", hooks.Read)
	}
	return out, e.WithHint("it was closed before, or the program was not started with %s, which leaves it open", hooks.Start)
}

// Cancel kills a task and waits for its end.
func (r *Runner) Cancel(ctx context.Context, id string, pid int) (facade.PythonTaskCancelOutput, error) {
	h, err := r.find(ctx, id, pid)
	if err != nil {
		return facade.PythonTaskCancelOutput{}, err
	}
	end, err := h.store.Cancel(ctx, h.id)
	return facade.PythonTaskCancelOutput{
		TaskID: h.id, State: end.State, Leaked: append([]facade.LeakedProcess{}, end.Leaked...),
	}, err
}

// defaultList is how many tasks a list has, and itemRoom what each needs
// besides its command.
const (
	defaultList = 50
	itemRoom    = 300
)

// tasks lists the session's tasks of all stores, the latest first.
func (r *Runner) tasks(ctx context.Context, state facade.TaskState, limit int) ([]facade.TaskInfo, error) {
	var all []facade.TaskInfo
	for _, store := range r.stores() {
		some, err := store.List(ctx, facade.TaskFilter{Tool: r.hooks.Tool, State: state, Visible: r.mine(ctx), Limit: limit})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b facade.TaskInfo) int { return b.Created.Compare(a.Created) })
	return all[:min(len(all), limit)], nil
}

// List lists the session's tasks, the latest first.
func (r *Runner) List(ctx context.Context, in facade.PythonListTasksInput) (facade.PythonListTasksOutput, error) {
	if in.Limit <= 0 {
		in.Limit = defaultList
	}
	out := facade.PythonListTasksOutput{Tasks: []facade.PythonTask{}}
	all, err := r.tasks(ctx, in.State, in.Limit)
	if err != nil {
		return out, err
	}
	left := facade.Budget(ctx) - room
	for _, i := range all {
		if left -= size(i.Label) + itemRoom; left < 0 {
			break
		}
		if i.State.Done() {
			i.PID = 0 // it may be another's by now
		}
		out.Tasks = append(out.Tasks, facade.PythonTask{
			TaskID: i.ID, State: i.State, Command: i.Label, ExitCode: i.ExitCode, PID: i.PID,
			Started: i.Started, Ended: i.Ended, DurationMS: i.Duration(time.Now()).Milliseconds(),
		})
	}
	return out, ctx.Err()
}
