package exectool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// memory is the store of tasks that end with the runner: those that are waited
// for, and all where none can outlive it.
type memory struct {
	r    *Runner
	once sync.Mutex // held while a task with a key is started

	watchers sync.WaitGroup

	mu     sync.Mutex
	tasks  []*task // in the order of their start
	count  int
	dirs   int    // that were made
	ahead  string // an empty directory for the next task, "" without
	making bool   // it is being made
	closed bool
}

var (
	_ facade.TaskStore  = (*memory)(nil)
	_ facade.TaskFeeder = (*memory)(nil)
)

func newMemory(r *Runner) *memory { return &memory{r: r} }

// ownPrefix begins the names of a memory's tasks.
const ownPrefix = "run-"

// Submit implements [facade.TaskQueue].
func (m *memory) Submit(ctx context.Context, spec facade.TaskSpec) (facade.TaskInfo, error) {
	if spec.Key != "" {
		m.once.Lock()
		defer m.once.Unlock()
		if t := m.keyed(spec.Key); t != nil {
			return t.info(), nil
		}
	}
	t, err := m.start(ctx, Job{Spec: spec})
	if err != nil {
		return facade.TaskInfo{}, err
	}
	t.quiet.hush()
	return t.info(), nil
}

// keyed returns the task with a key, nil when there is none.
func (m *memory) keyed(key string) *task {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.tasks, func(t *task) bool { return t.job.Spec.Key == key })
	if i < 0 {
		return nil
	}
	return m.tasks[i]
}

// start starts a job.
func (m *memory) start(ctx context.Context, job Job) (*task, error) {
	if job.Worker != nil {
		job.Spec.Files = job.Request.files()
	}
	t, err := m.name(job)
	if err != nil {
		return nil, err
	}
	if err := t.lay(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(t.dir))
	}
	cmd, err := m.r.prepare(job.Spec, t.dir)
	if err == nil {
		cmd.OnOutput, cmd.Terminal = t.forward(ctx), job.Terminal
		if job.Worker != nil {
			cmd.Contained = true
			cmd.Join = func(c proc.Child) (proc.Peer, error) { return job.Worker.run(c, t.dir, job.Request) }
		}
		t.proc, err = proc.Start(cmd)
	}
	if err != nil {
		return nil, errors.Join(startError(job.Spec.Label, err), os.RemoveAll(t.dir))
	}
	m.mu.Lock()
	refused := m.closed
	if !refused {
		m.tasks = append(m.tasks, t)
	}
	m.mu.Unlock()
	if refused {
		t.proc.Stop()
	}
	m.watchers.Go(func() {
		t.watch(ctx, m.r.hooks.Finish)
		if len(t.job.Spec.Files) == 0 {
			return
		}
		// Nobody waits for this: on some file systems it takes longer than many
		// programs, and who waits for the task goes first. What is left the
		// runner removes.
		runtime.Gosched()
		_ = os.RemoveAll(t.dir)
		m.makeAhead()
	})
	t.emit(ctx, facade.EventProcessStarted, map[string]any{"task_id": t.id, "pid": t.proc.PID()})
	if refused {
		<-t.done
		return nil, errClosed()
	}
	m.forget()
	return t, nil
}

// name makes the task of a job.
func (m *memory) name(job Job) (*task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, errClosed()
	}
	m.count++
	t := &task{id: fmt.Sprintf("%s%d", ownPrefix, m.count), job: job, isolation: m.r.Isolation(), done: make(chan struct{})}
	switch {
	case job.Worker != nil:
		t.dir = filepath.Join(job.Worker.dir, t.id)
	case len(job.Spec.Files) > 0 && m.ahead != "":
		t.dir, t.made, m.ahead = m.ahead, true, ""
	default:
		t.dir = m.nextDir()
	}
	return t, nil
}

// nextDir names a directory; the caller holds the lock.
func (m *memory) nextDir() string {
	m.dirs++
	return filepath.Join(m.r.spool, fmt.Sprintf("task-%d", m.dirs))
}

// makeAhead makes a directory for the next task while nobody waits: on some
// file systems that takes a hundredth of the start of a program.
func (m *memory) makeAhead() {
	m.mu.Lock()
	if m.ahead != "" || m.making || m.closed {
		m.mu.Unlock()
		return
	}
	m.making = true
	dir := m.nextDir()
	m.mu.Unlock()
	err := os.Mkdir(dir, 0o700)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.making = false; err == nil {
		m.ahead = dir
	}
}

// forget drops the oldest ended tasks above the cap.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	extra := -m.r.opts.Keep
	for _, t := range m.tasks {
		if t.over() {
			extra++
		}
	}
	m.tasks = slices.DeleteFunc(m.tasks, func(t *task) bool {
		if extra <= 0 || !t.over() {
			return false
		}
		extra--
		_ = t.proc.Log().Close() // nobody can read it any more
		return true
	})
}

// running counts the tasks that run, and those of a session.
func (m *memory) running(session string) (all, own int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tasks {
		if t.over() {
			continue
		}
		all++
		if t.job.Spec.Session == session {
			own++
		}
	}
	return all, own
}

func (m *memory) find(id string) (*task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.tasks, func(t *task) bool { return t.id == id })
	if i < 0 {
		return nil, facade.Errorf(facade.CodeNotFound, "there is no task %q", id).WithHint("it never was, or it is forgotten")
	}
	return m.tasks[i], nil
}

// Get implements [facade.TaskQueue].
func (m *memory) Get(_ context.Context, id string) (facade.TaskInfo, error) {
	t, err := m.find(id)
	if err != nil {
		return facade.TaskInfo{}, err
	}
	return t.info(), nil
}

// List implements [facade.TaskQueue].
func (m *memory) List(_ context.Context, filter facade.TaskFilter) ([]facade.TaskInfo, error) {
	m.mu.Lock()
	tasks := slices.Clone(m.tasks)
	m.mu.Unlock()
	var out []facade.TaskInfo
	for _, t := range slices.Backward(tasks) {
		if filter.Limit > 0 && len(out) == filter.Limit {
			break
		}
		if info := t.info(); filter.Match(info) {
			out = append(out, info)
		}
	}
	return out, nil
}

// Cancel implements [facade.TaskQueue].
func (m *memory) Cancel(_ context.Context, id string) (facade.TaskInfo, error) {
	t, err := m.find(id)
	if err != nil {
		return facade.TaskInfo{}, err
	}
	t.proc.Stop()
	<-t.done // the ladder ends soon
	return t.info(), nil
}

// Output implements [facade.TaskLog].
func (m *memory) Output(_ context.Context, id string, offset int64, limit int) (facade.TaskOutput, error) {
	t, err := m.find(id)
	if err != nil {
		return facade.TaskOutput{}, err
	}
	ended := t.over() // first: what comes later is read
	got, err := t.proc.Log().Read(offset, max(limit, 1))
	if err != nil {
		return facade.TaskOutput{}, facade.Errorf(facade.CodeNotFound, "the output at byte %d is not kept any more", offset).
			WithHint("read its end with 'tail'")
	}
	out := facade.TaskOutput{Data: got.Data, Offset: got.Offset, Next: got.Next, Total: got.Total, Ended: ended}
	for _, s := range got.Stderr {
		out.Stderr = append(out.Stderr, facade.TaskSpan(s))
	}
	return out, nil
}

// Wait implements [facade.TaskLog].
func (m *memory) Wait(ctx context.Context, id string, offset int64) error {
	t, err := m.find(id)
	if err != nil {
		return err
	}
	if err := t.proc.Log().Wait(ctx, offset); err != nil {
		return err
	}
	if t.proc.Log().Total() > offset {
		return nil
	}
	select {
	case <-t.done: // so that the state is final where the end is seen
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Input implements [facade.TaskFeeder].
func (m *memory) Input(ctx context.Context, id, data string, eof bool) (n int, err error) {
	t, err := m.find(id)
	if err != nil {
		return 0, err
	}
	switch {
	case t.over():
		err = proc.ErrInputClosed
	case data != "":
		n, err = t.proc.Write(ctx, data)
	}
	if err == nil && eof {
		err = t.proc.CloseInput(ctx)
	}
	if errors.Is(err, proc.ErrInputClosed) {
		return n, facade.Errorf(facade.CodeConflict, "the input of task %s is closed", id).
			WithHint("it has ended, its input was closed, or it was not started in the background")
	}
	return n, err
}

// Close ends all tasks and forgets them.
func (m *memory) Close() error {
	m.mu.Lock()
	tasks := m.tasks
	m.tasks, m.closed = nil, true
	m.mu.Unlock()
	for _, t := range tasks {
		t.proc.Stop()
	}
	var err error
	for _, t := range tasks {
		<-t.done
		err = errors.Join(err, t.proc.Log().Close())
	}
	m.watchers.Wait()
	return err
}

// isOwn reports whether a name is one of a memory's tasks.
func isOwn(id string) bool { return strings.HasPrefix(id, ownPrefix) }
