package gitimpl

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// defaultGrace is how long a process may take to clean up after it was told to
// stop. Git removes its lock files in that time.
const defaultGrace = 5 * time.Second

// errEnough is returned by a consumer of output that has read all it wants;
// the process is then stopped and its exit code means nothing.
var errEnough = errors.New("enough output")

// process is one run of a program in a process group of its own.
type process struct {
	path string
	args []string
	env  []string
	dir  string
	// stdin is what the program reads; nil for nothing.
	stdin io.Reader
	// stdout consumes the output; nil drops it.
	stdout func(io.Reader) error
	// stderr is given each piece of error output; nil drops it.
	stderr func([]byte)
	// joined sends standard output to stderr too.
	joined bool
	grace  time.Duration
	// lockDirs are where the program makes lock files, which must not stay
	// behind when it is stopped.
	lockDirs []string
	// sweep ends what the program leaves running behind, even on success.
	sweep bool
}

// run starts the program and waits for it. It returns the exit code, -1 when a
// signal ended the program. When ctx ends, or when the consumer returns an
// error, the whole process group is asked to stop, and killed after the grace
// period; the error is then the context's cause, or the consumer's.
func (p *process) run(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return -1, context.Cause(ctx)
	}
	outer := ctx
	ctx, stop := context.WithCancelCause(outer)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, p.path, p.args...)
	cmd.Env, cmd.Dir, cmd.Stdin = p.env, p.dir, p.stdin
	cmd.WaitDelay = p.grace
	var held []heldLock
	cmd.Cancel = func() error {
		held = halt(cmd.Process.Pid, p.lockDirs, p.grace)
		return terminate(cmd.Process)
	}
	cmd.SysProcAttr = ownGroup()
	if p.stderr != nil {
		cmd.Stderr = &writer{p.stderr}
	}
	if p.joined {
		cmd.Stdout = cmd.Stderr
	}
	out, err := p.consume(cmd, stop)
	if err != nil {
		return -1, err
	}
	if err := cmd.Start(); err != nil {
		out.abandon()
		return -1, err
	}
	out.started()
	werr := cmd.Wait()
	if ctx.Err() != nil || p.sweep {
		endGroup(cmd.Process.Pid, p.grace)
		removeHeld(held)
	}
	cerr := out.finish(p.grace)
	code := cmd.ProcessState.ExitCode()
	switch {
	case outer.Err() != nil && (code != 0 || cerr != nil): // what the consumer saw was cut short
		return code, context.Cause(outer)
	case cerr != nil:
		return code, cerr
	}
	if _, exited := errors.AsType[*exec.ExitError](werr); werr != nil && !exited && !errors.Is(werr, exec.ErrWaitDelay) {
		return code, werr
	}
	return code, nil
}

// writer is an io.Writer made of a function that cannot fail. As a pointer it
// is comparable, so that os/exec sees when both outputs share one.
type writer struct{ to func([]byte) }

func (w *writer) Write(b []byte) (int, error) {
	w.to(b)
	return len(b), nil
}

// ReadFrom spares the large buffer that io.Copy would make for the few words
// of error output, if there are any.
func (w *writer) ReadFrom(r io.Reader) (read int64, err error) {
	const size = 1 << 10
	for buf := make([]byte, size); ; {
		n, err := r.Read(buf)
		w.to(buf[:n])
		read += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			return read, nil
		case err != nil:
			return read, err
		}
	}
}

// output carries the program's standard output to the consumer, on a goroutine
// that never outlives run: a descendant that keeps the pipe open past the
// grace period loses it.
type output struct {
	read, write *os.File
	done        chan struct{}
	err         error
	run         func()
	once        sync.Once
}

// consume connects the standard output of cmd to the consumer.
func (p *process) consume(cmd *exec.Cmd, stop context.CancelCauseFunc) (*output, error) {
	if p.stdout == nil {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	o := &output{read: r, write: w, done: make(chan struct{})}
	cmd.Stdout = w
	o.run = func() {
		defer close(o.done)
		if o.err = p.stdout(r); o.err != nil {
			stop(o.err)
		}
		// What the consumer did not want must not block the program.
		_, _ = io.Copy(io.Discard, r)
	}
	return o, nil
}

func (o *output) abandon() {
	if o != nil {
		_ = o.write.Close()
		_ = o.read.Close()
	}
}

func (o *output) started() {
	if o != nil {
		_ = o.write.Close()
		go o.run()
	}
}

// finish waits for the consumer and returns its error.
func (o *output) finish(grace time.Duration) error {
	if o == nil {
		return nil
	}
	defer o.once.Do(func() { _ = o.read.Close() })
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-o.done:
	case <-timer.C:
		_ = o.read.SetReadDeadline(time.Now())
		<-o.done
	}
	return o.err
}
