// Package runner has the options of everything that runs programs: the python
// tool of package pyexec and the terminal tool of package termexec.
package runner

import (
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// The defaults of [Options].
const (
	DefaultMaxRunning  = 64
	DefaultKeep        = 256
	DefaultOutputLimit = 1 << 30
)

// Options are the choices of a host about the programs of a tool. The zero value
// of each field is safe.
type Options struct {
	// Sandbox contains the programs. Nil takes what [sandbox.Auto] finds, and
	// where it finds nothing every start fails as unavailable.
	Sandbox sandbox.Sandbox
	// Network gives programs the host's network.
	Network bool
	// ReadOnly are absolute paths outside the root that programs may read.
	ReadOnly []string
	// Env is added to the environment of every program, as NAME=value. Nothing
	// else of the host's environment is passed on but, without a sandbox, PATH
	// and HOME.
	Env []string
	// Limits bound each process by itself.
	Limits sandbox.Limits
	// Memory bounds the bytes of memory, and Processes the number of processes,
	// of each program with all it starts. They need a control group that the
	// host may make; without one every start fails as unavailable. 0 sets none.
	Memory    int64
	Processes int
	// OutputLimit is how many bytes of output end a program; 0 means 1 GiB.
	OutputLimit int64
	// MaxRunning is how many programs may run at once; 0 means 64.
	// MaxPerSession is how many of them one session may have; 0 means all.
	MaxRunning, MaxPerSession int
	// Keep is how many ended tasks are remembered; 0 means 256. KeepFor is for
	// how long, and KeepBytes with how much output, those are remembered that
	// ran in the background; 0 means seven days and 1 GiB.
	Keep      int
	KeepFor   time.Duration
	KeepBytes int64
	// EndTasks ends background tasks with the tool. Without it they go on when
	// the tool is closed or the host dies, and a later tool of the same root
	// finds them. That needs Linux and a Python 3; elsewhere tasks end with the
	// tool.
	EndTasks bool
	// TaskDir is where background tasks are kept, outside the root; "" means a
	// directory of the user's cache named after the root.
	TaskDir string
	// KeepSessions keeps a task to the session that started it when the host
	// has been replaced. Without it the tasks of a host that is gone are open to
	// every session, as hosts often cannot give a client its old session back.
	KeepSessions bool
	// Tasks, when not nil, runs background tasks in place of this machine. The
	// host closes it.
	Tasks facade.TaskStore
}

// Filled returns the options with the defaults in place of what was left zero.
// Nil options are all defaults.
func (o *Options) Filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.MaxRunning <= 0 {
		f.MaxRunning = DefaultMaxRunning
	}
	if f.MaxPerSession <= 0 {
		f.MaxPerSession = f.MaxRunning
	}
	if f.Keep <= 0 {
		f.Keep = DefaultKeep
	}
	if f.OutputLimit <= 0 {
		f.OutputLimit = DefaultOutputLimit
	}
	return f
}
