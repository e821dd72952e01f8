package facadetest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// The programs of the rules.
var (
	greeter  = program{"import sys\nprint('out')\nprint('err', file=sys.stderr)", "echo out; echo err >&2"}
	failing  = program{"import sys\nprint('before')\nsys.exit(7)", "echo before; exit 7"}
	sleeper  = program{"import time\nprint('on')\ntime.sleep(600)", "echo on; sleep 600"}
	cat      = program{"import sys\nsys.stdout.write(sys.stdin.read())", "cat"}
	brief    = program{"import time\nprint('on')\ntime.sleep(1)\nprint('off')", "echo on; sleep 1; echo off"}
	readLine = program{
		"import sys\nfor line in sys.stdin:\n    print('got', line.strip())\nprint('end')",
		`while read -r line; do echo "got $line"; done; echo end`,
	}
	lines = program{
		"for i in range(20000):\n    print('%09d' % i)",
		"i=0; while [ $i -lt 20000 ]; do printf '%09d\\n' $i; i=$((i+1)); done",
	}
	control = program{"import sys\nsys.stdout.write('\\x01' * 60000)", "head -c 60000 /dev/zero | tr '\\0' '\\001'"}
	where   = program{"print(open('here.txt').read())", "cat here.txt; echo"}
	greet   = program{"import os\nprint(os.environ.get('GREETING'), os.environ.get('TOOLFACADE_HOST_SECRET'))", `echo "$GREETING ${TOOLFACADE_HOST_SECRET:-None}"`}
	letters = program{"print('für 日本 🎉')", "echo 'für 日本 🎉'"}
)

// execRules are the rules of both tools.
func execRules() []execRule {
	return append(runRules(), taskRules()...)
}

func runRules() []execRule {
	return []execRule{
		{
			Name: "run/end", Explanation: "A run gives both outputs, the exit code, the time and what isolated it; an exit code that is not zero is a result.",
			Run: func(x *execTest) {
				out := decodedExec[facade.PythonRunOutput](x, x.ok("run", x.args(greeter)...))
				if out.Stdout != "out\n" || out.Stderr != "err\n" || out.State != facade.TaskSucceeded || out.TotalBytes != 8 || out.Isolation == "" || out.TaskID == "" || out.Truncated {
					x.Errorf("the run gives %+v", out)
				}
				out = decodedExec[facade.PythonRunOutput](x, x.ok("run", x.args(failing)...))
				if out.Stdout != "before\n" || out.State != facade.TaskFailed || out.ExitCode == nil || *out.ExitCode != 7 || out.TimedOut {
					x.Errorf("the failing run gives %+v", out)
				}
			},
		},
		{
			Name: "run/timeout", Explanation: "At its time limit a program is killed; its output so far is kept.",
			Run: func(x *execTest) {
				begin := time.Now()
				out := decodedExec[facade.PythonRunOutput](x, x.ok("run", x.args(sleeper, "timeout", 1.5)...))
				if out.State != facade.TaskTimedOut || !out.TimedOut || out.Stdout != "on\n" || len(out.Leaked) > 0 {
					x.Errorf("the run gives %+v", out)
				}
				if took := time.Since(begin); took > 20*time.Second {
					x.Errorf("it took %v", took)
				}
				x.fails("invalid_argument", "run", x.args(sleeper, "timeout", -1)...)
			},
		},
		{
			Name: "run/cancel", Explanation: "When the context ends the program is killed, and the output so far is kept beside the error.",
			Run: func(x *execTest) {
				ctx, cancel := context.WithCancel(direct())
				waited := make(chan struct{})
				go func() {
					defer close(waited)
					x.events.Wait(1, callLimit, facade.EventProcessOutput)
					cancel()
				}()
				r := x.call(ctx, "run", x.args(sleeper)...)
				x.events.Emit(facade.Event{Type: facade.EventProcessOutput}) // ends the wait where nothing was written
				<-waited
				if r == nil {
					return // the tool may return the Go error alone
				}
				if out := decodedExec[facade.PythonRunOutput](x, r); r.Error == nil || r.Error.Code != facade.CodeCanceled || !strings.HasPrefix(out.Stdout, "on") || !out.State.Done() {
					x.Errorf("the canceled run gives %+v, %v", out, r.Error)
				}
			},
		},
		{
			Name: "run/stdin", Explanation: "stdin reaches the program and then ends; without it the program reads the end at once.",
			Run: func(x *execTest) {
				x.stdout(x.ok("run", x.args(cat, "stdin", "a\nb")...), "a\nb")
				x.stdout(x.ok("run", x.args(cat)...), "")
			},
		},
		{
			Name: "run/cwd", Explanation: "cwd is a directory below the root.",
			Run: func(x *execTest) {
				x.must(x.store.MkdirAll("a/b"))
				x.must(x.store.WriteFile("a/b/here.txt", []byte("found"), 0o644))
				x.stdout(x.ok("run", x.args(where, "cwd", "a/b")...), "found\n")
				x.fails("not_found", "run", x.args(where, "cwd", "a/missing")...)
				x.fails("not_directory", "run", x.args(where, "cwd", "a/b/here.txt")...)
				x.fails("outside_root", "run", x.args(where, "cwd", "a/../..")...)
				x.fails("outside_root", "run", x.args(where, "cwd", "/etc")...)
			},
		},
		{
			Name: "run/env", Explanation: "env adds variables; the host's own, which may be secrets, stay with the host.",
			Run: func(x *execTest) {
				x.stdout(x.ok("run", x.args(greet, "env", map[string]string{"GREETING": "hello"})...), "hello None\n")
				x.fails("invalid_argument", "run", x.args(greet, "env", map[string]string{"A=B": "x"})...)
			},
		},
		{
			Name: "run/characters", Explanation: "Output is UTF-8 whatever the host's locale is.",
			Run: func(x *execTest) { x.stdout(x.ok("run", x.args(letters)...), "für 日本 🎉\n") },
		},
		{
			Name: "run/budget", Explanation: "Long output loses its middle, says so, and keeps the budget when every byte of it is escaped in JSON.",
			Run: func(x *execTest) {
				out := decodedExec[facade.PythonRunOutput](x, x.ok("run", x.args(lines)...))
				if !out.Truncated || out.TotalBytes != 200_000 || !strings.HasPrefix(out.Stdout, "000000000\n") || !strings.HasSuffix(out.Stdout, "000019999\n") {
					x.Errorf("of %d bytes, truncated=%v, there is %.40q", out.TotalBytes, out.Truncated, out.Stdout)
				}
				if out = decodedExec[facade.PythonRunOutput](x, x.ok("run", x.args(control)...)); !out.Truncated || out.TotalBytes != 60_000 {
					x.Errorf("of %d control characters nothing is left out", out.TotalBytes)
				}
			},
		},
		{
			Name: "run/events", Explanation: "A run reports its process's start, output and end.",
			Run: func(x *execTest) {
				x.ok("run", x.args(greeter)...)
				for _, e := range []facade.EventType{facade.EventProcessStarted, facade.EventProcessOutput, facade.EventProcessExited} {
					if len(x.events.Of(e)) == 0 {
						x.Errorf("there is no event %s", e)
					}
				}
			},
		},
	}
}

func taskRules() []execRule {
	return []execRule{
		{
			Name: "tasks/yield", Needs: tasks, Explanation: "A run that takes longer than yield_ms goes on as a task; a short one ends as ever.",
			Run: func(x *execTest) {
				out := decodedExec[facade.PythonRunOutput](x, x.ok("run", x.args(brief, "yield_ms", 500)...))
				if out.State != facade.TaskRunning || out.ExitCode != nil || out.TaskID == "" {
					x.Fatalf("after yield_ms the run gives %+v", out)
				}
				if all, end := x.ends(out.TaskID); all != "on\noff\n" || end.State != facade.TaskSucceeded {
					x.Errorf("the task ended as %s with %q", end.State, all)
				}
				x.stdout(x.ok("run", x.args(letters, "yield_ms", 60_000)...), "für 日本 🎉\n")
			},
		},
		{
			Name: "tasks/output", Needs: tasks, Explanation: "The output is read by byte offset, without gap or double, during the run and after; tail gives the last lines.",
			Run: func(x *execTest) {
				id := x.start(lines)
				var want strings.Builder
				for i := range 20000 {
					fmt.Fprintf(&want, "%09d\n", i)
				}
				if all, _ := x.ends(id); all != want.String() {
					x.Errorf("%d bytes came, want %d; the first are %.40q", len(all), want.Len(), all)
				}
				out := decodedExec[facade.PythonTaskOutputOutput](x, x.ok(x.as.output, "task_id", id, "offset", 100_000, "limit", 20))
				if out.Content != "000010000\n000010001\n" || out.NextOffset != 100_020 || out.EOF {
					x.Errorf("from the middle comes %+v", out)
				}
				out = decodedExec[facade.PythonTaskOutputOutput](x, x.ok(x.as.output, "task_id", id, "tail", 2))
				if out.Content != "000019998\n000019999\n" || out.NextOffset != 200_000 || !out.EOF {
					x.Errorf("the tail is %+v", out)
				}
				x.fails("invalid_argument", x.as.output, "task_id", id, "tail", 2, "offset", 1)
			},
		},
		{
			Name: "tasks/input", Needs: feeds, Explanation: "A task is fed as it runs, until its input is closed.",
			Run: func(x *execTest) {
				id := x.start(readLine, "stdin", "one\n")
				in := decodedExec[facade.PythonTaskInputOutput](x, x.ok(x.as.input, "task_id", id, "data", "two\n"))
				if in.Accepted != 4 || in.EOF {
					x.Errorf("the task took %+v", in)
				}
				x.ok(x.as.input, "task_id", id, "data", "three", "eof", true)
				if all, _ := x.ends(id); !strings.HasPrefix(all, "got one\ngot two\n") || !strings.HasSuffix(all, "end\n") {
					x.Errorf("the task wrote %q", all)
				}
				x.fails("conflict", x.as.input, "task_id", id, "data", "late")
				x.fails("invalid_argument", x.as.input, "task_id", id)
			},
		},
		{
			Name: "tasks/cancel", Needs: tasks, Explanation: "Canceling kills; doing it again, or after the end, is no error and changes nothing.",
			Run: func(x *execTest) {
				id := x.start(sleeper)
				for range 2 {
					out := decodedExec[facade.PythonTaskCancelOutput](x, x.ok(x.as.cancel, "task_id", id))
					if out.State != facade.TaskCanceled || out.Leaked == nil || len(out.Leaked) > 0 {
						x.Errorf("canceling gives %+v", out)
					}
				}
				id = x.start(failing)
				x.ends(id)
				if out := decodedExec[facade.PythonTaskCancelOutput](x, x.ok(x.as.cancel, "task_id", id)); out.State != facade.TaskFailed {
					x.Errorf("canceling a failed task gives %+v", out)
				}
			},
		},
		{
			Name: "tasks/unknown", Needs: tasks, Explanation: "An unknown task is not_found, and the hint lists the known ones; tasks belong to their session.",
			Run: func(x *execTest) {
				id := x.start(sleeper)
				r := x.fails("not_found", x.as.output, "task_id", "task-none")
				x.contains("the hint", r.Error.Hint, id)
				other := x.of("another")
				other.fails("not_found", x.as.cancel, "task_id", id)
				if r := other.fails("not_found", x.as.output, "task_id", id); strings.Contains(r.Error.Hint, id) {
					x.Errorf("another session is told of %s: %s", id, r.Error.Hint)
				}
				if n := other.count(); n != 0 {
					x.Errorf("another session lists %d tasks", n)
				}
				x.ok(x.as.cancel, "task_id", id)
			},
		},
		{
			Name: "tasks/list", Needs: tasks, Explanation: "The list has the tasks that run and those that ended, the latest first, by state on request.",
			Run: func(x *execTest) {
				one, two := x.start(sleeper), x.start(failing)
				x.ends(two)
				if ids := x.listed(); len(ids) != 2 || ids[0] != two || ids[1] != one {
					x.Errorf("the list is %v, want %s, %s", ids, two, one)
				}
				if ids := x.listed("state", "running"); len(ids) != 1 || ids[0] != one {
					x.Errorf("the running ones are %v, want %s", ids, one)
				}
				if ids := x.listed("limit", 1); len(ids) != 1 || ids[0] != two {
					x.Errorf("with a limit the list is %v", ids)
				}
				x.ok(x.as.cancel, "task_id", one)
			},
		},
		{
			Name: "tasks/status", Explanation: "task_status waits for the end, and shows the last lines.",
			Needs: func(x *execTest) string {
				if x.as.status == nil {
					return "the tool has no task_status"
				}
				return tasks(x)
			},
			Run: func(x *execTest) {
				id := x.start(brief)
				now := decodedExec[facade.PythonTaskStatusOutput](x, x.ok(x.as.status, "task_id", id))
				if now.State != facade.TaskRunning || now.Started == nil || now.Ended != nil {
					x.Errorf("the status is %+v", now)
				}
				end := decodedExec[facade.PythonTaskStatusOutput](x, x.ok(x.as.status, "task_id", id, "wait_ms", 30_000, "tail", 1))
				if end.State != facade.TaskSucceeded || end.Output != "off\n" || end.NextOffset != 7 || end.Ended == nil || end.ExitCode == nil {
					x.Errorf("the status at the end is %+v", end)
				}
			},
		},
	}
}

// listed lists the ids of tasks.
func (x *execTest) listed(kv ...any) []string {
	x.Helper()
	all := decodedExec[map[string][]struct {
		TaskID string `json:"task_id"`
	}](x, x.ok(x.as.list, kv...))
	list, ok := all[name(x.as.items)]
	if !ok {
		x.Fatalf("the list has no %v", x.as.items)
	}
	var ids []string
	for _, t := range list {
		ids = append(ids, t.TaskID)
	}
	return ids
}

func (x *execTest) count() int { return len(x.listed()) }
