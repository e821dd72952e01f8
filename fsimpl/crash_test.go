package fsimpl_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// TestCrashes ends every writing action after each of its operations, with all
// that was not synced lost, nothing lost, and random parts of it. After the
// tree is opened again each file holds the old or the new content, no
// temporary file is left, and what was acknowledged is there.
func TestCrashes(t *testing.T) {
	const seeds = 12
	points := 0
	for _, c := range changes() {
		t.Run(c.name, func(t *testing.T) {
			disk := facadetest.NewCrashFs()
			plant(t, disk, c.seed)
			disk.Settle()
			before, err := image(disk)
			check(t, err)
			files := newFiles(t, disk, nil)
			if res := call(t, facade.Files(files), c.args); res.Error != nil {
				t.Fatal(res.Text)
			}
			after, err := image(disk)
			check(t, err)
			if cmp.Equal(before, after) {
				t.Fatal("the action changes nothing: the test proves nothing")
			}
			last := len(disk.Operations())
			for at, crashed := range disk.Crashes(seeds) {
				points++
				afterCrash(t, c, at, crashed, before, after, at.N == last)
			}
		})
	}
	t.Logf("%d crashes of %d changes", points, len(changes()))
}

func afterCrash(t *testing.T, c change, at facadetest.CrashPoint, crashed *facadetest.CrashFs, before, after map[string]string, acknowledged bool) {
	t.Helper()
	reopened, err := fsimpl.New(crashed, nil)
	check(t, err)
	check(t, reopened.Close())
	now, err := image(crashed)
	check(t, err)
	if left := temps(now); len(left) > 0 {
		t.Errorf("crash %s: %q survive reopening", at.Name, left)
	}
	if acknowledged {
		if diff := cmp.Diff(after, now); diff != "" {
			t.Errorf("crash %s: the change was acknowledged, but (-want +got):\n%s", at.Name, diff)
		}
		return
	}
	for name := range union(before, after, now) {
		if got := now[name]; got != before[name] && got != after[name] {
			t.Errorf("crash %s: %s is %q, want the old %q or the new %q", at.Name, name, got, before[name], after[name])
		}
	}
	for name := range before {
		_, stays := after[name]
		if _, there := now[name]; stays && !there {
			t.Errorf("crash %s: %s is gone", at.Name, name)
		}
	}
	if c.moved {
		nothingLost(t, at, before, now)
	}
}

// nothingLost checks that each content is somewhere.
func nothingLost(t *testing.T, at facadetest.CrashPoint, before, now map[string]string) {
	t.Helper()
	for name, content := range before {
		if !slices.Contains(slices.Collect(maps.Values(now)), content) {
			t.Errorf("crash %s: the content of %s is nowhere", at.Name, name)
		}
	}
}

func union(images ...map[string]string) map[string]bool {
	names := map[string]bool{}
	for _, img := range images {
		for name := range img {
			names[name] = true
		}
	}
	return names
}
