//go:build unix

package pyexec_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// fakeUV does what uv does, as far as it matters here, without any network: it
// takes the same arguments and variables, writes down which, reads the metadata
// of the script and runs it as a child with a module in place of what the
// metadata names. What it cannot get is named missing or slow.
const fakeUV = `#!/usr/bin/python3
import json, os, subprocess, sys, time
args = sys.argv[1:]
script = args.index("--script") + 1
options, file, rest = args[:script], args[script], args[script + 1:]
cache = os.environ["UV_CACHE_DIR"]
os.makedirs(cache + "/environment", exist_ok=True)
block = open(file).read().split("# ///\n")[0]
with open(cache + "/called.json", "w") as f:
    json.dump({"options": options, "uv": {k: v for k, v in os.environ.items() if k.startswith("UV_")}, "block": block}, f)
if "slow" in block:
    time.sleep(600)
if "missing" in block:
    print("  x No solution found when resolving script dependencies", file=sys.stderr)
    sys.exit(1)
with open(cache + "/environment/provided.py", "w") as f:
    f.write("name = 'provided'\n")
python = options[options.index("--python") + 1] if "--python" in options else "/usr/bin/python3"
sys.exit(subprocess.run([python, file] + rest, env={**os.environ, "PYTHONPATH": cache + "/environment"}).returncode)
`

// declare begins a program with its metadata.
func declare(dependencies, code string) string {
	return "# /// script\n# dependencies = [" + dependencies + "]\n# ///\n" + code
}

// withUV opens a tool that has the program above for uv.
func withUV(t *testing.T, dir string, box sandbox.Sandbox, network bool) *pyexec.Python {
	t.Helper()
	uv := filepath.Join(t.TempDir(), "uv")
	if err := os.WriteFile(uv, []byte(fakeUV), 0o755); err != nil {
		t.Fatal(err)
	}
	return openUV(t, dir, box, network, uv)
}

func openUV(t *testing.T, dir string, box sandbox.Sandbox, network bool, uv string) *pyexec.Python {
	t.Helper()
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip("there is no /usr/bin/python3")
	}
	p, err := pyexec.Open(t.Context(), dir, &pyexec.Options{
		Options:     runner.Options{Sandbox: box, TaskDir: t.TempDir(), Network: network},
		Interpreter: "/usr/bin/python3", UV: uv,
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

// called is what the program above wrote down.
type called struct {
	Options []string
	UV      map[string]string
	Block   string
}

func TestUV(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			dir := t.TempDir()
			p := withUV(t, dir, box, false)
			code := declare(`"provided>=1", # why`+"\n#   'other'\n# ", `import provided, sys, os
print(provided.name, sys.argv, input(), sys.path[-1] == os.getcwd())
open(os.environ["PYTHON_ARTIFACTS"] + "/a.txt", "w").write("a")
display([1])
sys.exit(7)
`)
			out, err := p.Run(t.Context(), facade.PythonRunInput{Code: code, Args: []string{"x y"}, Stdin: "typed\n"})
			if err != nil || out.Stdout != "provided ['<code>', 'x y'] typed True\n" || out.Stderr != "" || out.ExitCode == nil || *out.ExitCode != 7 || out.State != facade.TaskFailed {
				t.Fatalf("the run gives %+v, %v", out, err)
			}
			if len(out.Artifacts) != 1 || len(out.Results) != 1 || string(out.Results[0].Data) != "[1]" {
				t.Errorf("it leaves %+v and %+v", out.Artifacts, out.Results)
			}
			want := called{
				Options: []string{"run", "--quiet", "--python", "/usr/bin/python3", "--script"},
				UV:      map[string]string{"UV_CACHE_DIR": dir + "/.toolfacade/uv", "UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never"},
				Block:   "# /// script\n# dependencies = [\"provided>=1\", # why\n#   'other'\n# ]\n",
			}
			if box.Name() != "none" {
				want.UV["UV_OFFLINE"] = "1"
			}
			var got called
			raw, err := os.ReadFile(dir + "/.toolfacade/uv/called.json")
			if err = errors.Join(err, json.Unmarshal(raw, &got)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("uv was called with (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUVRunsScripts runs a file of the project, whose neighbors it imports.
func TestUVRunsScripts(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"work/main.py":    "#!/usr/bin/env -S uv run --script\r\n" + strings.ReplaceAll(declare(`"provided"`, "import provided, near\nprint(provided.name, near.n, __file__)\n1 / 0\n"), "\n", "\r\n"),
				"work/near.py":    "n = 5\n",
				"work/logging.py": "raise SystemExit('shadowed')\n",
			} {
				if err := errors.Join(os.MkdirAll(dir+"/work", 0o755), os.WriteFile(dir+"/"+name, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			p := withUV(t, dir, box, true)
			begun, err := p.RunBackground(t.Context(), facade.PythonRunInput{Script: "work/main.py"})
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.TaskStatus(t.Context(), facade.PythonTaskStatusInput{TaskID: begun.TaskID, WaitMS: 60_000})
			want := "provided 5 work/main.py\nTraceback (most recent call last):\n  File \"work/main.py\", line 7, in <module>\n"
			if err != nil || !strings.HasPrefix(out.Output, want) || out.State != facade.TaskFailed || *out.ExitCode != 1 {
				t.Errorf("the task gives %+v, %v", out, err)
			}
			raw, err := os.ReadFile(dir + "/.toolfacade/uv/called.json")
			if err != nil || strings.Contains(string(raw), "OFFLINE") {
				t.Errorf("with a network uv is called with %s, %v", raw, err)
			}
		})
	}
}

// TestUVProvidesNothing runs programs that cannot have what they declare.
func TestUVProvidesNothing(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			p := withUV(t, t.TempDir(), box, false)
			out, err := p.Run(t.Context(), facade.PythonRunInput{Code: declare(`"missing"`, "print('ran')")})
			if err != nil || out.State != facade.TaskStartFailed || out.Stdout != "" || !strings.Contains(out.Stderr, "No solution found") {
				t.Errorf("what uv does not find gives %+v, %v", out, err)
			}
			wants := []string{"uv did not provide its dependencies (missing)", "did not begin"}
			if box.Name() != "none" {
				wants = append(wants, "no network", "the host has to allow the network")
			}
			for _, w := range wants {
				if !strings.Contains(out.Reason, w) {
					t.Errorf("the reason %q lacks %q", out.Reason, w)
				}
			}
			began := time.Now()
			out, err = p.Run(t.Context(), facade.PythonRunInput{Code: declare(`"slow"`, "print('ran')"), Timeout: 1})
			if err != nil || out.State != facade.TaskTimedOut || !strings.Contains(out.Reason, "(slow)") || time.Since(began) > 30*time.Second {
				t.Errorf("after %v a slow uv gives %+v, %v", time.Since(began), out, err)
			}
			if len(out.Leaked) > 0 {
				t.Errorf("it leaves %v", out.Leaked)
			}
			out, err = p.Run(t.Context(), facade.PythonRunInput{Code: declare(`"provided"`, "1 / 0")})
			if err != nil || out.State != facade.TaskFailed || out.Reason != "" {
				t.Errorf("a program that fails by itself gives %+v, %v", out, err)
			}
		})
	}
}

// TestWithoutUV has nothing run without its dependencies.
func TestWithoutUV(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", "/usr/bin:/bin") // uv is not in Debian
	if err := os.WriteFile(dir+"/s.py", []byte(declare(`"rich>=13", "httpx"`, "print('ran')")), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, uv := range map[string]string{"not in PATH": "", "not where the host says": "/no/such/uv"} {
		p := openUV(t, dir, sandbox.None{}, false, uv)
		for _, in := range []facade.PythonRunInput{
			{Script: "s.py"}, {Code: declare(`"rich>=13", "httpx"`, "print('ran')")}, {Script: "s.py", YieldMS: 1000}, {Script: "s.py", Python: "system"},
		} {
			for how, call := range map[string]func(context.Context) error{
				"run":            func(ctx context.Context) error { _, err := p.Run(ctx, in); return err },
				"run_background": func(ctx context.Context) error { _, err := p.RunBackground(ctx, in); return err },
			} {
				e, ok := errors.AsType[*facade.Error](call(t.Context()))
				if !ok || e.Code != facade.CodeUnavailable || !strings.Contains(e.Message, "rich>=13, httpx") || !strings.Contains(e.Hint, "install uv") {
					t.Errorf("%s: %s gives %v", name, how, e)
				}
			}
		}
		list, err := p.ListTasks(t.Context(), facade.PythonListTasksInput{})
		if err != nil || len(list.Tasks) > 0 {
			t.Errorf("%s: there are tasks: %+v, %v", name, list.Tasks, err)
		}
	}
}

func TestMetadataRefused(t *testing.T) {
	dir := t.TempDir()
	p := withUV(t, dir, sandbox.None{}, false)
	if err := os.WriteFile(dir+"/open.py", []byte("# /// script\n# dependencies = []\nprint()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in    facade.PythonRunInput
		code  facade.Code
		field string
	}{
		{facade.PythonRunInput{Code: declare(`1`, "")}, facade.CodeInvalidArgument, "code"},
		{facade.PythonRunInput{Code: declare(`"a" "b"`, "")}, facade.CodeInvalidArgument, "code"},
		{facade.PythonRunInput{Script: declare(`"a`, "print()")}, facade.CodeInvalidArgument, "script"},
		{facade.PythonRunInput{Code: declare(``, declare(``, ""))}, facade.CodeInvalidArgument, "code"},
		{facade.PythonRunInput{Script: "open.py"}, facade.CodeInvalidArgument, "script"},
		{facade.PythonRunInput{Code: declare(`"a"`, ""), Session: "s"}, facade.CodeUnsupported, "session"},
	} {
		_, err := p.Run(t.Context(), c.in)
		if e, ok := errors.AsType[*facade.Error](err); !ok || e.Code != c.code || e.Field != c.field || e.Hint == "" {
			t.Errorf("%.60q gives %v", c.in.Code+c.in.Script, err)
		}
	}
	// Without dependencies nobody is needed to provide any.
	for _, code := range []string{declare("", "print('ran')"), "text = '''\n# /// pyproject\n'''\nprint('ran')"} {
		if out := run(t, p, code); out.Stdout != "ran\n" {
			t.Errorf("%q gives %+v", code, out)
		}
	}
	if _, err := os.Stat(dir + "/.toolfacade/uv"); err == nil {
		t.Error("uv was run")
	}
}
