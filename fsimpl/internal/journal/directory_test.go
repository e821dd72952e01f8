package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func open(t *testing.T, dir string, o *Options) *Journal {
	t.Helper()
	j, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func TestSurvivesRestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "journal")
	tr := newTree("a", "1")
	first := open(t, dir, nil)
	writeFile(t, first, tr, "a", "2")
	second := open(t, dir, nil)
	if got, err := undo(t, second, tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "1" {
		t.Fatalf("undo: %v %v", ids(got), err)
	}
	if got, err := redo(t, first, tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "2" {
		t.Errorf("redo by the other: %v %v", ids(got), err)
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
}

// A crash at any byte of a record leaves the records before it.
func TestTornRecords(t *testing.T) {
	dir := t.TempDir()
	tr := newTree("a", "1")
	j := open(t, dir, nil)
	writeFile(t, j, tr, "a", "2")
	log := filepath.Join(dir, logDir, logName("s"))
	whole, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, j, tr, "a", "3")
	both, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for n := len(whole); n < len(both); n += 7 {
		if err := os.WriteFile(log, both[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		j := open(t, dir, nil)
		if got := historyIDs(t, j, ""); got != "c1" {
			t.Fatalf("cut at %d: history %q", n, got)
		}
		if _, err := j.Recover(context.Background(), "s", newTree("a", "3")); err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		writeFile(t, j, tr, "b", "x")
		if got := historyIDs(t, j, ""); !strings.HasSuffix(got, " c1") {
			t.Fatalf("cut at %d: history %q", n, got)
		}
	}
}

func TestBadRecordIsSkipped(t *testing.T) {
	dir := t.TempDir()
	tr := newTree()
	writeFile(t, open(t, dir, nil), tr, "a", "1")
	log := filepath.Join(dir, logDir, logName("s"))
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, append([]byte("not json\n"), b...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := historyIDs(t, open(t, dir, nil), ""); got != "c1" {
		t.Errorf("history %q", got)
	}
}

func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	o := &Options{NoSync: true, MaxOperations: 10_000}
	var wg sync.WaitGroup
	for w := range 4 {
		j := open(t, dir, o) // as of another process: its own lock and cache
		wg.Go(func() {
			tr := newTree()
			for i := range 40 {
				tx, err := j.Begin(context.Background(), "s", "write", []Change{{Path: fmt.Sprint(w), After: fileState("x")}}, tr)
				if err == nil {
					tr.write(fmt.Sprint(w), "x")
					err = tx.Commit(context.Background())
				}
				if err != nil {
					t.Errorf("writer %d, %d: %v", w, i, err)
				}
			}
		})
	}
	wg.Wait()
	ops, err := open(t, dir, o).History("s", "", 1000)
	if err != nil || len(ops) != 160 {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	seen := map[string]bool{}
	for _, op := range ops {
		if seen[op.ID] {
			t.Errorf("%s twice", op.ID)
		}
		seen[op.ID] = true
	}
}

func TestSweepDropsContent(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	o := &Options{Now: func() time.Time { return now }, MaxOperations: 1}
	j := open(t, dir, o)
	tr := newTree("a", "one")
	first := tr.nodes["a"].state.Hash
	writeFile(t, j, tr, "a", "two")
	writeFile(t, j, tr, "a", "three")
	if err := os.WriteFile(filepath.Join(dir, tempDir, "blob-left"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, tempDir, "blob-left"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := j.Sweep(); err != nil {
		t.Fatal(err)
	}
	if r, err := j.store.get(first); err != nil {
		t.Errorf("young content is gone: %v", err)
	} else {
		r.Close()
	}
	now = now.Add(2 * time.Hour)
	if err := j.Sweep(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.store.get(first); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("content that nothing names: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, tempDir)); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if got, err := undo(t, j, tr, 5, ""); err != nil || ids(got) != "c2" {
		t.Errorf("undo: %v, %v", ids(got), err)
	}
}

func TestLostContentRefusesUndo(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	tr := newTree("a", "one")
	hash := tr.nodes["a"].state.Hash
	writeFile(t, j, tr, "a", "two")
	if err := os.Remove(j.store.(*directory).blobPath(hash)); err != nil {
		t.Fatal(err)
	}
	if _, err := undo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeNotFound || tr.nodes["a"].data != "two" {
		t.Errorf("undo: %v", err)
	}
	if _, err := j.store.get("../../../etc/passwd"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a hash that is none: %v", err)
	}
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := t.TempDir()
	tr := newTree("bad\xFF\n", "1")
	tr.nodes["l"] = node{state: State{Kind: Symlink, Target: "to\xFE"}}
	j := open(t, dir, nil)
	writeFile(t, j, tr, "bad\xFF\n", "2")
	do(t, j, tr, "delete", Change{Path: "l", Before: tr.nodes["l"].state})
	delete(tr.nodes, "l")
	if _, err := undo(t, open(t, dir, nil), tr, 2, ""); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"bad\xFF\n": "file -rw-r--r-- 1", "l": "symlink ---------- to\xFE"}
	if diff := cmp.Diff(want, tr.list()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var n name
	for _, bad := range []string{`5`, `[]`, `["!"]`} {
		if err := n.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s passed", bad)
		}
	}
}

func TestOpenFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "below"), nil); err == nil {
		t.Error("a journal below a file")
	}
}

func TestManyCommitsSweep(t *testing.T) {
	j := open(t, t.TempDir(), &Options{NoSync: true, MaxOperations: 5})
	tr := newTree()
	for i := range sweepEvery {
		writeFile(t, j, tr, "a", fmt.Sprint(i))
	}
	ops, err := j.History("s", "", 1000)
	if err != nil || len(ops) != 5 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}
