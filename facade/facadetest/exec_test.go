package facadetest

import (
	"context"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// fakePython answers everything with an empty success, or with err.
type fakePython struct{ err error }

func (f fakePython) Run(context.Context, facade.PythonRunInput) (facade.PythonRunOutput, error) {
	return facade.PythonRunOutput{}, f.err
}

func (f fakePython) RunBackground(context.Context, facade.PythonRunInput) (facade.PythonRunBackgroundOutput, error) {
	return facade.PythonRunBackgroundOutput{}, f.err
}

func (f fakePython) TaskStatus(context.Context, facade.PythonTaskStatusInput) (facade.PythonTaskStatusOutput, error) {
	return facade.PythonTaskStatusOutput{}, f.err
}

func (f fakePython) TaskOutput(context.Context, facade.PythonTaskOutputInput) (facade.PythonTaskOutputOutput, error) {
	return facade.PythonTaskOutputOutput{}, f.err
}

func (f fakePython) TaskInput(context.Context, facade.PythonTaskInputInput) (facade.PythonTaskInputOutput, error) {
	return facade.PythonTaskInputOutput{}, f.err
}

func (f fakePython) TaskCancel(context.Context, facade.PythonTaskCancelInput) (facade.PythonTaskCancelOutput, error) {
	return facade.PythonTaskCancelOutput{}, f.err
}

func (f fakePython) ListTasks(context.Context, facade.PythonListTasksInput) (facade.PythonListTasksOutput, error) {
	return facade.PythonListTasksOutput{}, f.err
}

// fakeTerminal answers everything with an empty success, or with err.
type fakeTerminal struct{ err error }

func (f fakeTerminal) RunCommand(context.Context, facade.TerminalRunInput) (facade.TerminalRunOutput, error) {
	return facade.TerminalRunOutput{}, f.err
}

func (f fakeTerminal) StreamCommand(context.Context, facade.TerminalRunInput, func(facade.OutputChunk) error) (facade.TerminalRunOutput, error) {
	return facade.TerminalRunOutput{}, f.err
}

func (f fakeTerminal) KillProcess(context.Context, facade.TerminalKillInput) (facade.TerminalKillOutput, error) {
	return facade.TerminalKillOutput{}, f.err
}

func (f fakeTerminal) ListProcesses(context.Context, facade.TerminalListInput) (facade.TerminalListOutput, error) {
	return facade.TerminalListOutput{}, f.err
}

func (f fakeTerminal) StartProcess(context.Context, facade.TerminalStartInput) (facade.TerminalStartOutput, error) {
	return facade.TerminalStartOutput{}, f.err
}

func (f fakeTerminal) ProcessOutput(context.Context, facade.TerminalOutputInput) (facade.TerminalOutputOutput, error) {
	return facade.TerminalOutputOutput{}, f.err
}

func (f fakeTerminal) ProcessInput(context.Context, facade.TerminalInputInput) (facade.TerminalInputOutput, error) {
	return facade.TerminalInputOutput{}, f.err
}

// watchExec runs a rule and returns what happened.
func watchExec(t *testing.T, r execRule, begin func(t testing.TB) *execTest) *witness {
	t.Helper()
	w := &witness{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.check(w, begin)
	}()
	<-done
	for i := len(w.cleanups) - 1; i >= 0; i-- {
		w.cleanups[i]()
	}
	return w
}

// TestEveryExecRuleCanFail proves that no rule is empty.
func TestEveryExecRuleCanFail(t *testing.T) {
	refusal := facade.Errorf(facade.CodeUnsupported, "no").WithHint("no")
	python := func(err error) func(testing.TB) *execTest {
		return PythonHarness{New: func(t testing.TB) *PythonFixture {
			return &PythonFixture{Tools: fakePython{err}, Store: NewDirStore(t.TempDir())}
		}}.begin
	}
	terminal := func(err error) func(testing.TB) *execTest {
		return TerminalHarness{New: func(t testing.TB) *TerminalFixture {
			return &TerminalFixture{Tools: fakeTerminal{err}, Store: NewDirStore(t.TempDir())}
		}}.begin
	}
	for _, suite := range []struct {
		name  string
		rules []execRule
		begin func(err error) func(testing.TB) *execTest
	}{{"python", pythonRules(), python}, {"terminal", terminalRules(), terminal}} {
		seen := map[string]bool{}
		for _, r := range suite.rules {
			t.Run(suite.name+"/"+r.Name, func(t *testing.T) {
				if seen[r.Name] || !strings.Contains(r.Name, "/") || !strings.HasSuffix(r.Explanation, ".") {
					t.Errorf("doubled, without group, or without a sentence: %q", r.Explanation)
				}
				seen[r.Name] = true
				hollow, refusing := watchExec(t, r, suite.begin(nil)), watchExec(t, r, suite.begin(refusal))
				if hollow.skipped && refusing.skipped {
					t.Skip(hollow.log.String())
				}
				if r.Name == "python/arguments" {
					return // dispatch keeps it for every implementation
				}
				if log := hollow.log.String() + refusing.log.String(); !hollow.failed && !refusing.failed || !strings.Contains(log, "the contract: "+r.Explanation) {
					t.Errorf("neither an empty nor a refusing implementation breaks the rule:\n%s", log)
				}
			})
		}
	}
}
