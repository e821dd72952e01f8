//go:build linux

package termexec_test

import (
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/termexec"
)

// TestTerminalSession talks to a program that wants a terminal, in every
// sandbox: it answers, is interrupted by a key and finds its terminal by name.
func TestTerminalSession(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			term := open(t, t.TempDir(), &termexec.Options{Sandbox: box})
			out, err := term.StartProcess(t.Context(), facade.TerminalStartInput{Command: "test -t 0 && echo hello >/dev/tty && read x && echo got $x && sleep 600", TTY: true})
			if err != nil {
				t.Fatal(err)
			}
			seen := reader(t, term, out.TaskID)
			seen("hello")
			if in, err := term.ProcessInput(t.Context(), facade.TerminalInputInput{TaskID: out.TaskID, Data: "word\n"}); err != nil || in.Accepted != 5 {
				t.Fatalf("the input gives %+v, %v", in, err)
			}
			seen("got word")
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
				_, _ = term.ProcessInput(t.Context(), facade.TerminalInputInput{TaskID: out.TaskID, Data: "\x03"}) // it may have ended
				list, err := term.ListProcesses(t.Context(), facade.TerminalListInput{})
				if err != nil || len(list.Processes) != 1 {
					t.Fatalf("the list is %+v, %v", list, err)
				}
				if p := list.Processes[0]; p.Status != facade.ProcessRunning {
					if p.ExitCode != nil && *p.ExitCode != 130 {
						t.Errorf("interrupted it ends as %+v", p)
					}
					return
				}
				if time.Now().After(deadline) {
					t.Fatal("the key does not interrupt")
				}
			}
		})
	}
}

// reader returns a function that waits for text in a task's output.
func reader(t *testing.T, term *termexec.Terminal, id string) func(text string) {
	t.Helper()
	var at int64
	var all strings.Builder
	return func(text string) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); !strings.Contains(all.String(), text); {
			out, err := term.ProcessOutput(t.Context(), facade.TerminalOutputInput{TaskID: id, Offset: &at, WaitMS: 1000})
			if err != nil {
				t.Fatal(err)
			}
			all.WriteString(out.Content)
			if at = out.NextOffset; out.EOF || time.Now().After(deadline) {
				t.Fatalf("%q is not in %q", text, all.String())
			}
		}
	}
}

// TestNoTerminalOfTheHost shows that only a session has a terminal.
func TestNoTerminalOfTheHost(t *testing.T) {
	for _, box := range boxes(t) {
		if box.Name() == "none" {
			continue
		}
		term := open(t, t.TempDir(), &termexec.Options{Sandbox: box})
		out, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: "echo leak >/dev/tty"})
		if err != nil || out.State != facade.TaskFailed {
			t.Errorf("%s: writing to the host's terminal gives %+v, %v", box.Name(), out, err)
		}
	}
}
