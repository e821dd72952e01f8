//go:build unix

package pyexec_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// opened opens a tool with warm interpreters and waits for them.
func opened(t testing.TB, dir string, box sandbox.Sandbox, pool pyexec.PoolOptions) *pyexec.Python {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("warm interpreters need Linux")
	}
	opts := &pyexec.Options{Options: runner.Options{Sandbox: box, TaskDir: t.TempDir()}, Pool: &pool}
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		opts.Interpreter = "/usr/bin/python3"
	}
	p, err := pyexec.Open(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// isWarm tells a program that it runs in a forked interpreter.
const isWarm = "import sys; print('warm' if 'select' in sys.modules and hasattr(sys.modules['__main__'], '__file__') and sys.orig_argv[-1:] != sys.argv[-1:] and 'pool' in sys.orig_argv else 'cold')"

func TestWarm(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			dir := t.TempDir()
			p := opened(t, dir, box, pyexec.PoolOptions{Size: 1, Preload: []string{"json", "random"}})
			for _, c := range []struct {
				in      facade.PythonRunInput
				stdout  string
				stderr  string
				state   facade.TaskState
				atStart bool
			}{
				{in: facade.PythonRunInput{Code: isWarm}, stdout: "warm\n", state: facade.TaskSucceeded},
				{in: facade.PythonRunInput{Code: "import os, sys; print(sys.argv, os.environ['A'], os.getcwd()[-4:], input())", Args: []string{"x y"}, Env: map[string]string{"A": "1"}, Stdin: "typed\n", Cwd: "sub"}, stdout: "['<code>', 'x y'] 1 /sub typed\n", state: facade.TaskSucceeded},
				{in: facade.PythonRunInput{Code: "import sys; print('e', file=sys.stderr); sys.exit(7)"}, stderr: "e\n", state: facade.TaskFailed},
				{in: facade.PythonRunInput{Code: "def f():\n    1 / 0\nf()"}, stderr: "Traceback (most recent call last):\n  File \"<code>\", line 3, in <module>\n    f()\n  File \"<code>\", line 2, in f\n    1 / 0\n", state: facade.TaskFailed, atStart: true},
				{in: facade.PythonRunInput{Code: "import os; os.kill(os.getpid(), 9)"}, state: facade.TaskFailed},
				{in: facade.PythonRunInput{Code: "import time; print('on'); time.sleep(600)", Timeout: 1}, stdout: "on\n", state: facade.TaskTimedOut, atStart: true},
				{in: facade.PythonRunInput{Code: "open(__import__('os').environ['PYTHON_ARTIFACTS'] + '/a.txt', 'w').write('x')"}, state: facade.TaskSucceeded},
				{in: facade.PythonRunInput{Code: isWarm}, stdout: "warm\n", state: facade.TaskSucceeded},
			} {
				if err := os.MkdirAll(dir+"/sub", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := p.Warm(t.Context()); err != nil {
					t.Fatal(err)
				}
				out, err := p.Run(t.Context(), c.in)
				same := out.Stderr == c.stderr || c.atStart && strings.HasPrefix(out.Stderr, c.stderr)
				if err != nil || out.Stdout != c.stdout || !same || out.State != c.state {
					t.Errorf("%.60q gives %+v, %v", c.in.Code, out, err)
				}
				if wants := strings.Contains(c.in.Code, "a.txt"); wants != (len(out.Artifacts) == 1) {
					t.Errorf("%.60q leaves %v", c.in.Code, out.Artifacts)
				}
			}
		})
	}
}

// TestWarmIsSeparate leaves what the next program must not see.
func TestWarmIsSeparate(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			p := opened(t, t.TempDir(), box, pyexec.PoolOptions{Size: 1, Preload: []string{"json", "random"}})
			seen := map[string]bool{}
			for range 3 {
				out := run(t, p, "import random, builtins; print(hasattr(builtins, 'left'), random.random()); builtins.left = 1; import json; json.dumps = None")
				if !strings.HasPrefix(out.Stdout, "False ") || seen[out.Stdout] {
					t.Errorf("a program sees what another left, or its random numbers: %q after %v", out.Stdout, seen)
				}
				seen[out.Stdout] = true
			}
			run(t, p, `
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2):
            os.close(fd)
        os.execve("/bin/sleep", ["daemon-of-the-warm", "600"], {})
    os._exit(0)
open("/tmp/left-by-a-warm-program", "w").close()
`)
			if err := p.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
			out := run(t, p, `
import os
for p in os.listdir("/proc"):
    try:
        if p.isdigit() and "daemon-of-the-warm" in open("/proc/" + p + "/cmdline").read().split("\0")[0]:
            print("alive")
    except OSError:
        pass
print(os.path.exists("/tmp/left-by-a-warm-program"))
`)
			want := "False\n"
			if box.Name() == "none" {
				want = "True\n" // the host's own /tmp
				_ = os.Remove("/tmp/left-by-a-warm-program")
			}
			if out.Stdout != want {
				t.Errorf("the next program finds %q %s", out.Stdout, out.Stderr)
			}
		})
	}
}

func TestWarmRefuses(t *testing.T) {
	dir := t.TempDir()
	if runtime.GOOS != "linux" {
		t.Skip("warm interpreters need Linux")
	}
	if err := os.WriteFile(dir+"/threaded.py", []byte("import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	opts := &pyexec.Options{
		Options: runner.Options{Sandbox: sandbox.None{}, TaskDir: t.TempDir(), Env: []string{"PYTHONPATH=" + dir}},
		Pool:    &pyexec.PoolOptions{Preload: []string{"threaded"}},
	}
	p, err := pyexec.Open(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Warm(t.Context()); err == nil || !strings.Contains(err.Error(), "native threads") {
		t.Errorf("threads in the parent give %v", err)
	}
	if out := run(t, p, "print(42)"); out.Stdout != "42\n" {
		t.Errorf("the cold start gives %+v", out)
	}
}

func TestSession(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			p := open(t, t.TempDir(), box)
			in := func(session, code string) facade.PythonRunOutput {
				t.Helper()
				out, err := p.Run(t.Context(), facade.PythonRunInput{Code: code, Session: session, Timeout: 20})
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			for _, c := range []struct{ session, code, stdout, stderr string }{
				{"a", "x = 41\ndef f(): return x + 1", "", ""},
				{"a", "f()", "42\n", ""},
				{"a", "print(_); x = 1; f()", "42\n2\n", ""},
				{"b", "print('x' in globals())", "False\n", ""},
				{"a", "1 / 0", "", "ZeroDivisionError"},
				{"a", "f()", "2\n", ""},
			} {
				if out := in(c.session, c.code); out.Stdout != c.stdout || !strings.Contains(out.Stderr, c.stderr) || c.stderr == "" && out.Stderr != "" {
					t.Errorf("%s: %q gives %q and %q", c.session, c.code, out.Stdout, out.Stderr)
				}
			}
			out, err := p.Run(t.Context(), facade.PythonRunInput{Code: "import time; print('on'); time.sleep(600)", Session: "a", Timeout: 1})
			if err != nil || out.State != facade.TaskTimedOut || out.Stdout != "on\n" {
				t.Errorf("a session's time limit gives %+v, %v", out, err)
			}
			if out := in("a", "f()"); out.Stdout != "2\n" {
				t.Errorf("after an interrupt the variables are gone: %+v", out)
			}
			if out := in("a", "raise SystemExit(3)"); out.ExitCode == nil || *out.ExitCode != 3 {
				t.Errorf("an exit gives %+v", out)
			}
			if out := in("a", "'f' in globals()"); out.Stdout != "False\n" {
				t.Errorf("after an exit the variables are there: %+v", out)
			}
			in("a", "y = 1")
			if err := p.Restart(t.Context(), "a"); err != nil {
				t.Error(err)
			}
			if out := in("a", "'y' in globals()"); out.Stdout != "False\n" {
				t.Errorf("after a restart the variables are there: %+v", out)
			}
		})
	}
}

func TestSessionYields(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			p := open(t, t.TempDir(), box)
			out, err := p.Run(t.Context(), facade.PythonRunInput{Code: "z = 5\nimport time\nprint('on')\ntime.sleep(600)", Session: "s", YieldMS: 300})
			if err != nil || out.State != facade.TaskRunning {
				t.Fatalf("after yield_ms there is %+v, %v", out, err)
			}
			from := int64(0)
			if on, err := p.TaskOutput(t.Context(), facade.PythonTaskOutputInput{TaskID: out.TaskID, Offset: &from, WaitMS: 60_000}); err != nil || on.Content != "on\n" {
				t.Fatalf("it writes %+v, %v", on, err)
			}
			began := time.Now()
			if end, err := p.TaskCancel(t.Context(), facade.PythonTaskCancelInput{TaskID: out.TaskID}); err != nil || end.State != facade.TaskCanceled {
				t.Errorf("canceling gives %+v, %v", end, err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			out, err = p.Run(t.Context(), facade.PythonRunInput{Code: "z", Session: "s"})
			if err != nil || out.Stdout != "5\n" {
				t.Errorf("the session goes on with %+v, %v", out, err)
			}
			if _, err := p.RunBackground(t.Context(), facade.PythonRunInput{Code: "z", Session: "s"}); facade.CodeOf(err) != facade.CodeUnsupported {
				t.Errorf("in the background a session gives %v", err)
			}
		})
	}
}
