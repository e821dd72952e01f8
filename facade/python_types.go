package facade

import "time"

// PythonRunInput is a program to run, for run and run_background.
type PythonRunInput struct {
	// Path of a script, or source.
	Script string `json:"script,omitempty" example:"scripts/report.py"`
	// Source, instead of script; display(x) adds x to the results.
	Code string `json:"code,omitempty" example:"print(6 * 7)"`
	// Arguments.
	Args []string `json:"args,omitempty"`
	// Seconds until killed.
	Timeout float64 `json:"timeout,omitempty" default:"300" min:"0.001" max:"86400"`
	// Directory to run in.
	Cwd string `json:"cwd,omitempty" default:"." example:"src"`
	// venv (else system), system, or a path.
	Python string `json:"python,omitempty" default:"venv"`
	// Standard input.
	Stdin string `json:"stdin,omitempty"`
	// Variables to add.
	Env map[string]string `json:"env,omitempty"`
	// Milliseconds until it goes on as a task; 0 is never.
	YieldMS int `json:"yield_ms,omitempty" min:"0" max:"3600000"`
	// Interpreter that keeps its variables; exit() resets it.
	Session string `json:"session,omitempty"`
}

// Validate checks that one of script and code is given.
func (in PythonRunInput) Validate() error {
	switch {
	case in.Script == "" && in.Code == "":
		return InvalidArgument("code", "field 'code' is required (or 'script' for a file)")
	case in.Script != "" && in.Code != "":
		return InvalidArgument("script", "give 'script' or 'code', not both")
	}
	return nil
}

// PythonRunOutput is the end of a program, or how far it came within yield_ms.
type PythonRunOutput struct {
	// TaskID names the program for the task actions.
	TaskID string `json:"task_id"`
	// State is running after yield_ms, else how the program ended.
	State TaskState `json:"state"`
	// ExitCode is absent while the program runs and when a signal ended it.
	ExitCode *int `json:"exit_code,omitempty"`
	// Signal is the one that ended the program, as SIGKILL.
	Signal string `json:"signal,omitempty"`
	// TimedOut says that the program was killed at its time limit.
	TimedOut bool `json:"timed_out"`
	// Reason says more than the state where there is more to say: why a start failed.
	Reason string `json:"reason,omitempty"`
	// Stdout is the standard output, its middle left out when long.
	Stdout string `json:"stdout"`
	// Stderr is the standard error, its middle left out when long.
	Stderr string `json:"stderr"`
	// TotalBytes counts all that was written to both.
	TotalBytes int64 `json:"total_bytes"`
	// Truncated says that stdout or stderr is not whole; the task's output is.
	Truncated bool `json:"truncated"`
	// DurationMS is the time from start to end, or until now.
	DurationMS int64 `json:"duration_ms"`
	// Artifacts are files the program left as results.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// Results are the values the program displayed, once it has ended.
	Results []RichResult `json:"results,omitempty"`
	// Leaked lists processes that outlived the program and could not be killed.
	Leaked []LeakedProcess `json:"leaked,omitempty"`
	// Isolation names the sandbox that held the program; none without one.
	Isolation string `json:"isolation"`

	attachments
}

// PythonRunBackgroundOutput names the started task.
type PythonRunBackgroundOutput struct {
	// TaskID names the program for the task actions.
	TaskID string `json:"task_id"`
	// State is queued, starting or running, or start_failed.
	State TaskState `json:"state"`
	// PID is the process id; absent until the program runs.
	PID int `json:"pid,omitempty"`
	// Reason says why a start failed.
	Reason string `json:"reason,omitempty"`
}

// PythonTaskStatusInput names a task.
type PythonTaskStatusInput struct {
	// Task.
	TaskID string `json:"task_id" example:"task-1"`
	// Milliseconds to wait for news.
	WaitMS int `json:"wait_ms,omitempty" default:"0" min:"0" max:"600000"`
	// Last lines of output.
	Tail *int `json:"tail,omitempty" default:"20" min:"0" max:"10000"`
}

// PythonTaskStatusOutput tells where a task stands.
type PythonTaskStatusOutput struct {
	// TaskID is the task's.
	TaskID string `json:"task_id"`
	// State is where the task stands.
	State TaskState `json:"state"`
	// ExitCode is absent while the program runs and when a signal ended it.
	ExitCode *int `json:"exit_code,omitempty"`
	// Signal is the one that ended the program, as SIGKILL.
	Signal string `json:"signal,omitempty"`
	// Reason says more than the state where there is more to say: why a start failed.
	Reason string `json:"reason,omitempty"`
	// Started is when the program started; absent before.
	Started *time.Time `json:"started,omitempty"`
	// Ended is when the program ended; absent before.
	Ended *time.Time `json:"ended,omitempty"`
	// DurationMS is the time from start to end, or until now.
	DurationMS int64 `json:"duration_ms"`
	// Output is the last lines of output, as many as tail asked for.
	Output string `json:"output"`
	// NextOffset is where output still to come will start.
	NextOffset int64 `json:"next_offset"`
	// Artifacts are files the program left as results.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// Results are the values the program displayed, once it has ended.
	Results []RichResult `json:"results,omitempty"`
	// Leaked lists processes that outlived the program and could not be killed.
	Leaked []LeakedProcess `json:"leaked,omitempty"`

	attachments
}

// PythonTaskOutputInput selects a range of a task's output, from offset, or its
// last lines.
type PythonTaskOutputInput struct {
	// Task.
	TaskID string `json:"task_id" example:"task-1"`
	// First byte: 0 or a next_offset.
	Offset *int64 `json:"offset,omitempty" min:"0"`
	// Last lines of output.
	Tail *int `json:"tail,omitempty" min:"0" max:"10000"`
	// Most bytes or tasks.
	Limit int `json:"limit,omitempty" min:"1"`
	// Milliseconds to wait for news.
	WaitMS int `json:"wait_ms,omitempty" default:"0" min:"0" max:"600000"`
}

// Validate checks that at most one of offset and tail is given.
func (in PythonTaskOutputInput) Validate() error { return offsetOrTail(in.Offset, in.Tail) }

func offsetOrTail(offset *int64, tail *int) error {
	if offset != nil && tail != nil {
		return InvalidArgument("tail", "give 'offset' or 'tail', not both")
	}
	return nil
}

// PythonTaskOutputOutput is a range of what a task wrote to both its outputs.
type PythonTaskOutputOutput struct {
	// TaskID is the task's.
	TaskID string `json:"task_id"`
	// State is where the task stands.
	State TaskState `json:"state"`
	// ExitCode is absent while the program runs and when a signal ended it.
	ExitCode *int `json:"exit_code,omitempty"`
	// Content is the output, cut at character boundaries.
	Content string `json:"content"`
	// Offset is the first byte of content.
	Offset int64 `json:"offset"`
	// NextOffset is the byte behind content.
	NextOffset int64 `json:"next_offset"`
	// EOF says that the task has ended and content reaches its last output.
	EOF bool `json:"eof"`
}

// PythonTaskInputInput is text for a task's standard input.
type PythonTaskInputInput struct {
	// Task.
	TaskID string `json:"task_id" example:"task-1"`
	// Text, with its line end.
	Data string `json:"data,omitempty" example:"yes\n"`
	// Close input after data.
	EOF bool `json:"eof,omitempty" default:"false"`
}

// Validate refuses a call that neither writes nor closes.
func (in PythonTaskInputInput) Validate() error { return dataOrEOF(in.Data, in.EOF) }

func dataOrEOF(data string, eof bool) error {
	if data == "" && !eof {
		return InvalidArgument("data", "give 'data' to write, or 'eof' to close the input")
	}
	return nil
}

// PythonTaskInputOutput tells what the task took.
type PythonTaskInputOutput struct {
	// TaskID is the task's.
	TaskID string `json:"task_id"`
	// Accepted counts the bytes written.
	Accepted int `json:"accepted"`
	// EOF says that the input is closed now.
	EOF bool `json:"eof,omitempty"`
}

// PythonTaskCancelInput names a task.
type PythonTaskCancelInput struct {
	// Task.
	TaskID string `json:"task_id" example:"task-1"`
}

// PythonTaskCancelOutput tells how the task ended.
type PythonTaskCancelOutput struct {
	// TaskID is the task's.
	TaskID string `json:"task_id"`
	// State is canceled, or how the task had ended before.
	State TaskState `json:"state"`
	// Leaked lists processes that could not be killed.
	Leaked []LeakedProcess `json:"leaked"`
}

// PythonListTasksInput selects tasks.
type PythonListTasksInput struct {
	// Tasks in this state.
	State TaskState `json:"state,omitempty" enum:"queued,starting,running,succeeded,failed,timed_out,canceled,output_limit,oom_killed,lost,start_failed"`
	// Most bytes or tasks.
	Limit int `json:"limit,omitempty" default:"50" min:"1" max:"1000"`
}

// PythonListTasksOutput lists tasks, the latest first.
type PythonListTasksOutput struct {
	// Tasks are those that run and those whose end is remembered.
	Tasks []PythonTask `json:"tasks"`
}

// PythonTask is one task of a list.
type PythonTask struct {
	// TaskID is the task's.
	TaskID string `json:"task_id"`
	// State is where the task stands.
	State TaskState `json:"state"`
	// Command is what runs: the script, or the start of the code.
	Command string `json:"command"`
	// PID is the process id; absent unless the program runs.
	PID int `json:"pid,omitempty"`
	// ExitCode is absent while the program runs and when a signal ended it.
	ExitCode *int `json:"exit_code,omitempty"`
	// Started is when the program started; absent before.
	Started *time.Time `json:"started,omitempty"`
	// Ended is when the program ended; absent before.
	Ended *time.Time `json:"ended,omitempty"`
	// DurationMS is the time from start to end, or until now.
	DurationMS int64 `json:"duration_ms"`
}
