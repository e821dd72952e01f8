package exectool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// Runner starts programs below one root. Its methods are safe for concurrent
// use.
type Runner struct {
	opts  runner.Options
	hooks Hooks
	dir   string
	root  *os.Root
	spool string
	box   sandbox.Sandbox
	noBox error // why there is no sandbox
	own   *memory

	mu     sync.Mutex
	kept   facade.TaskStore // of background tasks; nil until it is needed
	noKept error            // why there is none
	closed bool
	gate   gate
}

// New returns a runner for the programs below dir.
func New(ctx context.Context, dir string, opts *runner.Options, hooks Hooks) (*Runner, error) {
	r := &Runner{opts: opts.Filled(), hooks: hooks, gate: newGate()}
	var err error
	if r.dir, err = filepath.Abs(dir); err == nil {
		r.dir, err = filepath.EvalSymlinks(r.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the root of programs: %w", err)
	}
	if r.box = r.opts.Sandbox; r.box == nil {
		r.box, r.noBox = sandbox.Auto(ctx)
	}
	if r.root, err = os.OpenRoot(r.dir); err != nil {
		return nil, fmt.Errorf("the root of programs: %w", err)
	}
	if r.spool, err = os.MkdirTemp("", "toolfacade-run-"); err != nil {
		return nil, errors.Join(err, r.root.Close())
	}
	r.own = newMemory(r)
	r.kept = r.opts.Tasks
	return r, nil
}

// Close ends what runs, but for background tasks that are to outlive the
// runner, and removes what the runner kept.
func (r *Runner) Close() error {
	r.mu.Lock()
	kept := r.kept
	r.kept, r.closed = nil, true
	r.mu.Unlock()
	err := r.own.Close()
	if kept != nil && r.opts.Tasks == nil {
		err = errors.Join(err, kept.Close())
	}
	return errors.Join(err, os.RemoveAll(r.spool), r.root.Close())
}

// Dir is the root's absolute path.
func (r *Runner) Dir() string { return r.dir }

// Root is the root's handle.
func (r *Runner) Root() *os.Root { return r.root }

// Spool is a directory for files of the tool, which goes with the runner.
func (r *Runner) Spool() string { return r.spool }

// Contained reports whether programs run in a sandbox.
func (r *Runner) Contained() bool { return r.box != nil && r.box.Name() != sandbox.None{}.Name() }

// Networked reports whether programs have the host's network.
func (r *Runner) Networked() bool { return r.opts.Network || !r.Contained() }

// Isolation names the sandbox; it is for a runner that is [Runner.Ready].
func (r *Runner) Isolation() string { return r.box.Name() }

func errClosed() error {
	return facade.Errorf(facade.CodeUnavailable, "the tool is closed").WithHint("the host has to open it again")
}

// Ready returns why nothing can be started, as an unavailable error.
func (r *Runner) Ready() error {
	r.mu.Lock()
	closed := r.closed
	r.mu.Unlock()
	if closed {
		return errClosed()
	}
	if r.noBox == nil {
		return nil
	}
	e := facade.Errorf(facade.CodeUnavailable, "no sandbox works on this machine: %w", r.noBox)
	if missing, ok := errors.AsType[*sandbox.UnavailableError](r.noBox); ok {
		return e.WithHint("the host has to %s; or to choose to run without a sandbox", missing.Fix())
	}
	return e.WithHint("the host has to choose a sandbox, or to run without one")
}
