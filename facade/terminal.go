package facade

import "context"

// TerminalAction is an action of the terminal tool.
type TerminalAction string

// The actions of the terminal tool.
const (
	TerminalRun    TerminalAction = "run"
	TerminalStart  TerminalAction = "start"
	TerminalOutput TerminalAction = "output"
	TerminalInput  TerminalAction = "input"
	TerminalKill   TerminalAction = "kill"
	TerminalList   TerminalAction = "list"
)

// TerminalTools is the contract of the terminal tool: commands of the
// operating system, run below the root. The interface below adds actions when
// an implementation has it too.
type TerminalTools interface {
	// RunCommand runs a command and waits for its end, its time limit or
	// yield_ms. An exit code that is not zero is an output, not an error. When
	// ctx ends the command is killed, and the output so far is returned beside
	// the error.
	RunCommand(ctx context.Context, in TerminalRunInput) (TerminalRunOutput, error)
	// StreamCommand runs a command as RunCommand does and hands its output to
	// onOutput while it comes, chunk by chunk, on one goroutine at a time. It
	// is for Go callers; no action is bound to it. An error of onOutput, or the
	// end of ctx, aborts: the command is killed with all its processes and
	// StreamCommand returns that error beside the output so far. A slow
	// onOutput never holds up the command: chunks are dropped and counted. The
	// exit code is in the output. yield_ms is ignored.
	StreamCommand(ctx context.Context, in TerminalRunInput, onOutput func(OutputChunk) error) (TerminalRunOutput, error)
	// KillProcess kills a command of this tool with all its processes, named
	// by task_id or pid. Killing one that has ended is no error.
	KillProcess(ctx context.Context, in TerminalKillInput) (TerminalKillOutput, error)
	// ListProcesses lists the commands of this tool, the latest first.
	ListProcesses(ctx context.Context, in TerminalListInput) (TerminalListOutput, error)
}

// TerminalTasks adds commands in the background: start, output and input. A
// command that has ended can be asked for as long as the implementation keeps
// it. One it does not know is a [CodeNotFound] error whose hint lists the known
// ones.
type TerminalTasks interface {
	// StartProcess starts a command and returns at once.
	StartProcess(ctx context.Context, in TerminalStartInput) (TerminalStartOutput, error)
	// ProcessOutput returns a range of what a command wrote.
	ProcessOutput(ctx context.Context, in TerminalOutputInput) (TerminalOutputOutput, error)
	// ProcessInput writes to the standard input of a running command.
	ProcessInput(ctx context.Context, in TerminalInputInput) (TerminalInputOutput, error)
}

// Terminal builds the terminal tool. Its enum has exactly the actions that impl
// has methods for.
func Terminal(impl TerminalTools) *Tool {
	actions := []Action{
		Bind(TerminalRun, EffectExecute, "Run a command and wait for it; with yield_ms it goes on in the background when it takes longer.", impl.RunCommand),
	}
	if x, ok := impl.(TerminalTasks); ok {
		actions = append(actions,
			Bind(TerminalStart, EffectExecute, "Start a command in the background and get its task_id.", x.StartProcess),
			Bind(TerminalOutput, EffectRead|Idempotent, "Read a command's output from a byte offset, or its last lines; wait_ms waits for more.", x.ProcessOutput),
			Bind(TerminalInput, EffectExecute, "Write to a command's standard input, or close it.", x.ProcessInput))
	}
	actions = append(actions,
		Bind(TerminalKill, EffectExecute|Idempotent, "Kill a command with all its processes.", impl.KillProcess),
		Bind(TerminalList, EffectRead|Idempotent, "List the commands started here, the latest first.", impl.ListProcesses))
	return New("terminal", "Run commands below one root directory, at once or in the background.", actions...)
}
