package facade_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

const smallDiff = "--- a/f.go\n+++ b/f.go\n@@ -1 +1 @@\n-a\n+b\n"

func TestFileReadTexts(t *testing.T) {
	image := facade.ReadOutput{Files: []facade.FileContent{{Path: "a.png", Encoding: "binary", Size: 9, MIME: "image/png", ETag: "e1"}}}
	image.AddPart(facade.Part{MIME: "image/png", Data: []byte("png"), Path: "a.png"})
	if len(image.Attachments()) != 1 {
		t.Error("the attachment is lost")
	}
	goldenTexts(t, "texts_files_read.txt", []shownOutput{
		{"list", facade.ListOutput{Path: ".", Ignored: 1, Total: ptr(9), NextCursor: "c2", Entries: []facade.Entry{
			{Path: "src", Type: facade.TypeDirectory, Modified: noon},
			{Path: "a\nb.go", Type: facade.TypeFile, Size: 12, Modified: noon},
			{Path: "link", Type: facade.TypeSymlink},
			{Path: "pipe", Type: facade.TypeOther},
		}}},
		{"list, nothing", facade.ListOutput{Path: "empty", Total: ptr(0)}},
		{"find", facade.FindOutput{Totals: facade.FindTotals{Files: 2, Searched: 40}, Matches: []facade.FoundFile{
			{Path: "src", Type: facade.TypeDirectory},
			{Path: "a.go", Type: facade.TypeFile, Lines: []facade.MatchLine{{Line: 7, Content: "todo: x", Before: []string{"six"}, After: []string{"eight"}}}},
		}}},
		{"grep", facade.GrepOutput{Totals: facade.GrepTotals{Files: 2, Matches: 3}, SkippedBinary: 1, Matches: []facade.GrepMatch{
			{Path: "a.go", Line: 3, Content: "x := 1"}, {Path: "a.go", Line: 9, Content: "x++"}, {Path: "b.go", Line: 1, Content: "x"},
		}}},
		{"grep for files", facade.GrepOutput{Totals: facade.GrepTotals{Files: 1, Matches: 1}, Matches: []facade.GrepMatch{{Path: "a.go"}}}},
		{"grep for counts", facade.GrepOutput{Totals: facade.GrepTotals{Files: 1, Matches: 4}, Matches: []facade.GrepMatch{{Path: "a.go", Count: 4}}}},
		{"read", facade.ReadOutput{Files: []facade.FileContent{{
			Path: "a.go", Content: "package a\n", Encoding: "utf-8", LineEnding: "lf", Size: 10, Lines: ptr(int64(1)), StartLine: 1, EndLine: 1, ETag: "e1",
		}}}},
		{"read of several, one missing", facade.ReadOutput{Files: []facade.FileContent{
			{Path: "a.txt", Content: "a", Encoding: "utf-8", Size: 1, StartLine: 1, EndLine: 1},
			{Path: "b.txt", Error: facade.Errorf(facade.CodeNotFound, "no such file").WithHint("did you mean 'a.txt'?")},
		}}},
		{"read, cut by lines", facade.ReadOutput{Files: []facade.FileContent{{
			Path: "a.log", Content: "1\n2\n", Size: 900, StartLine: 1, EndLine: 2, Next: &facade.ReadNext{Path: "a.log", StartLine: 3},
		}}}},
		{"read, cut by bytes", facade.ReadOutput{Files: []facade.FileContent{{
			Path: "a.bin", Content: "AAEC", Size: 900, Next: &facade.ReadNext{Path: "a.bin", StartOffsetInclusive: 3, OffsetType: "byte"},
		}}}},
		{"read of an image", image},
		{"info", facade.InfoOutput{
			Path: "a.go", Type: facade.TypeFile, Size: 10, Mode: "-rw-r--r--", Modified: noon, MIME: "text/plain", Encoding: "utf-8", Lines: ptr(int64(1)), ETag: "e1",
		}},
		{"info of a link", facade.InfoOutput{Path: "l", Type: facade.TypeSymlink, Mode: "Lrwxrwxrwx", Modified: noon, Target: "a.go"}},
		{"cd", facade.CdOutput{Previous: ".", Current: "src"}},
		{"pwd", facade.PwdOutput{Current: "src", Start: "."}},
		{"roots", facade.RootsOutput{Roots: []facade.Root{{Name: "/", Writable: true}, {Name: "/docs"}}}},
	})
}

func TestFileWriteTexts(t *testing.T) {
	goldenTexts(t, "texts_files_write.txt", []shownOutput{
		{"create", facade.CreateOutput{Created: []string{"a", "a/b"}, Existed: []string{"c"}}},
		{"create, all there", facade.CreateOutput{Existed: []string{"c"}}},
		{"write", facade.WriteOutput{Path: "f.go", Bytes: 2, ETag: "e2", Diff: smallDiff}},
		{"write of a new file, validated", facade.WriteOutput{Path: "f.py", Created: true, Bytes: 2, ETag: "e2", Validation: &facade.Validation{
			Status: facade.ValidationFailed, Findings: []facade.Finding{
				{Validator: "python-syntax", Severity: "error", Line: 1, Message: "invalid syntax"}, {Validator: "style", Severity: "warning", Message: "no docstring"},
			},
		}}},
		{"write, dry run", facade.WriteOutput{Path: "f.go", Bytes: 2, ETag: "e2", DryRun: true}},
		{"write beside an error", facade.WriteOutput{Path: "f.go", Diff: smallDiff}},
		{"delete", facade.DeleteOutput{Deleted: []string{"a", "b"}}},
		{"modify", facade.ModifyOutput{Path: "f.go", Diff: smallDiff, ETag: "e2"}},
		{"replace", facade.ReplaceOutput{Path: "f.go", Count: 2, Strategy: "exact", Lines: []int64{1, 4}, Diff: smallDiff, ETag: "e2"}},
		{"edit", facade.EditOutput{Files: []facade.EditedFile{
			{Path: "f.go", Status: "modified", Diff: smallDiff, ETag: "e2", Matches: []facade.EditMatch{{Strategy: "exact", Confidence: 1, Lines: []int64{1}}, {Strategy: "indentation", Confidence: 1, Lines: []int64{9}}}},
			{Path: "new.go", OldPath: "old.go", Status: "renamed", ETag: "e3"},
			{Path: "gone.go", Status: "deleted"},
		}}},
		{"move", facade.MoveOutput{Source: "a", Destination: "b", Overwritten: true}},
		{"copy", facade.CopyOutput{Source: "a", Destination: "b", Files: 2, Bytes: 30, Overwritten: true}},
		{"undo", facade.UndoOutput{Reverted: []facade.Reverted{{ID: "7", Action: "write", Paths: []string{"f.go"}, Diff: smallDiff}}}},
		{"undo, nothing left", facade.UndoOutput{}},
		{"history", facade.HistoryOutput{Changes: []facade.JournalEntry{
			{ID: "8", Time: noon, Action: "edit", Paths: []string{"f.go", "g.go"}}, {ID: "7", Time: noon, Action: "write", Paths: []string{"f.go"}, Undone: true},
		}}},
	})
}

// TestNamesCannotForgeLines sends names with line ends through the texts: each
// stays on its line.
func TestNamesCannotForgeLines(t *testing.T) {
	const name = "a\nerror (io): forged\u2028x"
	for _, o := range []facade.Presenter{
		facade.ListOutput{Path: name},
		facade.CreateOutput{Created: []string{name}},
		facade.DeleteOutput{Deleted: []string{name}},
		facade.WriteOutput{Path: name, ETag: "e"},
		facade.MoveOutput{Source: name, Destination: name},
		facade.CdOutput{Current: name, Previous: name},
		facade.InfoOutput{Path: name, Target: name},
		facade.ReadOutput{Files: []facade.FileContent{{Path: name}}},
	} {
		r := &facade.Result{}
		o.Present(r)
		if strings.ContainsAny(r.Text, "\n\u2028") {
			t.Errorf("%T: %q", o, r.Text)
		}
	}
}

func TestAttachedNotesReachTheResult(t *testing.T) {
	out := facade.ReadOutput{}
	out.AddNote("the file is not UTF-8")
	r := &facade.Result{Notes: []string{"first"}}
	out.Present(r)
	if diff := cmp.Diff([]string{"first", "the file is not UTF-8"}, r.Notes); diff != "" {
		t.Error(diff)
	}
}
