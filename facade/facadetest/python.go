package facadetest

import (
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// PythonHarness tells [TestPython] how to get an implementation to test.
type PythonHarness struct {
	// New returns a fixture over an empty root that nothing else uses. It is
	// called once per rule, and releases what it holds with t.Cleanup.
	New func(t testing.TB) *PythonFixture
	// Skip names rules that the implementation is known not to keep, with the
	// reason. They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// PythonFixture is one fresh implementation and the suite's own way to its
// root.
type PythonFixture struct {
	// Tools is the implementation. Rules about tasks run when it has
	// [facade.PythonTasks], those about input with [facade.PythonTaskFeeder].
	Tools facade.PythonRunner
	// Store reaches the root without going through Tools.
	Store Store
	// HostPath is the root's path on the host, "" when there is none. No error
	// may contain it.
	HostPath string
}

// TestPython runs every rule of the python contract that h's implementation is
// able to keep, each as a subtest on a fresh fixture.
func TestPython(t *testing.T, h PythonHarness) {
	runExec(t, pythonRules(), h.Skip, h.begin)
}

func (h PythonHarness) begin(t testing.TB) *execTest {
	t.Helper()
	f := h.New(t)
	return &execTest{TB: t, tool: facade.Python(f.Tools), store: f.Store, hostPath: f.HostPath, events: &Events{}, as: pythonWords}
}

var pythonWords = words{
	status: facade.PythonTaskStatus, start: "run_background", output: "task_output", input: "task_input",
	cancel: "task_cancel", list: "list_tasks", items: "tasks",
	code: func(p program) []any { return []any{"code", p.python} },
}

func pythonRules() []execRule {
	return append(execRules(), []execRule{
		{
			Name: "python/script", Explanation: "script is the path of a file below the root, or source; args reach the program.",
			Run: func(x *execTest) {
				x.must(x.store.MkdirAll("scripts"))
				x.must(x.store.WriteFile("scripts/a.py", []byte("import helper, sys\nprint(helper.name, sys.argv[1:], __name__)\n"), 0o644))
				x.must(x.store.WriteFile("scripts/helper.py", []byte("name = 'helped'\n"), 0o644))
				x.stdout(x.ok("run", "script", "scripts/a.py", "args", []string{"x y", "z"}), "helped ['x y', 'z'] __main__\n")
				x.stdout(x.ok("run", "script", "print(6 * 7)"), "42\n")
				x.fails("not_found", "run", "script", "scripts/missing.py")
				x.fails("is_directory", "run", "script", "scripts")
				x.fails("outside_root", "run", "script", "../outside.py")
			},
		},
		{
			Name: "python/arguments", Explanation: "script or code is required, and not both; an error names the field.",
			Run: func(x *execTest) {
				x.fails("invalid_argument", "run")
				x.fails("invalid_argument", "run", "code", "1", "script", "a.py")
				x.fails("invalid_argument", "run", "code", "1", "command", "ls")
			},
		},
		{
			Name: "python/traceback", Explanation: "An exception is a result whose stderr shows the program's own lines.",
			Run: func(x *execTest) {
				out := decodedExec[facade.PythonRunOutput](x, x.ok("run", "code", "def broken():\n    1 / 0\nbroken()\n"))
				if out.State != facade.TaskFailed || out.ExitCode == nil || *out.ExitCode != 1 {
					x.Errorf("the program ended as %s, %v; want failed with exit code 1", out.State, out.ExitCode)
				}
				x.contains("stderr", out.Stderr, "ZeroDivisionError", "broken", "line 2")
			},
		},
		{
			Name: "python/shadow", Explanation: "A file of the project hides no module of the standard library, and its modules can be imported.",
			Run: func(x *execTest) {
				x.must(x.store.WriteFile("json.py", []byte("raise SystemExit('shadowed')\n"), 0o644))
				x.must(x.store.WriteFile("mine.py", []byte("value = 5\n"), 0o644))
				x.stdout(x.ok("run", "code", "import json, mine\nprint(json.dumps([mine.value]))"), "[5]\n")
			},
		},
		{
			Name: "python/long-code", Explanation: "Code is not bounded by what a command line can hold, and input() reads stdin, not the code.",
			Run: func(x *execTest) {
				filler := "# " + repeat("x", 300<<10) + "\n"
				x.stdout(x.ok("run", "code", filler+"print(input())", "stdin", "typed\n"), "typed\n")
			},
		},
		{
			Name: "python/session", Explanation: "A session keeps its variables between calls, shows the value that code ends with, and belongs to its caller; or it is refused as unsupported.",
			Run: func(x *execTest) {
				if r := x.call(direct(), "run", "code", "n = 41", "session", "s"); r.Error != nil && r.Error.Code == facade.CodeUnsupported && r.Error.Field == "session" {
					return
				}
				x.stdout(x.ok("run", "code", "n += 1\nn", "session", "s"), "42\n")
				x.stdout(x.ok("run", "code", "'n' in globals()", "session", "t"), "False\n")
				x.stdout(x.of("another").ok("run", "code", "'n' in globals()", "session", "s"), "False\n")
				x.ok("run", "code", "exit()", "session", "s")
				x.stdout(x.ok("run", "code", "'n' in globals()", "session", "s"), "False\n")
				x.stdout(x.ok("run", "code", "'n' in globals() or print('none')"), "none\n")
			},
		},
		{
			Name: "python/artifacts", Explanation: "Files in the directory that PYTHON_ARTIFACTS names are results: kept below the root, with type, size and hash, an image shown too; a task tells them at its end.",
			Run: func(x *execTest) {
				const code = "import os\nd = os.environ['PYTHON_ARTIFACTS']\nopen(d + '/table.csv', 'w').write('a,b\\n1,2\\n')\nopen(d + '/dot.png', 'wb').write(bytes.fromhex('89504e470d0a1a0a0000000d49484452'))"
				check := func(list []facade.Artifact, parts []facade.Part) {
					x.Helper()
					if len(list) != 2 || list[1].Size != 8 || !strings.HasPrefix(list[1].MIME, "text/csv") || len(list[1].SHA256) != 64 || list[0].MIME != "image/png" {
						x.Errorf("the artifacts are %+v", list)
						return
					}
					if raw, err := x.store.ReadFile(list[1].Path); err != nil || string(raw) != "a,b\n1,2\n" {
						x.Errorf("%s has %q, %v", list[1].Path, raw, err)
					}
					if len(parts) != 1 || parts[0].MIME != "image/png" || len(parts[0].Data) != 16 {
						x.Errorf("%d parts come with them", len(parts))
					}
				}
				r := x.ok("run", "code", code)
				check(decodedExec[facade.PythonRunOutput](x, r).Artifacts, r.Parts)
				if tasks(x) != "" {
					return
				}
				id := decodedExec[facade.PythonRunBackgroundOutput](x, x.ok("run_background", "code", code)).TaskID
				r = x.ok("task_status", "task_id", id, "wait_ms", 30_000)
				check(decodedExec[facade.PythonTaskStatusOutput](x, r).Artifacts, r.Parts)
			},
		},
		{
			Name: "python/results", Explanation: "display(x) reports a value: in the reply as JSON or text when short, in a file when long; a task tells them at its end. Other programs append a line of media types and values to the file that PYTHON_RESULTS names.",
			Run: func(x *execTest) {
				const code = "import os\ndisplay({'n': 1})\nopen(os.environ['PYTHON_RESULTS'], 'a').write('{\"text/plain\": \"by hand\"}\\n')\ndisplay('x' * 100_000)"
				check := func(list []facade.RichResult) {
					x.Helper()
					if len(list) != 3 || list[0].MIME != "application/json" || string(list[0].Data) != `{"n":1}` || string(list[1].Data) != `"by hand"` || list[2].Path == "" || list[2].Data != nil {
						x.Errorf("the results are %.500v", list)
						return
					}
					if raw, err := x.store.ReadFile(list[2].Path); err != nil || len(raw) != 100_000 {
						x.Errorf("%s has %d bytes, %v", list[2].Path, len(raw), err)
					}
				}
				check(decodedExec[facade.PythonRunOutput](x, x.ok("run", "code", code)).Results)
				if tasks(x) != "" {
					return
				}
				id := decodedExec[facade.PythonRunBackgroundOutput](x, x.ok("run_background", "code", code)).TaskID
				check(decodedExec[facade.PythonTaskStatusOutput](x, x.ok("task_status", "task_id", id, "wait_ms", 30_000)).Results)
			},
		},
		{
			Name: "python/interpreter", Explanation: "python=system works; a path to nothing is not_found, one outside is refused.",
			Run: func(x *execTest) {
				x.stdout(x.ok("run", "code", "print(1)", "python", "system"), "1\n")
				x.fails("not_found", "run", "code", "print(1)", "python", "no/such/python")
				x.fails("outside_root", "run", "code", "print(1)", "python", "../bin/python")
			},
		},
	}...)
}
