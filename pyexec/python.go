package pyexec

import (
	"context"
	"errors"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/exectool"
	"github.com/toolfacade/toolfacade/runner"
)

// DefaultTimeout is how long a program may run when the caller does not say.
const DefaultTimeout = 300 * time.Second

// Options are the choices of a host. The zero value of each field is safe.
type Options struct {
	runner.Options
	// Interpreter is the path of the interpreter that "system" stands for; ""
	// looks for python3 in PATH. It is run once, outside any sandbox, to learn
	// what it needs.
	Interpreter string
	// UV is the path of the program uv, which provides the dependencies that a
	// script declares ("# /// script"); "" looks for uv in PATH. Without it such
	// scripts fail as unavailable. See the package documentation.
	UV string
	// Pool, when not nil, keeps warm interpreters.
	Pool *PoolOptions
	// MaxSessions is how many interpreters may keep their variables; 0 means 8.
	// Above it the one that was used least lately is ended.
	MaxSessions int
}

// Python runs Python programs below one root. A program that is waited for
// lives as long as the Python: Close, and in a sandbox the end of the host,
// kills it. Tasks go on; see [runner.Options.EndTasks]. It is safe for concurrent use.
type Python struct {
	run      *exectool.Runner
	worker   string // the program of sessions and warm interpreters
	system   *system
	uv       string // what Options say
	pool     *pool  // nil without
	sessions *sessions
}

var (
	_ facade.PythonTools      = (*Python)(nil)
	_ facade.PythonTaskFeeder = (*Python)(nil)
)

// Open returns the python tool of the directory dir. It looks for a sandbox
// unless opts names one; where none works every run fails as unavailable.
func Open(ctx context.Context, dir string, opts *Options) (*Python, error) {
	if opts == nil {
		opts = &Options{}
	}
	p := &Python{worker: withRich(worker), uv: opts.UV, system: &system{path: opts.Interpreter}}
	p.sessions = newSessions(p, opts.MaxSessions)
	if opts.Pool != nil {
		p.pool = newPool(p, *opts.Pool)
	}
	var err error
	p.run, err = exectool.New(ctx, dir, &opts.Options, exectool.Hooks{
		Tool: "python", List: string(facade.PythonListTasks), Start: string(facade.PythonRunBackground), Read: string(facade.PythonTaskOutput), Finish: p.finish,
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Close kills the programs that do not outlive the tool and releases what it
// holds.
func (p *Python) Close() error {
	p.pool.close()
	return errors.Join(p.sessions.close(), p.run.Close())
}

// Run implements [facade.PythonRunner].
func (p *Python) Run(ctx context.Context, in facade.PythonRunInput) (facade.PythonRunOutput, error) {
	job, err := p.job(ctx, in)
	if err != nil {
		return facade.PythonRunOutput{}, err
	}
	job.Yield = time.Duration(in.YieldMS) * time.Millisecond
	out, err := p.start(ctx, in, job)
	for _, part := range p.images(out.Artifacts) {
		out.AddPart(part)
	}
	return out, err
}

// start runs a job in its session, in a warm interpreter or in one of its own.
func (p *Python) start(ctx context.Context, in facade.PythonRunInput, job exectool.Job) (facade.PythonRunOutput, error) {
	if in.Session != "" {
		return p.sessions.run(ctx, in.Session, job)
	}
	if p.pool != nil && job.Yield == 0 {
		if w := p.pool.take(ctx, job.Spec); w != nil {
			begun, warm := false, job
			warm.Worker, warm.Request.Begun = w, &begun
			out, err := p.run.Run(ctx, warm)
			if !begun {
				p.pool.done(w, true)
			}
			if out.TaskID != "" || ctx.Err() != nil {
				return out, err
			}
		}
	}
	return p.run.Run(ctx, job)
}

// RunBackground implements [facade.PythonTasks]. The program's input stays
// open behind stdin.
func (p *Python) RunBackground(ctx context.Context, in facade.PythonRunInput) (facade.PythonRunBackgroundOutput, error) {
	if in.Session != "" {
		e := facade.Errorf(facade.CodeUnsupported, "an interpreter that keeps its variables runs one program at a time, not in the background")
		e.Field = "session"
		return facade.PythonRunBackgroundOutput{}, e.WithHint("use run with 'yield_ms', or leave out 'session'")
	}
	job, err := p.job(ctx, in)
	if err != nil {
		return facade.PythonRunBackgroundOutput{}, err
	}
	job.Spec.KeepInput = true
	return p.run.Background(ctx, job)
}

// TaskStatus implements [facade.PythonTasks].
func (p *Python) TaskStatus(ctx context.Context, in facade.PythonTaskStatusInput) (facade.PythonTaskStatusOutput, error) {
	out, err := p.run.Status(ctx, in)
	for _, part := range p.images(out.Artifacts) {
		out.AddPart(part)
	}
	return out, err
}

// TaskOutput implements [facade.PythonTasks].
func (p *Python) TaskOutput(ctx context.Context, in facade.PythonTaskOutputInput) (facade.PythonTaskOutputOutput, error) {
	return p.run.Output(ctx, in, 0)
}

// TaskInput implements [facade.PythonTaskFeeder].
func (p *Python) TaskInput(ctx context.Context, in facade.PythonTaskInputInput) (facade.PythonTaskInputOutput, error) {
	return p.run.Input(ctx, in, 0)
}

// TaskCancel implements [facade.PythonTasks].
func (p *Python) TaskCancel(ctx context.Context, in facade.PythonTaskCancelInput) (facade.PythonTaskCancelOutput, error) {
	return p.run.Cancel(ctx, in.TaskID, 0)
}

// ListTasks implements [facade.PythonTasks].
func (p *Python) ListTasks(ctx context.Context, in facade.PythonListTasksInput) (facade.PythonListTasksOutput, error) {
	return p.run.List(ctx, in)
}
