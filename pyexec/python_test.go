//go:build unix

package pyexec_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// boxes are the sandboxes that work here.
func boxes(t *testing.T) []sandbox.Sandbox {
	t.Helper()
	testenv.NeedProgram(t, "python3")
	out := []sandbox.Sandbox{sandbox.None{}}
	for _, s := range []sandbox.Sandbox{sandbox.Namespaces{}, sandbox.Bubblewrap{}} {
		if err := sandbox.Require(t.Context(), s, sandbox.FileWrites, sandbox.ProcessTree); err == nil {
			out = append(out, s)
		} else if testenv.Required() {
			t.Error(err)
		}
	}
	return out
}

func open(t testing.TB, dir string, box sandbox.Sandbox) *pyexec.Python {
	t.Helper()
	opts := &pyexec.Options{Options: runner.Options{Sandbox: box, TaskDir: t.TempDir()}}
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		opts.Interpreter = "/usr/bin/python3" // no wrapper script
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
	return p
}

func TestContract(t *testing.T) {
	t.Setenv("TOOLFACADE_HOST_SECRET", "leaked")
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			facadetest.TestPython(t, facadetest.PythonHarness{New: func(t testing.TB) *facadetest.PythonFixture {
				dir := t.TempDir()
				return &facadetest.PythonFixture{Tools: open(t, dir, box), Store: facadetest.NewDirStore(dir), HostPath: dir}
			}})
		})
	}
}

func run(t testing.TB, p *pyexec.Python, code string) facade.PythonRunOutput {
	t.Helper()
	out, err := p.Run(t.Context(), facade.PythonRunInput{Code: code})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestArtifacts(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			dir := t.TempDir()
			out := run(t, open(t, dir, box), `
import base64, os
where = os.environ["PYTHON_ARTIFACTS"]
os.mkdir(where + "/sub")
open(where + "/sub/table.csv", "w").write("a,b\n")
open(where + "/dot.png", "wb").write(base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
os.symlink("/etc/passwd", where + "/link")
os.mkfifo(where + "/fifo")
`)
			if out.State != facade.TaskSucceeded || len(out.Artifacts) != 2 {
				t.Fatalf("the run gives %+v", out)
			}
			for i, want := range []struct{ suffix, mime string }{{"/dot.png", "image/png"}, {"/sub/table.csv", "text/csv"}} {
				a := out.Artifacts[i]
				info, err := os.Stat(dir + "/" + a.Path)
				if err != nil || info.Size() != a.Size || !strings.HasSuffix(a.Path, want.suffix) || !strings.HasPrefix(a.MIME, want.mime) || len(a.SHA256) != 64 {
					t.Errorf("the artifact is %+v, %v; want %v", a, err, want)
				}
			}
			if parts := out.Attachments(); len(parts) != 1 || parts[0].MIME != "image/png" || len(parts[0].Data) != int(out.Artifacts[0].Size) {
				t.Errorf("%d parts are attached", len(parts))
			}
		})
	}
}

// TestArtifactsStayInside plants a link where artifacts are kept.
func TestArtifactsStayInside(t *testing.T) {
	testenv.NeedProgram(t, "python3")
	dir, away := t.TempDir(), t.TempDir()
	if err := os.Symlink(away, dir+"/.toolfacade"); err != nil {
		t.Fatal(err)
	}
	out := run(t, open(t, dir, sandbox.None{}), `import os; open(os.environ["PYTHON_ARTIFACTS"] + "/a", "w").write("x")`)
	if left, err := os.ReadDir(away); err != nil || len(left) > 0 || len(out.Artifacts) > 0 {
		t.Errorf("outside there is %v, %v; listed are %v", left, err, out.Artifacts)
	}
}

func TestVenv(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			dir := t.TempDir()
			p := open(t, dir, box)
			if out, err := exec.CommandContext(t.Context(), "/usr/bin/python3", "-m", "venv", "--without-pip", dir+"/.venv").CombinedOutput(); err != nil {
				testenv.Missing(t, "no venv: %v: %s", err, out)
			}
			const code = "import sys; print(sys.prefix != sys.base_prefix)"
			if out := run(t, p, code); out.Stdout != "True\n" {
				t.Errorf("the project's environment is not used: %q %s", out.Stdout, out.Stderr)
			}
			out, err := p.Run(t.Context(), facade.PythonRunInput{Code: code, Python: "system"})
			if err != nil || out.Stdout != "False\n" {
				t.Errorf("with system: %q, %v", out.Stdout, err)
			}
		})
	}
}

func TestNoInterpreter(t *testing.T) {
	opts := &pyexec.Options{Options: runner.Options{Sandbox: sandbox.None{}}, Interpreter: "/no/such/python"}
	p, err := pyexec.Open(t.Context(), t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := p.Run(context.Background(), facade.PythonRunInput{Code: "1"}); facade.CodeOf(err) != facade.CodeUnavailable {
		t.Errorf("without an interpreter: %v", err)
	}
}

func TestSpoolIsRemoved(t *testing.T) {
	testenv.NeedProgram(t, "python3")
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	p := open(t, t.TempDir(), sandbox.None{})
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			for range 8 {
				if _, err := p.Run(t.Context(), facade.PythonRunInput{Code: "print(1)"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	if _, err := p.Run(t.Context(), facade.PythonRunInput{Code: "1", Cwd: "missing"}); err == nil {
		t.Error("a missing directory is taken")
	}
	// Nobody waits for the removal. A directory made ahead for the next task may
	// stay, with nothing in it.
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		left, err := filepath.Glob(tmp + "/*/*")
		inside, err2 := filepath.Glob(tmp + "/*/*/*")
		if err == nil && err2 == nil && len(left) <= 1 && len(inside) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("left behind: %v, %v, %v", left, inside, errors.Join(err, err2))
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) != 0 {
		t.Errorf("left behind when closed: %v, %v", left, err)
	}
}
