package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// Process is a started command. Its methods are safe for concurrent use.
type Process struct {
	cmd     Command
	mark    string
	os      *os.Process
	peer    Peer // in place of os
	started time.Time
	out     *output
	in      *input
	readers []*os.File // of stdout and stderr, or of the terminal
	pumps   sync.WaitGroup
	exited  chan exit
	stop    chan struct{}
	stopped sync.Once
	done    chan struct{}
	cut     []Survivor // killed by the ladder
	res     Result
	ended   []func(r *Result) // of the launch
}

type exit struct {
	state  *os.ProcessState
	err    error
	code   int // of a peer, as its signal
	signal string
}

// Start starts a command. The error tells why it could not be started; how it
// ended is in [Process.Result].
func Start(cmd Command) (*Process, error) {
	cmd.fill()
	p := &Process{
		cmd: cmd, mark: newMark(), out: newOutput(&cmd),
		exited: make(chan exit, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	pipes, err := p.open()
	if err != nil {
		return nil, err
	}
	p.started = time.Now()
	launched := make(chan error, 1)
	go p.live(pipes, launched)
	if err := <-launched; err != nil {
		p.in.close()
		for _, r := range p.readers {
			err = errors.Join(err, r.Close())
		}
		return nil, err
	}
	if cmd.OnOutput != nil {
		p.out.sink = newSink(cmd.OnOutput)
	}
	for i, r := range p.readers {
		p.pumps.Go(func() { p.out.pump(Stream(i), r) })
	}
	p.in.start(cmd.Stdin, cmd.KeepInput)
	go p.control()
	return p, nil
}

// open makes the pipes and returns the child's ends.
func (p *Process) open() ([]*os.File, error) {
	var ours, theirs []*os.File
	fail := func(err error) ([]*os.File, error) {
		for _, f := range append(ours, theirs...) {
			err = errors.Join(err, f.Close())
		}
		return nil, fmt.Errorf("pipes of the process: %w", err)
	}
	if p.cmd.Terminal {
		child, out, feed, err := openTerminal()
		if err != nil {
			return nil, err
		}
		p.in, p.readers = newInput(feed), []*os.File{out}
		p.in.terminal = true
		return []*os.File{child, child, child}, nil
	}
	stdin, feed, err := openInput(p.cmd.Stdin != "" || p.cmd.KeepInput)
	if err != nil {
		return fail(err)
	}
	p.in, theirs = newInput(feed), append(theirs, stdin)
	if feed != nil {
		ours = append(ours, feed)
	}
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return fail(err)
		}
		p.readers = append(p.readers, r)
		ours, theirs = append(ours, r), append(theirs, w)
	}
	return theirs, nil
}

// live launches the child and waits for it on one thread: a child that is to
// die with the thread that started it must not die before.
func (p *Process) live(files []*os.File, launched chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := Child{
		Path: p.cmd.Path, Args: append([]string{p.cmd.Path}, p.cmd.Args...),
		Env: append(p.cmd.Env[:len(p.cmd.Env):len(p.cmd.Env)], MarkVariable(p.mark)),
		Dir: p.cmd.Dir, Files: files, Limits: p.cmd.Limits, Terminal: p.cmd.Terminal,
		Ended: func(do func(r *Result)) { p.ended = append(p.ended, do) },
	}
	if p.cmd.Join != nil {
		p.join(c, launched)
		return
	}
	child, err := p.cmd.Launch(c)
	for _, f := range files {
		_ = f.Close() // the child has its own; nothing was written here; a terminal is there three times
	}
	p.os = child
	launched <- err
	if err != nil {
		return
	}
	awaitExit(child.Pid)
	killGroup(child.Pid)
	state, err := child.Wait()
	p.exited <- exit{state: state, err: err}
}

// join has the child started by somebody else and waits for its end.
func (p *Process) join(c Child, launched chan<- error) {
	peer, err := p.cmd.Join(c)
	for _, f := range c.Files {
		_ = f.Close() // as above
	}
	p.peer = peer
	launched <- err
	if err != nil {
		return
	}
	code, signal := peer.Wait()
	p.exited <- exit{code: code, signal: signal}
}

// PID is the process id.
func (p *Process) PID() int {
	if p.peer != nil {
		return p.peer.PID()
	}
	return p.os.Pid
}

// Started is when the process was started.
func (p *Process) Started() time.Time { return p.started }

// Done is closed when the process has ended, its output is complete and what
// it left was killed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Result tells how the process ended. It waits for that.
func (p *Process) Result() Result {
	<-p.done
	return p.res
}

// Log returns the output of both streams.
func (p *Process) Log() *Log { return p.out.log }

// Texts returns what [Result] calls Stdout, Stderr and Whole, as of now.
func (p *Process) Texts() (stdout, stderr string, whole bool) {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	stdout, one := p.out.windows[Stdout].text()
	stderr, two := p.out.windows[Stderr].text()
	return stdout, stderr, one && two
}

// Stop begins to stop the process; [Process.Done] tells when it has ended. It
// may be called any number of times.
func (p *Process) Stop() { p.stopped.Do(func() { close(p.stop) }) }

// Write writes to the process's input, behind what was written before, and
// returns how many bytes it took until ctx ended.
func (p *Process) Write(ctx context.Context, data string) (int, error) {
	return p.in.write(ctx, data)
}

// CloseInput closes the process's input: it reads its end.
func (p *Process) CloseInput(ctx context.Context) error { return p.in.closeAfter(ctx) }

// control ends the process when there is a reason to, and then cleans up.
func (p *Process) control() {
	cause, end := p.await()
	if cause != Exited {
		end = p.ladder()
	}
	p.res.Leaked = p.sweep()
	p.finishOutput()
	p.in.close() // the reader is gone
	p.fillResult(cause, end)
	for _, do := range p.ended {
		do(&p.res)
	}
	close(p.done)
}

func (p *Process) await() (Cause, exit) {
	var limit <-chan time.Time
	if p.cmd.Timeout > 0 {
		t := time.NewTimer(p.cmd.Timeout)
		defer t.Stop()
		limit = t.C
	}
	var failed chan struct{}
	if p.out.sink != nil {
		failed = p.out.sink.failed
	}
	select {
	case end := <-p.exited:
		return Exited, end
	case <-limit:
		return TimedOut, exit{}
	case <-p.stop:
		return Canceled, exit{}
	case <-failed:
		return Canceled, exit{}
	case <-p.out.over:
		return OutputLimit, exit{}
	}
}

// ladder asks, insists and then kills.
func (p *Process) ladder() exit {
	if p.peer != nil {
		p.peer.Interrupt()
		select {
		case end := <-p.exited:
			return end
		case <-time.After(p.cmd.Grace):
		}
		p.peer.Kill()
		return <-p.exited
	}
	for _, s := range politeSignals {
		signalGroup(p.os, s)
		select {
		case end := <-p.exited:
			return end
		case <-time.After(p.cmd.Grace):
		}
	}
	// What may leave the group is looked for while its parents still live.
	if !p.cmd.Contained {
		p.cut = p.family()
		for _, s := range p.cut {
			killProcess(s)
		}
	}
	killGroup(p.os.Pid)
	_ = p.os.Kill() // it may have ended already
	return <-p.exited
}

// finishOutput waits until the pumps have read everything, or for WaitDelay.
func (p *Process) finishOutput() {
	drained := make(chan struct{})
	go func() {
		p.pumps.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-time.After(p.cmd.WaitDelay):
		p.res.Incomplete = true
	}
	for _, r := range p.readers {
		_ = r.Close() // ends a pump that still reads
	}
	<-drained
	p.out.log.end()
	if s := p.out.sink; s != nil {
		close(s.queue)
		<-s.done
		p.res.Err = s.err
	}
}

func (p *Process) fillResult(cause Cause, end exit) {
	r := &p.res
	r.Cause, r.Started, r.Ended = cause, p.started, time.Now()
	r.ExitCode = -1
	if p.peer != nil {
		r.ExitCode, r.Signal = end.code, end.signal
	} else if end.state != nil {
		r.ExitCode, r.Signal = end.state.ExitCode(), signalName(end.state)
		r.UserTime, r.SystemTime, r.MaxRSS = end.state.UserTime(), end.state.SystemTime(), maxRSS(end.state)
	} else if r.Err == nil {
		r.Err = end.err
	}
	r.Stdout, r.Stderr, r.Whole = p.Texts()
	r.TotalBytes = p.out.log.Total()
}
