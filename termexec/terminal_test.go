//go:build unix

package termexec_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// boxes are the sandboxes that work here.
func boxes(t *testing.T) []sandbox.Sandbox {
	t.Helper()
	out := []sandbox.Sandbox{sandbox.None{}}
	for _, s := range []sandbox.Sandbox{sandbox.Namespaces{}, sandbox.Bubblewrap{}} {
		if err := sandbox.Require(t.Context(), s, sandbox.FileWrites, sandbox.ProcessTree); err == nil {
			out = append(out, s)
		} else if testenv.Required() {
			t.Error(err)
		}
	}
	return out
}

func open(t testing.TB, dir string, opts *termexec.Options) *termexec.Terminal {
	t.Helper()
	if opts.TaskDir == "" {
		opts.TaskDir = t.TempDir()
	}
	term, err := termexec.Open(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := term.Close(); err != nil {
			t.Error(err)
		}
	})
	return term
}

func TestContract(t *testing.T) {
	t.Setenv("TOOLFACADE_HOST_SECRET", "leaked")
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			facadetest.TestTerminal(t, facadetest.TerminalHarness{New: func(t testing.TB) *facadetest.TerminalFixture {
				dir := t.TempDir()
				return &facadetest.TerminalFixture{
					Tools: open(t, dir, &termexec.Options{Sandbox: box}), Store: facadetest.NewDirStore(dir), HostPath: dir,
				}
			}})
		})
	}
}

func TestTooMany(t *testing.T) {
	term := open(t, t.TempDir(), &termexec.Options{Sandbox: sandbox.None{}, MaxRunning: 2, EndTasks: true})
	var ids []string
	for range 2 {
		out, err := term.StartProcess(t.Context(), facade.TerminalStartInput{Command: "sleep 600"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, out.TaskID)
	}
	if _, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: "true"}); facade.CodeOf(err) != facade.CodeBusy {
		t.Errorf("a third command gives %v", err)
	}
	if _, err := term.KillProcess(t.Context(), facade.TerminalKillInput{TaskID: ids[0]}); err != nil {
		t.Fatal(err)
	}
	if _, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: "true"}); err != nil {
		t.Errorf("with a free place: %v", err)
	}
}

func TestForgets(t *testing.T) {
	term := open(t, t.TempDir(), &termexec.Options{Sandbox: sandbox.None{}, Keep: 3})
	for range 8 {
		if _, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: "true"}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := term.ListProcesses(t.Context(), facade.TerminalListInput{})
	if err != nil || len(list.Processes) > 4 || list.Processes[0].TaskID != "run-8" {
		t.Errorf("the list is %+v, %v", list, err)
	}
}

func TestClosed(t *testing.T) {
	term, err := termexec.Open(t.Context(), t.TempDir(), &termexec.Options{Sandbox: sandbox.None{}, EndTasks: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.StartProcess(t.Context(), facade.TerminalStartInput{Command: "sleep 600"}); err != nil {
		t.Fatal(err)
	}
	if err := term.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := term.StartProcess(t.Context(), facade.TerminalStartInput{Command: "sleep 600"}); facade.CodeOf(err) != facade.CodeUnavailable {
		t.Errorf("a start after Close gives %v", err)
	}
}

func TestOutputLimit(t *testing.T) {
	term := open(t, t.TempDir(), &termexec.Options{Sandbox: sandbox.None{}, OutputLimit: 1 << 20})
	out, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: "yes"})
	if err != nil || out.State != facade.TaskOutputLimit || out.TotalBytes < 1<<20 || !out.Truncated {
		t.Errorf("the run ends as %s after %d bytes, %v", out.State, out.TotalBytes, err)
	}
}

func TestNoRoot(t *testing.T) {
	if term, err := termexec.Open(t.Context(), t.TempDir()+"/missing", &termexec.Options{Sandbox: sandbox.None{}}); err == nil {
		t.Errorf("a missing root gives %v", term)
	}
}
