package toolfacade

import (
	"errors"
	"path/filepath"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/fssync"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/termexec"
)

// Options choose and tune the tools of [Open]. The zero value is the safe
// default set: the filesystem tool, confined to the directory, with undo, and
// with the configuration of version control, editors and agents write-protected;
// the git tool with its eleven actions, which lets nothing that a repository
// contains run; the python tool, which runs code in the strongest sandbox that
// works here and none at all without one; and the document tool.
type Options struct {
	// Files tunes the filesystem tool. Naming protected paths in Writable lets
	// the model change files that other programs obey.
	Files *fsimpl.Options
	// Git tunes the git tool. Trusting a repository's configuration lets its
	// hooks, filters and helpers run programs.
	Git *gitimpl.Options
	// GitExtras adds show, blame, branches, switch, stash, conflicts and remotes
	// to the git tool.
	GitExtras bool
	// Python tunes the python tool. Naming [sandbox.None] lets code do whatever
	// this process may.
	Python *pyexec.Options
	// Terminal, when not nil, adds the terminal tool, which runs programs in a
	// sandbox like python.
	Terminal *termexec.Options
	// Documents tunes the document tool. Its index is in memory by default.
	Documents *docs.Options
	// Sync, when not nil, adds the sync tool, which keeps the directory and
	// another one alike. With ReadOnly there is none.
	Sync *SyncOptions
	// ReadOnly leaves out every action that changes something.
	ReadOnly bool
	// OutputBudget is how many bytes of text or JSON a reply may have; 0 means
	// [facade.DefaultOutputBudget].
	OutputBudget int
	// Middleware wraps every call, the first outermost: approval, audit, rate
	// limits.
	Middleware []facade.Middleware
	// OnPanic is told of defects in implementations, see [facade.Options].
	OnPanic func(tool, action string, recovered any, stack []byte)
}

// SyncOptions say what the sync tool keeps the directory alike with.
type SyncOptions struct {
	// Target is the other directory.
	Target string
	// Tuning has the rest; nil means the defaults. What the filesystem tool
	// protects is not synchronized, and the memory of the pair is kept in the
	// user's cache directory, unless it says otherwise.
	Tuning *fssync.Options
}

// Open returns the default set of tools on a directory. nil options are the
// safe defaults. Close the set to end what runs and to release the directory;
// background tasks go on, see the EndTasks option of python and terminal.
func Open(dir string, opts *Options) (*facade.Set, error) {
	if opts == nil {
		opts = &Options{}
	}
	b := &builder{dir: dir, opts: opts}
	for _, open := range []func() error{b.files, b.git, b.python, b.terminal, b.documents, b.sync} {
		if err := open(); err != nil {
			return nil, errors.Join(err, b.close())
		}
	}
	set := facade.NewSet(b.tools, &facade.Options{
		OutputBudget: opts.OutputBudget,
		HostPaths:    b.hostPaths(),
		OnPanic:      opts.OnPanic,
	})
	for _, c := range b.closers {
		set.OnClose(c)
	}
	if len(opts.Middleware) > 0 {
		set = set.With(opts.Middleware...)
	}
	if opts.ReadOnly {
		set = set.View(facade.ReadOnly)
	}
	return set, nil
}

// hostPaths lists the spellings of dir that no text for a model may have, the
// longest first. The filesystem's root is left alone: every path has it.
func hostPaths(dir string) []string {
	var paths []string
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		paths = append(paths, real)
	}
	paths = append(paths, abs)
	if filepath.Dir(abs) == abs {
		return nil
	}
	return paths
}
