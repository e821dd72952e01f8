package sandbox

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// Child is the process to start: the program's absolute path, its arguments
// with the name in front, its complete environment, its directory, its
// descriptors from 0 on, and its limits.
type Child = proc.Child

// Limits bound each process by itself: processor time, address space, size of
// files, descriptors, and the user's number of processes.
type Limits = proc.Limits

// Sandbox starts contained processes.
type Sandbox interface {
	// Name is what results call the sandbox, as "namespaces".
	Name() string
	// Probe tries the sandbox and says what it holds.
	Probe(ctx context.Context) Report
	// Start starts a child as leader of a new process group. It must be called
	// on a thread that lives as long as the child (runtime.LockOSThread): a
	// contained child dies with that thread, and so with the host.
	Start(c Child, p Policy) (*os.Process, error)
}

// Policy says what a contained child may use. Everything else is out of its
// sight: the system's programs and libraries are there to read, /tmp is its
// own, and it has no network. The zero Policy gives nothing more.
type Policy struct {
	// Writable are absolute paths of directories to read and write.
	Writable []string
	// ReadOnly are absolute paths to read; below a writable directory they
	// protect what is there.
	ReadOnly []string
	// Network gives the host's network, and with it the sockets of programs
	// on this machine.
	Network bool
	// TmpSize is how many bytes /tmp holds, in memory; 0 means 256 MiB.
	TmpSize int64
	// Memory bounds the bytes of memory, and Processes the number of processes
	// and threads, of all that the child starts together. They need a control
	// group that the host may make; without one Start fails with an
	// [*UnavailableError]. 0 sets no bound.
	Memory    int64
	Processes int
}

// DefaultProcesses is how many processes and threads a contained child may have
// in [Namespaces] when its limits do not say. It does not hold for root, whom
// only [Policy.Processes] bounds: a control group makes each start wait.
const DefaultProcesses = 2048

// DefaultTmpSize is the size of /tmp without [Policy.TmpSize].
const DefaultTmpSize = 256 << 20

func (p Policy) tmpSize() int64 {
	if p.TmpSize > 0 {
		return p.TmpSize
	}
	return DefaultTmpSize
}

// Capability is something a sandbox can hold.
type Capability string

// The capabilities.
const (
	FileWrites  Capability = "file writes"  // nothing outside the policy is changed
	FileReads   Capability = "file reads"   // secrets outside the policy are out of sight
	Network     Capability = "network"      // no connection, to this machine neither
	ProcessTree Capability = "process tree" // all processes end with the child, and with the host
	Syscalls    Capability = "system calls" // ptrace, io_uring, keyctl, bpf and their like are refused
	Memory      Capability = "memory"       // a bound of all processes together
	Processes   Capability = "processes"    // a bound of their number
)

// Finding says whether a capability is held, and if not, why and how to get it.
type Finding struct {
	Capability Capability
	Held       bool
	Cause, Fix string
}

// Report is what a probe found.
type Report struct {
	Sandbox  string
	Findings []Finding
}

// Holds reports whether every one of capabilities is held.
func (r Report) Holds(capabilities ...Capability) bool { return len(r.missing(capabilities)) == 0 }

func (r Report) missing(capabilities []Capability) []Finding {
	var out []Finding
	for _, c := range capabilities {
		i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Capability == c })
		switch {
		case i < 0:
			out = append(out, Finding{Capability: c, Cause: "the sandbox does not know this capability"})
		case !r.Findings[i].Held:
			out = append(out, r.Findings[i])
		}
	}
	return out
}

// UnavailableError says that no sandbox holds what is needed.
type UnavailableError struct {
	// Missing is what each sandbox that was tried does not hold.
	Missing []Report
}

// Error names the causes.
func (e *UnavailableError) Error() string {
	var causes []string
	for _, r := range e.Missing {
		causes = append(causes, r.Sandbox+": "+join(r.Findings, func(f Finding) string { return f.Cause }))
	}
	return "no sandbox holds what is needed; " + strings.Join(causes, "; ")
}

// Fix says how to get what is missing.
func (e *UnavailableError) Fix() string {
	var all []Finding
	for _, r := range e.Missing {
		all = append(all, r.Findings...)
	}
	return join(all, func(f Finding) string { return f.Fix })
}

// join lists the distinct texts of findings.
func join(findings []Finding, text func(Finding) string) string {
	var out []string
	for _, f := range findings {
		if s := text(f); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", or ")
}

// Require returns an [*UnavailableError] unless s holds every one of
// capabilities.
func Require(ctx context.Context, s Sandbox, capabilities ...Capability) error {
	report := s.Probe(ctx)
	if missing := report.missing(capabilities); len(missing) > 0 {
		return &UnavailableError{Missing: []Report{{Sandbox: s.Name(), Findings: missing}}}
	}
	return nil
}

// Auto returns the strongest sandbox that works here and holds file writes, the
// process tree and every one of also: [Namespaces], else [Bubblewrap]. The
// error is an [*UnavailableError]; running without a sandbox is the host's
// explicit choice.
func Auto(ctx context.Context, also ...Capability) (Sandbox, error) {
	need := append([]Capability{FileWrites, ProcessTree}, also...)
	failed := &UnavailableError{}
	for _, s := range []Sandbox{Namespaces{}, Bubblewrap{}} {
		report := s.Probe(ctx)
		missing := report.missing(need)
		if len(missing) == 0 {
			return s, nil
		}
		failed.Missing = append(failed.Missing, Report{Sandbox: s.Name(), Findings: missing})
	}
	return nil, failed
}

// Named returns the sandbox that a host's configuration names: auto,
// namespaces, bubblewrap or none. One that does not work here is an
// [*UnavailableError].
func Named(ctx context.Context, name string) (Sandbox, error) {
	var s Sandbox
	switch name {
	case "auto", "":
		return Auto(ctx)
	case "namespaces":
		s = Namespaces{}
	case "bubblewrap":
		s = Bubblewrap{}
	case "none":
		return None{}, nil
	default:
		return nil, fmt.Errorf("unknown sandbox %q; there are auto, namespaces, bubblewrap and none", name)
	}
	if err := Require(ctx, s, FileWrites, ProcessTree); err != nil {
		return nil, err
	}
	return s, nil
}

// findings gives each of capabilities the same cause and fix.
func findings(cause, fix string, capabilities ...Capability) []Finding {
	out := make([]Finding, len(capabilities))
	for i, c := range capabilities {
		out[i] = Finding{Capability: c, Held: cause == "", Cause: cause, Fix: fix}
	}
	return out
}
