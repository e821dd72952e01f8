package exectool

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/sandbox"
)

// Request is a program for a [Worker].
type Request struct {
	// Code is the source, unless File is a path of it, absolute. Argv has the
	// program's name in front.
	Code string
	File string
	Argv []string
	// Begun is set when the worker has taken the program, and will tell its end.
	Begun *bool
}

// codeFile is where a worker finds a program, in the directory of the task.
const codeFile = "program.py"

func (r Request) files() []facade.TaskFile {
	return []facade.TaskFile{{Name: codeFile, Data: []byte(r.Code)}}
}

// Hello is what a worker says when it is ready, or why it refuses to work.
type Hello struct {
	Refused string   `json:"refused"`
	Watch   []string `json:"watch"` // when one of these changes the worker is out of date
}

// answer is what a worker says of a program.
type answer struct {
	PID     int    `json:"pid"`
	Refused string `json:"refused"`
	Code    int    `json:"code"`
	Signal  int    `json:"signal"`
	Ended   bool   `json:"ended"`
}

// Worker is a sandboxed process that runs one program at a time. It gets each
// program's descriptors over a socket, so that output and input go directly
// between this process and the program.
type Worker struct {
	Hello Hello
	dir   string // where the directories of its tasks are
	link  link
	ctl   *os.File
	child *os.Process
	gone  chan struct{} // closed when the process has ended
	close sync.Once
	news  *json.Decoder

	mu      sync.Mutex
	running bool
	over    bool // it takes no more programs
	spec    WorkerSpec
}

// WorkerSpec is a program that is a worker.
type WorkerSpec struct {
	Path     string   // absolute
	Args     []string // without the program's name
	Env      []string // on top of the tool's
	ReadOnly []string
	// Forks says that the worker forks for each program, and says so.
	Forks bool
	// OnEnd is called at the end of each program, and tells whether the worker
	// can take another.
	OnEnd func(w *Worker, usable bool)
}

// startLimit is how long a worker may take to be ready.
const startLimit = 60 * time.Second

// StartWorker starts a worker and waits until it is ready. Close the worker.
func (r *Runner) StartWorker(ctx context.Context, spec WorkerSpec) (*Worker, error) {
	if err := r.Ready(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(r.spool, "worker-")
	if err != nil {
		return nil, err
	}
	w := &Worker{dir: dir, gone: make(chan struct{}), spec: spec}
	policy := sandbox.Policy{
		Writable: []string{r.dir, dir}, ReadOnly: slices.Concat(r.opts.ReadOnly, spec.ReadOnly), Network: r.opts.Network,
	}
	child := proc.Child{
		Path: spec.Path, Args: append([]string{spec.Path}, spec.Args...), Dir: r.dir, Limits: r.opts.Limits,
		Env: slices.Concat(r.environment(), r.opts.Env, spec.Env),
	}
	if err := w.start(child, policy, r.box, r.Contained()); err != nil {
		return nil, errors.Join(startError("the interpreter", err), os.RemoveAll(dir))
	}
	stop := context.AfterFunc(ctx, w.kill)
	timer := time.AfterFunc(startLimit, w.kill)
	err = w.news.Decode(&w.Hello)
	stop()
	timer.Stop()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the worker does not begin: %w", err), ctx.Err(), w.Close())
	}
	return w, nil
}

// start starts the process on a thread that lives as long as it does.
func (w *Worker) start(child proc.Child, policy sandbox.Policy, box sandbox.Sandbox, contained bool) error {
	theirs, link, err := newLink()
	if err != nil {
		return err
	}
	ctlR, ctlW, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirs.Close(), link.Close())
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return errors.Join(err, theirs.Close(), link.Close(), ctlR.Close(), ctlW.Close())
	}
	mark := rand.Text()
	child.Env = append(child.Env, proc.MarkVariable(mark))
	child.Files = []*os.File{null, null, null, theirs, ctlR}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(w.gone)
		var err error
		w.child, err = box.Start(child, policy)
		for _, f := range []*os.File{null, theirs, ctlR} {
			_ = f.Close() // the process has its own
		}
		if started <- err; err != nil {
			return
		}
		_, _ = w.child.Wait() // how it ends does not matter
		if !contained {
			proc.KillMarked(mark)
		}
	}()
	if err := <-started; err != nil {
		<-w.gone
		return errors.Join(err, link.Close(), ctlW.Close())
	}
	w.link, w.ctl, w.news = link, ctlW, json.NewDecoder(link)
	return nil
}

func (w *Worker) kill() { _ = w.child.Kill() }

// Close ends the worker and the program that it runs. It may be called again.
func (w *Worker) Close() error {
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	var err error
	w.close.Do(func() {
		w.kill()
		<-w.gone
		err = errors.Join(w.link.Close(), w.ctl.Close(), os.RemoveAll(w.dir))
	})
	return err
}

// errWorker says that a worker cannot run a program.
var errWorker = errors.New("the interpreter that should run the program is gone")

// run hands a program to the worker.
func (w *Worker) run(c proc.Child, dir string, r Request) (proc.Peer, error) {
	w.mu.Lock()
	ready := !w.over && !w.running
	w.running = w.running || ready
	w.mu.Unlock()
	if !ready {
		return nil, errWorker
	}
	*r.Begun = true
	file := r.File
	if file == "" {
		file = filepath.Join(dir, codeFile)
	}
	raw, err := json.Marshal(map[string]any{
		"dir": c.Dir, "env": c.Env, "argv": r.Argv, "file": file, "script": r.File != "", "here": dir,
	})
	if err == nil {
		message := binary.LittleEndian.AppendUint32(nil, uint32(len(raw)))
		err = w.link.send(append(message, raw...), c.Files)
	}
	p := &program{w: w, pid: w.child.Pid}
	if err == nil && w.spec.Forks {
		var a answer
		if err = w.news.Decode(&a); err == nil && a.Refused != "" {
			err = errors.New(a.Refused)
		}
	}
	if err != nil {
		w.end(false)
		return nil, errors.Join(errWorker, err)
	}
	return p, nil
}

// end lets the worker take another program.
func (w *Worker) end(usable bool) {
	w.mu.Lock()
	w.running = false
	w.over = w.over || !usable
	usable = !w.over
	w.mu.Unlock()
	if w.spec.OnEnd != nil {
		w.spec.OnEnd(w, usable)
	}
}

// program is one that a worker runs.
type program struct {
	w   *Worker
	pid int
	mu  sync.Mutex
	end bool
}

var _ proc.Peer = (*program)(nil)

// PID implements [proc.Peer]: it is the worker's.
func (p *program) PID() int { return p.pid }

// Wait implements [proc.Peer].
func (p *program) Wait() (int, string) {
	var a answer
	err := p.w.news.Decode(&a)
	p.mu.Lock()
	p.end = true
	p.mu.Unlock()
	p.w.end(err == nil && !a.Ended)
	switch {
	case err != nil:
		return -1, "SIGKILL"
	case a.Signal != 0:
		return -1, signalName(syscall.Signal(a.Signal))
	}
	return a.Code, ""
}

// Interrupt implements [proc.Peer].
func (p *program) Interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.end {
		_, _ = p.w.ctl.Write([]byte{byte(syscall.SIGINT)}) // a worker that is gone needs no signal
	}
}

// Kill implements [proc.Peer]: it ends the worker too, whose other programs are
// none.
func (p *program) Kill() { p.w.kill() }

var _ io.Closer = (*Worker)(nil)
