package pyexec_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// counting writes forty lines and ends with an exit code.
const counting = `
import sys, time
for i in range(40):
    print("line", i)
    time.sleep(0.05)
sys.exit(int(sys.argv[1]))
`

// hostEnv makes a test process a host that starts tasks and waits to be killed.
const hostEnv = "TOOLFACADE_TEST_HOST"

// handed is what the killed host told.
type handed struct {
	IDs  []string
	Read string
	Next int64
}

// options of both hosts.
func survivorOptions(root, sandboxName string) *pyexec.Options {
	box := map[string]sandbox.Sandbox{"none": sandbox.None{}, "namespaces": sandbox.Namespaces{}, "bubblewrap": sandbox.Bubblewrap{}}[sandboxName]
	return &pyexec.Options{
		Options:     runner.Options{Sandbox: box, TaskDir: filepath.Join(filepath.Dir(root), "tasks")},
		Interpreter: "/usr/bin/python3",
	}
}

// TestHost is no test but the host that is killed.
func TestHost(t *testing.T) {
	root, box, ok := strings.Cut(os.Getenv(hostEnv), "|")
	if !ok {
		t.Skip("only the test of survival runs it")
	}
	p, err := pyexec.Open(t.Context(), root, survivorOptions(root, box))
	if err != nil {
		t.Fatal(err)
	}
	var told handed
	for _, in := range []facade.PythonRunInput{
		{Code: counting, Args: []string{"5"}}, {Code: counting, Args: []string{"0"}}, {Code: "import time; print('on'); time.sleep(600)"},
	} {
		out, err := p.RunBackground(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		told.IDs = append(told.IDs, out.TaskID)
	}
	for told.Next < 40 {
		out, err := p.TaskOutput(t.Context(), facade.PythonTaskOutputInput{TaskID: told.IDs[0], Offset: &told.Next, WaitMS: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		told.Read, told.Next = told.Read+out.Content, out.NextOffset
	}
	raw, err := json.Marshal(told)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\ntold %s\n", raw)
	time.Sleep(time.Hour)
}

// killedHost runs a host until it has told what it did, and kills it.
func killedHost(t *testing.T, root, box string) handed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHost$")
	cmd.Env = append(os.Environ(), hostEnv+"="+root+"|"+box)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var told handed
	var seen strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		seen.WriteString(lines.Text() + "\n")
		if raw, ok := strings.CutPrefix(lines.Text(), "told "); ok {
			if err := json.Unmarshal([]byte(raw), &told); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || len(told.IDs) != 3 {
		t.Fatalf("the host was not killed: %s", seen.String())
	}
	return told
}

// TestSurvivesTheHost kills a host that has three tasks, and then one of their
// supervisors.
func TestSurvivesTheHost(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			if err := os.Mkdir(root, 0o755); err != nil {
				t.Fatal(err)
			}
			told := killedHost(t, root, box.Name())
			p, err := pyexec.Open(t.Context(), root, survivorOptions(root, box.Name()))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			list, err := p.ListTasks(t.Context(), facade.PythonListTasksInput{})
			if err != nil || len(list.Tasks) != 3 {
				t.Fatalf("a new host finds %+v, %v", list, err)
			}
			for _, k := range list.Tasks {
				if !slices.Contains(told.IDs, k.TaskID) || k.State != facade.TaskRunning || k.PID == 0 {
					t.Errorf("the new host finds %+v", k)
				}
			}
			kill(t, filepath.Join(filepath.Dir(root), "tasks", "python", told.IDs[2], "start.json"))
			var want strings.Builder
			for i := range 40 {
				fmt.Fprintln(&want, "line", i)
			}
			if got := told.Read + rest(t, p, told.IDs[0], told.Next); got != want.String() {
				t.Errorf("over both hosts the first task wrote %q", got)
			}
			if got := rest(t, p, told.IDs[1], 0); got != want.String() {
				t.Errorf("the second task wrote %q", got)
			}
			for i, w := range []struct {
				state facade.TaskState
				exit  int
			}{{facade.TaskFailed, 5}, {facade.TaskSucceeded, 0}, {facade.TaskLost, -1}} {
				out, err := p.TaskStatus(t.Context(), facade.PythonTaskStatusInput{TaskID: told.IDs[i], WaitMS: 30_000})
				if err != nil || out.State != w.state || w.exit >= 0 && (out.ExitCode == nil || *out.ExitCode != w.exit) {
					t.Errorf("task %d is %+v, %v; want %s with %d", i, out, err, w.state, w.exit)
				}
			}
		})
	}
}

// rest reads a task's output from an offset to its end.
func rest(t *testing.T, p *pyexec.Python, id string, offset int64) string {
	t.Helper()
	var all strings.Builder
	for {
		out, err := p.TaskOutput(t.Context(), facade.PythonTaskOutputInput{TaskID: id, Offset: &offset, WaitMS: 30_000, Limit: 50})
		if err != nil || out.Offset != offset {
			t.Fatalf("from byte %d of %s: %+v, %v", offset, id, out, err)
		}
		all.WriteString(out.Content)
		if offset = out.NextOffset; out.EOF {
			return all.String()
		}
	}
}

// kill kills the supervisor whose start is written down in a file, and waits
// until its program is gone too.
func kill(t *testing.T, path string) {
	t.Helper()
	var st struct {
		PID, Supervisor int
		BootID          string `json:"boot_id"`
	}
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &st)
	}
	if err != nil || st.BootID == "" {
		t.Fatalf("%s: %v", raw, err)
	}
	if err := unix.Kill(st.Supervisor, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); alive(st.PID); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d outlives its supervisor", st.PID)
		}
	}
}

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(raw), ") Z ")
}
