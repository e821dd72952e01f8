package journal

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func ids(list []Reverted) string {
	var out []string
	for _, r := range list {
		out = append(out, r.Operation.ID)
	}
	return strings.Join(out, " ")
}

func historyIDs(t *testing.T, j *Journal, path string) string {
	t.Helper()
	ops, err := j.History("s", path, 100)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, op := range ops {
		id := op.ID
		if op.Undone {
			id += "-"
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func TestUndoRedo(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("a", "one\n")
		start := tr.list()
		writeFile(t, j, tr, "a", "two\n")
		writeFile(t, j, tr, "b", "new\n")
		writeFile(t, j, tr, "a", "three\n")
		end := tr.list()
		if got := historyIDs(t, j, ""); got != "c3 c2 c1" {
			t.Errorf("history %s", got)
		}
		got, err := undo(t, j, tr, 1, "")
		if err != nil || ids(got) != "c3" || tr.nodes["a"].data != "two\n" {
			t.Fatalf("undo: %v %v %q", ids(got), err, tr.nodes["a"].data)
		}
		if !strings.Contains(got[0].Diff, "-three\n+two\n") {
			t.Errorf("diff %q", got[0].Diff)
		}
		if got, err = undo(t, j, tr, 5, ""); err != nil || ids(got) != "c2 c1" {
			t.Fatalf("undo the rest: %v %v", ids(got), err)
		}
		if diff := cmp.Diff(start, tr.list()); diff != "" {
			t.Errorf("after undo (-want +got)\n%s", diff)
		}
		if got := historyIDs(t, j, ""); got != "c3- c2- c1-" {
			t.Errorf("history %s", got)
		}
		if got, err = redo(t, j, tr, 5, ""); err != nil || ids(got) != "c1 c2 c3" {
			t.Fatalf("redo: %v %v", ids(got), err)
		}
		if diff := cmp.Diff(end, tr.list()); diff != "" {
			t.Errorf("after redo (-want +got)\n%s", diff)
		}
		if got, err := redo(t, j, tr, 1, ""); err != nil || len(got) != 0 {
			t.Errorf("nothing to redo: %v %v", got, err)
		}
	})
}

func TestNewChangeClearsRedo(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree()
		writeFile(t, j, tr, "a", "1")
		writeFile(t, j, tr, "a", "2")
		if _, err := undo(t, j, tr, 1, ""); err != nil {
			t.Fatal(err)
		}
		if id := writeFile(t, j, tr, "a", "3"); id != "c3" {
			t.Errorf("the new operation is %s", id)
		}
		if got, err := redo(t, j, tr, 1, ""); err != nil || len(got) != 0 {
			t.Errorf("redo %v %v", ids(got), err)
		}
		if got := historyIDs(t, j, ""); got != "c3 c1" {
			t.Errorf("history %s", got)
		}
	})
}

func TestUndoByPath(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree()
		writeFile(t, j, tr, "d/a", "1")
		writeFile(t, j, tr, "da", "1")
		writeFile(t, j, tr, "d/b", "1")
		p, err := j.PlanUndo("s", 9, "d")
		if err != nil || strings.Join(p.Paths(), " ") != "d/a d/b" || len(p.Operations()) != 2 {
			t.Fatalf("plan %v %v", p.Paths(), err)
		}
		if got, err := undo(t, j, tr, 1, "d/a"); err != nil || ids(got) != "c1" {
			t.Errorf("undo: %v %v", ids(got), err)
		}
		if got := historyIDs(t, j, "d"); got != "c3 c1-" {
			t.Errorf("history %s", got)
		}
	})
}

func TestStale(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("a", "one\n")
		writeFile(t, j, tr, "b", "b\n")
		writeFile(t, j, tr, "a", "two\n")
		tr.write("a", "somebody's\n")
		before := tr.list()
		for _, steps := range []int{1, 2} {
			got, err := undo(t, j, tr, steps, "")
			e, ok := errors.AsType[*facade.Error](err)
			if !ok || e.Code != facade.CodeStale || e.Path != "a" || !strings.Contains(e.Message, "c2 (write) cannot be undone") {
				t.Fatalf("error %v", err)
			}
			if len(got) != 1 || !strings.Contains(got[0].Diff, "-two\n+somebody's\n") {
				t.Errorf("what changed: %+v", got)
			}
		}
		if diff := cmp.Diff(before, tr.list()); diff != "" {
			t.Errorf("the tree changed\n%s", diff)
		}
		tr.write("a", "one\n") // already as undo wants it
		if got, err := undo(t, j, tr, 1, ""); err != nil || ids(got) != "c2" || got[0].Diff != "" {
			t.Errorf("undo: %+v %v", got, err)
		}
		tr.write("a", "again\n")
		if _, err := redo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeStale || !strings.Contains(err.Error(), "redone") {
			t.Errorf("redo: %v", err)
		}
		delete(tr.nodes, "b")
		tr.nodes["b"] = node{state: State{Kind: Symlink, Target: "x"}}
		if got, err := undo(t, j, tr, 1, "b"); facade.CodeOf(err) != facade.CodeStale || got[0].Diff != "b: file of 2 bytes to symbolic link to x\n" {
			t.Errorf("undo: %+v %v", got, err)
		}
	})
}

func TestTrees(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		dir, absent := State{Kind: Directory, Mode: 0o750}, State{Kind: Absent}
		tr := newTree("d/a", "1\n", "d/s/b", "2\n", "over", "old\n")
		tr.nodes["d"], tr.nodes["d/s"] = node{state: dir}, node{state: dir}
		tr.nodes["d/l"] = node{state: State{Kind: Symlink, Target: "a"}}
		start := maps.Clone(tr.nodes)
		ctx := context.Background()

		do(t, j, tr, "move", Change{Path: "e", From: "d", Before: absent, After: dir})
		if err := tr.Move(ctx, "d", "e"); err != nil {
			t.Fatal(err)
		}
		writeFile(t, j, tr, "e/s/b", "changed\n")
		over := Change{Path: "over", From: "e/a", Before: tr.nodes["over"].state, After: tr.nodes["e/a"].state}
		do(t, j, tr, "move", over)
		delete(tr.nodes, "over")
		if err := tr.Move(ctx, "e/a", "over"); err != nil {
			t.Fatal(err)
		}
		var gone []Change
		for _, path := range []string{"e/l", "e/s/b", "e/s", "e"} {
			gone = append(gone, Change{Path: path, Before: tr.nodes[path].state, After: absent})
		}
		tx, err := j.Begin(ctx, "s", "delete", gone, tr)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range gone {
			delete(tr.nodes, c.Path)
		}
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		end := maps.Clone(tr.nodes)

		for range 2 {
			got, err := undo(t, j, tr, 9, "")
			if err != nil || ids(got) != "c4 c3 c2 c1" {
				t.Fatalf("undo: %v %v", ids(got), err)
			}
			if diff := cmp.Diff((&tree{nodes: start}).list(), tr.list()); diff != "" {
				t.Fatalf("after undo (-want +got)\n%s", diff)
			}
			if got, err = redo(t, j, tr, 9, ""); err != nil || ids(got) != "c1 c2 c3 c4" {
				t.Fatalf("redo: %v %v", ids(got), err)
			}
			if diff := cmp.Diff((&tree{nodes: end}).list(), tr.list()); diff != "" {
				t.Fatalf("after redo (-want +got)\n%s", diff)
			}
		}
		tr.write("d", "in the way")
		if _, err := undo(t, j, tr, 9, ""); facade.CodeOf(err) != facade.CodeStale {
			t.Errorf("undo over a taken name: %v", err)
		}
	})
}

func TestFailureRollsBack(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("a", "a1", "b", "b1")
		writeFile(t, j, tr, "a", "a2")
		writeFile(t, j, tr, "b", "b2")
		before := tr.list()
		tr.fail = "a"
		if _, err := undo(t, j, tr, 2, ""); !errors.Is(err, errRefused) {
			t.Fatalf("undo: %v", err)
		}
		if diff := cmp.Diff(before, tr.list()); diff != "" {
			t.Errorf("the tree changed\n%s", diff)
		}
		tr.fail = ""
		if _, err := undo(t, j, tr, 2, ""); err != nil {
			t.Fatal(err)
		}
		undone := tr.list()
		tr.fail = "b"
		if _, err := redo(t, j, tr, 2, ""); !errors.Is(err, errRefused) {
			t.Fatalf("redo: %v", err)
		}
		if diff := cmp.Diff(undone, tr.list()); diff != "" {
			t.Errorf("the tree changed\n%s", diff)
		}
	})
}

func TestModes(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("a", "x")
		after := fileState("x")
		after.Mode = 0o755
		do(t, j, tr, "patch", Change{Path: "a", Before: tr.nodes["a"].state, After: after})
		tr.nodes["a"] = node{after, "x"}
		got, err := undo(t, j, tr, 1, "")
		if err != nil || tr.nodes["a"].state.Mode != 0o644 || !strings.Contains(got[0].Diff, "mode -rwxr-xr-x to -rw-r--r--") {
			t.Errorf("%+v %v", got, err)
		}
	})
}

func TestBeginRefuses(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("a", "x")
		c := Change{Path: "a", Before: fileState("other"), After: fileState("y")}
		if _, err := j.Begin(context.Background(), "s", "write", []Change{c}, tr); facade.CodeOf(err) != facade.CodeStale {
			t.Errorf("changed file: %v", err)
		}
		c.Path = "none"
		if _, err := j.Begin(context.Background(), "s", "write", []Change{c}, tr); facade.CodeOf(err) != facade.CodeNotFound {
			t.Errorf("missing file: %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		c = Change{Path: "a", Before: fileState("x"), After: fileState("y")}
		if _, err := j.Begin(ctx, "s", "write", []Change{c}, tr); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
		if got := historyIDs(t, j, ""); got != "" {
			t.Errorf("history %s", got)
		}
	})
}

func TestTooLargeToKeep(t *testing.T) {
	each(t, &Options{MaxFile: 10}, func(t *testing.T, j *Journal) {
		tr := newTree("a", large(11))
		writeFile(t, j, tr, "a", "small")
		if _, err := undo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeTooLarge {
			t.Errorf("undo: %v", err)
		}
	})
}

func TestAbortAndRecover(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		ctx := context.Background()
		tr := newTree("a", "a1", "b", "b1", "c", "c1")
		changes := []Change{
			{Path: "a", Before: fileState("a1"), After: fileState("a2")},
			{Path: "b", Before: fileState("b1"), After: fileState("b2")},
			{Path: "c", Before: fileState("c1"), After: fileState("c2")},
			{Path: "moved", From: "from", Before: State{Kind: Absent}, After: fileState("m")},
		}
		tx, err := j.Begin(ctx, "s", "edit", changes, tr)
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Abort(); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Begin(ctx, "s", "edit", changes, tr); err != nil { // and then a crash
			t.Fatal(err)
		}
		tr.write("a", "a2")
		tr.write("c", "somebody's")
		tr.write("moved", "m")
		if got := historyIDs(t, j, ""); got != "" {
			t.Errorf("history %s", got)
		}
		ops, err := j.Recover(ctx, "s", tr)
		if err != nil || len(ops) != 1 || ops[0].ID != "c2" {
			t.Fatalf("recovered %v, %v", ops, err)
		}
		want := newTree("a", "a1", "b", "b1", "c", "somebody's", "from", "m").list()
		if diff := cmp.Diff(want, tr.list()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if ops, err := j.Recover(ctx, "s", tr); err != nil || len(ops) != 0 {
			t.Errorf("recovered again: %v, %v", ops, err)
		}
		if _, err := j.Begin(ctx, "s", "write", []Change{{Path: "new", After: fileState("n")}}, tr); err != nil {
			t.Fatal(err)
		}
		tr.write("new", "n") // and a crash before the confirmation
		if ops, err := j.Recover(ctx, "s", tr); err != nil || len(ops) != 0 || historyIDs(t, j, "") != "c3" {
			t.Errorf("a complete operation: %v, %v", ops, err)
		}
	})
}

func TestSweepLimits(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"count", Options{MaxOperations: 2}, "c4 c3"},
		{"bytes", Options{MaxBytes: 2600}, "c4 c3"},
		{"age", Options{MaxAge: 140 * time.Minute}, "c4 c3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.o
			o.Now, o.MaxFile = clock, 1<<20
			each(t, &o, func(t *testing.T, j *Journal) {
				tr := newTree()
				for i := range 4 {
					now = now.Add(time.Hour)
					writeFile(t, j, tr, "a", strings.Repeat(string(rune('a'+i)), 1000))
				}
				now = now.Add(30 * time.Minute)
				if err := j.Sweep(); err != nil {
					t.Fatal(err)
				}
				if got := historyIDs(t, j, ""); got != tt.want && (tt.name != "bytes" || got != "c4") {
					t.Errorf("history %q, want %q", got, tt.want)
				}
				if id := writeFile(t, j, tr, "a", "next"); id != "c5" {
					t.Errorf("numbering goes on with %s", id)
				}
			})
		})
	}
}
