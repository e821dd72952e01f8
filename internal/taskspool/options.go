package taskspool

import (
	"errors"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// ErrUnsupported says that tasks cannot outlive their host on this system.
var ErrUnsupported = errors.New("background tasks cannot outlive the host on this system")

// The defaults of [Options].
const (
	DefaultMaxRunning = 64
	DefaultKeep       = 256
	DefaultMaxAge     = 7 * 24 * time.Hour
	DefaultMaxBytes   = 1 << 30
)

// Options say how tasks are run and kept. Prepare, Interpreter and Isolation
// are required.
type Options struct {
	// Prepare turns a spec into the command to start; dir is the task's own
	// directory, with its files in it. Of the command the path, arguments,
	// environment, directory, limits, launch, containment, grace, wait delay,
	// output limit and spill size count. The launch has to keep to
	// [proc.Child.Under].
	Prepare func(spec facade.TaskSpec, dir string) (proc.Command, error)
	// Finish, when not nil, is called once for each task that has ended, by the
	// first host that sees it, before anybody is told of the end. It takes what
	// the task left in dir, which is then removed.
	Finish func(dir string, info *facade.TaskInfo)
	// Interpreter is the absolute path of the Python, 3.6 or later, that
	// supervisors run on.
	Interpreter string
	// Isolation is what tasks are told to run in.
	Isolation string
	// MaxRunning and MaxPerSession are how many tasks may run at once, of all
	// hosts; 0 means 64, and as many as MaxRunning.
	MaxRunning, MaxPerSession int
	// Keep, MaxAge and MaxBytes bound what is remembered of ended tasks: their
	// number, their age and the size of their output; 0 means 256, seven days
	// and 1 GiB. The oldest go first.
	Keep     int
	MaxAge   time.Duration
	MaxBytes int64
}

func (o *Options) fill() {
	if o.MaxRunning <= 0 {
		o.MaxRunning = DefaultMaxRunning
	}
	if o.MaxPerSession <= 0 {
		o.MaxPerSession = o.MaxRunning
	}
	if o.Keep <= 0 {
		o.Keep = DefaultKeep
	}
	if o.MaxAge <= 0 {
		o.MaxAge = DefaultMaxAge
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
}
