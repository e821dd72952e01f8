package proc

import "time"

// Cause is why a process was stopped.
type Cause int

// The causes.
const (
	Exited      Cause = iota // it ended by itself
	TimedOut                 // its time limit
	Canceled                 // [Process.Stop]
	OutputLimit              // it wrote too much
)

// Result is how a process ended.
type Result struct {
	Cause    Cause
	ExitCode int    // -1 when a signal ended it
	Signal   string // as SIGKILL; "" without
	Started  time.Time
	Ended    time.Time
	// Stdout and Stderr are valid UTF-8, the middle left out when long.
	Stdout, Stderr string
	// Whole says that nothing was left out of Stdout and Stderr.
	Whole bool
	// Incomplete says that somebody still held the output when the wait for
	// it ended.
	Incomplete bool
	TotalBytes int64
	// OutOfMemory says that the kernel killed for the bound of the control
	// group's memory.
	OutOfMemory bool
	// Leaked are processes that could not be killed.
	Leaked []Survivor
	// UserTime, SystemTime and MaxRSS (bytes) are what the process used with
	// those it waited for; 0 where the system does not tell.
	UserTime, SystemTime time.Duration
	MaxRSS               int64
	// Err is the error of [Command.OnOutput].
	Err error
}

// Survivor is a process that outlived its command.
type Survivor struct {
	PID     int
	Command string
}
