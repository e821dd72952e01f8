package sandbox

import (
	"context"
	"os"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// None contains nothing: the child may do whatever the host's user may. On Linux
// limits hold all the same, and a policy's bounds of memory and processes, for
// what does not leave its control group.
type None struct{}

var _ Sandbox = None{}

// Name implements [Sandbox].
func (None) Name() string { return "none" }

// Probe implements [Sandbox].
func (None) Probe(context.Context) Report {
	return Report{Sandbox: "none", Findings: findings("the host chose to run without a sandbox",
		"choose auto, namespaces or bubblewrap",
		FileWrites, FileReads, Network, ProcessTree, Syscalls, Memory, Processes)}
}

// Start implements [Sandbox]; of the policy only its bounds are used.
func (None) Start(c Child, p Policy) (*os.Process, error) {
	undo, err := bind(&c, p)
	if err != nil {
		return nil, err
	}
	child, err := proc.Direct(c)
	if err != nil {
		undo()
	}
	return child, err
}
