package facade

import "encoding/json"

// TaskState is where a program started by the python or terminal tool stands.
type TaskState string

// The states of a task. The first three are on the way; the others are final
// and never change.
const (
	TaskQueued      TaskState = "queued"       // waits for a place to run
	TaskStarting    TaskState = "starting"     // is being started
	TaskRunning     TaskState = "running"      // runs
	TaskSucceeded   TaskState = "succeeded"    // ended with exit code 0
	TaskFailed      TaskState = "failed"       // ended with another exit code or by a signal
	TaskTimedOut    TaskState = "timed_out"    // was killed at its time limit
	TaskCanceled    TaskState = "canceled"     // was killed on request
	TaskOutputLimit TaskState = "output_limit" // was killed for writing too much
	TaskOOMKilled   TaskState = "oom_killed"   // was killed for using too much memory
	TaskLost        TaskState = "lost"         // disappeared with its supervisor; how it ended is unknown
	TaskStartFailed TaskState = "start_failed" // could not be started
)

// Done reports whether the state is final.
func (s TaskState) Done() bool {
	switch s {
	case TaskQueued, TaskStarting, TaskRunning:
		return false
	case TaskSucceeded, TaskFailed, TaskTimedOut, TaskCanceled, TaskOutputLimit,
		TaskOOMKilled, TaskLost, TaskStartFailed:
	}
	return true
}

// Artifact is a file that a program left as a result.
type Artifact struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// MIME is the media type by content.
	MIME string `json:"mime,omitempty"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// SHA256 is the hash of the content, in hexadecimal.
	SHA256 string `json:"sha256,omitempty"`
}

// RichResult is a value that a program reported as a result, in one form: what
// it displayed.
type RichResult struct {
	// MIME is the media type, as application/json.
	MIME string `json:"mime"`
	// Data is the value: any JSON for JSON types, else text. Absent when path has it, or for lack of room.
	Data json.RawMessage `json:"data,omitempty"`
	// Path is the artifact that holds a value that is long or no text.
	Path string `json:"path,omitempty"`
	// Size is in bytes.
	Size int64 `json:"size"`
}

// LeakedProcess is a process of a task that outlived the attempt to kill it.
type LeakedProcess struct {
	// PID is its process id.
	PID int `json:"pid"`
	// Command is its command line, cut when long.
	Command string `json:"command,omitempty"`
}
