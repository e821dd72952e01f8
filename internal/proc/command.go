package proc

import (
	"os"
	"time"
)

// The defaults of a [Command].
const (
	DefaultGrace     = 100 * time.Millisecond
	DefaultWaitDelay = 300 * time.Millisecond
	DefaultWindow    = 12 << 10
	DefaultSpill     = 64 << 20
)

// Limits are resource limits of the started process and, each for itself, of
// every process it starts: a seat belt, no bound of the whole. Zero values set
// no limit. They hold on Linux; other systems ignore them.
type Limits struct {
	CPU       time.Duration // processor time, rounded up to seconds
	Memory    int64         // bytes of address space
	FileSize  int64         // bytes of the largest file written
	OpenFiles int           // open descriptors
	Processes int           // processes of the user; root is exempt
}

// Child is what a [Launch] starts.
type Child struct {
	Path   string     // of the program, absolute
	Args   []string   // with the program's name in front
	Env    []string   // complete
	Dir    string     // absolute
	Files  []*os.File // descriptors 0, 1, 2, …
	Limits Limits
	// Under, when not nil, is a program to become the child's parent in place
	// of this process; a launch then returns the supervisor's process. It
	// works on Linux.
	Under *Supervisor
	// Groups are the cgroup.procs files of control groups to join.
	Groups []string
	// Terminal says that the first file is a terminal, to be the child's own.
	Terminal bool
	// Ended, when not nil, takes what a [Launch] wants to do when the child and
	// all it left have ended.
	Ended func(do func(r *Result))
}

// Launch starts a child as leader of a new process group. It is called on a
// thread that lives at least as long as the child.
type Launch func(c Child) (*os.Process, error)

// Join has a child started that is not one of this process. It may keep the
// files only until it returns.
type Join func(c Child) (Peer, error)

// Peer is such a child. Whoever started it ends what it leaves behind.
type Peer interface {
	// PID is its process id as this process sees it, or that of whoever runs it.
	PID() int
	// Wait returns how it ended: the exit code, or -1 and the signal's name.
	Wait() (code int, signal string)
	// Interrupt asks it to end, and Kill ends it.
	Interrupt()
	Kill()
}

// Command is a process to run.
type Command struct {
	Path string   // of the program, absolute
	Args []string // without the program's name
	Env  []string // complete; a mark to find survivors by is added
	Dir  string   // absolute
	// Stdin is written first. KeepInput leaves the input open behind it for
	// [Process.Write].
	Stdin     string
	KeepInput bool
	// Terminal gives the process a terminal of its own, in place of three pipes:
	// what it writes to either output comes as [Stdout], with its echo and line
	// ends. Where the system has none the start fails with
	// [errors.ErrUnsupported].
	Terminal bool
	// Timeout is how long the process may run; 0 means for ever.
	Timeout time.Duration
	// Grace is how long INT and then TERM may take before KILL.
	Grace time.Duration
	// WaitDelay is how long output may still come after the process ended and
	// what it left was killed.
	WaitDelay time.Duration
	Limits    Limits
	// OutputLimit is how many bytes of output end the process; 0 for no limit.
	OutputLimit int64
	// Window is how many bytes of the start, and again of the end, of stdout
	// and of stderr the result keeps.
	Window int
	// SpillDir is where the file of long outputs is made; SpillMax is how many
	// bytes of output it keeps.
	SpillDir string
	SpillMax int64
	// OnOutput, when not nil, gets the output as it comes, on one goroutine.
	// What it cannot take in time is dropped and counted. An error stops the
	// process.
	OnOutput func(Chunk) error
	// Launch starts the child; nil starts it directly.
	Launch Launch
	// Join, when not nil, has the child started by somebody else instead.
	Join Join
	// Contained says that Launch ends every process of the child with the
	// child, so that nothing has to be looked for.
	Contained bool
}

// Chunk is a piece of output as it came.
type Chunk struct {
	Stream  Stream
	Offset  int64 // of the first byte among all output
	Data    []byte
	Dropped int64 // bytes lost just before
}

// Stream is one of the two outputs.
type Stream int

// The outputs.
const (
	Stdout Stream = iota
	Stderr
)

func (c *Command) fill() {
	if c.Grace <= 0 {
		c.Grace = DefaultGrace
	}
	if c.WaitDelay <= 0 {
		c.WaitDelay = DefaultWaitDelay
	}
	if c.Window <= 0 {
		c.Window = DefaultWindow
	}
	if c.SpillMax <= 0 {
		c.SpillMax = DefaultSpill
	}
	if c.Launch == nil {
		c.Launch = Direct
	}
}
