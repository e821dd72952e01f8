package nats

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// DefaultOutputLimit is how many bytes of output end a program whose task does
// not say.
const DefaultOutputLimit = 64 << 20

// WorkerOptions are the choices of a worker. The zero value of each field is
// safe.
type WorkerOptions struct {
	Options
	// Parallel is how many tasks run at once; 0 means one per processor.
	Parallel int
	// Sandbox contains the programs. Nil takes what [sandbox.Auto] finds, and
	// where it finds nothing NewWorker fails.
	Sandbox sandbox.Sandbox
	// Network gives programs the machine's network.
	Network bool
	// Memory and Processes bound each program with all it starts; see
	// [sandbox.Policy]. Limits bound each process by itself.
	Memory    int64
	Processes int
	Limits    sandbox.Limits
	// Env is added to the environment of every program, as NAME=value.
	Env []string
	// OutputLimit is how many bytes of output end a program whose task does not
	// say; 0 means 64 MiB.
	OutputLimit int64
}

// Worker runs tasks below a root directory.
type Worker struct {
	*shared
	opts  WorkerOptions
	dir   string
	root  *os.Root
	spool string
	box   sandbox.Sandbox
	lease *lease
	queue jetstream.Consumer

	mu      sync.Mutex
	running map[string]context.CancelCauseFunc
	ended   bool // what is claimed from now on ends at once
}

// NewWorker prepares a worker for the directory dir, on a connection that stays
// the caller's. [Worker.Run] makes it work.
func NewWorker(ctx context.Context, conn *natsgo.Conn, dir string, opts *WorkerOptions) (*Worker, error) {
	w := &Worker{running: map[string]context.CancelCauseFunc{}}
	if opts != nil {
		w.opts = *opts
	}
	if w.opts.Parallel <= 0 {
		w.opts.Parallel = runtime.GOMAXPROCS(0)
	}
	if w.opts.OutputLimit <= 0 {
		w.opts.OutputLimit = DefaultOutputLimit
	}
	var err error
	if w.box = w.opts.Sandbox; w.box == nil {
		if w.box, err = sandbox.Auto(ctx); err != nil {
			return nil, err
		}
	}
	if w.shared, err = connect(ctx, conn, &w.opts.Options); err != nil {
		return nil, err
	}
	// Delivered means claimed or dropped at once: a worker that dies in between
	// has not started anything, so another may have the message.
	w.queue, err = w.js.CreateOrUpdateConsumer(ctx, w.shared.opts.Name+"-queue", jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: w.shared.opts.Lease, MaxAckPending: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("the queue of the workers: %w", err)
	}
	if w.dir, err = filepath.Abs(dir); err == nil {
		w.dir, err = filepath.EvalSymlinks(w.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the root of programs: %w", err)
	}
	return w, nil
}

// open opens what the worker holds while it runs.
func (w *Worker) open() (err error) {
	if w.root, err = os.OpenRoot(w.dir); err != nil {
		return fmt.Errorf("the root of programs: %w", err)
	}
	if w.spool, err = os.MkdirTemp("", "toolfacade-worker-"); err != nil {
		return errors.Join(err, w.root.Close())
	}
	return nil
}

func (w *Worker) close() error { return errors.Join(os.RemoveAll(w.spool), w.root.Close()) }

// errStopped ends what still runs when the worker ends.
var errStopped = errors.New("its worker was stopped")

// errLeaseLost ends everything when others may already call it lost.
var errLeaseLost = errors.New("its worker could not renew its lease")

// Run takes and runs tasks until ctx ends; then it kills what runs, records it
// as lost and returns nil. It may be called once.
func (w *Worker) Run(ctx context.Context) (err error) {
	if err := w.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if w.lease, err = w.hold(ctx, "worker", func() { w.stop(errLeaseLost) }); err != nil {
		return err
	}
	work := context.WithoutCancel(ctx)
	slots := make(chan struct{}, w.opts.Parallel)
	var tasks sync.WaitGroup
	for ctx.Err() == nil {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		id, claimed := w.next(ctx)
		if !claimed {
			<-slots
			continue
		}
		tasks.Go(func() {
			defer func() { <-slots }()
			w.work(work, id)
		})
	}
	w.stop(errStopped)
	tasks.Wait()
	return w.lease.close()
}

// stop ends every task that runs.
func (w *Worker) stop(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = w.ended || errors.Is(why, errStopped)
	for _, cancel := range w.running {
		cancel(why)
	}
}

// enter notes a task that runs, so that stop ends it.
func (w *Worker) enter(id string, cancel context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[id] = cancel
	if w.ended {
		cancel(errStopped)
	}
}

func (w *Worker) leave(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, id)
}

const (
	// fetchFor is how long one request for a task stands.
	fetchFor = 5 * time.Second
	// retryAfter is the pause when the server does not answer.
	retryAfter = 500 * time.Millisecond
)

// next takes a task from the queue and claims it.
func (w *Worker) next(ctx context.Context) (id string, claimed bool) {
	limited, cancel := context.WithTimeout(ctx, fetchFor)
	defer cancel()
	batch, err := w.queue.Fetch(1, jetstream.FetchContext(limited))
	if err != nil {
		pause(ctx)
		return "", false
	}
	for m := range batch.Messages() {
		id = string(m.Data())
		if claimed, err = w.claim(ctx, id); err != nil && facade.CodeOf(err) != facade.CodeNotFound {
			_ = m.NakWithDelay(retryAfter) // otherwise it comes again with the end of AckWait
			pause(ctx)
			return id, false
		}
		_ = m.Ack() // a message that comes again finds the task claimed
	}
	if err := batch.Error(); err != nil && limited.Err() == nil {
		pause(ctx)
	}
	return id, claimed
}

func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryAfter):
	}
}

// claim makes a queued task this worker's. Of several one succeeds.
func (w *Worker) claim(ctx context.Context, id string) (bool, error) {
	mine := false
	_, err := w.change(ctx, id, func(r *record) error {
		if mine = r.Info.State == facade.TaskQueued; !mine {
			return errUnchanged
		}
		r.Worker, r.Machine, r.Info.State, r.Info.Isolation = w.lease.name, machine(), facade.TaskStarting, w.box.Name()
		return nil
	})
	return mine && err == nil, err
}
