package journal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// faults counts calls and has one of them fail; none with 0.
type faults struct{ calls, at int }

func (f *faults) next() error {
	if f.calls++; f.calls == f.at {
		return errRefused
	}
	return nil
}

// faultyTree is a tree of which one call fails.
type faultyTree struct {
	*tree
	f *faults
}

func (t faultyTree) State(ctx context.Context, path string) (State, error) {
	if err := t.f.next(); err != nil {
		return State{}, err
	}
	return t.tree.State(ctx, path)
}

func (t faultyTree) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	if err := t.f.next(); err != nil {
		return nil, err
	}
	r, err := t.tree.Open(ctx, path)
	return faultyReader{r, t.f}, err
}

func (t faultyTree) Restore(ctx context.Context, path string, s State, content io.Reader) error {
	if err := t.f.next(); err != nil {
		return err
	}
	return t.tree.Restore(ctx, path, s, content)
}

func (t faultyTree) Move(ctx context.Context, from, to string) error {
	if err := t.f.next(); err != nil {
		return err
	}
	return t.tree.Move(ctx, from, to)
}

// faultyReader is a reader of which one call of Read fails.
type faultyReader struct {
	io.ReadCloser
	f *faults
}

func (r faultyReader) Read(p []byte) (int, error) {
	if err := r.f.next(); err != nil {
		return 0, err
	}
	return r.ReadCloser.Read(p)
}

// faultyStore is a store of which one call fails.
type faultyStore struct {
	store
	f *faults
}

func (s faultyStore) put(ctx context.Context, r io.Reader, known string, durable bool) (string, int64, error) {
	if err := s.f.next(); err != nil {
		return "", 0, err
	}
	return s.store.put(ctx, r, known, durable)
}

func (s faultyStore) secure(ctx context.Context, hash string) bool {
	return s.f.next() == nil && s.store.secure(ctx, hash)
}

func (s faultyStore) putReverse(key string, b []byte) error {
	if err := s.f.next(); err != nil {
		return err
	}
	return s.store.putReverse(key, b)
}

func (s faultyStore) get(key string) (io.ReadCloser, error) {
	if err := s.f.next(); err != nil {
		return nil, err
	}
	r, err := s.store.get(key)
	if err != nil {
		return nil, err
	}
	return faultyReader{r, s.f}, nil
}

func (s faultyStore) update(session string, change func([]record) ([]record, error)) error {
	if err := s.f.next(); err != nil {
		return err
	}
	return s.store.update(session, change)
}

// everything makes an operation of every kind: a moved directory, a file moved
// over another, a new file, a few places of a file, a deletion. It returns the
// tree before.
func everything(t *testing.T, j *Journal, tr *tree) map[string]string {
	t.Helper()
	ctx := context.Background()
	dir := State{Kind: Directory, Mode: 0o750}
	tr.nodes["d"] = node{state: dir}
	for path, data := range map[string]string{"d/a": "moved\n", "over": "old\n", "f": "a needle\n", "g": "gone\n"} {
		tr.write(path, data)
	}
	start := tr.list()
	do(t, j, tr, "move", Change{Path: "e", From: "d", After: dir})
	if err := tr.Move(ctx, "d", "e"); err != nil {
		t.Fatal(err)
	}
	do(t, j, tr, "move", Change{Path: "over", From: "e/a", Before: fileState("old\n"), After: fileState("moved\n")})
	delete(tr.nodes, "over")
	if err := tr.Move(ctx, "e/a", "over"); err != nil {
		t.Fatal(err)
	}
	writeFile(t, j, tr, "new", "new\n")
	substituteFile(t, j, tr, "f", "needle", "pin")
	do(t, j, tr, "delete", Change{Path: "g", Before: fileState("gone\n")})
	delete(tr.nodes, "g")
	return start
}

// Whichever call fails, undo and redo do everything or nothing, and can be
// tried again.
func TestOneFaultChangesNothing(t *testing.T) {
	for _, verb := range []string{"undo", "redo"} {
		t.Run(verb, func(t *testing.T) {
			for at := 1; ; at++ {
				if at > 1000 {
					t.Fatal("there is no end of calls")
				}
				j, tr := NewMemory(nil), newTree()
				after := everything(t, j, tr)
				before := tr.list()
				if verb == "redo" {
					if _, err := undo(t, j, tr, 9, ""); err != nil {
						t.Fatal(err)
					}
					before, after = after, before
				}
				f := &faults{at: at}
				good := j.store
				j.store = faultyStore{good, f}
				plan := func() ([]Reverted, error) {
					p, err := j.PlanUndo("s", 9, "")
					if verb == "redo" {
						p, err = j.PlanRedo("s", 9, "")
					}
					if err != nil {
						return nil, err
					}
					return p.Run(context.Background(), faultyTree{tr, f})
				}
				_, err := plan()
				if err != nil {
					if diff := cmp.Diff(before, tr.list()); diff != "" {
						t.Fatalf("call %d failed (%v): the tree changed (-want +got)\n%s", at, err, diff)
					}
					if !errors.Is(err, errRefused) {
						t.Errorf("call %d: %v hides the cause", at, err)
					}
					if _, err = plan(); err != nil {
						t.Fatalf("call %d: again: %v", at, err)
					}
				}
				if diff := cmp.Diff(after, tr.list()); diff != "" {
					t.Fatalf("call %d, %v (-want +got)\n%s", at, err, diff)
				}
				if f.calls < at {
					return
				}
			}
		})
	}
}

// Whichever call fails, recovery can be run again and then brings everything
// back.
func TestRecoverAfterFault(t *testing.T) {
	changes := []Change{
		{Path: "over", From: "from", Before: fileState("old"), After: fileState("moved")},
		{Path: "f", Before: fileState("f1"), After: fileState("f2")},
		{Path: "never", After: fileState("never")},
	}
	for at := 1; ; at++ {
		if at > 1000 {
			t.Fatal("there is no end of calls")
		}
		j, tr := NewMemory(nil), newTree("over", "old", "from", "moved", "f", "f1")
		start := tr.list()
		if _, err := j.Begin(context.Background(), "s", "edit", changes, tr); err != nil {
			t.Fatal(err)
		}
		delete(tr.nodes, "from")
		tr.write("over", "moved")
		tr.write("f", "f2")
		if _, err := j.Begin(context.Background(), "s", "write", []Change{{Path: "whole", After: fileState("w")}}, tr); err != nil {
			t.Fatal(err)
		}
		tr.write("whole", "w")
		f := &faults{at: at}
		j.store = faultyStore{j.store, f}
		_, err := j.Recover(context.Background(), "s", faultyTree{tr, f})
		if err != nil {
			if !errors.Is(err, errRefused) {
				t.Errorf("call %d: %v hides the cause", at, err)
			}
			if _, err = j.Recover(context.Background(), "s", faultyTree{tr, f}); err != nil {
				t.Fatalf("call %d: again: %v", at, err)
			}
		}
		done := f.calls < at
		f.at = 0
		start["whole"] = "file -rw-r--r-- w"
		if diff := cmp.Diff(start, tr.list()); diff != "" {
			t.Fatalf("call %d, %v (-want +got)\n%s", at, err, diff)
		}
		if got := historyIDs(t, j, ""); got != "c2" {
			t.Errorf("call %d: history %s", at, got)
		}
		if done {
			return
		}
	}
}

// Whichever call fails, an operation either begins or leaves no trace in the
// history, and a commit that succeeds can be undone.
func TestBeginAndCommitWithFault(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name    string
		way     *Reverse
		content []byte
	}{{"whole", nil, nil}, {"way back", &Reverse{}, []byte("a pin")}} {
		t.Run(tt.name, func(t *testing.T) {
			for at := 1; at < 100; at++ {
				j, tr := NewMemory(nil), newTree("f", "a needle")
				f := &faults{at: at}
				j.store = faultyStore{j.store, f}
				c := Change{Path: "f", Before: fileState("a needle"), After: fileState("a pin"), Content: tt.content}
				if tt.way != nil {
					_, c.Reverse = substitute("a needle", "needle", "pin")
				}
				tx, err := j.Begin(ctx, "s", "replace", []Change{c}, faultyTree{tr, f})
				if err != nil {
					if !errors.Is(err, errRefused) {
						t.Errorf("begin, call %d: %v", at, err)
					}
					if logs := j.store.(faultyStore).store.(*memory).logs; len(logs) != 0 {
						t.Errorf("begin, call %d: logs %v", at, logs)
					}
					continue
				}
				tr.write("f", "a pin")
				if err := tx.Commit(ctx); err != nil {
					if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "record in the journal") {
						t.Errorf("commit, call %d: %v", at, err)
					}
					// It is complete, so recovery confirms it.
					if ops, err := j.Recover(ctx, "s", tr); err != nil || len(ops) != 0 {
						t.Fatalf("recover, call %d: %v, %v", at, ops, err)
					}
				}
				done := f.calls < at
				f.at = 0
				if got, err := undo(t, j, tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["f"].data != "a needle" {
					t.Fatalf("undo, call %d: %v, %v, then %q", at, ids(got), err, tr.nodes["f"].data)
				}
				if done {
					return
				}
			}
			t.Fatal("there is no end of calls")
		})
	}
}

// stuckTree cannot write some paths.
type stuckTree struct {
	*tree
	stuck func(path string, s State) bool
}

func (t stuckTree) Restore(ctx context.Context, path string, s State, content io.Reader) error {
	if t.stuck(path, s) {
		return errRefused
	}
	return t.tree.Restore(ctx, path, s, content)
}

// Where not even the rollback works, the error names what it left behind.
func TestRollbackFails(t *testing.T) {
	for _, verb := range []string{"undo", "redo"} {
		t.Run(verb, func(t *testing.T) {
			j, tr := NewMemory(nil), newTree("a", "1", "b", "1")
			writeFile(t, j, tr, "b", "2")
			writeFile(t, j, tr, "a", "2")
			first, last, back := "a", "b", fileState("2")
			p, err := j.PlanUndo("s", 2, "")
			if verb == "redo" {
				if _, err := undo(t, j, tr, 2, ""); err != nil {
					t.Fatal(err)
				}
				first, last, back = "b", "a", fileState("1")
				p, err = j.PlanRedo("s", 2, "")
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Run(context.Background(), stuckTree{tr, func(path string, s State) bool {
				return path == last || s.Same(back)
			}})
			if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "take back "+first) {
				t.Errorf("%v does not say that %s was left", err, first)
			}
			if got := tr.nodes[last].state; !got.Same(back) {
				t.Errorf("%s changed to %+v", last, got)
			}
		})
	}
}

// What an undo cannot show does not keep it from being done; a file that
// changed and cannot be looked at is refused all the same.
func TestChangedFileThatCannotBeRead(t *testing.T) {
	j, tr := NewMemory(nil), newTree("a", "one")
	writeFile(t, j, tr, "a", "two")
	tr.write("a", "somebody's")
	p, err := j.PlanUndo("s", 1, "")
	if err != nil {
		t.Fatal(err)
	}
	// The first look finds the change, the second is for showing it.
	got, err := p.Run(context.Background(), faultyTree{tr, &faults{at: 2}})
	if facade.CodeOf(err) != facade.CodeStale || len(got) != 1 || got[0].Diff != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if tr.nodes["a"].data != "somebody's" {
		t.Errorf("the file became %q", tr.nodes["a"].data)
	}
}

// A file that grew beyond the limit since its state was read is described, not
// compared.
func TestTextThatGrew(t *testing.T) {
	j, tr := NewMemory(nil), newTree("a", "small")
	s := tr.nodes["a"].state
	tr.nodes["a"] = node{s, large(maxDiffFile + 1)}
	if b, ok := j.text(context.Background(), tr, "a", s, true); ok || b != nil {
		t.Errorf("%d bytes, %v", len(b), ok)
	}
}

// Redo of a move is refused where the place it goes to was taken meanwhile.
func TestRedoOfMoveOverNewFile(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("from", "m")
		do(t, j, tr, "move", Change{Path: "to", From: "from", After: fileState("m")})
		if err := tr.Move(context.Background(), "from", "to"); err != nil {
			t.Fatal(err)
		}
		if _, err := undo(t, j, tr, 1, ""); err != nil {
			t.Fatal(err)
		}
		tr.write("to", "somebody's")
		want := tr.list()
		if _, err := redo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeStale || !strings.Contains(err.Error(), "c1 (move) cannot be redone: to changed since") {
			t.Errorf("redo: %v", err)
		}
		if diff := cmp.Diff(want, tr.list()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// cancelTree cancels when a file is opened.
type cancelTree struct {
	*tree
	cancel context.CancelFunc
}

func (t cancelTree) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	t.cancel()
	return t.tree.Open(ctx, path)
}

// An operation canceled while content is kept does not begin.
func TestCancelWhileKeeping(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("a", "one")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		c := Change{Path: "a", Before: fileState("one"), After: fileState("two")}
		if _, err := j.Begin(ctx, "s", "write", []Change{c}, cancelTree{tr, cancel}); !errors.Is(err, context.Canceled) {
			t.Errorf("begin: %v", err)
		}
		if whole, way := kept(j, "one", "two"); whole || way || historyIDs(t, j, "") != "" {
			t.Errorf("kept %v, %v, history %q", whole, way, historyIDs(t, j, ""))
		}
		writeFile(t, j, tr, "a", "two")
		if got, err := undo(t, j, tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
			t.Errorf("undo: %v, %v", ids(got), err)
		}
	})
}
