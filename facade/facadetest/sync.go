package facadetest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// SyncHarness tells [TestSync] how to get an implementation to test.
type SyncHarness struct {
	// New returns a fixture over two empty trees that nothing else uses. It is
	// called once per rule, and releases what it holds with t.Cleanup.
	New func(t testing.TB) *SyncFixture
}

// SyncFixture is one fresh synchronizer, with automatic runs off, and the
// suite's own way to its two sides. Names on both are relative.
type SyncFixture struct {
	Tools          facade.SyncTools
	Source, Target afero.Fs
}

// syncTest is one rule at work.
type syncTest struct {
	testing.TB
	*SyncFixture
	tool *facade.Tool
}

// syncRule is one thing that the contract demands.
type syncRule struct {
	name string
	run  func(x *syncTest)
}

// TestSync runs every rule of the sync contract, each as a subtest on a fresh
// fixture.
func TestSync(t *testing.T, h SyncHarness) {
	for _, r := range slices.Concat(syncCopyRules(), syncConflictRules(), syncConfigRules()) {
		t.Run(r.name, func(t *testing.T) {
			f := h.New(t)
			r.run(&syncTest{t, f, facade.Sync(f.Tools)})
		})
	}
}

// call returns the data of a call that has to succeed.
func (x *syncTest) call(args string) any {
	x.Helper()
	res, err := x.tool.Call(x.Context(), facade.Call{Args: []byte(args)})
	if err != nil || !res.OK() {
		x.Fatalf("%s failed: %v, %s", args, err, res.FullText())
	}
	return res.Data
}

// trigger synchronizes and checks what was done.
func (x *syncTest) trigger(direction string, copied, deleted, conflicts []string) {
	x.Helper()
	out := x.call(`{"action":"trigger","direction":"` + direction + `"}`).(facade.SyncTriggerOutput)
	x.did(out, copied, deleted, conflicts)
}

func (x *syncTest) did(out facade.SyncTriggerOutput, copied, deleted, conflicts []string) {
	x.Helper()
	var found []string
	for _, c := range out.Conflicts {
		found = append(found, c.Path)
		if c.Reason == "" {
			x.Errorf("the conflict about %s has no reason", c.Path)
		}
	}
	for _, part := range []struct {
		what      string
		want, got []string
	}{{"copied", copied, out.Copied}, {"deleted", deleted, out.Deleted}, {"conflicts", conflicts, found}} {
		slices.Sort(part.got)
		if diff := cmp.Diff(part.want, part.got); diff != "" && len(part.want)+len(part.got) > 0 {
			x.Errorf("%s (-want +got)\n%s", part.what, diff)
		}
	}
}

// put writes a file of one side.
func (x *syncTest) put(side afero.Fs, name, content string) {
	x.Helper()
	if err := afero.WriteFile(side, name, []byte(content), 0o644); err != nil {
		x.Fatal(err)
	}
}

func (x *syncTest) remove(side afero.Fs, name string) {
	x.Helper()
	if err := side.Remove(name); err != nil {
		x.Fatal(err)
	}
}

// holds checks a file on both sides; "" means that there is none.
func (x *syncTest) holds(name, source, target string) {
	x.Helper()
	for _, side := range []struct {
		name string
		fs   afero.Fs
		want string
	}{{"source", x.Source, source}, {"target", x.Target, target}} {
		got, err := afero.ReadFile(side.fs, name)
		if err != nil && side.want != "" {
			x.Error(err)
		} else if string(got) != side.want {
			x.Errorf("the %s has %q in %s, want %q", side.name, got, name, side.want)
		}
	}
}
