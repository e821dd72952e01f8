package gitimpl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

var _ facade.GitTools = (*Git)(nil)

// Git implements the eleven actions of the git tool for the repositories below
// one root directory. It is safe for concurrent use. Close it to remove its
// private files.
type Git struct {
	root    string // absolute, without symbolic links
	opts    Options
	program program
	env     environment
	shadows shadows
	locks   gitrule.Locks
	temp    tempDir
	readers readers
	user    userConfig
	commit  *script
	push    *script
}

// New returns the git tool for the repositories below root. Nil options are
// safe defaults. A missing or old git program is no error here: each action
// says so, until one is installed.
func New(root string, opts *Options) (*Git, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("gitimpl: root: %w", err)
	}
	abs, err = filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("gitimpl: root: %w", err)
	}
	if fi, err := os.Stat(abs); err != nil || !fi.IsDir() {
		return nil, fmt.Errorf("gitimpl: root %q is not a directory", root)
	}
	g := &Git{root: abs, program: program{name: "git"}}
	if opts != nil {
		g.opts = *opts
	}
	if err := g.prepare(); err != nil {
		return nil, fmt.Errorf("gitimpl: %w", err)
	}
	return g, nil
}

// prepare checks and completes the options.
func (g *Git) prepare() error {
	o := &g.opts
	if o.Program != "" {
		g.program.name = o.Program
	}
	const lockWait = 1300 * time.Millisecond
	if o.Grace <= 0 {
		o.Grace = defaultGrace
	}
	if o.LockWait <= 0 {
		o.LockWait = lockWait
	}
	extra := make([]string, 0, len(o.ExtraRoots))
	for _, dir := range o.ExtraRoots {
		abs, err := filepath.Abs(dir)
		if err == nil {
			abs, err = filepath.EvalSymlinks(abs)
		}
		if err != nil {
			return fmt.Errorf("extra root: %w", err)
		}
		extra = append(extra, abs)
	}
	o.ExtraRoots = extra
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	temp, err := filepath.EvalSymlinks(o.TempDir)
	if err != nil {
		return fmt.Errorf("temporary directory: %w", err)
	}
	if within(g.root, temp) && g.root != filepath.Dir(g.root) {
		return fmt.Errorf("the temporary directory %q is inside the root; set TempDir", temp)
	}
	g.temp.parent = temp
	g.env = hostEnvironment(g.root, o.Identity)
	if g.commit, err = g.pin(o.CommitScript); err != nil {
		return fmt.Errorf("commit script: %w", err)
	}
	if g.push, err = g.pin(o.PushScript); err != nil {
		return fmt.Errorf("push script: %w", err)
	}
	return nil
}

// Close removes the private files. Actions that are still running may fail.
func (g *Git) Close() error { return g.temp.remove() }

// tempDir is a private directory, made when first needed.
type tempDir struct {
	parent string

	mu     sync.Mutex
	path   string
	closed bool
}

// get returns the directory.
func (t *tempDir) get() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return "", fmt.Errorf("gitimpl: used after Close: %w", os.ErrClosed)
	}
	if t.path == "" {
		dir, err := os.MkdirTemp(t.parent, "toolfacade-git-")
		if err != nil {
			return "", fmt.Errorf("gitimpl: private directory: %w", err)
		}
		if t.path, err = filepath.EvalSymlinks(dir); err != nil {
			return "", fmt.Errorf("gitimpl: private directory: %w", err)
		}
	}
	return t.path, nil
}

func (t *tempDir) remove() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.path == "" {
		return nil
	}
	return os.RemoveAll(t.path)
}

// sub makes a directory in the private one.
func (t *tempDir) sub(name string) (string, error) {
	dir, err := t.get()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, name)
	const private = 0o700
	if err := os.MkdirAll(dir, private); err != nil {
		return "", err
	}
	return dir, nil
}

// file writes a private file and returns its path and what removes it.
func (t *tempDir) file(name, content string) (path string, remove func(), err error) {
	dir, err := t.get()
	if err != nil {
		return "", nil, err
	}
	f, err := os.CreateTemp(dir, name+"-")
	if err != nil {
		return "", nil, err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", nil, err
	}
	return f.Name(), func() { _ = os.Remove(f.Name()) }, nil
}
