package exectool

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// useless is a sandbox that never works.
type useless struct{ sandbox.None }

func (useless) Name() string { return "useless" }

func (useless) Start(sandbox.Child, sandbox.Policy) (*os.Process, error) {
	return nil, errors.New("refused at /secret/path")
}

func open(t testing.TB, opts *runner.Options) *Runner {
	t.Helper()
	r, err := New(t.Context(), t.TempDir(), opts, Hooks{Tool: "test", List: "list"})
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
	r := open(t, &runner.Options{Sandbox: sandbox.None{}})
	_, r.noBox = sandbox.Auto(t.Context(), sandbox.Capability("magic")) // held by none
	_, err := r.Run(t.Context(), jobOf("/bin/sh"))
	e, ok := errors.AsType[*facade.Error](err)
	if !ok || e.Code != facade.CodeUnavailable || !strings.Contains(e.Hint, "the host has to") {
		t.Errorf("without a sandbox a run gives %v", err)
	}
}

// jobOf is a job for a program.
func jobOf(path string) Job {
	return Job{Spec: facade.TaskSpec{Label: "program", Program: path, Files: []facade.TaskFile{{Name: "f"}}}}
}

func TestStartFails(t *testing.T) {
	r := open(t, &runner.Options{Sandbox: useless{}, TaskDir: t.TempDir()})
	_, err := r.Run(t.Context(), jobOf("/bin/sh"))
	_, background := r.Background(t.Context(), jobOf("/bin/sh"))
	for _, err := range []error{err, background} {
		e, ok := errors.AsType[*facade.Error](err)
		if !ok || e.Code != facade.CodeUnavailable || strings.Contains(e.Text(), "secret") || e.Hint == "" {
			t.Errorf("the start gives %v", err)
		}
	}
	if left, err := os.ReadDir(r.Spool()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEndedContext(t *testing.T) {
	r := open(t, &runner.Options{Sandbox: useless{}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Run(ctx, jobOf("/bin/sh")); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
}

func TestPaths(t *testing.T) {
	r := open(t, &runner.Options{Sandbox: sandbox.None{}})
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
