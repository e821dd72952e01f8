package exectool

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// useless is a sandbox that never works.
type useless struct{ sandbox.None }

func (useless) Name() string { return "useless" }

func (useless) Start(sandbox.Child, sandbox.Policy) (*os.Process, error) {
	return nil, errors.New("refused at /secret/path")
}

func runner(t testing.TB, opts *Options) *Runner {
	t.Helper()
	r, err := New(t.Context(), t.TempDir(), opts, Terms{List: "list"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestUnavailable(t *testing.T) {
	r := runner(t, &Options{Sandbox: sandbox.None{}})
	_, r.noBox = sandbox.Auto(t.Context(), sandbox.Capability("magic")) // held by none
	_, err := r.Run(t.Context(), Job{Path: "/bin/sh", Dir: r.Dir()})
	e, ok := errors.AsType[*facade.Error](err)
	if !ok || e.Code != facade.CodeUnavailable || !strings.Contains(e.Hint, "the host has to") {
		t.Errorf("without a sandbox a run gives %v", err)
	}
}

func TestStartFails(t *testing.T) {
	r := runner(t, &Options{Sandbox: useless{}})
	finished := 0
	_, err := r.Run(t.Context(), Job{Label: "program", Path: "/bin/sh", Dir: r.Dir(), Finish: func(id string, _ *facade.PythonRunOutput) {
		if finished++; id != "" {
			t.Errorf("what never ran has the id %q", id)
		}
	}})
	e, ok := errors.AsType[*facade.Error](err)
	if !ok || e.Code != facade.CodeUnavailable || strings.Contains(e.Text(), "secret") || e.Hint == "" {
		t.Errorf("the start gives %v", err)
	}
	if finished != 1 {
		t.Errorf("Finish was called %d times", finished)
	}
}

func TestEndedContext(t *testing.T) {
	r := runner(t, &Options{Sandbox: useless{}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	finished := false
	_, err := r.Run(ctx, Job{Path: "/bin/sh", Dir: r.Dir(), Finish: func(string, *facade.PythonRunOutput) { finished = true }})
	if !errors.Is(err, context.Canceled) || !finished {
		t.Errorf("an ended context gives %v, finished=%v", err, finished)
	}
}

func TestPaths(t *testing.T) {
	r := runner(t, &Options{Sandbox: sandbox.None{}})
	away := t.TempDir()
	for _, err := range []error{
		os.Mkdir(r.Dir()+"/d", 0o755), os.WriteFile(r.Dir()+"/f", nil, 0o644), os.Symlink(away, r.Dir()+"/out"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path      string
		dir, file facade.Code
	}{
		{"", "", facade.CodeIsDirectory},
		{"d", "", facade.CodeIsDirectory},
		{r.Dir() + "/d", "", facade.CodeIsDirectory},
		{"f", facade.CodeNotDirectory, ""},
		{"missing", facade.CodeNotFound, facade.CodeNotFound},
		{"out", facade.CodeOutsideRoot, facade.CodeOutsideRoot},
		{"..", facade.CodeOutsideRoot, facade.CodeOutsideRoot},
		{"d/../../x", facade.CodeOutsideRoot, facade.CodeOutsideRoot},
		{"/etc", facade.CodeOutsideRoot, facade.CodeOutsideRoot},
		{r.Dir() + "-sibling", facade.CodeOutsideRoot, facade.CodeOutsideRoot},
	} {
		if _, err := r.Directory(c.path); facade.CodeOf(err) != c.dir {
			t.Errorf("Directory(%q) gives %v, want %q", c.path, err, c.dir)
		}
		if _, err := r.File("script", c.path); facade.CodeOf(err) != c.file {
			t.Errorf("File(%q) gives %v, want %q", c.path, err, c.file)
		}
	}
}
