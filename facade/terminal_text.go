package facade

import (
	"fmt"
	"strings"
)

// Present implements [Presenter].
func (o TerminalRunOutput) Present(r *Result) { PythonRunOutput(o).present(r, terminalCalls) }

// Present implements [Presenter].
func (o TerminalStartOutput) Present(r *Result) {
	PythonRunBackgroundOutput(o).present(r, terminalCalls)
}

// Present implements [Presenter].
func (o TerminalOutputOutput) Present(r *Result) {
	PythonTaskOutputOutput(o).present(r, terminalCalls)
}

// Present implements [Presenter].
func (o TerminalInputOutput) Present(r *Result) { PythonTaskInputOutput(o).Present(r) }

// Present implements [Presenter].
func (o TerminalKillOutput) Present(r *Result) { PythonTaskCancelOutput(o).Present(r) }

// Present implements [Presenter].
func (o TerminalListOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Processes), "process"))
	for _, p := range o.Processes {
		fmt.Fprintf(&b, "\n%s %s", p.TaskID, ending(p.State, p.ExitCode, "", -1, ""))
		if p.PID > 0 {
			fmt.Fprintf(&b, ", pid %d", p.PID)
		}
		b.WriteString(": " + oneLine(p.Command))
	}
	r.Text = b.String()
}
