package taskspool

import (
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// Ending names how a process ended, and says more where there is more to say.
func Ending(cause proc.Cause, signal string, code int) (facade.TaskState, string) {
	switch cause {
	case proc.TimedOut:
		return facade.TaskTimedOut, "it was killed at its time limit"
	case proc.Canceled:
		return facade.TaskCanceled, ""
	case proc.OutputLimit:
		return facade.TaskOutputLimit, "it was killed for writing too much"
	case proc.Exited:
	}
	switch {
	case signal == "SIGKILL":
		return facade.TaskFailed, "something else than this tool killed it; a lack of memory is likely"
	case signal == "" && code == 0:
		return facade.TaskSucceeded, ""
	}
	return facade.TaskFailed, ""
}
