package facade

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// millis renders a duration in milliseconds, as 132ms, 1.24s or 5m3s.
func millis(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d >= time.Minute:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(10 * time.Millisecond)
	}
	return d.String()
}

// ending says how a program stands: state, exit code or signal, how long it
// ran or has run, and reason. A negative time is left out.
func ending(state TaskState, exit *int, signal string, ms int64, reason string) string {
	s := string(state)
	switch {
	case signal != "":
		s += ", signal " + signal
	case exit != nil:
		s += fmt.Sprintf(", exit code %d", *exit)
	}
	switch {
	case ms < 0 || state == TaskStartFailed:
	case state.Done():
		s += ", after " + millis(ms)
	default:
		s += " for " + millis(ms)
	}
	if reason != "" {
		s += ": " + reason
	}
	return s
}

// since returns the duration of a program that has started, else -1.
func since(started *time.Time, ms int64) int64 {
	if started == nil {
		return -1
	}
	return ms
}

// block writes text on lines of its own, under a title when there is one.
func block(b *strings.Builder, title, text string) {
	if text == "" {
		return
	}
	if title != "" {
		b.WriteString("\n" + title)
	}
	b.WriteString("\n" + strings.TrimRight(text, "\n"))
}

func leaked(b *strings.Builder, processes []LeakedProcess) {
	for _, p := range processes {
		fmt.Fprintf(b, "\n[still alive: pid %d %s]", p.PID, oneLine(p.Command))
	}
}

func artifacts(b *strings.Builder, files []Artifact) {
	for _, a := range files {
		fmt.Fprintf(b, "\n[artifact %s, %s, %s]", oneLine(a.Path), a.MIME, plural(a.Size, "byte"))
	}
}

// results lists what a program displayed: short values as they are, others by
// the file that holds them.
func results(b *strings.Builder, values []RichResult) {
	for _, v := range values {
		var text string
		switch {
		case v.Path != "":
			fmt.Fprintf(b, "\n[result %s: %s, %s]", v.MIME, oneLine(v.Path), plural(v.Size, "byte"))
		case v.Data == nil:
			fmt.Fprintf(b, "\n[result %s: %s, left out for lack of room]", v.MIME, plural(v.Size, "byte"))
		case json.Unmarshal(v.Data, &text) == nil:
			block(b, "[result "+v.MIME+"]", text)
		default:
			block(b, "[result "+v.MIME+"]", string(v.Data))
		}
	}
}

// taskCalls are the names of the actions that go on with a task. The terminal
// tool has one both to wait and to read.
type taskCalls struct {
	wait, output string
}

var (
	pythonCalls   = taskCalls{wait: string(PythonTaskStatus), output: string(PythonTaskOutput)}
	terminalCalls = taskCalls{wait: string(TerminalOutput), output: string(TerminalOutput)}
)

// waiting is the call that waits for a task that goes on.
func (c taskCalls) waiting(task string, offset int64) string {
	s := fmt.Sprintf("\n[next: action=%s task_id=%q", c.wait, task)
	if c.wait == c.output {
		s += fmt.Sprintf(" offset=%d", offset)
	}
	return s + " wait_ms=30000]"
}

// present renders the end of a program, or how far it came.
func (o PythonRunOutput) present(r *Result, next taskCalls) {
	o.attach(r)
	r.Truncated = o.Truncated
	var b strings.Builder
	b.WriteString(ending(o.State, o.ExitCode, o.Signal, o.DurationMS, o.Reason))
	switch {
	case !o.State.Done():
		fmt.Fprintf(&b, "; it goes on as task %s", o.TaskID)
	case o.Stdout == "" && o.Stderr == "" && len(o.Results) == 0 && o.State != TaskStartFailed:
		b.WriteString("; no output")
	}
	block(&b, "", o.Stdout)
	block(&b, "[stderr]", o.Stderr)
	results(&b, o.Results)
	artifacts(&b, o.Artifacts)
	leaked(&b, o.Leaked)
	if o.Truncated {
		fmt.Fprintf(&b, "\n[cut: %s in all; read them with action=%s task_id=%q offset=0]", plural(o.TotalBytes, "byte"), next.output, o.TaskID)
	}
	if !o.State.Done() {
		b.WriteString(next.waiting(o.TaskID, o.TotalBytes))
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o PythonRunOutput) Present(r *Result) { o.present(r, pythonCalls) }

func (o PythonRunBackgroundOutput) present(r *Result, next taskCalls) {
	r.Text = fmt.Sprintf("task %s: %s", o.TaskID, ending(o.State, nil, "", -1, o.Reason))
	if o.PID > 0 {
		r.Text += fmt.Sprintf(", pid %d", o.PID)
	}
	if !o.State.Done() {
		r.Text += next.waiting(o.TaskID, 0)
	}
}

// Present implements [Presenter].
func (o PythonRunBackgroundOutput) Present(r *Result) { o.present(r, pythonCalls) }

// Present implements [Presenter].
func (o PythonTaskStatusOutput) Present(r *Result) {
	o.attach(r)
	var b strings.Builder
	fmt.Fprintf(&b, "task %s: %s", o.TaskID, ending(o.State, o.ExitCode, o.Signal, since(o.Started, o.DurationMS), o.Reason))
	block(&b, "", o.Output)
	results(&b, o.Results)
	artifacts(&b, o.Artifacts)
	leaked(&b, o.Leaked)
	if !o.State.Done() {
		fmt.Fprintf(&b, "\n[later output: action=%s task_id=%q offset=%d]", PythonTaskOutput, o.TaskID, o.NextOffset)
	}
	r.Text = b.String()
}

func (o PythonTaskOutputOutput) present(r *Result, next taskCalls) {
	var b strings.Builder
	fmt.Fprintf(&b, "task %s: %s; bytes %d to %d of its output", o.TaskID, ending(o.State, o.ExitCode, "", -1, ""), o.Offset, o.NextOffset)
	if o.Content == "" {
		b.WriteString(": none")
	}
	block(&b, "", o.Content)
	if o.EOF {
		b.WriteString("\n[end of output]")
	} else {
		// A task that runs has not been cut: there is just no more yet.
		r.Truncated = o.State.Done()
		fmt.Fprintf(&b, "\n[more: action=%s task_id=%q offset=%d]", next.output, o.TaskID, o.NextOffset)
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o PythonTaskOutputOutput) Present(r *Result) { o.present(r, pythonCalls) }

// Present implements [Presenter].
func (o PythonTaskInputOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("task %s took %s", o.TaskID, plural(o.Accepted, "byte"))
	if o.EOF {
		r.Text += "; its input is closed"
	}
}

// Present implements [Presenter].
func (o PythonTaskCancelOutput) Present(r *Result) {
	var b strings.Builder
	if o.State == TaskCanceled {
		fmt.Fprintf(&b, "task %s: %s", o.TaskID, o.State)
	} else {
		fmt.Fprintf(&b, "task %s had ended before: %s", o.TaskID, o.State)
	}
	leaked(&b, o.Leaked)
	r.Text = b.String()
}

// Present implements [Presenter].
func (o PythonListTasksOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Tasks), "task"))
	for _, t := range o.Tasks {
		fmt.Fprintf(&b, "\n%s %s", t.TaskID, ending(t.State, t.ExitCode, "", since(t.Started, t.DurationMS), ""))
		b.WriteString(": " + oneLine(t.Command))
	}
	r.Text = b.String()
}
