// Package engine runs PDFium inside of a WebAssembly sandbox: without a file
// system, a clock that matters or any other door, with a bound on its memory,
// and interrupted when its context ends. Each document has an instance of its
// own, so that nothing of a hostile one outlives it.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/guard"
)

// Options tune an [Engine].
type Options struct {
	// CacheDir keeps compiled code between processes; "" compiles anew in each.
	CacheDir string
	// Memory is the most that one document may use, in bytes.
	Memory int64
	// Instances is how many documents may be open at once.
	Instances int
}

// ErrClosed reports the use of a closed engine.
var ErrClosed = errors.New("the PDF engine is closed")

// Engine compiles PDFium once and opens documents with it. It is safe for
// concurrent use.
type Engine struct {
	opts  Options
	slots chan struct{}
	done  chan struct{}

	mu       sync.Mutex
	closed   bool
	starting chan struct{} // closed when the code is compiled, or that failed
	users    sync.WaitGroup

	runtime wazero.Runtime
	cache   wazero.CompilationCache
	code    wazero.CompiledModule
	failure error
}

// New returns an engine; nothing is compiled yet.
func New(opts Options) *Engine {
	return &Engine{opts: opts, slots: make(chan struct{}, opts.Instances), done: make(chan struct{})}
}

// Ready compiles PDFium, or loads it from the cache. The work goes on when the
// context ends, for the next call to find it done.
func (e *Engine) Ready(ctx context.Context) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return ErrClosed
	}
	if e.starting == nil {
		e.starting = make(chan struct{})
		e.users.Go(func() {
			defer close(e.starting)
			e.failure = e.start()
		})
	}
	starting := e.starting
	e.mu.Unlock()
	select {
	case <-starting:
		return e.failure
	case <-ctx.Done():
		return fmt.Errorf("PDFium is still being compiled, which is done once: %w", ctx.Err())
	}
}

// hook is the import that the guard calls.
const hook = "emscripten_notify_memory_growth"

// start compiles the module.
func (e *Engine) start() error {
	wasm, err := guard.Instrument(pdfium, "env", hook)
	if err != nil {
		return err
	}
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	const page = 64 << 10
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(min(e.opts.Memory/page, 1<<15)))
	if e.cache = openCache(e.opts.CacheDir); e.cache != nil {
		config = config.WithCompilationCache(e.cache)
	}
	e.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err != nil {
		return err
	}
	if e.code, err = e.runtime.CompileModule(ctx, wasm); err != nil {
		return fmt.Errorf("compiling PDFium: %w", err)
	}
	return e.environment(ctx)
}

// openCache opens the directory of compiled code. Code from there is run, so it
// is used only when nobody else can write to it; without it everything works,
// but starts slowly.
func openCache(dir string) wazero.CompilationCache {
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(dir); err != nil || !private(real) {
		return nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil
	}
	return cache
}

// environment gives the module the functions it imports: exceptions, the
// guard's hook, and for callbacks that are never asked for, traps.
func (e *Engine) environment(ctx context.Context) error {
	builder := e.runtime.NewHostModuleBuilder("env")
	exceptions, err := emscripten.NewFunctionExporterForModule(e.code)
	if err != nil {
		return err
	}
	exceptions.ExportFunctions(builder)
	for _, f := range e.code.ImportedFunctions() {
		module, name, _ := f.Import()
		var body api.GoModuleFunc
		switch {
		case module != "env":
			continue
		case name == hook:
			body = interrupt
		case len(name) > 0 && name[0] >= 'A' && name[0] <= 'Z':
			body = func(context.Context, api.Module, []uint64) { panic(fmt.Errorf("%s is no part of this sandbox", name)) }
		default:
			continue
		}
		builder.NewFunctionBuilder().WithGoModuleFunction(body, f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	_, err = builder.Instantiate(ctx)
	return err
}

// interrupt ends the call whose context has ended. The instance is unusable
// afterwards.
func interrupt(ctx context.Context, _ api.Module, stack []uint64) {
	if int32(uint32(stack[0])) != guard.Tick {
		return // memory has grown
	}
	if ctx.Err() != nil {
		panic(context.Cause(ctx))
	}
}

// acquire waits for a slot.
func (e *Engine) acquire(ctx context.Context) error {
	if err := e.Ready(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("%d documents are being read already: %w", e.opts.Instances, ctx.Err())
	case <-e.done:
		return ErrClosed
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		<-e.slots
		return ErrClosed
	}
	e.users.Add(1)
	return nil
}

func (e *Engine) release() {
	<-e.slots
	e.users.Done()
}

// Close waits for the documents that are open and frees the code.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	close(e.done)
	e.mu.Unlock()
	e.users.Wait()
	var errs []error
	if e.runtime != nil {
		errs = append(errs, e.runtime.Close(context.Background()))
	}
	if e.cache != nil {
		errs = append(errs, e.cache.Close(context.Background()))
	}
	return errors.Join(errs...)
}
