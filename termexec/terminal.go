package termexec

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/exectool"
	"github.com/toolfacade/toolfacade/runner"
)

// DefaultTimeout is how long a command may run when the caller does not say.
const DefaultTimeout = 300 * time.Second

// Options are the choices of a host. The zero value of each field is safe.
type Options = runner.Options

// Terminal runs commands below one root. A command that is waited for lives as
// long as the Terminal: Close, and in a sandbox the end of the host, kills it.
// Commands in the background go on; see [Options.EndTasks]. It is safe for
// concurrent use.
type Terminal struct {
	run *exectool.Runner
}

var (
	_ facade.TerminalTools = (*Terminal)(nil)
	_ facade.TerminalTasks = (*Terminal)(nil)
)

// Open returns a terminal for the directory dir. It looks for a sandbox unless
// opts names one; where none works every command fails as unavailable.
func Open(ctx context.Context, dir string, opts *Options) (*Terminal, error) {
	run, err := exectool.New(ctx, dir, opts, exectool.Hooks{
		Tool: "terminal", List: string(facade.TerminalList), Start: string(facade.TerminalStart), Read: string(facade.TerminalOutput),
	})
	if err != nil {
		return nil, err
	}
	return &Terminal{run: run}, nil
}

// Close kills the commands that do not outlive the terminal and releases what
// it holds.
func (t *Terminal) Close() error { return t.run.Close() }

// RunCommand implements [facade.TerminalTools].
func (t *Terminal) RunCommand(ctx context.Context, in facade.TerminalRunInput) (facade.TerminalRunOutput, error) {
	job, err := t.job(in)
	if err != nil {
		return facade.TerminalRunOutput{}, err
	}
	job.Yield = time.Duration(in.YieldMS) * time.Millisecond
	out, err := t.run.Run(ctx, job)
	return facade.TerminalRunOutput(out), err
}

// StreamCommand implements [facade.TerminalTools].
func (t *Terminal) StreamCommand(ctx context.Context, in facade.TerminalRunInput, onOutput func(facade.OutputChunk) error) (facade.TerminalRunOutput, error) {
	job, err := t.job(in)
	if err != nil {
		return facade.TerminalRunOutput{}, err
	}
	job.OnOutput = onOutput
	out, err := t.run.Run(ctx, job)
	return facade.TerminalRunOutput(out), err
}

// StartProcess implements [facade.TerminalTasks].
func (t *Terminal) StartProcess(ctx context.Context, in facade.TerminalStartInput) (facade.TerminalStartOutput, error) {
	job, err := t.job(facade.TerminalRunInput{Command: in.Command, Args: in.Args, Cwd: in.Cwd, Stdin: in.Stdin, Env: in.Env})
	if err != nil {
		return facade.TerminalStartOutput{}, err
	}
	job.Spec.KeepInput, job.Spec.Timeout, job.Terminal = true, seconds(in.Timeout), in.TTY
	if in.TTY && in.Args == nil && runtime.GOOS != "windows" {
		// The shell stays in front of the last command: as process 1 of a sandbox
		// that would not be interrupted by a key.
		job.Spec.Flags[1] += "\nexit $?"
	}
	out, err := t.run.Background(ctx, job)
	return facade.TerminalStartOutput(out), err
}

// ProcessOutput implements [facade.TerminalTasks].
func (t *Terminal) ProcessOutput(ctx context.Context, in facade.TerminalOutputInput) (facade.TerminalOutputOutput, error) {
	out, err := t.run.Output(ctx, facade.PythonTaskOutputInput{
		TaskID: in.TaskID, Offset: in.Offset, Tail: in.Tail, Limit: in.Limit, WaitMS: in.WaitMS,
	}, in.PID)
	return facade.TerminalOutputOutput(out), err
}

// ProcessInput implements [facade.TerminalTasks].
func (t *Terminal) ProcessInput(ctx context.Context, in facade.TerminalInputInput) (facade.TerminalInputOutput, error) {
	out, err := t.run.Input(ctx, facade.PythonTaskInputInput{TaskID: in.TaskID, Data: in.Data, EOF: in.EOF}, in.PID)
	return facade.TerminalInputOutput(out), err
}

// KillProcess implements [facade.TerminalTools].
func (t *Terminal) KillProcess(ctx context.Context, in facade.TerminalKillInput) (facade.TerminalKillOutput, error) {
	out, err := t.run.Cancel(ctx, in.TaskID, in.PID)
	return facade.TerminalKillOutput(out), err
}

// ListProcesses implements [facade.TerminalTools].
func (t *Terminal) ListProcesses(ctx context.Context, in facade.TerminalListInput) (facade.TerminalListOutput, error) {
	tasks, err := t.run.List(ctx, facade.PythonListTasksInput(in))
	out := facade.TerminalListOutput{Processes: []facade.ProcessInfo{}}
	for _, k := range tasks.Tasks {
		out.Processes = append(out.Processes, facade.ProcessInfo{
			PID: k.PID, TaskID: k.TaskID, Command: k.Command, Status: k.State.Process(), State: k.State,
			ExitCode: k.ExitCode, StartTime: k.Started,
		})
	}
	return out, err
}

// job turns a command into what is started: with arguments a program, without
// a line for the shell.
func (t *Terminal) job(in facade.TerminalRunInput) (exectool.Job, error) {
	if err := in.Validate(); err != nil {
		return exectool.Job{}, err
	}
	if err := t.run.Ready(); err != nil {
		return exectool.Job{}, err
	}
	dir, err := t.run.Relative("cwd", in.Cwd)
	if err != nil {
		return exectool.Job{}, err
	}
	if err := exectool.Words("command", in.Command); err != nil {
		return exectool.Job{}, err
	}
	if err := exectool.Words("args", in.Args...); err != nil {
		return exectool.Job{}, err
	}
	env, err := exectool.Environment(in.Env)
	if err != nil {
		return exectool.Job{}, err
	}
	spec := facade.TaskSpec{
		Label: exectool.Label(append([]string{in.Command}, in.Args...)...), Dir: dir, Env: env,
		Stdin: in.Stdin, Timeout: seconds(in.Timeout),
	}
	if spec.Timeout == 0 {
		spec.Timeout = DefaultTimeout
	}
	if in.Args == nil {
		spec.Program, spec.Flags = shell(in.Command)
	} else {
		spec.Program, spec.Args = program(in.Command, dir), in.Args
	}
	return exectool.Job{Spec: spec}, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func shell(line string) (string, []string) {
	if runtime.GOOS == "windows" {
		return os.Getenv("ComSpec"), []string{"/d", "/s", "/c", line}
	}
	return "/bin/sh", []string{"-c", line}
}

// program names a program as the command will find it: in PATH, or by its path,
// which starts from the command's directory.
func program(name, dir string) string {
	if !strings.ContainsRune(name, filepath.Separator) || filepath.IsAbs(name) {
		return name
	}
	return "." + string(filepath.Separator) + filepath.Join(dir, name)
}

// Isolation describes the sandbox that holds commands, for a host's log.
func (t *Terminal) Isolation() string {
	if err := t.run.Ready(); err != nil {
		return fmt.Sprintf("unavailable: %v", err)
	}
	return t.run.Isolation()
}
