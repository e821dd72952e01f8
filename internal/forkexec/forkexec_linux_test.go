//go:build amd64 || arm64

package forkexec_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/forkexec"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run executes a shell line after the plan and returns what it writes.
func run(t *testing.T, p *forkexec.Plan, line string) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	child, err := p.Start(forkexec.Exec{
		Path: "/bin/sh", Args: []string{"sh", "-c", line}, Env: []string{"A=1"}, Dir: "/",
		Files: []*os.File{null, w, w},
	})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestSteps(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, line, want string
		plan             func(p *forkexec.Plan)
	}{
		{"nothing", "echo $A; pwd", "1\n/", func(*forkexec.Plan) {}},
		{"limit", "ulimit -n", "77", func(p *forkexec.Plan) { p.Limit(unix.RLIMIT_NOFILE, 77, 77) }},
		{"files", "cat " + dir + "/d/f; readlink " + dir + "/l", "text\nd", func(p *forkexec.Plan) {
			p.Mkdir(dir+"/d", 0o755)
			p.Mkdir(dir+"/d", 0o755)
			p.Touch(dir + "/d/f")
			p.WriteFile(dir+"/d/f", "text\n")
			p.Symlink("d", dir+"/l")
		}},
		{"capabilities", "grep -h -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status | tr -s '\\t 0' '   ' | tr '\\n' ';'", "CapEff: ;CapBnd: ;NoNewPrivs: 1;", func(p *forkexec.Plan) {
			if os.Geteuid() != 0 { // only with the right to drop them
				p.Clone(unix.CLONE_NEWUSER)
			}
			p.DropCapabilities()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p forkexec.Plan
			c.plan(&p)
			if got := run(t, &p, c.line); got != c.want {
				t.Errorf("it wrote %q, want %q", got, c.want)
			}
		})
	}
}

func TestNoOtherDescriptor(t *testing.T) {
	// A descriptor without close-on-exec, as a C library opens it.
	fd, err := unix.Open("/dev/null", unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	var p forkexec.Plan
	if got := run(t, &p, "ls /proc/self/fd | tr '\\n' ' '"); got != "0 1 2 3" { // 3 is of ls
		t.Errorf("the child has the descriptors %s", got)
	}
}

func TestFailingStep(t *testing.T) {
	for _, c := range []struct {
		name, step string
		errno      error
		plan       func(p *forkexec.Plan)
		path       string
	}{
		{"chdir", "chdir /no-such", unix.ENOENT, func(p *forkexec.Plan) { p.Chdir("/no-such") }, "/bin/sh"},
		{"exec", "execve /no-such", unix.ENOENT, func(*forkexec.Plan) {}, "/no-such"},
		{"clone", "clone", unix.EINVAL, func(p *forkexec.Plan) { p.Clone(unix.CLONE_THREAD) }, "/bin/sh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p forkexec.Plan
			c.plan(&p)
			child, err := p.Start(forkexec.Exec{Path: c.path, Args: []string{"x"}})
			step, ok := errors.AsType[*forkexec.StepError](err)
			if !ok || step.Step != c.step || !errors.Is(err, c.errno) || child != nil {
				t.Errorf("Start gives %v, %v; want the failed step %q with %v", child, err, c.step, c.errno)
			}
		})
	}
}

// supervised starts a line of the shell under a python that tells what it sees.
func supervised(t *testing.T, p *forkexec.Plan, path, program string) (string, *forkexec.Supervisor, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	under := &forkexec.Supervisor{
		Path: path, Args: []string{"python3", "-I", "-c", program}, Env: []string{"ROLE=supervisor"}, Files: []*os.File{null, w, w},
	}
	proc, err := p.Start(forkexec.Exec{
		Path: "/bin/sh", Args: []string{"sh", "-c", "sleep 0.2; exit 7"}, Env: []string{"A=1"}, Dir: "/",
		Files: []*os.File{null, null, null}, Under: under,
	})
	if cerr := w.Close(); cerr != nil {
		t.Fatal(cerr)
	}
	if err != nil {
		return "", under, err
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := proc.Wait(); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out)), under, nil
}

const tell = `
import os, struct, sys
pid, = struct.unpack("=q", os.read(3, 8))
got, status = os.waitpid(pid, 0)
print(pid, got == pid, os.WEXITSTATUS(status), os.getsid(0) == os.getpid(), os.environ["ROLE"], "A" in os.environ, os.getcwd(), os.read(3, 1))
`

func TestUnderSupervisor(t *testing.T) {
	python := testenv.NeedProgram(t, "python3")
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		python = "/usr/bin/python3"
	}
	for name, flags := range map[string]uintptr{"plain": 0, "namespace": unix.CLONE_NEWUSER | unix.CLONE_NEWPID} {
		t.Run(name, func(t *testing.T) {
			var p forkexec.Plan
			p.Clone(flags)
			p.Group()
			got, under, err := supervised(t, &p, python, tell)
			if want := fmt.Sprintf("%d True 7 True supervisor False / b''", under.Child); err != nil || got != want || under.Child == 0 {
				t.Errorf("the supervisor tells %q, %v; want %q", got, err, want)
			}
		})
	}
}

func TestSupervisorFails(t *testing.T) {
	var p forkexec.Plan
	p.DieWithParent()
	_, under, err := supervised(t, &p, "/no-such", "")
	step, ok := errors.AsType[*forkexec.StepError](err)
	if !ok || step.Step != "execve /no-such" || under.Child == 0 {
		t.Fatalf("a missing supervisor gives %v", err)
	}
	for end := time.Now().Add(5 * time.Second); unix.Kill(under.Child, 0) == nil; time.Sleep(time.Millisecond) {
		if raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", under.Child)); strings.Contains(string(raw), ") Z ") {
			break // whoever reaps here does so later
		}
		if time.Now().After(end) {
			t.Fatalf("the child %d of the missing supervisor lives", under.Child)
		}
	}
	p = forkexec.Plan{}
	p.Chdir("/missing")
	_, _, err = supervised(t, &p, "/bin/sh", "")
	if step, ok := errors.AsType[*forkexec.StepError](err); !ok || step.Step != "chdir /missing" {
		t.Errorf("a failing step gives %v", err)
	}
}
