package facade

import "time"

// TerminalRunInput is a command to run.
type TerminalRunInput struct {
	// Program to run with args; without args, a line for the shell.
	Command string `json:"command" example:"go test ./..."`
	// Arguments of the program, passed as they are.
	Args []string `json:"args,omitempty"`
	// Directory to run in.
	Cwd string `json:"cwd,omitempty" default:"." example:"src"`
	// Seconds until the command is killed.
	Timeout float64 `json:"timeout,omitempty" default:"300" min:"0.001" max:"86400"`
	// Text for the command's standard input.
	Stdin string `json:"stdin,omitempty"`
	// Variables to add.
	Env map[string]string `json:"env,omitempty"`
	// Milliseconds until it goes on as a task; 0 is never.
	YieldMS int `json:"yield_ms,omitempty" min:"0" max:"3600000"`
}

// Validate refuses an empty command.
func (in TerminalRunInput) Validate() error { return commandGiven(in.Command) }

func commandGiven(command string) error {
	if command == "" {
		return InvalidArgument("command", "field 'command' must not be empty")
	}
	return nil
}

// TerminalRunOutput is the end of a command, or how far it came within
// yield_ms.
type TerminalRunOutput PythonRunOutput

// OutputStream is one of a program's two outputs.
type OutputStream string

// The outputs of a program.
const (
	StreamStdout OutputStream = "stdout"
	StreamStderr OutputStream = "stderr"
)

// OutputChunk is a piece of a command's output as it comes.
type OutputChunk struct {
	// Stream is the output it was written to.
	Stream OutputStream `json:"stream"`
	// Offset is the position of the first byte among all output of both.
	Offset int64 `json:"offset"`
	// Data is the piece. It ends at a character boundary unless the command
	// writes something else than UTF-8. It is the receiver's to keep.
	Data []byte `json:"data"`
	// Dropped counts the bytes lost just before, because the receiver was slow.
	Dropped int64 `json:"dropped,omitempty"`
}

// TerminalStartInput is a command to start in the background.
type TerminalStartInput struct {
	// Program to run with args; without args, a line for the shell.
	Command string `json:"command" example:"go test ./..."`
	// Arguments of the program, passed as they are.
	Args []string `json:"args,omitempty"`
	// Directory to run in.
	Cwd string `json:"cwd,omitempty" default:"." example:"src"`
	// Seconds until the command is killed; absent means never.
	Timeout float64 `json:"timeout,omitempty" min:"0.001" max:"86400"`
	// Text for the command's standard input, which stays open.
	Stdin string `json:"stdin,omitempty"`
	// Variables to add.
	Env map[string]string `json:"env,omitempty"`
	// Give it a terminal, as interactive programs want; it ends with this server.
	TTY bool `json:"tty,omitempty" default:"false"`
}

// Validate refuses an empty command.
func (in TerminalStartInput) Validate() error { return commandGiven(in.Command) }

// TerminalStartOutput names the started command.
type TerminalStartOutput PythonRunBackgroundOutput

// TerminalOutputInput selects a range of a command's output, from offset, or
// its last lines.
type TerminalOutputInput struct {
	// Command to act on.
	TaskID string `json:"task_id,omitempty" example:"task-1"`
	// Command to act on: its process id, instead of task_id.
	PID int `json:"pid,omitempty" min:"1"`
	// First byte: 0 or a next_offset.
	Offset *int64 `json:"offset,omitempty" min:"0"`
	// Last lines of output.
	Tail *int `json:"tail,omitempty" min:"0" max:"10000"`
	// Most bytes or commands.
	Limit int `json:"limit,omitempty" min:"1"`
	// Milliseconds to wait for news.
	WaitMS int `json:"wait_ms,omitempty" default:"0" min:"0" max:"600000"`
}

// Validate checks that one command and at most one start is given.
func (in TerminalOutputInput) Validate() error {
	if err := taskOrPID(in.TaskID, in.PID); err != nil {
		return err
	}
	return offsetOrTail(in.Offset, in.Tail)
}

func taskOrPID(task string, pid int) error {
	switch {
	case task == "" && pid == 0:
		return InvalidArgument("task_id", "field 'task_id' is required (or 'pid')")
	case task != "" && pid != 0:
		return InvalidArgument("pid", "give 'task_id' or 'pid', not both")
	}
	return nil
}

// TerminalOutputOutput is a range of what a command wrote to both its outputs.
type TerminalOutputOutput PythonTaskOutputOutput

// TerminalInputInput is text for a command's standard input.
type TerminalInputInput struct {
	// Command to act on.
	TaskID string `json:"task_id,omitempty" example:"task-1"`
	// Command to act on: its process id, instead of task_id.
	PID int `json:"pid,omitempty" min:"1"`
	// Text to write, with its line end where the command waits for one.
	Data string `json:"data,omitempty" example:"yes\n"`
	// Close input after data.
	EOF bool `json:"eof,omitempty" default:"false"`
}

// Validate checks that one command is given, and something to do.
func (in TerminalInputInput) Validate() error {
	if err := taskOrPID(in.TaskID, in.PID); err != nil {
		return err
	}
	return dataOrEOF(in.Data, in.EOF)
}

// TerminalInputOutput tells what the command took.
type TerminalInputOutput PythonTaskInputOutput

// TerminalKillInput names a command.
type TerminalKillInput struct {
	// Command to act on.
	TaskID string `json:"task_id,omitempty" example:"task-1"`
	// Command to act on: its process id, instead of task_id.
	PID int `json:"pid,omitempty" min:"1"`
}

// Validate checks that one command is given.
func (in TerminalKillInput) Validate() error { return taskOrPID(in.TaskID, in.PID) }

// TerminalKillOutput tells how the command ended.
type TerminalKillOutput PythonTaskCancelOutput

// ProcessStatus is the short form of a [TaskState] in a list of processes.
type ProcessStatus string

// The statuses of processes.
const (
	ProcessRunning   ProcessStatus = "running"
	ProcessCompleted ProcessStatus = "completed"
	ProcessFailed    ProcessStatus = "failed"
)

// Process returns the short form: running until the state is final, completed
// for success, failed for every other end.
func (s TaskState) Process() ProcessStatus {
	switch {
	case !s.Done():
		return ProcessRunning
	case s == TaskSucceeded:
		return ProcessCompleted
	}
	return ProcessFailed
}

// TerminalListInput selects commands.
type TerminalListInput struct {
	// Only commands in this state.
	State TaskState `json:"state,omitempty" enum:"queued,starting,running,succeeded,failed,timed_out,canceled,output_limit,oom_killed,lost,start_failed"`
	// Most bytes or commands.
	Limit int `json:"limit,omitempty" default:"50" min:"1" max:"1000"`
}

// TerminalListOutput lists commands, the latest first.
type TerminalListOutput struct {
	// Processes are those that run and those whose end is remembered.
	Processes []ProcessInfo `json:"processes"`
}

// ProcessInfo is one command of a list.
type ProcessInfo struct {
	// PID is the process id the command has or had; absent when it never ran.
	PID int `json:"pid,omitempty"`
	// TaskID is the command's.
	TaskID string `json:"task_id"`
	// Command is the command with its arguments.
	Command string `json:"command"`
	// Status is running, completed or failed.
	Status ProcessStatus `json:"status"`
	// State says more exactly where the command stands.
	State TaskState `json:"state"`
	// ExitCode is absent while the command runs and when a signal ended it.
	ExitCode *int `json:"exit_code,omitempty"`
	// StartTime is when the command started; absent before.
	StartTime *time.Time `json:"start_time,omitempty"`
}
