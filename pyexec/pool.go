package pyexec

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/exectool"
)

//go:embed worker.py
var worker string

// PoolOptions describe warm interpreters: processes that have imported what
// programs need and fork for each of them. A program in one of them starts many
// times faster; what it sees of another is nothing but the modules that were
// preloaded. Each warm interpreter has a sandbox of its own, runs one program
// at a time, and ends all that the program left before it takes another.
//
// Whatever is in doubt starts cold: programs for another interpreter or with
// yield_ms, a pool that is busy or not ready, preloaded modules that start
// native threads. Warm programs share one seed of hash(); random and
// numpy.random are seeded anew. The pool needs Python 3.9 and Linux.
type PoolOptions struct {
	// Size is how many interpreters are kept; 0 means 2.
	Size int
	// Preload are the modules to import, as "json" or "numpy".
	Preload []string
	// MaxUses is how many programs one interpreter runs before it is replaced;
	// 0 means 200.
	MaxUses int
}

// pool keeps warm interpreters.
type pool struct {
	p    *Python
	opts PoolOptions

	mu      sync.Mutex
	idle    []*warm
	live    map[*exectool.Worker]*warm
	pending int
	refused error // why there will be none
	closed  bool
	starts  sync.WaitGroup
	ctx     context.Context // of the starts
	stop    context.CancelFunc
}

// warm is one interpreter of a pool.
type warm struct {
	worker *exectool.Worker
	python string
	uses   int
	watch  map[string]time.Time // when what it was started from was modified
}

func newPool(p *Python, opts PoolOptions) *pool {
	if opts.Size <= 0 {
		opts.Size = 2
	}
	if opts.MaxUses <= 0 {
		opts.MaxUses = 200
	}
	ctx, stop := context.WithCancel(context.Background())
	return &pool{p: p, opts: opts, live: map[*exectool.Worker]*warm{}, ctx: ctx, stop: stop}
}

// Warm fills the pool and waits until it is ready. The error tells why it
// cannot be: programs start cold then.
func (p *Python) Warm(ctx context.Context) error {
	if p.pool == nil {
		return facade.Errorf(facade.CodeUnsupported, "there is no pool").WithHint("set Options.Pool")
	}
	p.pool.refill()
	done := make(chan struct{})
	go func() {
		p.pool.starts.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	return p.pool.refused
}

// take returns an idle interpreter for a program, nil when it is to start cold.
func (w *pool) take(ctx context.Context, spec facade.TaskSpec) *exectool.Worker {
	w.refill()
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	for i, one := range w.idle {
		if one.python != spec.Program {
			continue
		}
		w.idle = slices.Delete(w.idle, i, i+1)
		if one.current() {
			one.uses++
			return one.worker
		}
		w.drop(one)
		return nil
	}
	return nil
}

// current reports whether nothing that the interpreter was started from has
// changed.
func (o *warm) current() bool {
	for path, then := range o.watch {
		if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(then) {
			return false
		}
	}
	return true
}

// drop ends an interpreter; the caller holds the lock.
func (w *pool) drop(o *warm) {
	delete(w.live, o.worker)
	w.starts.Go(func() { _ = o.worker.Close() }) // it has nothing to say
}

// done takes an interpreter back.
func (w *pool) done(worker *exectool.Worker, usable bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.live[worker]
	if o == nil {
		return
	}
	if !usable || w.closed || o.uses >= w.opts.MaxUses {
		w.drop(o)
		return
	}
	w.idle = append(w.idle, o)
}

// refill starts interpreters until there are enough.
func (w *pool) refill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.closed && w.refused == nil && len(w.live)+w.pending < w.opts.Size {
		w.pending++
		w.starts.Go(w.start)
	}
}

// start starts one interpreter.
func (w *pool) start() {
	python, err := w.p.choose(w.ctx, "")
	containment := "free"
	if w.p.run.Contained() {
		containment = "contained"
	}
	var one *exectool.Worker
	if err == nil {
		one, err = w.p.run.StartWorker(w.ctx, exectool.WorkerSpec{
			Path: python.path, Args: append(append(python.flags(), "-c", w.p.worker, "pool", containment), w.opts.Preload...),
			Env:      append(variables(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1"),
			ReadOnly: python.need, Forks: true, OnEnd: w.done,
		})
	}
	if err == nil && one.Hello.Refused != "" {
		err = errors.Join(errors.New("no warm interpreter: "+one.Hello.Refused), one.Close())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending--
	switch {
	case err != nil:
		w.refused = err
	case w.closed:
		w.starts.Go(func() { _ = one.Close() })
	default:
		o := &warm{worker: one, python: python.path, watch: map[string]time.Time{}}
		for _, path := range one.Hello.Watch {
			if info, err := os.Stat(path); err == nil {
				o.watch[path] = info.ModTime()
			}
		}
		w.live[one] = o
		w.idle = append(w.idle, o)
	}
}

// close ends all interpreters. A nil pool has none.
func (w *pool) close() {
	if w == nil {
		return
	}
	w.stop()
	w.mu.Lock()
	w.closed = true
	w.idle = nil
	for _, o := range w.live {
		w.drop(o)
	}
	w.mu.Unlock()
	w.starts.Wait()
}
