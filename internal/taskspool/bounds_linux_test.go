//go:build amd64 || arm64

package taskspool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/taskspool"
	"github.com/toolfacade/toolfacade/sandbox"
)

// bounded opens a spool with bounds.
func bounded(t *testing.T, dir string, bounds taskspool.Options) *taskspool.Spool {
	t.Helper()
	opts := options(t, t.TempDir(), sandbox.None{})
	opts.MaxRunning, opts.MaxPerSession = bounds.MaxRunning, bounds.MaxPerSession
	opts.Keep, opts.MaxAge, opts.MaxBytes = bounds.Keep, bounds.MaxAge, bounds.MaxBytes
	return open(t, dir, opts)
}

// ran runs a line of the shell to its end and returns the task's name.
func ran(t *testing.T, s *taskspool.Spool, line string) string {
	t.Helper()
	info, err := s.Submit(t.Context(), facade.TaskSpec{Label: line, Program: "/bin/sh", Flags: []string{"-c", line}})
	if err == nil {
		err = s.Wait(t.Context(), info.ID, facade.TaskEnd)
	}
	if err == nil {
		_, err = s.Get(t.Context(), info.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return info.ID
}

// names are those of the tasks that a spool knows, the latest first.
func names(t *testing.T, s *taskspool.Spool) []string {
	t.Helper()
	list, err := s.List(t.Context(), facade.TaskFilter{})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, i := range list {
		out = append(out, i.ID)
	}
	return out
}

// directories are the tasks that there is anything of.
func directories(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(dir + "/*task-*")
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := filepath.Glob(dir + "/.*task-*")
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, p := range append(all, hidden...) {
		out = append(out, filepath.Base(p))
	}
	return out
}

func TestRunningIsBounded(t *testing.T) {
	s := bounded(t, t.TempDir(), taskspool.Options{MaxRunning: 3, MaxPerSession: 2})
	submit := func(session string) (string, error) {
		info, err := s.Submit(t.Context(), facade.TaskSpec{Label: "sleep", Session: session, Program: "/bin/sleep", Args: []string{"600"}})
		return info.ID, err
	}
	var ids []string
	for _, c := range []struct{ session, refused string }{
		{"a", ""}, {"a", ""}, {"a", "2 tasks run in this session"}, {"b", ""}, {"b", "3 tasks run here"}, {"c", "3 tasks run here"},
	} {
		id, err := submit(c.session)
		if c.refused == "" {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
			continue
		}
		if e, ok := errors.AsType[*facade.Error](err); !ok || e.Code != facade.CodeBusy || !strings.Contains(e.Message, c.refused) || e.RetryAfter <= 0 {
			t.Errorf("one more for %s gives %v; want %q", c.session, err, c.refused)
		}
	}
	if got := names(t, s); len(got) != len(ids) {
		t.Errorf("there are %v; a refused task leaves nothing", got)
	}
	if _, err := s.Cancel(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	id, err := submit("c")
	if err != nil {
		t.Errorf("when one has ended there is %v", err)
	}
	for _, id := range append(ids, id) {
		if _, err := s.Cancel(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestKept opens a spool with bounds on five tasks that have ended, of which
// each wrote a thousand bytes, and one that runs.
func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		bounds taskspool.Options
		keeps  int // the latest ones
	}{
		"all":       {taskspool.Options{}, 5},
		"count":     {taskspool.Options{Keep: 2}, 2},
		"bytes":     {taskspool.Options{MaxBytes: 3500}, 3},
		"no bytes":  {taskspool.Options{MaxBytes: 500}, 0},
		"age":       {taskspool.Options{MaxAge: 36 * time.Hour}, 2},
		"young":     {taskspool.Options{MaxAge: 200 * time.Hour}, 5},
		"together":  {taskspool.Options{Keep: 4, MaxBytes: 3500, MaxAge: 60 * time.Hour}, 3},
		"one's end": {taskspool.Options{MaxAge: time.Nanosecond}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			first := bounded(t, dir, taskspool.Options{})
			live, err := first.Submit(t.Context(), facade.TaskSpec{Label: "sleep", Program: "/bin/sleep", Args: []string{"600"}})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for range 5 {
				ids = append(ids, ran(t, first, "head -c 1000 /dev/zero"))
			}
			for i, id := range ids { // four days ago, three, two, one, now
				age(t, dir, id, time.Duration(len(ids)-1-i)*24*time.Hour)
			}
			s := bounded(t, dir, c.bounds)
			want := []string{}
			for i := range c.keeps {
				want = append(want, ids[len(ids)-1-i])
			}
			want = append(want, live.ID)
			if diff := cmp.Diff(want, names(t, s)); diff != "" {
				t.Errorf("kept are (-want +got):\n%s", diff)
			}
			if left := directories(t, dir); len(left) != len(want) {
				t.Errorf("there are directories of %v; want those of %v", left, want)
			}
			if c.keeps < 5 {
				if _, err := s.Get(t.Context(), ids[0]); facade.CodeOf(err) != facade.CodeNotFound {
					t.Errorf("a forgotten task gives %v", err)
				}
			}
			if _, err := s.Cancel(t.Context(), live.ID); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDefaultAge forgets what ended more than seven days ago.
func TestDefaultAge(t *testing.T) {
	dir := t.TempDir()
	first := bounded(t, dir, taskspool.Options{})
	old, young := ran(t, first, "true"), ran(t, first, "true")
	age(t, dir, old, 7*24*time.Hour+time.Minute)
	age(t, dir, young, 7*24*time.Hour-time.Minute)
	if diff := cmp.Diff([]string{young}, names(t, bounded(t, dir, taskspool.Options{}))); diff != "" {
		t.Errorf("kept are (-want +got):\n%s", diff)
	}
}

// TestLiveSpoolForgets has one spool run more tasks than it keeps, and
// nothing is opened again.
func TestLiveSpoolForgets(t *testing.T) {
	const keep, tasks = 8, 20
	dir := t.TempDir()
	s := bounded(t, dir, taskspool.Options{Keep: keep})
	var last string
	for i := range tasks {
		last = ran(t, s, fmt.Sprintf("echo %d", i))
	}
	// One that ended after the last look, and an eighth that is not worth one.
	if got := names(t, s); len(got) > keep+keep/8+1 || len(got) < keep || got[0] != last {
		t.Errorf("kept are %v", got)
	}
	if left := directories(t, dir); len(left) > keep+keep/8+1 {
		t.Errorf("there are directories of %v", left)
	}
}

// age has a task end earlier.
func age(t *testing.T, dir, id string, by time.Duration) {
	t.Helper()
	path := filepath.Join(dir, id, "result.json")
	var info facade.TaskInfo
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &info)
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := info.Ended.Add(-by)
	info.Ended = &ended
	if raw, err = json.Marshal(info); err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
