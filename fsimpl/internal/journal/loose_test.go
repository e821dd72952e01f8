package journal

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
)

// places tells where a content is kept.
func places(t *testing.T, j *Journal, content string) (durable, loose bool) {
	t.Helper()
	d := j.store.(*directory)
	there := func(path string) bool {
		_, err := os.Stat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	}
	hash := fileState(content).Hash
	return there(d.blobPath(hash)), there(d.loosePath(hash))
}

// The new content of a change is synced when it becomes the old one of the
// next, be that in the same process or in a later one.
func TestNewContentIsSecured(t *testing.T) {
	for _, again := range []bool{false, true} {
		dir := t.TempDir()
		tr := newTree("a", "one")
		j := open(t, dir, nil)
		writeFile(t, j, tr, "a", "two")
		if durable, loose := places(t, j, "two"); durable || !loose {
			t.Errorf("the new content is kept durably %v, else %v", durable, loose)
		}
		if again {
			must(t, j.Close())
			j = open(t, dir, nil)
		}
		writeFile(t, j, tr, "a", "three")
		if durable, loose := places(t, j, "two"); !durable || loose {
			t.Errorf("the old content is kept durably %v, else %v", durable, loose)
		}
		if got, err := undo(t, j, tr, 2, ""); err != nil || ids(got) != "c2 c1" || tr.nodes["a"].data != "one" {
			t.Errorf("undo: %v, %v", ids(got), err)
		}
		if got, err := redo(t, j, tr, 2, ""); err != nil || len(got) != 2 || tr.nodes["a"].data != "three" {
			t.Errorf("redo: %v, %v", ids(got), err)
		}
	}
}

// What a power failure has cut is not taken for the content.
func TestPowerFailureCutsNewContent(t *testing.T) {
	for _, cut := range []string{"", "tw", "\x00\x00\x00"} {
		dir := t.TempDir()
		tr := newTree("a", "one")
		j := open(t, dir, nil)
		writeFile(t, j, tr, "a", "two")
		must(t, j.Close(), os.WriteFile(j.store.(*directory).loosePath(fileState("two").Hash), []byte(cut), 0o600))
		j = open(t, dir, nil)
		writeFile(t, j, tr, "a", "three")
		if got, err := undo(t, j, tr, 1, ""); err != nil || len(got) != 1 || tr.nodes["a"].data != "two" {
			t.Errorf("%q: undo: %v, then %q", cut, err, tr.nodes["a"].data)
		}
		if got, err := undo(t, j, tr, 1, ""); err != nil || len(got) != 1 || tr.nodes["a"].data != "one" {
			t.Errorf("%q: undo: %v, then %q", cut, err, tr.nodes["a"].data)
		}
	}
}

// Content that is secured is not swept before the operation that needs it is
// recorded; content that nothing needs goes from both places.
func TestSweepOfNewContent(t *testing.T) {
	tr := newTree("a", "one")
	j := open(t, t.TempDir(), &Options{MaxOperations: 1})
	d := j.store.(*directory)
	writeFile(t, j, tr, "a", "two")
	writeFile(t, j, tr, "a", "three")
	writeFile(t, j, tr, "a", "four")
	for _, text := range []string{"two", "five"} {
		_, _, err := d.put(t.Context(), strings.NewReader(text), fileState(text).Hash, false)
		must(t, err)
	}
	old := time.Now().Add(-2 * blobGrace)
	for _, text := range []string{"one", "two", "three", "four", "five"} {
		for _, path := range []string{d.blobPath(fileState(text).Hash), d.loosePath(fileState(text).Hash)} {
			if err := os.Chtimes(path, old, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	for _, text := range []string{"one", "five"} {
		if !d.secure(t.Context(), fileState(text).Hash) {
			t.Errorf("%q is kept and cannot be secured", text)
		}
	}
	must(t, j.Sweep())
	for text, want := range map[string][2]bool{
		"one": {true, false}, "two": {}, "three": {true, false}, "four": {false, true}, "five": {true, false},
	} {
		if durable, loose := places(t, j, text); durable != want[0] || loose != want[1] {
			t.Errorf("%q is kept durably %v, else %v; want %v", text, durable, loose, want)
		}
	}
}

// Without syncs there is one place only.
func TestNoSyncNewContent(t *testing.T) {
	tr := newTree("a", "one")
	j := open(t, t.TempDir(), &Options{NoSync: true})
	writeFile(t, j, tr, "a", "two")
	if durable, loose := places(t, j, "two"); !durable || loose {
		t.Errorf("the new content is kept in its place %v, else %v", durable, loose)
	}
}

// What is remembered of a process's own content is bounded.
func TestLooseIsBounded(t *testing.T) {
	var l loose
	for i := range 3 * maxLoose {
		l.add(fileState(string(rune(i))).Hash)
	}
	if len(l.keys) > maxLoose {
		t.Errorf("%d are remembered", len(l.keys))
	}
	l.add("x")
	if !l.take("x") || l.take("x") {
		t.Error("a content is not taken once")
	}
}
