//go:build amd64 || arm64

package taskspool_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/internal/taskspool"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// python is an interpreter that is no wrapper script.
func python(t testing.TB) string {
	t.Helper()
	path := testenv.NeedProgram(t, "python3")
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		return "/usr/bin/python3"
	}
	return path
}

// options run tasks below root in a sandbox.
func options(t testing.TB, root string, box sandbox.Sandbox) *taskspool.Options {
	t.Helper()
	return &taskspool.Options{
		Interpreter: python(t), Isolation: box.Name(),
		Prepare: func(spec facade.TaskSpec, dir string) (proc.Command, error) {
			c := proc.Command{
				Path: spec.Program, Args: spec.Flags, Dir: filepath.Join(root, spec.Dir), OutputLimit: spec.OutputLimit,
				Env: append([]string{"PATH=/usr/bin:/bin"}, spec.Env...),
				Launch: func(c proc.Child) (*os.Process, error) {
					return box.Start(c, sandbox.Policy{Writable: []string{root, dir}})
				},
			}
			switch {
			case strings.Contains(c.Path, "/") && !filepath.IsAbs(c.Path):
				c.Path = filepath.Join(root, c.Path)
				if _, err := os.Stat(c.Path); err != nil {
					return c, facade.Errorf(facade.CodeNotFound, "there is no program %s", spec.Program)
				}
			case !filepath.IsAbs(c.Path):
				path, err := exec.LookPath(c.Path)
				if err != nil {
					return c, facade.Errorf(facade.CodeNotFound, "there is no program %s", c.Path)
				}
				c.Path = path
			}
			if spec.File != "" {
				c.Args = append(c.Args, filepath.Join(dir, spec.File))
			}
			c.Args = append(c.Args, spec.Args...)
			return c, nil
		},
	}
}

// open opens a spool that is closed with the test.
func open(t testing.TB, dir string, opts *taskspool.Options) *taskspool.Spool {
	t.Helper()
	s, err := taskspool.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	})
	return s
}

// boxes are the sandboxes that work here.
func boxes(t *testing.T) []sandbox.Sandbox {
	t.Helper()
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

// supervisorOf is the process id of a task's supervisor.
func supervisorOf(t testing.TB, dir, id string) int {
	t.Helper()
	var st struct{ Supervisor int }
	raw, err := os.ReadFile(filepath.Join(dir, id, "start.json"))
	if err == nil {
		err = json.Unmarshal(raw, &st)
	}
	if err != nil || st.Supervisor == 0 {
		t.Fatalf("the supervisor of %s: %v", id, err)
	}
	return st.Supervisor
}

func TestConformance(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			facadetest.TestTaskStore(t, facadetest.TaskStoreHarness{New: func(t testing.TB) *facadetest.TaskStoreFixture {
				root, dir := t.TempDir(), filepath.Join(t.TempDir(), "spool")
				opts := options(t, root, box)
				return &facadetest.TaskStoreFixture{
					Tasks: open(t, dir, opts), Root: facadetest.NewDirStore(root),
					Again: func(t testing.TB) facade.TaskStore { return open(t, dir, opts) },
					Lose: func(t testing.TB, id string) {
						if err := unix.Kill(supervisorOf(t, dir, id), unix.SIGKILL); err != nil {
							t.Fatal(err)
						}
					},
				}
			}})
		})
	}
}
