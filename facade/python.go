package facade

import "context"

// PythonAction is an action of the python tool.
type PythonAction string

// The actions of the python tool.
const (
	PythonRun           PythonAction = "run"
	PythonRunBackground PythonAction = "run_background"
	PythonTaskStatus    PythonAction = "task_status"
	PythonTaskOutput    PythonAction = "task_output"
	PythonTaskInput     PythonAction = "task_input"
	PythonTaskCancel    PythonAction = "task_cancel"
	PythonListTasks     PythonAction = "list_tasks"
)

// PythonRunner is the part of the python tool that every implementation has.
type PythonRunner interface {
	// Run runs a program and waits for its end, its time limit or yield_ms. An
	// exit code that is not zero is an output, not an error. When ctx ends the
	// program is killed, and the output so far is returned beside the error.
	Run(ctx context.Context, in PythonRunInput) (PythonRunOutput, error)
}

// PythonTasks is the part that runs programs in the background. A task that has
// ended can be asked for as long as the implementation keeps it. A task_id it
// does not know is a [CodeNotFound] error whose hint lists the known ones.
type PythonTasks interface {
	// RunBackground starts a program and returns at once.
	RunBackground(ctx context.Context, in PythonRunInput) (PythonRunBackgroundOutput, error)
	// TaskStatus tells where a task stands, at its end or after wait_ms.
	TaskStatus(ctx context.Context, in PythonTaskStatusInput) (PythonTaskStatusOutput, error)
	// TaskOutput returns a range of what a task wrote.
	TaskOutput(ctx context.Context, in PythonTaskOutputInput) (PythonTaskOutputOutput, error)
	// TaskCancel kills a task with all its processes. Canceling a task that
	// has ended is no error and changes nothing.
	TaskCancel(ctx context.Context, in PythonTaskCancelInput) (PythonTaskCancelOutput, error)
	// ListTasks lists tasks, the latest first.
	ListTasks(ctx context.Context, in PythonListTasksInput) (PythonListTasksOutput, error)
}

// PythonTools is the contract of the python tool. The interface below adds an
// action when an implementation has it too.
type PythonTools interface {
	PythonRunner
	PythonTasks
}

// PythonTaskFeeder adds task_input.
type PythonTaskFeeder interface {
	// TaskInput writes to the standard input of a running task.
	TaskInput(ctx context.Context, in PythonTaskInputInput) (PythonTaskInputOutput, error)
}

// Python builds the python tool. Its enum has exactly the actions that impl has
// methods for.
func Python(impl PythonRunner) *Tool {
	actions := []Action{
		Bind(PythonRun, EffectExecute, "Run code or a script and wait.", impl.Run),
	}
	x, tasks := impl.(PythonTasks)
	if tasks {
		actions = append(actions,
			Bind(PythonRunBackground, EffectExecute, "Run it in the background.", x.RunBackground),
			Bind(PythonTaskStatus, EffectRead|Idempotent, "State and last output of a task.", x.TaskStatus),
			Bind(PythonTaskOutput, EffectRead|Idempotent, "Output from an offset, or its tail.", x.TaskOutput))
	}
	if f, ok := impl.(PythonTaskFeeder); ok {
		actions = append(actions,
			Bind(PythonTaskInput, EffectExecute, "Write to standard input.", f.TaskInput))
	}
	if tasks {
		actions = append(actions,
			Bind(PythonTaskCancel, EffectExecute|Idempotent, "Kill a task and its processes.", x.TaskCancel),
			Bind(PythonListTasks, EffectRead|Idempotent, "List tasks, latest first.", x.ListTasks))
	}
	return New("python", "Run Python below one root.", actions...)
}
