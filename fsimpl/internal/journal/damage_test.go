package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// A way back that is damaged ends in an error, before the whole was given.
func TestDamagedWayBack(t *testing.T) {
	ones := bytes.Repeat([]byte{0xff}, 9) // with a last byte of 1, 2^64-1
	for _, tt := range []struct {
		name string
		way  []byte
	}{
		{"no end of the distance", []byte{0x80}},
		{"negative distance", append(bytes.Clone(ones), 1)},
		{"distance beyond the end", []byte{100, 0, 0}},
		{"nothing after the distance", []byte{0}},
		{"no length", []byte{0, 1}},
		{"negative skip", append(append([]byte{0}, ones...), 1, 0)},
		{"skip beyond the end", []byte{0, 100, 0}},
		{"length beyond the end", []byte{0, 1, 5, 'x'}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readBack(tt.way, "base", "want", func(r io.Reader) io.Reader { return r })
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// closeTree has files that fail when they are closed.
type closeTree struct{ *tree }

type badCloser struct{ io.Reader }

func (badCloser) Close() error { return errRefused }

func (t closeTree) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	r, err := t.tree.Open(ctx, path)
	return badCloser{r}, err
}

// A file that cannot be closed may not be replaced: reading back fails.
func TestWayBackThatCannotClose(t *testing.T) {
	j, tr := NewMemory(nil), newTree("f", "a needle")
	substituteFile(t, j, tr, "f", "needle", "pin")
	p, err := j.PlanUndo("s", 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(context.Background(), closeTree{tr}); !errors.Is(err, errRefused) || tr.nodes["f"].data != "a pin" {
		t.Errorf("undo: %v, then %q", err, tr.nodes["f"].data)
	}
}

// Recovery without the old content is a clear error, and the operation stays
// open for another attempt.
func TestRecoverWithoutContent(t *testing.T) {
	j, tr := NewMemory(nil), newTree("f", "old")
	changes := []Change{
		{Path: "f", Before: fileState("old"), After: fileState("new")},
		{Path: "never", After: fileState("never")},
	}
	if _, err := j.Begin(context.Background(), "s", "write", changes, tr); err != nil {
		t.Fatal(err)
	}
	tr.write("f", "new")
	m := j.store.(*memory)
	blobs := m.blobs
	m.blobs = map[string][]byte{}
	if _, err := j.Recover(context.Background(), "s", tr); facade.CodeOf(err) != facade.CodeNotFound || !strings.Contains(err.Error(), "recover c1: the journal no longer holds the content of f") {
		t.Errorf("recover: %v", err)
	}
	if tr.nodes["f"].data != "new" {
		t.Errorf("the file became %q", tr.nodes["f"].data)
	}
	m.blobs = blobs
	if ops, err := j.Recover(context.Background(), "s", tr); err != nil || len(ops) != 1 || tr.nodes["f"].data != "old" {
		t.Errorf("recover again: %v, %v, then %q", ops, err, tr.nodes["f"].data)
	}
}

// Records of an operation that is not in the log, and of kinds that are not
// known, are skipped.
func TestForeignRecords(t *testing.T) {
	begin := record{Kind: recordBegin, Seq: 2, Time: time.Unix(0, 0), Changes: []wireChange{{Path: "a"}}}
	ops := operations([]record{
		{Kind: recordCommit, Seq: 1},
		{Kind: recordUndo, Seq: 1},
		begin,
		{Kind: recordCommit, Seq: 2},
		{Kind: "of a later version", Seq: 2},
		{Kind: recordAbort, Seq: 3},
	})
	if len(ops) != 1 || ops[0].ID != "c2" || ops[0].Undone || ops[0].open {
		t.Errorf("operations %+v", ops)
	}
}

// A clock that no record can hold is an error, not a damaged log.
func TestClockBeyondRecords(t *testing.T) {
	now := time.Now()
	o := &Options{Now: func() time.Time { return now }}
	j := open(t, t.TempDir(), o)
	tr := newTree("a", "one")
	writeFile(t, j, tr, "a", "two")
	good := now
	now = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Change{Path: "a", Before: fileState("two"), After: fileState("three")}
	if _, err := j.Begin(context.Background(), "s", "write", []Change{c}, tr); err == nil || !strings.Contains(err.Error(), "record in the journal") {
		t.Errorf("begin: %v", err)
	}
	d := j.store.(*directory)
	if err := d.rewrite(logName("s"), []record{{Kind: recordBegin, Time: now}}); err == nil {
		t.Error("the log was rewritten")
	}
	now = good
	if got, err := undo(t, j, tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
		t.Errorf("undo: %v, %v", ids(got), err)
	}
}

// A name that is gone needs no removal.
func TestRemoveIfThere(t *testing.T) {
	if err := removeIfThere(t.TempDir() + "/none"); err != nil {
		t.Errorf("none: %v", err)
	}
	if err := syncDir(t.TempDir() + "/none"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("sync of none: %v", err)
	}
}

// What stands below a name that a planned move takes away is gone for the
// operations before it: undo brings back what stood there.
func TestUndoBelowMovedDirectory(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		dir := node{state: State{Kind: Directory, Mode: 0o755}}
		tr := newTree("e/z", "below\n", "d/z", "other\n")
		tr.nodes["d"], tr.nodes["e"] = dir, dir
		start := tr.list()
		do(t, j, tr, "delete", Change{Path: "e/z", Before: fileState("below\n")}, Change{Path: "e", Before: dir.state})
		delete(tr.nodes, "e/z")
		delete(tr.nodes, "e")
		do(t, j, tr, "move", Change{Path: "e", From: "d", After: dir.state})
		must(t, tr.Move(context.Background(), "d", "e"))
		end := tr.list()
		if got, err := undo(t, j, tr, 9, ""); err != nil || ids(got) != "c2 c1" {
			t.Fatalf("undo: %v, %v", ids(got), err)
		}
		if diff := cmp.Diff(start, tr.list()); diff != "" {
			t.Errorf("after undo (-want +got)\n%s", diff)
		}
		if got, err := redo(t, j, tr, 9, ""); err != nil || ids(got) != "c1 c2" {
			t.Fatalf("redo: %v, %v", ids(got), err)
		}
		if diff := cmp.Diff(end, tr.list()); diff != "" {
			t.Errorf("after redo (-want +got)\n%s", diff)
		}
	})
}

// An operation of many large changes is undone whole, though only the first
// diffs are shown.
func TestUndoShowsBoundedDiff(t *testing.T) {
	j, tr := NewMemory(nil), newTree()
	var changes []Change
	for _, path := range []string{"a", "b", "c", "d"} {
		data := strings.Repeat(path+" line\n", maxDiff/8)
		changes = append(changes, Change{Path: path, After: fileState(data)})
	}
	tx, err := j.Begin(context.Background(), "s", "write", changes, tr)
	must(t, err)
	for _, c := range changes {
		tr.write(c.Path, strings.Repeat(c.Path+" line\n", maxDiff/8))
	}
	must(t, tx.Commit(context.Background()))
	got, err := undo(t, j, tr, 1, "")
	if err != nil || len(tr.nodes) != 0 {
		t.Fatalf("undo: %v, then %v", err, tr.list())
	}
	if n := len(got[0].Diff); n < maxDiff/2 || n > 2*maxDiff || strings.Contains(got[0].Diff, "a line") {
		t.Errorf("diff of %d bytes", n)
	}
}

// New content that the caller has in memory is kept under its hash, once.
func TestCommitKeepsGivenContent(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		ctx := context.Background()
		tr := newTree()
		c := Change{Path: "a", After: fileState("new"), Content: []byte("new")}
		for range 2 {
			tx, err := j.Begin(ctx, "s", "write", []Change{c}, tr)
			must(t, err, tx.Commit(ctx))
		}
		tr.write("a", "somebody's")
		got, err := undo(t, j, tr, 1, "")
		if facade.CodeOf(err) != facade.CodeStale || len(got) != 1 || !strings.Contains(got[0].Diff, "-new\n") {
			t.Errorf("undo: %+v, %v", got, err)
		}
		if j.added != int64(len("new")) {
			t.Errorf("%d bytes were kept", j.added)
		}
	})
}

// Content that is not what its hash says, as a power failure may leave it,
// refuses undo, and the file stays.
func TestDamagedContent(t *testing.T) {
	for _, damaged := range []string{"", "on", "One", "one and more"} {
		dir := t.TempDir()
		j := open(t, dir, nil)
		tr := newTree("a", "one")
		writeFile(t, j, tr, "a", "two")
		must(t, os.WriteFile(j.store.(*directory).blobPath(fileState("one").Hash), []byte(damaged), 0o600))
		if _, err := undo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeIO || !strings.Contains(err.Error(), "the journal's copy of a is damaged") || tr.nodes["a"].data != "two" {
			t.Errorf("%q: undo: %v, then %q", damaged, err, tr.nodes["a"].data)
		}
		if got := historyIDs(t, j, ""); got != "c1" {
			t.Errorf("%q: history %q", damaged, got)
		}
	}
}
