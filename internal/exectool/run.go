package exectool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// Run starts a job and waits for its end, for yield or for the end of ctx,
// which kills it.
func (r *Runner) Run(ctx context.Context, job Job) (facade.PythonRunOutput, error) {
	t, err := r.start(ctx, job)
	if err != nil {
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
		return fit(ctx, r.snapshot(t)), nil
	case <-ctx.Done():
		t.proc.Stop()
		<-t.done
		return fit(ctx, t.final), ctx.Err()
	}
	return fit(ctx, t.final), t.proc.Result().Err
}

// Background starts a job and returns at once.
func (r *Runner) Background(ctx context.Context, job Job) (facade.PythonRunBackgroundOutput, error) {
	t, err := r.start(ctx, job)
	if err != nil {
		return facade.PythonRunBackgroundOutput{}, err
	}
	t.quiet.hush()
	return facade.PythonRunBackgroundOutput{TaskID: t.id, State: facade.TaskRunning, PID: t.proc.PID()}, nil
}

// snapshot is how far a task came.
func (r *Runner) snapshot(t *task) facade.PythonRunOutput {
	if t.over() {
		return t.final
	}
	out := facade.PythonRunOutput{
		TaskID: t.id, State: facade.TaskRunning, Isolation: r.box.Name(),
		DurationMS: time.Since(t.proc.Started()).Milliseconds(), TotalBytes: t.proc.Log().Total(),
	}
	var whole bool
	out.Stdout, out.Stderr, whole = t.proc.Texts()
	out.Truncated = !whole
	return out
}

// room is what a reply needs besides the output.
const room = 4 << 10

// fit shortens the outputs until the reply keeps its budget as JSON and as
// text.
func fit(ctx context.Context, out facade.PythonRunOutput) facade.PythonRunOutput {
	budget := facade.Budget(ctx) - room
	for most := max(len(out.Stdout), len(out.Stderr)); most > 64 && size(out.Stdout)+size(out.Stderr) > budget; most = most * 3 / 4 {
		out.Stdout, out.Stderr = middle(out.Stdout, most), middle(out.Stderr, most)
		out.Truncated = true
	}
	return out
}

// size is the length of s in JSON.
func size(s string) int {
	raw, err := json.Marshal(s)
	if err != nil {
		return len(s)
	}
	return len(raw)
}

// middle leaves out the middle of s so that about n bytes are left.
func middle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := n/2, len(s)-n/2
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… left out …]\n%s", s[:head], s[tail:])
}

func text(p []byte) string { return strings.ToValidUTF8(string(p), "\uFFFD") }
