package exectool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// The defaults of [Options].
const (
	DefaultMaxRunning  = 64
	DefaultKeep        = 256
	DefaultOutputLimit = 1 << 30
)

// Options are the choices of a host, which both tools offer. The zero value of
// each field is safe.
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
	// OutputLimit is how many bytes of output end a program; 0 means 1 GiB.
	OutputLimit int64
	// MaxRunning is how many programs may run at once; 0 means 64.
	MaxRunning int
	// Keep is how many ended tasks are remembered; 0 means 256.
	Keep int
}

// Runner starts programs below one root. Its methods are safe for concurrent
// use.
type Runner struct {
	opts  Options
	dir   string
	root  *os.Root
	spool string
	box   sandbox.Sandbox
	noBox error // why there is no sandbox
	terms Terms

	mu     sync.Mutex
	tasks  []*task // in the order of their start
	count  int
	closed bool
}

// Terms are how messages name the actions of the tool.
type Terms struct {
	List string // the action that lists tasks
}

// New returns a runner for the programs below dir.
func New(ctx context.Context, dir string, opts *Options, terms Terms) (*Runner, error) {
	r := &Runner{terms: terms}
	if opts != nil {
		r.opts = *opts
	}
	if r.opts.MaxRunning <= 0 {
		r.opts.MaxRunning = DefaultMaxRunning
	}
	if r.opts.Keep <= 0 {
		r.opts.Keep = DefaultKeep
	}
	if r.opts.OutputLimit <= 0 {
		r.opts.OutputLimit = DefaultOutputLimit
	}
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
	return r, nil
}

// Close kills everything that runs, and removes what the runner kept.
func (r *Runner) Close() error {
	r.mu.Lock()
	tasks := r.tasks
	r.tasks, r.closed = nil, true
	r.mu.Unlock()
	for _, t := range tasks {
		t.proc.Stop()
	}
	var err error
	for _, t := range tasks {
		<-t.done
		err = errors.Join(err, t.proc.Log().Close())
	}
	return errors.Join(err, os.RemoveAll(r.spool), r.root.Close())
}

// Dir is the root's absolute path.
func (r *Runner) Dir() string { return r.dir }

// Root is the root's handle.
func (r *Runner) Root() *os.Root { return r.root }

// Spool is a directory for files of runs, which goes with the runner.
func (r *Runner) Spool() string { return r.spool }

// Contained reports whether programs run in a sandbox.
func (r *Runner) Contained() bool { return r.box != nil && r.box.Name() != sandbox.None{}.Name() }

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

// Directory checks a directory below the root and returns its absolute path.
func (r *Runner) Directory(cwd string) (string, error) {
	rel, err := r.Relative("cwd", cwd)
	if err != nil {
		return "", err
	}
	info, err := r.root.Stat(rel)
	if err != nil {
		return "", r.pathError("cwd", cwd, err)
	}
	if !info.IsDir() {
		return "", facade.Errorf(facade.CodeNotDirectory, "%s is not a directory", cwd).WithPath(cwd).
			WithHint("name the directory to run in, or leave out 'cwd' for the root")
	}
	return filepath.Join(r.dir, rel), nil
}

// File checks a regular file below the root and returns its path relative to
// the root.
func (r *Runner) File(field, path string) (string, error) {
	rel, err := r.Relative(field, path)
	if err != nil {
		return "", err
	}
	info, err := r.root.Stat(rel)
	switch {
	case err != nil:
		return "", r.pathError(field, path, err)
	case info.IsDir():
		return "", facade.Errorf(facade.CodeIsDirectory, "%s is a directory", path).WithPath(path).WithHint("name a file")
	case !info.Mode().IsRegular():
		return "", facade.Errorf(facade.CodeNotRegular, "%s is not a regular file", path).WithPath(path).WithHint("name a file")
	}
	return rel, nil
}

// Relative turns a path as models write it into one relative to the root.
func (r *Runner) Relative(field, path string) (string, error) {
	rel := filepath.FromSlash(path)
	if rel == "" {
		rel = "."
	}
	if filepath.IsAbs(rel) {
		below, err := filepath.Rel(r.dir, rel)
		if err != nil {
			below = ".."
		}
		rel = below
	}
	if rel = filepath.Clean(rel); !filepath.IsLocal(rel) {
		e := facade.Errorf(facade.CodeOutsideRoot, "%s is outside the root", path).WithPath(path)
		e.Field = field
		return "", e.WithHint("use a path relative to the root")
	}
	return rel, nil
}

func (r *Runner) pathError(field, path string, err error) error {
	code, hint := facade.CodeOf(err), "list the directory to see what is there"
	if code == facade.CodeInternal { // how os.Root reports an escape
		code, hint = facade.CodeOutsideRoot, "use a path that leads to something below the root"
	}
	why := map[facade.Code]string{
		facade.CodeNotFound: "does not exist", facade.CodeOutsideRoot: "leads outside the root",
		facade.CodeNotDirectory: "leads through something that is no directory",
	}[code]
	if why == "" {
		why = "cannot be used"
	}
	e := facade.Errorf(code, "%s %s", path, why).WithPath(path).WithHint("%s", hint)
	e.Field, e.Err = field, err
	return e
}
