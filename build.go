package toolfacade

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/termexec"
)

// builder opens the tools of a set one after the other.
type builder struct {
	dir     string
	opts    *Options
	tools   []*facade.Tool
	closers []io.Closer
	// workingDir is where cd of the filesystem tool led a session.
	workingDir func(ctx context.Context) string
}

func (b *builder) add(t *facade.Tool, closers ...io.Closer) {
	b.tools = append(b.tools, t)
	b.closers = append(b.closers, closers...)
}

// close releases what was opened before a failure.
func (b *builder) close() error {
	var errs []error
	for _, c := range b.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

func (b *builder) files() error {
	var o fsimpl.Options
	if b.opts.Files != nil {
		o = *b.opts.Files
	}
	o.ReadOnly = o.ReadOnly || b.opts.ReadOnly
	files, err := fsimpl.Open(b.dir, &o)
	if err != nil {
		return err
	}
	b.workingDir = files.WorkingDir
	b.add(facade.Files(files), files)
	return nil
}

func (b *builder) git() error {
	git, err := gitimpl.New(b.dir, b.opts.Git)
	if err != nil {
		return err
	}
	if b.opts.GitExtras {
		b.add(facade.Git(git.Extended()), git)
	} else {
		b.add(facade.Git(git), git)
	}
	return nil
}

// probeTime bounds the search for a sandbox.
const probeTime = 20 * time.Second

func (b *builder) python() error {
	if b.opts.ReadOnly {
		return nil // there is nothing to observe where nothing runs
	}
	var o pyexec.Options
	if b.opts.Python != nil {
		o = *b.opts.Python
	}
	o.ReadOnly = slices.Concat(o.ReadOnly, b.protected())
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	python, err := pyexec.Open(ctx, b.dir, &o)
	if err != nil {
		return err
	}
	b.add(facade.Python(python), python)
	return nil
}

// protected lists what is write-protected at the top of the directory, so that
// code in a sandbox is held to it like the filesystem tool.
func (b *builder) protected() []string {
	abs, err := filepath.Abs(b.dir)
	if err != nil {
		return nil
	}
	var found []string
	for _, name := range fsimpl.Protected() {
		if b.opts.Files != nil && slices.Contains(b.opts.Files.Writable, name) {
			continue
		}
		if p := filepath.Join(abs, name); exists(p) {
			found = append(found, p)
		}
	}
	return found
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (b *builder) terminal() error {
	if b.opts.Terminal == nil || b.opts.ReadOnly {
		return nil
	}
	o := *b.opts.Terminal
	o.ReadOnly = slices.Concat(o.ReadOnly, b.protected())
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	terminal, err := termexec.Open(ctx, b.dir, &o)
	if err != nil {
		return err
	}
	b.add(facade.Terminal(terminal), terminal)
	return nil
}

func (b *builder) documents() error {
	root, err := rootfs.Open(b.dir, nil)
	if err != nil {
		return err
	}
	var o docs.Options
	if b.opts.Documents != nil {
		o = *b.opts.Documents
	}
	if abs, err := filepath.Abs(b.dir); err == nil && o.HostPath == "" {
		o.HostPath = abs
	}
	if o.WorkingDir == nil {
		o.WorkingDir = b.workingDir
	}
	documents, err := docs.New(root, &o)
	if err != nil {
		return errors.Join(err, root.Close())
	}
	b.add(facade.Document(documents), root, documents)
	return nil
}
