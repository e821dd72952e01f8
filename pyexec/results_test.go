//go:build unix

package pyexec_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/sandbox"
)

// shows displays a value of each kind.
const shows = `
class Table:
    def __repr__(self): return "a  b"
    def _repr_html_(self): return "<table>"
class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None): return {"application/vnd.x+json": {"k": 1}}
display({"n": 12345678901234567890, "s": "é"}, "text")
display(Table())
display(Bundle())
display(float("nan"), Table)
display("a,b\n", mime="text/csv")
display(bytes.fromhex("89504e470d0a1a0a0000000d49484452"), mime="image/png")
print("done")
`

// wanted is what they give: media type and value, or the ending of the path.
var wanted = [][2]string{
	{"application/json", `{"n": 12345678901234567890, "s": "\u00e9"}`},
	{"text/plain", `"text"`},
	{"text/plain", `"a  b"`},
	{"text/html", `"<table>"`},
	{"text/plain", "repr"},
	{"application/vnd.x+json", `{"k": 1}`},
	{"text/plain", `"nan"`},
	{"text/plain", `"<class '__main__.Table'>"`},
	{"text/csv", `"a,b\n"`},
	{"image/png", "result-10.png"},
}

// shown checks what the values above came to.
func shown(t *testing.T, dir string, results []facade.RichResult, artifacts []facade.Artifact, parts []facade.Part) {
	t.Helper()
	var got [][2]string
	for _, r := range results {
		value := string(r.Data)
		if strings.Contains(value, "Bundle object") {
			value = "repr"
		}
		if r.Path != "" {
			value = r.Path[strings.LastIndex(r.Path, "/")+1:]
		}
		got = append(got, [2]string{r.MIME, value})
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if len(artifacts) != 1 || artifacts[0].MIME != "image/png" || artifacts[0].Size != 16 || len(parts) != 1 || len(parts[0].Data) != 16 {
		t.Fatalf("the artifacts are %+v, with %d parts", artifacts, len(parts))
	}
	if info, err := os.Stat(dir + "/" + artifacts[0].Path); err != nil || info.Size() != 16 {
		t.Errorf("the artifact is %v, %v", info, err)
	}
}

// ways are the ways to run a program.
var ways = map[string]func(t *testing.T, p *pyexec.Python, code string) facade.PythonRunOutput{
	"cold": func(t *testing.T, p *pyexec.Python, code string) facade.PythonRunOutput {
		t.Helper()
		return run(t, p, code)
	},
	"session": func(t *testing.T, p *pyexec.Python, code string) facade.PythonRunOutput {
		t.Helper()
		out, err := p.Run(t.Context(), facade.PythonRunInput{Code: code, Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		return out
	},
	"promoted": func(t *testing.T, p *pyexec.Python, code string) facade.PythonRunOutput {
		t.Helper()
		out, err := p.Run(t.Context(), facade.PythonRunInput{Code: code, YieldMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		return out
	},
	"background": func(t *testing.T, p *pyexec.Python, code string) facade.PythonRunOutput {
		t.Helper()
		begun, err := p.RunBackground(t.Context(), facade.PythonRunInput{Code: code})
		if err != nil {
			t.Fatal(err)
		}
		end, err := p.TaskStatus(t.Context(), facade.PythonTaskStatusInput{TaskID: begun.TaskID, WaitMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		out := facade.PythonRunOutput{State: end.State, Stdout: end.Output, Results: end.Results, Artifacts: end.Artifacts}
		for _, part := range end.Attachments() {
			out.AddPart(part)
		}
		return out
	},
}

func TestResults(t *testing.T) {
	for _, box := range boxes(t) {
		for name, way := range ways {
			t.Run(box.Name()+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				out := way(t, open(t, dir, box), shows)
				if out.State != facade.TaskSucceeded || out.Stdout != "done\n" {
					t.Fatalf("the run gives %+v", out)
				}
				shown(t, dir, out.Results, out.Artifacts, out.Attachments())
			})
		}
		t.Run(box.Name()+"/warm", func(t *testing.T) {
			dir := t.TempDir()
			p := opened(t, dir, box, pyexec.PoolOptions{Size: 1})
			if out := run(t, p, isWarm); out.Stdout != "warm\n" {
				t.Fatalf("the run is %+v", out)
			}
			out := run(t, p, shows)
			shown(t, dir, out.Results, out.Artifacts, out.Attachments())
			if again := run(t, p, "display(1)"); len(again.Results) != 1 || string(again.Results[0].Data) != "1" {
				t.Errorf("the next program has %+v", again.Results)
			}
		})
	}
}

// TestResultsOfAFailure keeps what a program displayed before it failed.
func TestResultsOfAFailure(t *testing.T) {
	p := open(t, t.TempDir(), sandbox.None{})
	for name, code := range map[string]string{
		"exception": "display(1)\n1 / 0",
		"killed":    "display(1)\nimport os; os.kill(os.getpid(), 9)",
	} {
		if out := run(t, p, code); out.State != facade.TaskFailed || len(out.Results) != 1 {
			t.Errorf("%s: %+v", name, out)
		}
	}
	out, err := p.Run(t.Context(), facade.PythonRunInput{Code: "display(1)\nimport time; time.sleep(600)", Timeout: 1})
	if err != nil || out.State != facade.TaskTimedOut || len(out.Results) != 1 {
		t.Errorf("timed out: %+v, %v", out, err)
	}
}

// TestBadResults writes to the file of results what display never would.
func TestBadResults(t *testing.T) {
	p := open(t, t.TempDir(), sandbox.None{})
	const write = "import os\nname = os.environ['PYTHON_RESULTS']\ndef put(s): open(name, 'a').write(s)\n"
	for _, c := range []struct {
		name, code string
		results    int
		note       string
	}{
		{"nothing", "", 0, ""},
		{"empty lines", "put('\\n\\n')", 0, ""},
		{"no line end", "put('{\"application/json\": [1]}')", 1, ""},
		{"no JSON", "put('{\"application/json\": [1]}\\nnonsense\\n{\"text/plain\": \"x\"}\\n')", 2, "the first in line 2"},
		{"no object", "put('[1]\\n')", 0, "line 1"},
		{"no form", "put('{}\\n')", 0, "it has no form"},
		{"no type", "put('{\"json\": 1}\\n')", 0, `"json" is no media type`},
		{"no text", "put('{\"text/plain\": 1}\\n')", 0, "has to be a string"},
		{"no base64", "put('{\"image/png\": \"!\"}\\n')", 0, "has to be in base64"},
		{"bytes", "open(name, 'wb').write(bytes(range(256)))", 0, "line 1"},
		{"many", "put('{\"application/json\": 1}\\n' * 65)", 64, "only the first 64 results"},
		{"long line", "put('{\"text/plain\": \"' + 'x' * (17 << 20) + '\"}')", 0, "left out"},
		{"link", "os.symlink('/etc/passwd', name)", 0, "could not be read"},
		{"pipe", "os.mkfifo(name)", 0, "could not be read"},
		{"directory", "os.mkdir(name)", 0, "could not be read"},
	} {
		out := run(t, p, write+c.code)
		notes := notes(out)
		if out.State != facade.TaskSucceeded || len(out.Results) != c.results || c.note == "" != (notes == "") || !strings.Contains(notes, c.note) {
			t.Errorf("%s: %d results, notes %q, %+v", c.name, len(out.Results), notes, out)
		}
	}
}

// notes are those of a reply.
func notes(out facade.PythonRunOutput) string {
	var r facade.Result
	out.Present(&r)
	return strings.Join(r.Notes, "\n")
}

func TestLongResults(t *testing.T) {
	dir := t.TempDir()
	p := open(t, dir, sandbox.None{})
	out := run(t, p, `
import os
open(os.environ["PYTHON_ARTIFACTS"] + "/result-3.txt", "w").write("own")
for n in (8000, 8000, 8000, 9000):
    display("é" * (n // 2), mime="text/plain")
display(b"no image", mime="image/png")
display("<svg/>", mime="image/svg+xml")
`)
	var got []string
	for _, r := range out.Results {
		s := "in the reply"
		if r.Path != "" {
			raw, err := os.ReadFile(dir + "/" + r.Path)
			if s = r.Path[strings.LastIndex(r.Path, "/")+1:]; err != nil || int64(len(raw)) != r.Size {
				t.Errorf("%s has %d bytes, %v; want %d", r.Path, len(raw), err, r.Size)
			}
		}
		got = append(got, s)
	}
	if diff := cmp.Diff([]string{"result-1.txt", "result-2.txt", "result-3-1.txt", "result-4.txt", "result-5.png", "result-6.svg"}, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if parts := out.Attachments(); len(parts) != 0 {
		t.Errorf("what is no image is shown: %v", parts[0].MIME)
	}
	short := run(t, p, "for n in range(3): display('x' * 7000)")
	if r := short.Results; len(r) != 3 || r[0].Path+r[1].Path != "" || r[2].Path == "" || len(r[0].Data) != 7002 {
		t.Errorf("short results are %.200v", r)
	}
}

// TestResultsKeepTheBudget asks for replies that have no room for all.
func TestResultsKeepTheBudget(t *testing.T) {
	const budget = 12 << 10
	tool := facade.Python(open(t, t.TempDir(), sandbox.None{}))
	set := facade.NewSet([]*facade.Tool{tool}, &facade.Options{OutputBudget: budget})
	call := func(args string) *facade.Result {
		t.Helper()
		res, err := set.Dispatch(t.Context(), "python", facade.Call{Args: []byte(args)})
		if err != nil || !res.OK() || len(res.JSON()) > budget || len(res.Text) > budget {
			t.Fatalf("%v, %d bytes, %.300s", err, len(res.JSON()), res.Text)
		}
		return res
	}
	const code = `"for n in (1000, 3500, 10): display('x' * n)\nprint('y' * 100_000)"`
	res := call(`{"action":"run","code":` + code + `}`)
	started := call(`{"action":"run_background","code":` + code + `}`).Data.(facade.PythonRunBackgroundOutput)
	status := call(`{"action":"task_status","wait_ms":60000,"task_id":"` + started.TaskID + `"}`)
	for _, r := range []*facade.Result{res, status} {
		for _, want := range []string{strings.Repeat("x", 1000), "[result text/plain: 3500 bytes, left out for lack of room]", "xxxxxxxxxx", "yyyy"} {
			if !strings.Contains(r.Text, want) {
				t.Errorf("%.20s is missing in %.1500s", want, r.Text)
			}
		}
	}
}

// TestFigures draws with the real library.
func TestFigures(t *testing.T) {
	all := boxes(t)
	if !testenv.Full() { // the library takes long to load
		all = all[min(1, len(all)-1):][:1]
	}
	for _, box := range all {
		t.Run(box.Name(), func(t *testing.T) {
			p := open(t, t.TempDir(), box)
			if out := run(t, p, "import matplotlib.pyplot"); out.State != facade.TaskSucceeded {
				testenv.Missing(t, "matplotlib is not installed: %s", out.Stderr)
			}
			out := run(t, p, `
import matplotlib.pyplot as plt
plt.plot([1, 2])
figure = plt.figure()
figure.gca().plot([2, 1])
display(figure)
`)
			parts := out.Attachments()
			if out.State != facade.TaskSucceeded || len(parts) != 2 || len(out.Artifacts) != 2 || len(out.Results) != 1 {
				t.Fatalf("the run gives %+v and %d parts", out, len(parts))
			}
			for _, part := range parts {
				if part.MIME != "image/png" || !bytes.HasPrefix(part.Data, []byte("\x89PNG")) {
					t.Errorf("a part is %s, %d bytes", part.MIME, len(part.Data))
				}
			}
		})
	}
}

// TestChildReports has another program of the same run report a result.
func TestChildReports(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	p := open(t, t.TempDir(), sandbox.None{})
	out := run(t, p, `import subprocess; subprocess.run(["sh", "-c", "echo '{\"application/json\": [1]}' >> $PYTHON_RESULTS"], check=True)`)
	if len(out.Results) != 1 || string(out.Results[0].Data) != "[1]" {
		t.Errorf("the results are %+v", out)
	}
}
