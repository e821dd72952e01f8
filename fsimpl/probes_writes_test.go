package fsimpl_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

func TestProbeWriteAfterHumanEdit(t *testing.T) {
	p := newProbe(t, nil)
	p.put("f.txt", "one\ntwo\n")
	etag := get[facade.ReadOutput](p, "read", "path", "f.txt").Files[0].ETag
	p.put("f.txt", "one\ntwo\nby hand\n")
	text := p.fails(facade.CodeStale, "write", "path", "f.txt", "content", "mine\n", "if_match", etag)
	p.says(text, "-by hand", "if_match=")
	p.fails(facade.CodeStale, "replace", "path", "f.txt", "old_content", "one", "new_content", "1", "if_match", etag)
	p.fails(facade.CodeStale, "modify", "path", "f.txt", "start_offset_inclusive", 0, "end_offset_inclusive", 0,
		"new_content", "1", "if_match", etag)
	p.holds("f.txt", "one\ntwo\nby hand\n")
	p.fails(facade.CodeStale, "write", "path", "gone.txt", "content", "x", "if_match", etag)
	p.absent("gone.txt")
	_, fresh, _ := strings.Cut(text, "if_match=")
	fresh, _, _ = strings.Cut(fresh, "\n")
	p.ok("write", "path", "f.txt", "content", "mine\n", "if_match", fresh)
	p.holds("f.txt", "mine\n")
}

func TestProbeParallelEdits(t *testing.T) {
	p := newProbe(t, nil)
	var before, after strings.Builder
	for i := range 20 {
		fmt.Fprintf(&before, "line %02d old\n", i)
		fmt.Fprintf(&after, "line %02d new\n", i)
	}
	p.put("f.txt", before.String())
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			r := p.call("edit", "path", "f.txt", "edits", []any{map[string]any{
				"old_text": fmt.Sprintf("line %02d old", i), "new_text": fmt.Sprintf("line %02d new", i),
			}})
			if r.Error != nil {
				t.Error(r.Text)
			}
		})
	}
	wg.Wait()
	p.holds("f.txt", after.String())
}

// Several edits in several files happen all or not at all.
func TestProbeEditsAreAllOrNothing(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "a\n")
	p.put("b.txt", "b\n")
	before := p.snapshot()
	edit := func(path, old, replacement string) any {
		return map[string]any{"path": path, "old_text": old, "new_text": replacement}
	}
	text := p.fails(facade.CodeNoMatch, "edit", "edits", []any{edit("a.txt", "a", "A"), edit("b.txt", "x", "X")})
	p.says(text, "edits[1] of 'b.txt'", "none of the edits was applied")
	p.fails(facade.CodeNotFound, "edit", "edits", []any{edit("a.txt", "a", "A"), edit("c.txt", "x", "X")})
	p.fails(facade.CodeInvalidArgument, "edit", "edits", []any{edit("a.txt", "a", "A"), edit("", "b", "B")})
	p.fails(facade.CodeOutsideRoot, "edit", "edits", []any{edit("a.txt", "a", "A"), edit("../b.txt", "b", "B")})
	p.same(before)
	p.ok("edit", "edits", []any{edit("a.txt", "a", "A"), edit("b.txt", "b", "B"), edit("a.txt", "A", "AA")})
	p.holds("a.txt", "AA\n")
	p.holds("b.txt", "B\n")
	p.ok("undo")
	p.same(before)
}

const probePatch = `diff --git a/change.txt b/change.txt
--- a/change.txt
+++ b/change.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/new/file.txt b/new/file.txt
new file mode 100755
--- /dev/null
+++ b/new/file.txt
@@ -0,0 +1,2 @@
+hello
+there
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git a/from.txt b/to.txt
similarity index 50%
rename from from.txt
rename to to.txt
--- a/from.txt
+++ b/to.txt
@@ -1,2 +1,2 @@
 keep
-this
+that
`

func TestProbePatch(t *testing.T) {
	p := newProbe(t, nil)
	p.put("change.txt", "one\ntwo\nthree\n")
	p.put("old.txt", "old\n")
	p.put("from.txt", "keep\nthis\n")
	before := p.snapshot()
	p.ok("patch", "patch", probePatch, "dry_run", true)
	p.same(before)

	p.fails(facade.CodeNoMatch, "patch", "patch", strings.Replace(probePatch, "-this", "-these", 1))
	p.same(before)

	p.ok("patch", "patch", probePatch)
	p.holds("change.txt", "one\n2\nthree\n")
	p.holds("new/file.txt", "hello\nthere\n")
	p.absent("old.txt")
	p.absent("from.txt")
	p.holds("to.txt", "keep\nthat\n")
	if info, err := os.Stat(p.at("new/file.txt")); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("the new file is not executable: %v %v", info, err)
	}
	after := p.snapshot()
	p.ok("undo")
	p.same(before)
	p.ok("redo")
	p.same(after)

	p.fails(facade.CodeInvalidArgument, "patch", "patch", "change line two, please")
	p.fails(facade.CodeInvalidArgument, "patch", "patch", "")
	p.fails(facade.CodeOutsideRoot, "patch", "patch", strings.ReplaceAll(probePatch, "new/file.txt", "../file.txt"))
	p.same(after)
}

// dry_run of everything tells and changes nothing, not even the history.
func TestProbeDryRuns(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "a\n")
	p.put("d/b.txt", "b\n")
	before := p.snapshot()
	for _, args := range [][]any{
		{"write", "path", "a.txt", "content", "x"},
		{"write", "path", "deep/er/new.txt", "content", "x"},
		{"write", "path", "a.txt", "content", "x", "append", true},
		{"delete", "paths", []string{"a.txt", "d"}, "recursive", true},
		{"modify", "path", "a.txt", "start_offset_inclusive", 0, "end_offset_inclusive", -1, "new_content", "x"},
		{"replace", "path", "a.txt", "old_content", "a", "new_content", "x"},
		{"edit", "path", "a.txt", "edits", []any{map[string]any{"old_text": "a", "new_text": "x"}}},
		{"patch", "patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+x\n"},
	} {
		r := p.ok(args[0].(string), append(args[1:], "dry_run", true)...)
		p.says(r.Text, "dry run, nothing changed")
		if !strings.Contains(string(r.JSON()), `"dry_run":true`) {
			t.Errorf("%s: the data does not say that nothing was changed: %s", args[0], r.JSON())
		}
		p.same(before)
	}
	if h := get[facade.HistoryOutput](p, "history"); len(h.Changes) != 0 {
		t.Errorf("dry runs are in the history: %+v", h.Changes)
	}
	p.fails(facade.CodeNotEmpty, "delete", "paths", []string{"d"}, "dry_run", true)
	p.fails(facade.CodeNotFound, "delete", "paths", []string{"x"}, "dry_run", true)
}

func TestProbeModeIsKept(t *testing.T) {
	p := newProbe(t, nil)
	p.put("run.sh", "echo 1\n")
	if err := os.Chmod(p.at("run.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	mode := func(name string) {
		t.Helper()
		if info, err := os.Stat(p.at(name)); err != nil || info.Mode().Perm() != 0o750 {
			t.Errorf("%s: %v %v, want 0750", name, info.Mode(), err)
		}
	}
	p.ok("replace", "path", "run.sh", "old_content", "1", "new_content", "2")
	mode("run.sh")
	p.ok("write", "path", "run.sh", "content", "echo 3\n")
	mode("run.sh")
	p.ok("undo", "steps", 2)
	mode("run.sh")
	p.ok("copy", "source", "run.sh", "destination", "copy.sh")
	mode("copy.sh")
	p.ok("move", "source", "copy.sh", "destination", "moved.sh")
	mode("moved.sh")
	p.ok("delete", "paths", []string{"moved.sh"})
	p.ok("undo")
	mode("moved.sh")
}
