//go:build unix

package exectool

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// sleeper is a program that runs until it is killed.
func sleeper() Job {
	return Job{Spec: facade.TaskSpec{Label: "sleep", Program: "/bin/sleep", Args: []string{"600"}}}
}

// kinds are the ways to keep tasks: with the runner, and beyond it.
func kinds(t *testing.T) map[string]*runner.Options {
	t.Helper()
	out := map[string]*runner.Options{"in memory": {Sandbox: sandbox.None{}, EndTasks: true}}
	if runtime.GOOS == "linux" {
		testenv.NeedProgram(t, "python3")
		out["in a directory"] = &runner.Options{Sandbox: sandbox.None{}, TaskDir: t.TempDir()}
	}
	return out
}

// endAll cancels what a session runs, before the runner is closed.
func endAll(t *testing.T, r *Runner, sessions ...string) {
	t.Helper()
	for _, session := range sessions {
		ctx := facade.WithSession(context.WithoutCancel(t.Context()), session, nil)
		list, err := r.List(ctx, facade.PythonListTasksInput{State: facade.TaskRunning})
		for _, k := range list.Tasks {
			_, cancelErr := r.Cancel(ctx, k.TaskID, 0)
			err = errors.Join(err, cancelErr)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// refused checks that a start was refused for a cap.
func refused(t *testing.T, err error, want string) {
	t.Helper()
	e, ok := errors.AsType[*facade.Error](err)
	if !ok || e.Code != facade.CodeBusy || !strings.Contains(e.Message, want) || !strings.Contains(e.Hint, "list") || e.RetryAfter <= 0 {
		t.Errorf("above the cap there is %v; want %q", err, want)
	}
}

func TestCaps(t *testing.T) {
	for name, opts := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			opts.MaxRunning, opts.MaxPerSession = 3, 2
			r := open(t, opts)
			defer endAll(t, r, "a", "b")
			start := func(session string) (string, error) {
				out, err := r.Background(facade.WithSession(t.Context(), session, nil), sleeper())
				return out.TaskID, err
			}
			first, err := start("a")
			if err != nil {
				t.Fatal(err)
			}
			yielding := sleeper()
			yielding.Yield = time.Millisecond
			if out, err := r.Run(facade.WithSession(t.Context(), "a", nil), yielding); err != nil || out.State != facade.TaskRunning {
				t.Fatalf("a run that yields gives %+v, %v", out, err)
			}
			_, err = start("a")
			refused(t, err, "2 programs run in this session already")
			if _, err := start("b"); err != nil {
				t.Fatalf("another session cannot start: %v", err)
			}
			_, err = start("b")
			refused(t, err, "3 programs run already")
			_, err = r.Run(facade.WithSession(t.Context(), "c", nil), sleeper())
			refused(t, err, "3 programs run already")
			if _, err := r.Cancel(facade.WithSession(t.Context(), "a", nil), first, 0); err != nil {
				t.Fatal(err)
			}
			if _, err := start("b"); err != nil {
				t.Errorf("when one has ended there is %v", err)
			}
		})
	}
}

// TestCapsInHaste starts many programs at the same time.
func TestCapsInHaste(t *testing.T) {
	for name, opts := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			const most, tries = 3, 12
			opts.MaxRunning = most
			r := open(t, opts)
			defer endAll(t, r, "")
			var mu sync.Mutex
			var all sync.WaitGroup
			started := 0
			for range tries {
				all.Go(func() {
					_, err := r.Background(t.Context(), sleeper())
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						started++
					} else if facade.CodeOf(err) != facade.CodeBusy {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if started != most {
				t.Errorf("%d of %d programs run at once; the cap is %d", started, tries, most)
			}
		})
	}
}

// TestPlaceIsGivenBack has starts fail: they take no place for ever.
func TestPlaceIsGivenBack(t *testing.T) {
	r := open(t, &runner.Options{Sandbox: useless{}, MaxRunning: 1, TaskDir: t.TempDir()})
	for range 3 {
		_, run := r.Run(t.Context(), jobOf("/bin/sh"))
		_, background := r.Background(t.Context(), jobOf("/bin/sh"))
		for _, err := range []error{run, background} {
			if facade.CodeOf(err) != facade.CodeUnavailable {
				t.Errorf("the start gives %v", err)
			}
		}
	}
}

// TestStartsAreWaitedFor has a cap met only by a program that is being started:
// whether it counts is not known yet.
func TestStartsAreWaitedFor(t *testing.T) {
	r := open(t, &runner.Options{Sandbox: sandbox.None{}, EndTasks: true, MaxRunning: 1})
	release, err := r.admit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.admit(limited); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while one starts there is %v", err)
	}
	second := make(chan error, 1)
	go func() {
		again, err := r.admit(t.Context())
		if err == nil {
			again()
		}
		second <- err
	}()
	release() // it has failed to start
	if err := <-second; err != nil {
		t.Errorf("when it has failed to start there is %v", err)
	}
}
