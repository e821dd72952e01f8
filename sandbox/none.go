package sandbox

import (
	"context"
	"os"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// None contains nothing: the child may do whatever the host's user may. Limits
// hold all the same, on Linux.
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

// Start implements [Sandbox]; the policy is not used.
func (None) Start(c Child, _ Policy) (*os.Process, error) { return proc.Direct(c) }
