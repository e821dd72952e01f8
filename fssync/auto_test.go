package fssync_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fssync"
)

// eventually waits for a condition, far longer than it should take.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

// Changes travel by themselves, both where the system tells of them and where
// somebody has to look.
func TestAuto(t *testing.T) {
	for name, dirs := range map[string][2]string{"told": {t.TempDir(), t.TempDir()}, "looking": {}} {
		t.Run(name, func(t *testing.T) {
			p := pairOn(afero.NewMemMapFs())
			if dirs[0] != "" {
				os := afero.NewOsFs()
				p = pair{source: afero.NewBasePathFs(os, dirs[0]), target: afero.NewBasePathFs(os, dirs[1])}
			}
			write(t, p.source, map[string]string{"/before": "1"})
			write(t, p.target, map[string]string{"/other": "2"})
			s := open(t, p.source, p.target, &fssync.Options{
				Config: facade.SyncConfig{AutoSync: true, DebounceMS: 20}, AutoDirection: facade.SyncBoth,
				SourceDir: dirs[0], TargetDir: dirs[1], Poll: 20 * time.Millisecond,
			})
			eventually(t, "what was there is copied", func() bool { return holds(p.target, "/before", "1") && holds(p.source, "/other", "2") })
			if err := p.source.MkdirAll("/new/dir", 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, p.source, map[string]string{"/new/dir/f": "3"})
			eventually(t, "a file in a new directory is copied", func() bool { return holds(p.target, "/new/dir/f", "3") })
			write(t, p.target, map[string]string{"/new/dir/f": "4"})
			eventually(t, "a change comes back", func() bool { return holds(p.source, "/new/dir/f", "4") })
			if err := p.target.Remove("/before"); err != nil {
				t.Fatal(err)
			}
			eventually(t, "a deletion travels", func() bool { ok, _ := afero.Exists(p.source, "/before"); return !ok })
			out, err := s.SetAuto(t.Context(), facade.SyncSetAutoInput{})
			if err != nil || out.State != facade.SyncPaused {
				t.Fatalf("%+v, %v", out, err)
			}
			write(t, p.source, map[string]string{"/late": "5"})
			time.Sleep(200 * time.Millisecond)
			if holds(p.target, "/late", "5") {
				t.Error("a file was copied after the end")
			}
		})
	}
}

// slow is a side whose files take their time.
type slow struct {
	afero.Fs
	once    sync.Once
	began   chan struct{}
	release chan struct{}
}

func (s *slow) Rename(from, to string) error {
	s.once.Do(func() { close(s.began) })
	<-s.release
	return s.Fs.Rename(from, to)
}

// While a run goes on, status tells how far it is; switching off stops it after
// the file it is at, and the next run does the rest.
func TestPauseDuringRun(t *testing.T) {
	source, target := afero.NewMemMapFs(), &slow{Fs: afero.NewMemMapFs(), began: make(chan struct{}), release: make(chan struct{})}
	for n := range 20 {
		write(t, source, map[string]string{fmt.Sprintf("/f%02d", n): "x"})
	}
	write(t, target.Fs, map[string]string{"/z": "z"})
	s := open(t, source, target, &fssync.Options{Config: facade.SyncConfig{AutoSync: true, DebounceMS: 1}, OnError: func(err error) { t.Error(err) }})
	<-target.began
	out, err := s.Status(t.Context(), facade.SyncStatusInput{})
	if err != nil || out.State != facade.SyncSyncing || out.Progress == nil || out.Progress.Total != 20 || out.CurrentFile != "f00" || out.PendingChanges != 20 {
		t.Errorf("%+v %+v, %v", out, out.Progress, err)
	}
	paused := make(chan error, 1)
	go func() {
		_, err := s.SetAuto(context.Background(), facade.SyncSetAutoInput{})
		paused <- err
	}()
	time.Sleep(50 * time.Millisecond)
	close(target.release)
	if err := <-paused; err != nil {
		t.Fatal(err)
	}
	copied, err := afero.Glob(target, "/f*")
	if err != nil || len(copied) == 0 || len(copied) == 20 {
		t.Errorf("%d files were copied, %v", len(copied), err)
	}
	if out, err = s.Status(t.Context(), facade.SyncStatusInput{}); err != nil || out.State != facade.SyncPaused || out.PendingChanges < 20-len(copied) {
		t.Errorf("%+v, %v", out, err)
	}
	if got := both(t, s); len(got.Copied) < 20-len(copied) || len(got.Conflicts) > 0 {
		t.Errorf("the next run did %+v", got)
	}
}

// A canceled call says so, keeps what it did and leaves the rest for the next.
func TestCancel(t *testing.T) {
	p := pairOn(afero.NewMemMapFs())
	for n := range 20 {
		write(t, p.source, map[string]string{fmt.Sprintf("/f%02d", n): "x"})
	}
	write(t, p.target, map[string]string{"/z": "z"})
	s := p.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	ctx = facade.WithSession(ctx, "", func(e facade.Event) {
		if e.Current == 5 {
			cancel()
		}
	})
	out, err := s.Trigger(ctx, facade.SyncTriggerInput{})
	if !errors.Is(err, context.Canceled) || len(out.Copied) != 5 {
		t.Errorf("%d copied, %v", len(out.Copied), err)
	}
	if status, err := s.Status(t.Context(), facade.SyncStatusInput{}); err != nil || status.State != facade.SyncFailed || status.PendingChanges != 16 {
		t.Errorf("%+v, %v", status, err)
	}
	if out := both(t, s); len(out.Copied) != 16 || len(out.Conflicts) > 0 {
		t.Errorf("%+v", out)
	}
}

// Errors of a side that is gone are failures, and nothing is taken for deleted.
func TestSideGone(t *testing.T) {
	dir := t.TempDir()
	p := pair{source: afero.NewMemMapFs(), target: afero.NewBasePathFs(afero.NewOsFs(), filepath.Join(dir, "missing"))}
	write(t, p.source, map[string]string{"/a": "a"})
	if _, err := open(t, p.source, p.target, nil).Trigger(t.Context(), facade.SyncTriggerInput{Direction: facade.SyncBoth}); err == nil {
		t.Error("no error")
	}
	if !holds(p.source, "/a", "a") {
		t.Error("the file is gone")
	}
}

// A side that is suddenly empty is not followed, but can be restored, and emptied
// on purpose.
func TestSideEmpty(t *testing.T) {
	p := pairOn(afero.NewMemMapFs())
	write(t, p.source, map[string]string{"/z": "z"})
	write(t, p.target, map[string]string{"/z": "z"})
	for n := range 30 {
		write(t, p.source, map[string]string{fmt.Sprintf("/f%02d", n): "x"})
	}
	s := p.open(t)
	both(t, s)
	for name := range files(t, p.target) {
		if err := p.target.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Trigger(t.Context(), facade.SyncTriggerInput{Direction: facade.SyncBoth})
	if facade.CodeOf(err) != facade.CodeConflict || len(files(t, p.source)) != 31 {
		t.Errorf("%v, %d files", err, len(files(t, p.source)))
	}
	if out, err := s.Trigger(t.Context(), facade.SyncTriggerInput{}); err != nil || len(out.Copied) != 31 {
		t.Errorf("restoring: %+v, %v", out, err)
	}
	for name := range files(t, p.target) {
		if err := p.target.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	write(t, p.target, map[string]string{"/new": "n"})
	if out := both(t, s); len(out.Deleted) != 31 || len(out.Copied) != 1 {
		t.Errorf("emptying: %+v", out)
	}
}

func TestBadPatterns(t *testing.T) {
	for _, pattern := range []string{"", "a[", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"} {
		_, err := fssync.New(afero.NewMemMapFs(), afero.NewMemMapFs(), &fssync.Options{Config: facade.SyncConfig{ExcludePatterns: []string{pattern}}})
		if facade.CodeOf(err) != facade.CodeInvalidArgument {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
