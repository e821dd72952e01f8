//go:build linux

package nats

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

func shell(line string) facade.TaskSpec {
	return facade.TaskSpec{Label: line, Program: "/bin/sh", Flags: []string{"-c", line}}
}

func submit(t testing.TB, s *Store, spec facade.TaskSpec) string {
	t.Helper()
	info, err := s.Submit(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return info.ID
}

func end(t testing.TB, s *Store, id string) facade.TaskInfo {
	t.Helper()
	if err := s.Wait(t.Context(), id, facade.TaskEnd); err != nil {
		t.Fatal(err)
	}
	info, err := s.Get(t.Context(), id)
	if err != nil || !info.State.Done() {
		t.Fatalf("behind its end the task is %+v, %v", info, err)
	}
	return info
}

// finals watches the records and counts how often each task becomes final.
func finals(t testing.TB, s *Store) func() map[string]int {
	t.Helper()
	watch, err := s.tasks.WatchAll(t.Context(), jetstream.IncludeHistory())
	if err != nil {
		t.Fatal(err)
	}
	count, done := map[string]int{}, make(chan struct{})
	go func() {
		defer close(done)
		for entry := range watch.Updates() {
			if entry == nil {
				continue
			}
			if r, err := decode(entry); err == nil && r.Info.State.Done() {
				count[r.Info.ID]++
			}
		}
	}()
	return func() map[string]int {
		if err := watch.Stop(); err != nil {
			t.Error(err)
		}
		<-done
		return count
	}
}

// TestWorkerDies has three workers run a hundred tasks and kills one of them in
// the middle of a task: each task ends once, as succeeded or as lost, and none
// ran twice.
func TestWorkerDies(t *testing.T) {
	srv, dir, opts := serve(t), t.TempDir(), testOptions(uniqueName())
	workers := hire(t, srv, 3, opts.Name, dir, "none")
	s := open(t, srv, opts)
	count := finals(t, s)
	const tasks = 100
	ids := make([]string, tasks)
	for i := range ids {
		line := fmt.Sprintf("echo x >>ran-%d; echo task %d; sleep 0.05; echo end", i, i)
		if i == 20 {
			line = fmt.Sprintf("echo x >>ran-%d; echo task %d; sleep 600", i, i)
		}
		ids[i] = submit(t, s, shell(line))
	}
	if err := s.Wait(t.Context(), ids[20], 0); err != nil { // it runs
		t.Fatal(err)
	}
	workers.kill(t, s, ids[20])
	states := map[facade.TaskState]int{}
	for i, id := range ids {
		info := end(t, s, id)
		states[info.State]++
		ran, _ := os.ReadFile(filepath.Join(dir, fmt.Sprintf("ran-%d", i))) // a lost one may not have begun
		out, err := s.Output(t.Context(), id, 0, 1000)
		switch {
		case err != nil:
			t.Errorf("the output of task %d: %v", i, err)
		case info.State == facade.TaskSucceeded && (string(ran) != "x\n" || string(out.Data) != fmt.Sprintf("task %d\nend\n", i)):
			t.Errorf("task %d succeeded; it left %q and wrote %q", i, ran, out.Data)
		case info.State == facade.TaskLost && strings.Count(string(ran), "x") > 1:
			t.Errorf("the lost task %d ran %q", i, ran)
		}
	}
	if states[facade.TaskLost] < 1 || states[facade.TaskSucceeded]+states[facade.TaskLost] != tasks {
		t.Errorf("the tasks ended as %v", states)
	}
	if info := end(t, s, ids[20]); info.State != facade.TaskLost || info.Reason == "" {
		t.Errorf("the task of the killed worker is %+v", info)
	}
	time.Sleep(100 * time.Millisecond) // a second end would come now
	for id, n := range count() {
		if n != 1 {
			t.Errorf("task %s ended %d times", id, n)
		}
	}
	t.Logf("%d tasks ended as %v", tasks, states)
}

// TestCancelFromAnotherProcess measures how long a cancel takes that neither
// the submitter nor the worker asks for.
func TestCancelFromAnotherProcess(t *testing.T) {
	srv, dir, opts := serve(t), t.TempDir(), testOptions(uniqueName())
	hire(t, srv, 1, opts.Name, dir, "none")
	s := open(t, srv, opts)
	limit := 10 * time.Second // beside other tests on a busy machine
	if testenv.Full() {
		limit = time.Second
	}
	for _, line := range []string{"echo on; sleep 600", "trap '' INT TERM; echo on; sleep 600; sleep 600"} {
		id := submit(t, s, shell(line))
		if err := s.Wait(t.Context(), id, 0); err != nil {
			t.Fatal(err)
		}
		out, err := spawn(t, srv, "cancel", opts.Name, dir, "none", id).Output()
		state, rest, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		took, parseErr := time.ParseDuration(rest)
		if err != nil || parseErr != nil || state != string(facade.TaskCanceled) {
			t.Fatalf("the canceler says %q, %v", out, err)
		}
		if t.Logf("%s: canceled in %v", line, took); took > limit {
			t.Errorf("the cancel took %v, want at most %v", took, limit)
		}
	}
}

// TestWorkerStops ends a worker that was asked to: what it ran is lost at once,
// and the rest waits for another.
func TestWorkerStops(t *testing.T) {
	srv, dir, opts := serve(t), t.TempDir(), testOptions(uniqueName())
	s := open(t, srv, opts)
	one := hire(t, srv, 1, opts.Name, dir, "none")
	running, waiting := submit(t, s, shell("echo on; sleep 600")), submit(t, s, shell("echo later"))
	if err := s.Wait(t.Context(), running, 0); err != nil {
		t.Fatal(err)
	}
	if err := one.all[0].Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if info := end(t, s, running); info.State != facade.TaskLost || info.Reason != errStopped.Error() {
		t.Errorf("the task is %+v", info)
	}
	hire(t, srv, 1, opts.Name, dir, "none")
	if info := end(t, s, waiting); info.State != facade.TaskSucceeded {
		t.Errorf("the waiting task is %+v", info)
	}
}

// TestClaimOnce delivers a task twice: the second worker drops it.
func TestClaimOnce(t *testing.T) {
	srv, dir, opts := serve(t), t.TempDir(), testOptions(uniqueName())
	s := open(t, srv, opts)
	id := submit(t, s, shell("echo x >>ran"))
	for range 3 { // as after a lost acknowledgment
		if _, err := s.js.Publish(t.Context(), s.queueSubject(), []byte(id)); err != nil {
			t.Fatal(err)
		}
	}
	hire(t, srv, 3, opts.Name, dir, "none")
	if info := end(t, s, id); info.State != facade.TaskSucceeded {
		t.Errorf("the task is %+v", info)
	}
	after := submit(t, s, shell("true")) // behind the doubles in the queue
	end(t, s, after)
	if ran, err := os.ReadFile(filepath.Join(dir, "ran")); err != nil || string(ran) != "x\n" {
		t.Errorf("it ran %q, %v", ran, err)
	}
}

// TestForgottenInQueue submits again what a dead submitter left out of the
// queue.
func TestForgottenInQueue(t *testing.T) {
	srv, dir, opts := serve(t), t.TempDir(), testOptions(uniqueName())
	s := open(t, srv, opts)
	spec := shell("echo ran")
	spec.Key = "a key"
	id := submit(t, s, spec)
	if err := s.queue.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(dedupWindow + 200*time.Millisecond)
	if again := submit(t, s, spec); again != id {
		t.Errorf("the key gives %s, want %s", again, id)
	}
	hire(t, srv, 1, opts.Name, dir, "none")
	if info := end(t, s, id); info.State != facade.TaskSucceeded {
		t.Errorf("the task is %+v", info)
	}
}

func TestHostileRecords(t *testing.T) {
	srv, opts := serve(t), testOptions(uniqueName())
	s := open(t, srv, opts)
	if _, err := s.tasks.Put(t.Context(), "task-bad", []byte("{")); err != nil {
		t.Fatal(err)
	}
	if info, err := s.Get(t.Context(), "task-bad"); err == nil {
		t.Errorf("a broken record gives %+v", info)
	}
	raw, err := json.Marshal(record{Info: facade.TaskInfo{ID: "task-odd", State: facade.TaskSucceeded}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.tasks.Put(t.Context(), "task-odd", raw); err != nil {
		t.Fatal(err)
	}
	if _, err := s.js.Publish(t.Context(), s.outputSubject("task-odd"), []byte("no header")); err != nil {
		t.Fatal(err)
	}
	if out, err := s.Output(t.Context(), "task-odd", 0, 10); err == nil {
		t.Errorf("output without an offset gives %+v", out)
	}
}
