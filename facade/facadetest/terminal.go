package facadetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// TerminalHarness tells [TestTerminal] how to get an implementation to test.
type TerminalHarness struct {
	// New returns a fixture over an empty root that nothing else uses. It is
	// called once per rule, and releases what it holds with t.Cleanup.
	New func(t testing.TB) *TerminalFixture
	// Skip names rules that the implementation is known not to keep, with the
	// reason. They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// TerminalFixture is one fresh implementation and the suite's own way to its
// root.
type TerminalFixture struct {
	// Tools is the implementation. Rules about tasks run when it has
	// [facade.TerminalTasks] too. It needs a POSIX shell.
	Tools facade.TerminalTools
	// Store reaches the root without going through Tools.
	Store Store
	// HostPath is the root's path on the host, "" when there is none. No error
	// may contain it.
	HostPath string
}

// TestTerminal runs every rule of the terminal contract that h's implementation
// is able to keep, each as a subtest on a fresh fixture.
func TestTerminal(t *testing.T, h TerminalHarness) {
	runExec(t, terminalRules(), h.Skip, h.begin)
}

func (h TerminalHarness) begin(t testing.TB) *execTest {
	t.Helper()
	f := h.New(t)
	return &execTest{TB: t, tool: facade.Terminal(f.Tools), terminal: f.Tools, store: f.Store, hostPath: f.HostPath, events: &Events{}, as: terminalWords}
}

var terminalWords = words{
	start: "start", output: "output", input: "input", cancel: "kill", list: "list", items: "processes",
	code: func(p program) []any { return []any{"command", p.shell} },
}

func terminalRules() []execRule {
	return append(execRules(), []execRule{
		{
			Name: "terminal/args", Explanation: "With args the command is a program and nothing is expanded; without, a line for the shell.",
			Run: func(x *execTest) {
				x.stdout(x.ok("run", "command", "echo", "args", []string{"$HOME", "a  b", "*", ";", "|"}), "$HOME a  b * ; |\n")
				x.stdout(x.ok("run", "command", "echo a | tr a b && echo c"), "b\nc\n")
				x.stdout(x.ok("run", "command", "echo", "args", []string{}), "\n")
				x.fails("not_found", "run", "command", "no-such-program-at-all", "args", []string{"x"})
				x.fails("invalid_argument", "run", "command", "")
			},
		},
		{
			Name: "terminal/stream", Explanation: "StreamCommand hands over the output in order, with offsets, and returns the exit code.",
			Run: func(x *execTest) {
				var all strings.Builder
				out, err := x.terminal.StreamCommand(direct(), facade.TerminalRunInput{Command: "echo one; echo two >&2; exit 4"}, func(c facade.OutputChunk) error {
					if c.Offset != int64(all.Len()) {
						x.Errorf("a chunk has the offset %d behind %d bytes", c.Offset, all.Len())
					}
					all.Write(c.Data)
					return nil
				})
				if err != nil || out.ExitCode == nil || *out.ExitCode != 4 || all.Len() != len("one\ntwo\n") {
					x.Errorf("StreamCommand gives %+v, %v after %q", out, err, all.String())
				}
			},
		},
		{
			Name: "terminal/stream-abort", Explanation: "An error of the callback, or the end of the context, kills the command and comes back beside the output so far.",
			Run: func(x *execTest) {
				errEnough := errors.New("enough")
				out, err := x.terminal.StreamCommand(direct(), facade.TerminalRunInput{Command: "echo on; sleep 600"}, func(facade.OutputChunk) error { return errEnough })
				if !errors.Is(err, errEnough) || out.Stdout != "on\n" || out.State != facade.TaskCanceled {
					x.Errorf("after an error of the callback StreamCommand gives %+v, %v", out, err)
				}
				ctx, cancel := context.WithTimeout(direct(), 30*time.Second)
				defer cancel()
				out, err = x.terminal.StreamCommand(ctx, facade.TerminalRunInput{Command: "echo on; sleep 600"}, func(facade.OutputChunk) error {
					cancel()
					return nil
				})
				if !errors.Is(err, context.Canceled) || out.Stdout != "on\n" || out.State != facade.TaskCanceled {
					x.Errorf("after the end of the context StreamCommand gives %+v, %v", out, err)
				}
			},
		},
		{
			Name: "terminal/pid", Needs: tasks, Explanation: "output, input and kill take the pid of a command of their own, and no other.",
			Run: func(x *execTest) {
				started := decodedExec[facade.PythonRunBackgroundOutput](x, x.ok("start", x.args(sleeper)...))
				x.ok("output", "pid", started.PID, "wait_ms", 20_000)
				x.ok("kill", "pid", started.PID)
				x.fails("not_found", "kill", "pid", 1)
				x.fails("not_found", "output", "pid", 1)
				x.fails("invalid_argument", "kill")
				x.fails("invalid_argument", "kill", "pid", started.PID, "task_id", started.TaskID)
			},
		},
		{
			Name: "terminal/foreign-pid", Needs: tasks, Explanation: "A session can neither read, feed nor kill another session's command by its pid.",
			Run: func(x *execTest) {
				started := decodedExec[facade.PythonRunBackgroundOutput](x, x.ok("start", x.args(sleeper)...))
				other := x.of("another")
				other.fails("not_found", "kill", "pid", started.PID)
				other.fails("not_found", "output", "pid", started.PID)
				other.fails("not_found", "input", "pid", started.PID, "data", "x")
				if ids := x.listed("state", "running"); len(ids) != 1 {
					x.Errorf("after the other session's attempts %v run", ids)
				}
				x.ok("kill", "task_id", started.TaskID)
			},
		},
		{
			Name: "terminal/list", Needs: tasks, Explanation: "The list shows the command, its start, and running, completed or failed.",
			Run: func(x *execTest) {
				var ids []string
				for _, line := range []string{"exit 0", "exit 9", "sleep 600"} {
					ids = append(ids, decodedExec[facade.PythonRunBackgroundOutput](x, x.ok("start", "command", line)).TaskID)
				}
				x.ends(ids[0])
				x.ends(ids[1])
				list := decodedExec[facade.TerminalListOutput](x, x.ok("list"))
				if len(list.Processes) != 3 {
					x.Fatalf("the list is %+v", list)
				}
				for i, want := range []facade.ProcessStatus{facade.ProcessRunning, facade.ProcessFailed, facade.ProcessCompleted} {
					if p := list.Processes[i]; p.Status != want || p.StartTime == nil || p.Command == "" || p.TaskID != ids[2-i] {
						x.Errorf("process %d of the list is %+v, want %s, %s", i, p, ids[2-i], want)
					}
				}
				x.ok("kill", "task_id", ids[2])
			},
		},
		{
			Name: "terminal/tty", Needs: tasks, Explanation: "With tty the command has a terminal that is fed, read and closed as any task, or the start is unsupported.",
			Run: func(x *execTest) {
				r := x.call(direct(), "start", "command", `test -t 0 && test -t 1 && echo "a terminal"; read line; echo "got $line"; cat`, "tty", true)
				if r != nil && r.Error != nil && r.Error.Code == facade.CodeUnsupported {
					return
				}
				if r == nil || r.Error != nil {
					x.Fatalf("the start gives %+v", r)
				}
				id := decodedExec[facade.PythonRunBackgroundOutput](x, r).TaskID
				x.ok("input", "task_id", id, "data", "word\n")
				x.ok("input", "task_id", id, "eof", true)
				all, end := x.ends(id)
				if !strings.Contains(all, "a terminal\r\n") || !strings.Contains(all, "got word\r\n") || end.State != facade.TaskSucceeded {
					x.Errorf("the session ended as %s with %q", end.State, all)
				}
			},
		},
	}...)
}
