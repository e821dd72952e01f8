package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// Container is a command that runs in the background in a project's directory.
type Container struct {
	// ID identifies it.
	ID string `json:"id"`
	// Command is what runs.
	Command string `json:"command"`
	// TaskID is the process engine's name for it.
	TaskID string `json:"task_id"`
	// Started is when it began.
	Started time.Time `json:"started"`
}

// engines are the process engines, one for each project: each is confined to
// its project's directory.
type engines struct {
	box sandbox.Sandbox

	mu  sync.Mutex
	all map[string]*termexec.Terminal
}

func newEngines(box sandbox.Sandbox) *engines {
	return &engines{box: box, all: map[string]*termexec.Terminal{}}
}

// of returns a project's engine and opens it first.
func (e *engines) of(ctx context.Context, project, dir string) (*termexec.Terminal, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t, ok := e.all[project]; ok {
		return t, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	t, err := termexec.Open(ctx, dir, &termexec.Options{Sandbox: e.box})
	if err == nil {
		e.all[project] = t
	}
	return t, err
}

// drop ends what a project runs.
func (e *engines) drop(project string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	t, ok := e.all[project]
	if !ok {
		return nil
	}
	delete(e.all, project)
	return t.Close()
}

func (e *engines) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for _, t := range e.all {
		errs = append(errs, t.Close())
	}
	clear(e.all)
	return errors.Join(errs...)
}

type containerStartInput struct {
	inProject
	// Command line for the shell.
	Command string `json:"command" example:"python3 -m http.server"`
}

type containerInput struct {
	inProject
	// Id of the container.
	ID string `json:"id" example:"c-abc"`
}

type containerOutput struct {
	// Container as it is now.
	Container Container `json:"container"`
	// State of its process.
	State string `json:"state"`
}

type containerLogsInput struct {
	inProject
	// Id of the container.
	ID string `json:"id" example:"c-abc"`
	// Last lines to show.
	Tail int `json:"tail,omitempty" default:"100" min:"1" max:"10000"`
}

type containerExecInput struct {
	inProject
	// Command line for the shell.
	Command string `json:"command" example:"ls"`
	// Seconds until it is killed.
	Timeout float64 `json:"timeout,omitempty" default:"60" min:"0.001" max:"3600"`
}

const (
	// defaultTail is how many lines logs shows.
	defaultTail = 100
	// defaultTimeout is how many seconds exec may take.
	defaultTimeout = 60
)

func (p *Plane) containerTool() *facade.Tool {
	return facade.New("container", "Run commands of a project, in the background or at once.",
		facade.Bind("start", facade.EffectExecute, "Start a command in the background.", p.startContainer),
		facade.Bind("stop", facade.EffectExecute|facade.Idempotent, "Stop it and forget it.", p.stopContainer),
		facade.Bind("logs", facade.EffectRead, "Show the last lines it wrote.", p.containerLogs),
		facade.Bind("exec", facade.EffectExecute, "Run a command and wait for its end.", p.exec))
}

// engine returns the process engine of a project, and the context in which its
// tasks belong to the project rather than to the caller.
func (p *Plane) engine(ctx context.Context, project string) (context.Context, *termexec.Terminal, error) {
	if err := p.within(project); err != nil {
		return nil, nil, err
	}
	t, err := p.engines.of(ctx, project, p.dir(project))
	return facade.WithSession(ctx, project, nil), t, err
}

func (p *Plane) startContainer(ctx context.Context, in containerStartInput) (containerOutput, error) {
	ctx, t, err := p.engine(ctx, in.Project)
	if err != nil {
		return containerOutput{}, err
	}
	started, err := t.StartProcess(ctx, facade.TerminalStartInput{Command: in.Command, Cwd: "."})
	if err != nil {
		return containerOutput{}, err
	}
	id := newID(kindContainer)
	c, err := change(p.store, kindContainer, in.Project, id, func(v *Container, _ bool) error {
		*v = Container{id, in.Command, started.TaskID, time.Now()}
		return nil
	})
	return containerOutput{c, string(started.State)}, err
}

func (p *Plane) stopContainer(ctx context.Context, in containerInput) (containerOutput, error) {
	ctx, t, err := p.engine(ctx, in.Project)
	if err != nil {
		return containerOutput{}, err
	}
	c, err := get[Container](p.store, kindContainer, in.Project, in.ID)
	if err != nil {
		return containerOutput{}, err
	}
	state := string(facade.TaskLost) // with a process that served before
	killed, err := t.KillProcess(ctx, facade.TerminalKillInput{TaskID: c.TaskID})
	if err == nil {
		state = string(killed.State)
	} else if facade.CodeOf(err) != facade.CodeNotFound {
		return containerOutput{}, err
	}
	return containerOutput{c, state}, p.store.remove(kindContainer, in.Project, in.ID)
}

func (p *Plane) containerLogs(ctx context.Context, in containerLogsInput) (facade.TerminalOutputOutput, error) {
	ctx, t, err := p.engine(ctx, in.Project)
	if err != nil {
		return facade.TerminalOutputOutput{}, err
	}
	c, err := get[Container](p.store, kindContainer, in.Project, in.ID)
	if err != nil {
		return facade.TerminalOutputOutput{}, err
	}
	tail := in.Tail
	if tail == 0 {
		tail = defaultTail
	}
	return t.ProcessOutput(ctx, facade.TerminalOutputInput{TaskID: c.TaskID, Tail: &tail})
}

func (p *Plane) exec(ctx context.Context, in containerExecInput) (facade.TerminalRunOutput, error) {
	ctx, t, err := p.engine(ctx, in.Project)
	if err != nil {
		return facade.TerminalRunOutput{}, err
	}
	if in.Timeout == 0 {
		in.Timeout = defaultTimeout
	}
	return t.RunCommand(ctx, facade.TerminalRunInput{Command: in.Command, Cwd: ".", Timeout: in.Timeout})
}
