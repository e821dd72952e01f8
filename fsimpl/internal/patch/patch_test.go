package patch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/diff"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func TestParse(t *testing.T) {
	const change = "@@ -1 +1 @@\n-b\n+c\n"
	tests := []struct {
		name, patch string
		want        []File
	}{
		{"plain", "--- a/x/f\n+++ b/x/f\n" + change, []File{{OldPath: "x/f", NewPath: "x/f", Status: Modified}}},
		{"no prefixes, times", "--- f\t2026-01-01\n+++ f\t2026-01-02\n" + change, []File{{OldPath: "f", NewPath: "f", Status: Modified}}},
		{"directory a", "--- a/f\n+++ a/f\n" + change, []File{{OldPath: "a/f", NewPath: "a/f", Status: Modified}}},
		{"create", "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+c\n", []File{{NewPath: "new", Status: Created}}},
		{"delete", "--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n", []File{{OldPath: "old", Status: Deleted}}},
		{"git create with mode", "diff --git a/n b/n\nnew file mode 100755\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+c\n", []File{{NewPath: "n", Status: Created, Mode: 0o755}}},
		{"git empty create", "diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n", []File{{NewPath: "n", Status: Created, Mode: 0o644}}},
		{"git empty delete", "diff --git a/n b/n\ndeleted file mode 100644\n", []File{{OldPath: "n", Status: Deleted}}},
		{"mode", "diff --git a/my file b/my file\nold mode 100644\nnew mode 100755\n", []File{{OldPath: "my file", NewPath: "my file", Status: Modified, Mode: 0o755}}},
		{"rename", "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n" + change, []File{{OldPath: "x", NewPath: "y", Status: Renamed}}},
		{"copy", "diff --git a/x b/y\ncopy from x\ncopy to y\n", []File{{OldPath: "x", NewPath: "y", Status: Copied}}},
		{"quoted", "--- \"a/x\\012\\303\\251\"\n+++ \"b/x\\012\\303\\251\"\n" + change, []File{{OldPath: "x\n\u00e9", NewPath: "x\n\u00e9", Status: Modified}}},
		{"quoted git", "diff --git \"a/x\\t\" \"b/x\\t\"\nold mode 100644\nnew mode 100755\n", []File{{OldPath: "x\t", NewPath: "x\t", Status: Modified, Mode: 0o755}}},
		{"mnemonic prefixes", "diff --git i/f w/f\n--- i/f\n+++ w/f\n" + change, []File{{OldPath: "f", NewPath: "f", Status: Modified}}},
		{"crlf headers", "--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n-b\r\n+c\r\n", []File{{OldPath: "f", NewPath: "f", Status: Modified}}},
		{"mail", "From: x\n\nmessage\n---\n f | 2 +-\n\n--- a/f\n+++ b/f\n" + change + "-- \n2.39.2\n", []File{{OldPath: "f", NewPath: "f", Status: Modified}}},
		{"two", "--- a/f\n+++ b/f\n" + change + "\ndiff -u g g\n--- a/g\n+++ b/g\n" + change, []File{{OldPath: "f", NewPath: "f", Status: Modified}, {OldPath: "g", NewPath: "g", Status: Modified}}},
		{"lines like headers", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n--- b\n+++ c\n", []File{{OldPath: "f", NewPath: "f", Status: Modified}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(File{}, "Hunks")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestParseHunk(t *testing.T) {
	got, err := Parse("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@ func f()\n a\n\n-b\n\\ No newline at end of file\n+c")
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{{1, 1, 3, 1, 3, []Line{{' ', "a\n"}, {' ', "\n"}, {'-', "b"}, {'+', "c\n"}}}}
	if diff := cmp.Diff(want, got[0].Hunks); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseFails(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	const change = "@@ -1 +1 @@\n-b\n+c\n"
	tests := []struct{ name, patch, message, hint string }{
		{"empty", "", "no file header", "--- a/path"},
		{"text", "hello\n", "no file header", ""},
		{"no hunks", head, "line 1 of the patch: f has no hunks", ""},
		{"hunk without header", change, "line 1 of the patch: a hunk without a file header", ""},
		{"other format", "*** Begin Patch\n*** Update File: x\n", "is no unified diff", "unified format"},
		{"malformed hunk", head + "@@ @@\n-a\n+b\n", "hunk 1 of f has a malformed header", "start,count"},
		{"header counts too much", head + "@@ -1,3 +1,2 @@\n a\n-b\n+c\n", "hunk 1 (@@ -1,3 +1,2 @@) of f says 3 old and 2 new lines, but has 2 and 2", "@@ -1,2 +1,2 @@"},
		{"header counts too little", head + "@@ -1 +1,2 @@\n-a\n+b\n+c\n+d\n", "says 1 old and 2 new lines, but has 1 and 3", "@@ -1,1 +1,3 @@"},
		{"second hunk", head + change + "@@ -5,9 +5,9 @@\n a\n-b\n+c\n", "line 6 of the patch: hunk 2", ""},
		{"next file inside", head + "@@ -1,5 +1,5 @@\n-b\n+c\n--- a/g\n+++ b/g\n" + change, "has 1 and 1", ""},
		{"garbage between", head + change + "garbage\n", "line 6 of the patch: \"garbage\" belongs to no hunk", ""},
		{"changes nothing", head + "@@ -1 +1 @@\n a\n", "changes nothing", ""},
		{"names differ", "--- a/f\n+++ b/g\n" + change, "the names f and g differ", "rename from"},
		{"twice", head + change + head + change, "f is patched twice", ""},
		{"symlink", "diff --git a/l b/l\nnew file mode 120000\n", "not that of a regular file", ""},
		{"bad mode", "diff --git a/l b/l\nold mode 100644\nnew mode 10x\n", "not that of a regular file", ""},
		{"bad quotes", "--- \"a/f\n+++ b/f\n" + change, "line 1 of the patch", ""},
		{"bad escape", "--- \"a/\\q\"\n+++ b/f\n" + change, "line 1 of the patch", ""},
		{"no name", "--- /dev/null\n+++ /dev/null\n" + change, "no name", ""},
		{"git names differ", "diff --git a/x b/y\nold mode 100644\nnew mode 100755\n", "line 1 of the patch", ""},
		{"renamed to itself", "diff --git a/x b/x\nrename from x\nrename to x\n", "renamed to itself", ""},
		{"does nothing", "diff --git a/x b/x\nindex 1..2\n", "x does not change", ""},
		{"create with old lines", "--- /dev/null\n+++ b/f\n" + change, "expect old lines", ""},
		{"delete leaves lines", "--- a/f\n+++ /dev/null\n" + change, "leave lines", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.patch)
			e, ok := errors.AsType[*facade.Error](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			if e.Code != facade.CodeInvalidArgument || e.Field != "patch" || !strings.Contains(e.Message, tt.message) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("error %s for %q: %s", e.Code, e.Field, e.Text())
			}
		})
	}
	if _, err := Parse("diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n"); facade.CodeOf(err) != facade.CodeUnsupportedFormat {
		t.Errorf("binary: %v", err)
	}
	var many strings.Builder
	for i := range maxFiles + 1 {
		fmt.Fprintf(&many, "diff --git a/%d b/%d\nnew file mode 100644\n", i, i)
	}
	if _, err := Parse(many.String()); facade.CodeOf(err) != facade.CodeInvalidArgument {
		t.Errorf("too many files: %v", err)
	}
}

func apply(t *testing.T, raw, text string) (string, edit.Plan, error) {
	t.Helper()
	files, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := files[0].Plan(context.Background(), []byte(raw), textenc.Detect([]byte(raw)), nil)
	if err != nil {
		return raw, plan, err
	}
	return string(edit.Apply([]byte(raw), plan.Splices)), plan, nil
}

func TestPlan(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	tests := []struct {
		name, raw, patch, want, strategy string
		lines                            []int64
	}{
		{"exact", "a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "a\nx\nc\n", edit.Exact, []int64{1}},
		{"moved", "0\n0\na\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "0\n0\na\nx\nc\n", edit.Exact, []int64{3}},
		{"the header decides", "0\na\nb\n1\na\nb\n", "@@ -1,1 +1,1 @@\n-0\n+z\n@@ -5,2 +5,2 @@\n a\n-b\n+y\n", "z\na\nb\n1\na\ny\n", edit.Exact, []int64{1, 5}},
		{"drift", "0\nu\na\nb\nv\na\nb\n", "@@ -1,2 +1,2 @@\n-u\n+U\n a\n@@ -5,2 +5,2 @@\n a\n-b\n+B\n", "0\nU\na\nb\nv\na\nB\n", edit.Exact, []int64{2, 6}},
		{"insertion", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n", edit.Exact, []int64{2}},
		{"into an empty file", "", "@@ -0,0 +1 @@\n+x\n", "x\n", edit.Exact, []int64{1}},
		{"after a last line without end", "a", "@@ -1,0 +2 @@\n+x\n", "a\nx\n", edit.Exact, []int64{2}},
		{"no final newline", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "a\nc", edit.Exact, []int64{1}},
		{"no final newline, not said", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a\nc", edit.Exact, []int64{1}},
		{"final newline added", "a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a\n", edit.Exact, []int64{1}},
		{"final newline removed", "a\n", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "a", edit.Exact, []int64{1}},
		{"crlf file, lf patch", "a\r\nb\r\nc\r\n", "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n", "a\r\nx\r\ny\r\nc\r\n", edit.LineEnding, []int64{1}},
		{"lf file, crlf patch", "a\nb\n", "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+x\r\n", "a\nx\n", edit.LineEnding, []int64{1}},
		{"crlf both", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n", "a\r\nx\r\n", edit.Exact, []int64{1}},
		{"line ends change", "a\r\n", "@@ -1 +1 @@\n-a\r\n+a\n", "a\n", edit.Exact, []int64{1}},
		{"latin-1", "caf\xE9\nb\n", "@@ -1,2 +1,2 @@\n caf\u00e9\n-b\n+\u00fc\n", "caf\xE9\n\xFC\n", edit.Exact, []int64{1}},
		{"bom", "\xEF\xBB\xBFa\n", "@@ -1 +1 @@\n-a\n+b\n", "\xEF\xBB\xBFb\n", edit.Exact, []int64{1}},
		{"mixed context stays", "a\r\nb\nc\r\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "a\r\nx\nc\r\n", edit.LineEnding, []int64{1}},
		{"lines deleted", "a\nb\nc\n", "@@ -1,3 +1 @@\n a\n-b\n-c\n", "a\n", edit.Exact, []int64{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, plan, err := apply(t, tt.raw, head+tt.patch)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			var want []facade.EditMatch
			for _, line := range tt.lines {
				want = append(want, facade.EditMatch{Strategy: tt.strategy, Confidence: 1, Lines: []int64{line}})
			}
			if diff := cmp.Diff(want, plan.Matches); diff != "" || plan.Count != len(want) {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPlanFails(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	tests := []struct {
		name, raw, patch string
		code             facade.Code
		part             string
	}{
		{"other text", "a\nb\nc\n", head + "@@ -1,2 +1,2 @@\n a\n-x\n+y\n", facade.CodeNoMatch, "hunk 1 (@@ -1,2 +1,2 @@) of f does not match"},
		{"second hunk", "a\nb\n", head + "@@ -1 +1 @@\n-a\n+x\n@@ -2 +2 @@\n-z\n+y\n", facade.CodeNoMatch, "hunk 2"},
		{"two places", "x\na\nx\na\n", head + "@@ -9 +9 @@\n-a\n+b\n", facade.CodeAmbiguousMatch, "the lines [2 4]"},
		{"insertion outside", "a\n", head + "@@ -7,0 +8 @@\n+x\n", facade.CodeNoMatch, "outside the file"},
		{"order", "a\nb\n", head + "@@ -2 +2 @@\n-b\n+x\n@@ -1 +1 @@\n-a\n+y\n", facade.CodeNoMatch, "hunk 2"},
		{"newline expected at the end", "ab\n", head + "@@ -1 +1 @@\n-ab\n\\ No newline at end of file\n+x\n", facade.CodeNoMatch, "hunk 1"},
		{"binary", "a\x00", head + "@@ -1 +1 @@\n-a\n+x\n", facade.CodeBinaryContent, "not text"},
		{"not in latin-1", "caf\xE9\n", head + "@@ -1 +1 @@\n-caf\u00e9\n+\u2192\n", facade.CodeUnsupportedEncoding, "U+2192"},
		{"more than is deleted", "a\nb\n", "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", facade.CodeNoMatch, "more lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := apply(t, tt.raw, tt.patch)
			if facade.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("error %v, want %s %q", err, tt.code, tt.part)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	files, err := Parse(head + "@@ -1 +1 @@\n-a\n+x\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files[0].Plan(ctx, []byte("a\n"), textenc.Detect([]byte("a\n")), nil); facade.CodeOf(err) != facade.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestContent(t *testing.T) {
	files, err := Parse("diff --git a/e b/e\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n")
	if err != nil || len(files) != 1 || files[0].Content() != "a\nb" {
		t.Errorf("%+v, %v", files, err)
	}
	if (File{}).Content() != "" {
		t.Error("an empty file has content")
	}
}

// A diff of two texts, parsed and applied to the first, gives the second.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range [][2]string{
		{"a\nb\nc\n", "a\nx\nc\n"},
		{"", "a"},
		{"a", ""},
		{"a\r\nb", "a\nb\r\n"},
		{"a\n\n\nb\n", "b\n\n\na\n"},
		{"--- x\n", "+++ x\n"},
		{"a\rb", "a\rc\n"},
		{"\\ x\n", "@@ -1 +1 @@\n"},
		{"\xFF\n\u00e9\u00e9", "\u00e9"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		d := textenc.Detect([]byte(a))
		if a == b || d.Binary || d.Name() != "utf-8" || d.BOM > 0 || strings.Contains(a+b, "\x00") {
			return
		}
		r := diff.Unified("dir/f", "dir/f", []byte(a), []byte(b), &diff.Options{MaxBytes: 1 << 20, MaxLine: 1 << 20})
		files, err := Parse(r.Text)
		if err != nil {
			t.Fatalf("%v\n%q", err, r.Text)
		}
		plan, err := files[0].Plan(context.Background(), []byte(a), d, nil)
		if facade.CodeOf(err) == facade.CodeUnsupportedEncoding {
			return // b has bytes that are no text
		}
		if err != nil {
			t.Fatalf("%v\n%q", err, r.Text)
		}
		if got := string(edit.Apply([]byte(a), plan.Splices)); got != b {
			t.Fatalf("%q by\n%s\ngives %q, want %q", a, r.Text, got, b)
		}
	})
}

// Nothing that a patch may hold makes the parser panic, and what it accepts it
// can apply or refuse.
func FuzzParse(f *testing.F) {
	f.Add("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a\nb\n")
	f.Add("diff --git a/x b/y\nrename from x\nrename to y\n", "")
	f.Add("diff --git \"a/x\" \"b/x\"\nnew mode 100755\n", "x")
	f.Fuzz(func(t *testing.T, text, raw string) {
		files, err := Parse(text)
		if err != nil {
			if c := facade.CodeOf(err); c != facade.CodeInvalidArgument && c != facade.CodeUnsupportedFormat {
				t.Fatal(err)
			}
			return
		}
		for _, file := range files {
			if file.Path() == "" {
				t.Fatalf("no path: %+v", file)
			}
			plan, err := file.Plan(context.Background(), []byte(raw), textenc.Detect([]byte(raw)), nil)
			if err == nil {
				edit.Apply([]byte(raw), plan.Splices)
			}
		}
	})
}
