//go:build unix

package pyexec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// few opens a tool that keeps few sessions.
func few(t *testing.T, most int) *pyexec.Python {
	t.Helper()
	testenv.NeedProgram(t, "python3")
	p, err := pyexec.Open(t.Context(), t.TempDir(), &pyexec.Options{
		Options: runner.Options{Sandbox: sandbox.None{}, EndTasks: true}, MaxSessions: most,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestMaxSessions begins more sessions than are kept.
func TestMaxSessions(t *testing.T) {
	p := few(t, 2)
	for _, c := range []struct{ session, code, stdout, note string }{
		{"a", "x = 1", "", ""},
		{"b", "x = 2", "", ""},
		{"a", "x", "1\n", ""},
		{"c", "x = 3", "", ""}, // in place of b, which was used least lately
		{"a", "x", "1\n", ""},
		{"b", "'x' in globals()", "False\n", "session b began anew"}, // in place of c
		{"b", "'x' in globals()", "False\n", ""},
		{"a", "x", "1\n", ""},
		{"c", "'x' in globals()", "False\n", "at most 2 are kept"},
	} {
		out, err := p.Run(t.Context(), facade.PythonRunInput{Code: c.code, Session: c.session})
		if err != nil {
			t.Fatal(err)
		}
		if n := notes(out); out.Stdout != c.stdout || (c.note == "") != (n == "") || !strings.Contains(n, c.note) {
			t.Errorf("session %s: %q gives %q, note %q; want %q, %q", c.session, c.code, out.Stdout, n, c.stdout, c.note)
		}
	}
}

// TestSessionsAreBusy has every session run a program: none is ended for
// another.
func TestSessionsAreBusy(t *testing.T) {
	p := few(t, 2)
	var ids []string
	for _, name := range []string{"a", "b"} {
		out, err := p.Run(t.Context(), facade.PythonRunInput{Code: "import time; time.sleep(600)", Session: name, YieldMS: 1})
		if err != nil || out.State != facade.TaskRunning {
			t.Fatalf("%+v, %v", out, err)
		}
		ids = append(ids, out.TaskID)
	}
	_, err := p.Run(t.Context(), facade.PythonRunInput{Code: "1", Session: "c"})
	if e, ok := errors.AsType[*facade.Error](err); !ok || e.Code != facade.CodeBusy || !strings.Contains(e.Message, "2 sessions") || e.Hint == "" {
		t.Errorf("a third session gives %v", err)
	}
	if _, err := p.TaskCancel(t.Context(), facade.PythonTaskCancelInput{TaskID: ids[0]}); err != nil {
		t.Fatal(err)
	}
	if out, err := p.Run(t.Context(), facade.PythonRunInput{Code: "1 + 1", Session: "c"}); err != nil || out.Stdout != "2\n" {
		t.Errorf("when one has ended there is %+v, %v", out, err)
	}
}

// TestSessionsOfCallers keeps names of different callers apart, within one cap.
func TestSessionsOfCallers(t *testing.T) {
	p := few(t, 2)
	in := func(caller, code string) string {
		t.Helper()
		out, err := p.Run(facade.WithSession(t.Context(), caller, nil), facade.PythonRunInput{Code: code, Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		return out.Stdout + notes(out)
	}
	in("one", "x = 1")
	in("two", "x = 2")
	if got := in("one", "x") + in("two", "x"); got != "1\n2\n" {
		t.Errorf("the callers see %q", got)
	}
	in("three", "x = 3")
	if got := in("one", "'x' in globals()"); !strings.HasPrefix(got, "False\n") || !strings.Contains(got, "began anew") {
		t.Errorf("the first caller sees %q", got)
	}
}
