package facade

import (
	"context"
	"math"
	"time"
)

// TaskSpec is a program for a [TaskStore] to run. It is plain data, so that a
// store may write it down or hand it to another machine.
type TaskSpec struct {
	// Key makes submitting repeatable: a second spec with the key of a task
	// that is still known returns that task and starts nothing. "" is no key.
	Key string `json:"key,omitempty"`
	// Session is on whose behalf the task runs, Tool which tool submits it.
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool,omitempty"`
	// Label is the command as lists show it.
	Label string `json:"label"`
	// Program is an absolute path, a path below the root with a '/', or a name
	// that the executing machine looks for in its PATH.
	Program string `json:"program"`
	// Flags, then the path of the file that File names, then Args are the
	// program's arguments.
	Flags []string `json:"flags,omitempty"`
	File  string   `json:"file,omitempty"`
	Args  []string `json:"args,omitempty"`
	// Files are put into a directory of the task's own before the program
	// starts. The program may write there.
	Files []TaskFile `json:"files,omitempty"`
	// Env is added to the environment that the store gives, as NAME=value.
	Env []string `json:"env,omitempty"`
	// Dir is the directory to run in, relative to the root; "" is the root.
	Dir string `json:"dir,omitempty"`
	// Stdin is written first; KeepInput leaves the input open behind it.
	Stdin     string `json:"stdin,omitempty"`
	KeepInput bool   `json:"keep_input,omitempty"`
	// Timeout is how long the program may run; 0 means for ever. The time in a
	// queue does not count.
	Timeout time.Duration `json:"timeout,omitempty"`
	// OutputLimit is how many bytes of output end the program; 0 means the
	// store's own limit.
	OutputLimit int64 `json:"output_limit,omitempty"`
	// ReadOnly are absolute paths outside the root that the program needs.
	ReadOnly []string `json:"read_only,omitempty"`
}

// TaskFile is a file of a task's own.
type TaskFile struct {
	// Name has no '/'.
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// TaskInfo is what a store knows of a task.
type TaskInfo struct {
	ID      string `json:"id"`
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Label   string `json:"label"`
	// Orphan says that the host that submitted the task is gone.
	Orphan bool      `json:"orphan,omitempty"`
	State  TaskState `json:"state"`
	// ExitCode is nil while the program runs and when a signal ended it.
	ExitCode *int   `json:"exit_code,omitempty"`
	Signal   string `json:"signal,omitempty"`
	// Reason says more than the state where there is more to say.
	Reason string `json:"reason,omitempty"`
	// PID is or was the program's process id, 0 when it is not on this machine.
	PID     int        `json:"pid,omitempty"`
	Created time.Time  `json:"created"`
	Started *time.Time `json:"started,omitempty"`
	Ended   *time.Time `json:"ended,omitempty"`
	// TotalBytes counts the output so far.
	TotalBytes int64 `json:"total_bytes"`
	// Isolation names the sandbox.
	Isolation string `json:"isolation,omitempty"`
	// Leaked are processes that outlived the task and could not be killed.
	Leaked []LeakedProcess `json:"leaked,omitempty"`
	// Artifacts are files that the program left, Notes what to tell about them.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	Notes     []string   `json:"notes,omitempty"`
	// Results are values that it reported.
	Results []RichResult `json:"results,omitempty"`
}

// Duration is how long the program ran, or has run until now.
func (i TaskInfo) Duration(now time.Time) time.Duration {
	switch {
	case i.Started == nil:
		return 0
	case i.Ended != nil:
		return i.Ended.Sub(*i.Started)
	}
	return now.Sub(*i.Started)
}

// TaskFilter selects tasks. Zero fields select all.
type TaskFilter struct {
	Tool  string
	State TaskState
	// Visible, when not nil, decides by everything else.
	Visible func(TaskInfo) bool
	// Limit is how many tasks are wanted; 0 means all.
	Limit int
}

// Match reports whether the filter selects a task; Limit does not count.
func (f TaskFilter) Match(i TaskInfo) bool {
	return (f.Tool == "" || f.Tool == i.Tool) && (f.State == "" || f.State == i.State) && (f.Visible == nil || f.Visible(i))
}

// TaskOutput is a range of what a task wrote to both its outputs, in the order
// of arrival.
type TaskOutput struct {
	Data []byte `json:"data"`
	// Offset is the first byte of Data among all output: behind the one asked
	// for where bytes were not kept. Next is the byte behind Data.
	Offset int64 `json:"offset"`
	Next   int64 `json:"next"`
	// Total counts what was written so far.
	Total int64 `json:"total"`
	// Ended says that the task has ended: nothing more will come, and its state
	// is final.
	Ended bool `json:"ended"`
	// Stderr are the parts of Data that were written to the standard error, in
	// order and apart.
	Stderr []TaskSpan `json:"stderr,omitempty"`
}

// TaskSpan is a range of bytes among all output.
type TaskSpan struct {
	From int64 `json:"from"`
	To   int64 `json:"to"` // behind the last byte
}

// TaskEnd is the offset to wait for a task's end with.
const TaskEnd = math.MaxInt64

// TaskQueue is the part of a [TaskStore] that runs tasks.
//
// A task that was started is never started again: when what runs it is lost,
// its state becomes [TaskLost]. A final state never changes. A task that the
// store does not know is a [CodeNotFound] error.
type TaskQueue interface {
	// Submit starts or queues a program and returns at once. What is already
	// known to fail is an error; what fails later becomes [TaskStartFailed].
	// Above the store's caps the error is [CodeBusy].
	Submit(ctx context.Context, spec TaskSpec) (TaskInfo, error)
	// Get tells where a task stands.
	Get(ctx context.Context, id string) (TaskInfo, error)
	// List lists tasks, the latest first.
	List(ctx context.Context, filter TaskFilter) ([]TaskInfo, error)
	// Cancel kills a task with all its processes and waits for its end. One
	// that has ended already is left as it is.
	Cancel(ctx context.Context, id string) (TaskInfo, error)
}

// TaskLog is the part of a [TaskStore] that keeps output.
type TaskLog interface {
	// Output returns up to limit bytes of a task's output from offset on, as
	// much as is there. It does not wait.
	Output(ctx context.Context, id string, offset int64, limit int) (TaskOutput, error)
	// Wait returns when there is output behind offset or the task has ended,
	// or with the error of ctx. [TaskEnd] waits for the end alone.
	Wait(ctx context.Context, id string, offset int64) error
}

// TaskStore runs programs in the background and remembers them, whatever
// becomes of the host that submitted them. It is safe for concurrent use, also
// by several hosts at once.
type TaskStore interface {
	TaskQueue
	TaskLog
	// Close releases what the store holds. Tasks go on.
	Close() error
}

// TaskFeeder is a store that can write to tasks.
type TaskFeeder interface {
	// Input writes to the standard input of a task and closes it behind data
	// when eof says so. It returns how many bytes were taken until ctx ended.
	// An input that is closed is a [CodeConflict] error.
	Input(ctx context.Context, id, data string, eof bool) (int, error)
}
