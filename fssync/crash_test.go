package fssync_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fssync"
)

// pair is two sides and their memory on one file system, so that one crash takes
// all three.
type pair struct{ source, target, state afero.Fs }

func pairOn(fsys afero.Fs) pair {
	return pair{afero.NewBasePathFs(fsys, "/source"), afero.NewBasePathFs(fsys, "/target"), afero.NewBasePathFs(fsys, "/state")}
}

func (p pair) open(t testing.TB) *fssync.Syncer {
	t.Helper()
	return open(t, p.source, p.target, &fssync.Options{State: p.state, StateFile: "/pair.json"})
}

func write(t testing.TB, fsys afero.Fs, files map[string]string) {
	t.Helper()
	for name, text := range files {
		f, err := fsys.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// files returns the content of each file of a side, temporary ones too.
func files(t testing.TB, fsys afero.Fs) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := afero.Walk(fsys, "/", func(p string, info fs.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := afero.ReadFile(fsys, p)
		found[p] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func both(t testing.TB, s *fssync.Syncer) facade.SyncTriggerOutput {
	t.Helper()
	out, err := s.Trigger(t.Context(), facade.SyncTriggerInput{Direction: facade.SyncBoth})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A crash at any operation, with any loss of what was not synced, costs no
// version of any file, and the next run ends where an undisturbed one would.
func TestCrash(t *testing.T) {
	crash := facadetest.NewCrashFs()
	for _, dir := range []string{"/source/d", "/target/d", "/state"} {
		if err := crash.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := pairOn(crash)
	old := map[string]string{}
	for _, name := range []string{"/s-changed", "/t-changed", "/s-deleted", "/t-deleted", "/conflict", "/d/s-deleted", "/same"} {
		old[name] = "old " + name
	}
	write(t, p.source, old)
	both(t, p.open(t))
	write(t, p.source, map[string]string{"/s-changed": "s1", "/conflict": "s2", "/d/s-new": "s3", "/s-new": "s4"})
	write(t, p.target, map[string]string{"/t-changed": "t1", "/conflict": "t2", "/d/t-new": "t3"})
	for name, side := range map[string]afero.Fs{"/s-deleted": p.source, "/t-deleted": p.target, "/d/s-deleted": p.source} {
		if err := side.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	crash.Settle()
	both(t, p.open(t))
	want := files(t, p.source)
	points := 0
	for at, image := range crash.Crashes(3) {
		points++
		t.Run(at.Name, func(t *testing.T) {
			p := pairOn(image)
			noneLost(t, p)
			for range 2 {
				both(t, p.open(t))
			}
			noneLost(t, p)
			source, target := files(t, p.source), files(t, p.target)
			delete(target, "/conflict")
			delete(source, "/conflict")
			if diff := cmp.Diff(source, target); diff != "" {
				t.Errorf("the sides differ (-source +target)\n%s", diff)
			}
			for name := range want {
				if _, ok := source[name]; !ok && name != "/conflict" {
					t.Errorf("%s is gone", name)
				}
			}
			if out := both(t, p.open(t)); len(out.Copied)+len(out.Deleted) > 0 || len(out.Conflicts) != 1 {
				t.Errorf("one more run did %+v", out)
			}
		})
	}
	t.Logf("%d crash images", points)
}

func noneLost(t *testing.T, p pair) {
	t.Helper()
	have := slices.Collect(maps.Values(files(t, p.source)))
	have = append(have, slices.Collect(maps.Values(files(t, p.target)))...)
	for _, version := range []string{"s1", "s2", "s3", "s4", "t1", "t2", "t3", "old /same"} {
		if !slices.Contains(have, version) {
			t.Errorf("the version %q is lost", version)
		}
	}
}

// An operation that fails, in any place, costs nothing, and the next run goes on.
func TestFault(t *testing.T) {
	for n := 0; ; n++ {
		mem := afero.NewMemMapFs()
		for _, dir := range []string{"/source", "/target", "/state"} {
			if err := mem.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		p := pairOn(mem)
		write(t, p.source, map[string]string{"/a": "a", "/b": "b", "/gone": "x", "/d/e": "e"})
		both(t, p.open(t))
		write(t, p.source, map[string]string{"/a": "a2", "/d/new": "n"})
		write(t, p.target, map[string]string{"/b": "b2"})
		if err := p.source.Remove("/gone"); err != nil {
			t.Fatal(err)
		}
		fault := facadetest.NewFaultFs(mem)
		s := pairOn(fault).open(t)
		fault.Arm(facadetest.Fault{After: n, Times: 1, Err: fs.ErrPermission})
		_, err := s.Trigger(t.Context(), facade.SyncTriggerInput{Direction: facade.SyncBoth})
		if faulted := slices.ContainsFunc(fault.Operations(), func(o facadetest.Operation) bool { return o.Err != nil && errors.Is(o.Err, fs.ErrPermission) }); !faulted {
			if err != nil {
				t.Fatalf("nothing failed, and yet: %v", err)
			}
			t.Logf("%d operations", n)
			return
		}
		fault.Arm()
		both(t, s)
		want := map[string]string{"/a": "a2", "/b": "b2", "/d/e": "e", "/d/new": "n"}
		for _, side := range []afero.Fs{p.source, p.target} {
			got := files(t, side)
			maps.DeleteFunc(got, func(name, _ string) bool { return strings.Contains(name, ".fssync-") })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("after fault %d (-want +got)\n%s", n, diff)
			}
		}
	}
}

// Protected names are neither read nor written, whatever the configuration.
func TestProtected(t *testing.T) {
	p := pairOn(afero.NewMemMapFs())
	write(t, p.source, map[string]string{"/.git/hooks/post-commit": "x", "/sub/.GIT/config": "x", "/.gitignore": "y"})
	write(t, p.target, map[string]string{"/z": "z"})
	s := p.open(t)
	none := []string{}
	if _, err := s.UpdateConfig(t.Context(), facade.SyncUpdateConfigInput{ExcludePatterns: &none}); err != nil {
		t.Fatal(err)
	}
	both(t, s)
	if diff := cmp.Diff(map[string]string{"/.gitignore": "y", "/z": "z"}, files(t, p.target)); diff != "" {
		t.Error("target (-want +got)", diff)
	}
}

// A thousand changes in one reply fit into the budget.
func TestManyChanges(t *testing.T) {
	p := pairOn(afero.NewMemMapFs())
	many := map[string]string{"/z": "z"}
	for n := range 3000 {
		many[fmt.Sprintf("/a-rather-long-name-of-a-file-%d", n)] = "x"
	}
	write(t, p.source, many)
	write(t, p.target, map[string]string{"/y": "y"})
	res, err := facade.Sync(p.open(t)).Call(t.Context(), facade.Call{Args: []byte(`{"action":"trigger"}`)})
	if err != nil || !res.OK() || !res.Truncated {
		t.Fatalf("%v, %.300s", err, res.FullText())
	}
	if len(files(t, p.target)) != 3002 {
		t.Errorf("%d files", len(files(t, p.target)))
	}
}
