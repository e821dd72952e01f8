package termexec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// held is what this process holds.
type held struct{ descriptors, children int }

func holding(t *testing.T) held {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	h := held{descriptors: len(fds)}
	all, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		raw, err := os.ReadFile("/proc/" + p.Name() + "/stat")
		if _, rest, ok := strings.Cut(string(raw), ") "); err == nil && ok && len(strings.Fields(rest)) > 1 && strings.Fields(rest)[1] == fmt.Sprint(os.Getpid()) {
			h.children++
		}
	}
	return h
}

// TestNothingIsLeaked runs many short tasks, in the foreground and in the
// background, and as many live ones as there may be. TOOLFACADE_FULL=1 makes it
// a thousand. goleak counts the goroutines behind the last test.
func TestNothingIsLeaked(t *testing.T) {
	short, live := 120, 16
	if testenv.Full() {
		short, live = 1000, 64
	}
	tmp, tasks, root := t.TempDir(), filepath.Join(t.TempDir(), "tasks"), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	before := holding(t)
	term, err := termexec.Open(t.Context(), root, &termexec.Options{Sandbox: sandbox.None{}, TaskDir: tasks, Keep: 50})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	places := make(chan struct{}, 8)
	for i := range short {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			shortTask(t, term, i)
		})
	}
	wg.Wait()
	var ids []string
	for range live {
		out, err := term.StartProcess(t.Context(), facade.TerminalStartInput{Command: "echo on; sleep 600"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, out.TaskID)
	}
	if list, err := term.ListProcesses(t.Context(), facade.TerminalListInput{State: facade.TaskRunning, Limit: 1000}); err != nil || len(list.Processes) != live {
		t.Errorf("%d tasks live, %v; want %d", len(list.Processes), err, live)
	}
	for _, id := range ids {
		if out, err := term.KillProcess(t.Context(), facade.TerminalKillInput{TaskID: id}); err != nil || out.State != facade.TaskCanceled {
			t.Errorf("%s is %+v, %v", id, out, err)
		}
	}
	if err := term.Close(); err != nil {
		t.Fatal(err)
	}
	after := holding(t)
	for end := time.Now().Add(10 * time.Second); after != before && time.Now().Before(end); after = holding(t) {
		time.Sleep(10 * time.Millisecond)
	}
	if after != before {
		t.Errorf("before %+v, after %+v", before, after)
	}
	checkLeft(t, tmp, filepath.Join(tasks, "terminal"))
}

// shortTask runs one task and checks how it ends; every other one goes to the
// background.
func shortTask(t *testing.T, term *termexec.Terminal, i int) {
	line := fmt.Sprintf("echo %d; exit %d", i, i%2)
	if i%2 == 0 {
		out, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: line})
		if err != nil || out.Stdout != fmt.Sprintln(i) || out.ExitCode == nil || *out.ExitCode != i%2 {
			t.Errorf("run %d gives %+v, %v", i, out, err)
		}
		return
	}
	out, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: line, YieldMS: 60_000})
	if err != nil || out.Stdout != fmt.Sprintln(i) || out.ExitCode == nil || *out.ExitCode != i%2 || !strings.HasPrefix(out.TaskID, "task-") {
		t.Errorf("task %d gives %+v, %v", i, out, err)
	}
}

// checkLeft checks that nothing temporary is left.
func checkLeft(t *testing.T, tmp, tasks string) {
	t.Helper()
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	left, err := os.ReadDir(tasks)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, e := range left {
		switch name := e.Name(); {
		case strings.HasPrefix(name, "task-"):
			kept++
			for _, gone := range []string{"run", "control", "stdin", "tail.tmp", "exit.json.tmp"} {
				if _, err := os.Lstat(filepath.Join(tasks, name, gone)); err == nil {
					t.Errorf("%s/%s is left", name, gone)
				}
			}
		case name != "lock" && name != "count" && name != "hosts":
			t.Errorf("%s is left", name)
		}
	}
	if kept > 150 {
		t.Errorf("%d tasks are remembered of at most 50 and those of the last minute", kept)
	}
	if hosts, err := os.ReadDir(filepath.Join(tasks, "hosts")); err != nil || len(hosts) > 0 {
		t.Errorf("hosts are left: %v, %v", hosts, err)
	}
}
