package journal

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// must fails the test on the first error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// logFile is the log of the session of these tests.
func logFile(dir string) string { return filepath.Join(dir, logDir, logName("s")) }

// temps lists what is left in the directory for files under way.
func temps(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, tempDir))
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// change is the operation of writing a file in the tree.
func change(tr *tree, path, data string) []Change {
	return []Change{{Path: path, Before: tr.nodes[path].state, After: fileState(data)}}
}

// changeWay is a change with the way back.
func changeWay(t *testing.T, tr *tree, path, old, new string) []Change {
	t.Helper()
	data, way := substitute(tr.nodes[path].data, old, new)
	return []Change{{Path: path, Before: tr.nodes[path].state, After: fileState(data), Reverse: way}}
}

// A journal that was closed says so for everything, and loses nothing.
func TestClosedJournal(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	tr := newTree("a", "one")
	j := open(t, dir, nil)
	writeFile(t, j, tr, "a", "two")
	tx, err := j.Begin(ctx, "s", "write", change(tr, "b", "new"), tr)
	must(t, err, j.Close())
	tr.write("b", "new")
	for name, call := range map[string]func() error{
		"begin":   func() error { _, err := j.Begin(ctx, "s", "write", change(tr, "a", "three"), tr); return err },
		"commit":  func() error { return tx.Commit(ctx) },
		"abort":   tx.Abort,
		"recover": func() error { _, err := j.Recover(ctx, "s", tr); return err },
		"undo":    func() error { _, err := j.PlanUndo("s", 1, ""); return err },
		"redo":    func() error { _, err := j.PlanRedo("s", 1, ""); return err },
		"history": func() error { _, err := j.History("s", "", 1); return err },
		"sweep":   j.Sweep,
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "lock the journal") {
			t.Errorf("%s: %v", name, err)
		}
	}
	again := open(t, dir, nil)
	if ops, err := again.Recover(ctx, "s", tr); err != nil || len(ops) != 0 || historyIDs(t, again, "") != "c2 c1" {
		t.Errorf("recover: %v, %v, history %q", ops, err, historyIDs(t, again, ""))
	}
	if got, err := undo(t, again, tr, 2, ""); err != nil || ids(got) != "c2 c1" || tr.nodes["a"].data != "one" {
		t.Errorf("undo: %v, %v", ids(got), err)
	}
}

// A directory that is no journal's is refused with what is wrong, and what a
// journal kept there is not touched.
func TestOpenDamagedDirectory(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage string // what stands for something else
		dir    bool
		want   string
	}{
		{"a file for the contents", blobDir, false, "make the journal's directory"},
		{"a file for the logs", logDir, false, "make the journal's directory"},
		{"a directory for the lock", "lock", true, "open the journal's lock"},
		{"a directory for a log", filepath.Join(logDir, logName("s")), true, "sweep the journal"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tr := newTree("a", "one")
			j := open(t, dir, nil)
			writeFile(t, j, tr, "a", "two")
			must(t, j.Close())
			bad, aside := filepath.Join(dir, tt.damage), filepath.Join(t.TempDir(), "aside")
			must(t, os.Rename(bad, aside))
			if tt.dir {
				must(t, os.MkdirAll(filepath.Join(bad, "not empty"), 0o700))
			} else {
				must(t, os.WriteFile(bad, nil, 0o600))
			}
			if j, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("open: %v, %v; want %q", j, err, tt.want)
			}
			must(t, os.RemoveAll(bad), os.Rename(aside, bad))
			if got, err := undo(t, open(t, dir, nil), tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
				t.Errorf("undo once repaired: %v, %v", ids(got), err)
			}
		})
	}
}

// Where a part of the directory went away under an open journal, an operation
// does not begin; what was recorded before can be undone once it is back.
func TestPartOfDirectoryGone(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name, gone   string
		begin, sweep bool // fail
	}{
		{"files under way", tempDir, true, true},
		{"logs", logDir, true, true},
		{"contents", blobDir, false, true}, // made again for new content
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tr := newTree("a", "one", "b", "a needle", "c", "old")
			j := open(t, dir, nil)
			writeFile(t, j, tr, "a", "two")
			there, aside := filepath.Join(dir, tt.gone), filepath.Join(t.TempDir(), "aside")
			must(t, os.Rename(there, aside))
			if err := j.Sweep(); (err != nil) != tt.sweep || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("sweep: %v", err)
			}
			for _, c := range [][]Change{change(tr, "c", "new"), changeWay(t, tr, "b", "needle", "pin")} {
				tx, err := j.Begin(ctx, "s", "write", c, tr)
				if (err != nil) != tt.begin || err != nil && (!errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "in the journal")) {
					t.Errorf("begin of %s: %v", c[0].Path, err)
				}
				if err == nil {
					must(t, tx.Abort())
				}
			}
			must(t, os.RemoveAll(there), os.Rename(aside, there))
			if got, err := undo(t, j, tr, 9, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
				t.Errorf("undo once it is back: %v, %v", ids(got), err)
			}
		})
	}
}

// Content that cannot get its place is an error, and leaves no file behind.
func TestNoPlaceForContent(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name  string
		block func(blob string) error
	}{
		{"a file for its directory", func(blob string) error { return os.WriteFile(filepath.Dir(blob), nil, 0o600) }},
		{"a directory for it", func(blob string) error { return os.MkdirAll(filepath.Join(blob, "not empty"), 0o700) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			j := open(t, dir, nil)
			d := j.store.(*directory)
			one, two := fileState("one"), fileState("two")
			must(t, tt.block(d.blobPath(one.Hash)), tt.block(d.blobPath(reverseKey(two, one))))
			if hash, _, err := d.put(ctx, strings.NewReader("one"), "", true); err == nil {
				t.Errorf("kept as %s", hash)
			}
			if err := d.putReverse(reverseKey(two, one), []byte("way")); err == nil {
				t.Error("the way back was kept")
			}
			if left := temps(t, dir); len(left) != 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

// A way back that cannot be read refuses undo with the cause, and the file
// stays.
func TestUnreadableWayBack(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	tr := newTree("f", "a needle")
	substituteFile(t, j, tr, "f", "needle", "pin")
	way := j.store.(*directory).blobPath(reverseKey(fileState("a needle"), fileState("a pin")))
	aside := filepath.Join(t.TempDir(), "aside")
	must(t, os.Rename(way, aside), os.Mkdir(way, 0o700))
	if _, err := undo(t, j, tr, 1, ""); err == nil || facade.CodeOf(err) == facade.CodeNotFound || tr.nodes["f"].data != "a pin" {
		t.Errorf("undo: %v, then %q", err, tr.nodes["f"].data)
	}
	must(t, os.Remove(way))
	if _, err := undo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeNotFound || tr.nodes["f"].data != "a pin" {
		t.Errorf("undo without it: %v, then %q", err, tr.nodes["f"].data)
	}
	must(t, os.Rename(aside, way))
	if _, err := undo(t, j, tr, 1, ""); err != nil || tr.nodes["f"].data != "a needle" {
		t.Errorf("undo: %v, then %q", err, tr.nodes["f"].data)
	}
}

// What is not the journal's is left alone by a sweep, and so are files that
// may be under way.
func TestSweepLeavesForeignFiles(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	j := open(t, dir, &Options{Now: func() time.Time { return now }})
	tr := newTree("a", "one")
	writeFile(t, j, tr, "a", "two")
	old := now.Add(-48 * time.Hour)
	foreign := []string{filepath.Join(dir, logDir, "README"), filepath.Join(dir, blobDir, "README"), filepath.Join(dir, tempDir, "young")}
	for _, name := range foreign {
		must(t, os.WriteFile(name, []byte("not yours"), 0o600))
	}
	must(t, os.Chtimes(foreign[0], old, old), os.Chtimes(foreign[1], old, old))
	must(t, j.Sweep())
	for _, name := range foreign {
		if b, err := os.ReadFile(name); err != nil || string(b) != "not yours" {
			t.Errorf("%s: %q, %v", filepath.Base(filepath.Dir(name)), b, err)
		}
	}
	if got := historyIDs(t, j, ""); got != "c1" {
		t.Errorf("history %q", got)
	}
}

// A sweep that cannot finish says so; the entries that are to stay do.
func TestSweepFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(t *testing.T, d *directory)
	}{
		{"log that cannot be read", func(t *testing.T, d *directory) {
			must(t, os.MkdirAll(filepath.Join(d.dir, logDir, "x"+logExt, "not empty"), 0o700))
		}},
		{"log that cannot be replaced", func(t *testing.T, d *directory) {
			must(t, os.RemoveAll(filepath.Join(d.dir, tempDir)), os.WriteFile(filepath.Join(d.dir, tempDir), nil, 0o600))
		}},
		{"content that cannot be removed", func(t *testing.T, d *directory) {
			// A content elsewhere than its name says, and something in its place.
			name := strings.Repeat("0", 64)
			old := time.Now().Add(-time.Hour)
			elsewhere := filepath.Join(d.dir, blobDir, name)
			must(t, os.WriteFile(elsewhere, nil, 0o600), os.Chtimes(elsewhere, old, old))
			must(t, os.MkdirAll(filepath.Join(d.blobPath(name), "not empty"), 0o700))
		}},
		{"leftover that cannot be removed", func(t *testing.T, d *directory) {
			left := filepath.Join(d.dir, tempDir, "left")
			old := time.Now().Add(-time.Hour)
			must(t, os.MkdirAll(filepath.Join(left, "not empty"), 0o700), os.Chtimes(left, old, old))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			j := open(t, dir, &Options{MaxOperations: 1})
			tr := newTree("a", "one")
			writeFile(t, j, tr, "a", "two")
			writeFile(t, j, tr, "a", "three")
			tt.damage(t, j.store.(*directory))
			if err := j.Sweep(); err == nil || !strings.HasPrefix(err.Error(), "sweep the journal: ") {
				t.Errorf("sweep: %v", err)
			}
			if got := historyIDs(t, j, ""); got != "c2 c1" && got != "c2" {
				t.Errorf("history %q", got)
			}
			must(t, os.RemoveAll(filepath.Join(dir, tempDir)), os.MkdirAll(filepath.Join(dir, tempDir), 0o700))
			if got, err := undo(t, j, tr, 1, ""); err != nil || ids(got) != "c2" || tr.nodes["a"].data != "two" {
				t.Errorf("undo: %v, %v", ids(got), err)
			}
		})
	}
}

// A log that cannot be replaced stays as it was, and no file is left.
func TestRewriteFails(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, nil).store.(*directory)
	must(t, os.MkdirAll(filepath.Join(dir, logDir, "x"+logExt, "not empty"), 0o700))
	if err := d.rewrite("x"+logExt, nil); err == nil {
		t.Error("a directory was replaced")
	}
	if left := temps(t, dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// A log whose file was closed meanwhile is an error, not an empty log.
func TestLoadOfClosedFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err, f.Close())
	c := &cached{size: 3, records: []record{{Seq: 1}}}
	if err := c.load(f); !errors.Is(err, fs.ErrClosed) || c.size != 3 || len(c.records) != 1 {
		t.Errorf("%v, then %+v", err, c)
	}
}

// Records by hand that no operation began are skipped, also on disk.
func TestForeignRecordsOnDisk(t *testing.T) {
	dir := t.TempDir()
	tr := newTree("a", "one")
	j := open(t, dir, nil)
	writeFile(t, j, tr, "a", "two")
	must(t, j.Close())
	b, err := os.ReadFile(logFile(dir))
	must(t, err)
	lines := [][]byte{[]byte(`{"kind":"undo","seq":77}`), b, []byte(`{"kind":"newer","seq":1}`), []byte(`{"kind":5}`), nil}
	b = bytes.Join(slices.Concat(lines[:1], [][]byte{bytes.TrimSuffix(b, []byte("\n"))}, lines[2:]), []byte("\n"))
	must(t, os.WriteFile(logFile(dir), b, 0o600))
	if got, err := undo(t, open(t, dir, nil), tr, 9, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
		t.Errorf("undo: %v, %v, then %q", ids(got), err, tr.nodes["a"].data)
	}
}
