//go:build !linux || (!amd64 && !arm64)

package sandbox

import (
	"context"
	"errors"
	"os"
)

var errUnsupported = errors.New("sandboxes need Linux on amd64 or arm64")

// Namespaces contains children with Linux namespaces. On this system it holds
// nothing and starts nothing.
type Namespaces struct{}

// Bubblewrap contains children with the program bwrap. On this system it holds
// nothing and starts nothing.
type Bubblewrap struct {
	// Path of the program; "" looks for bwrap.
	Path string
}

var (
	_ Sandbox = Namespaces{}
	_ Sandbox = Bubblewrap{}
)

// bind refuses bounds: there are no control groups.
func bind(_ *Child, p Policy) (undo func(), err error) {
	if p.Memory <= 0 && p.Processes <= 0 {
		return func() {}, nil
	}
	return nil, &UnavailableError{Missing: []Report{{Sandbox: "control groups", Findings: findings(
		"control groups need Linux on amd64 or arm64", "run the host on Linux", Memory, Processes)}}}
}

func nothing(name string) Report {
	return Report{Sandbox: name, Findings: findings(errUnsupported.Error(), "run the host on Linux, or choose none",
		FileWrites, FileReads, Network, ProcessTree, Syscalls, Memory, Processes)}
}

// Name implements [Sandbox].
func (Namespaces) Name() string { return "namespaces" }

// Probe implements [Sandbox].
func (n Namespaces) Probe(context.Context) Report { return nothing(n.Name()) }

// Start implements [Sandbox]; it always fails.
func (Namespaces) Start(Child, Policy) (*os.Process, error) { return nil, errUnsupported }

// Name implements [Sandbox].
func (Bubblewrap) Name() string { return "bubblewrap" }

// Probe implements [Sandbox].
func (b Bubblewrap) Probe(context.Context) Report { return nothing(b.Name()) }

// Start implements [Sandbox]; it always fails.
func (Bubblewrap) Start(Child, Policy) (*os.Process, error) { return nil, errUnsupported }
