package fsimpl_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// oneCell is a notebook.
const oneCell = `{"cells": [{"cell_type": "code", "source": ["x = 1\n", "y = 2"]}], "nbformat": 4}`

// What a call asks for and cannot have is an error that says so, and changes
// nothing.
func TestRefusedChanges(t *testing.T) {
	seed := map[string]string{"a.txt": "one\n", "b.txt": "two\n", "n.ipynb": oneCell}
	rename := func(from, to string) string {
		return "diff --git a/" + from + " b/" + to + "\nsimilarity index 100%\nrename from " + from + "\nrename to " + to + "\n"
	}
	tests := []struct {
		name string
		args []byte
		code facade.Code
		says string
	}{
		{"edit a directory", args(facade.FileEdit, "path", "a.txt/", "edits", []map[string]string{{"old_text": "one", "new_text": "x"}}), facade.CodeNotDirectory, "a.txt"},
		{
			"edit a notebook", args(facade.FileEdit, "path", "n.ipynb", "edits", []map[string]string{{"old_text": "x = 1", "new_text": "x = 3"}, {"old_text": "absent", "new_text": "z"}}),
			facade.CodeNoMatch, "edits[1] of 'n.ipynb'",
		},
		{"patch in two places", args(facade.FilePatch, "patch", rename("a.txt", "c.txt")+rename("c.txt", "d.txt")), facade.CodeInvalidArgument, "names 'c.txt' in two places"},
		{"rename over a file", args(facade.FilePatch, "patch", rename("a.txt", "b.txt")), facade.CodeAlreadyExists, "'b.txt' exists already"},
		{"create over a file", args(facade.FilePatch, "patch", "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n"), facade.CodeAlreadyExists, "'b.txt' exists already"},
		{"base64 of no text", args(facade.FileWrite, "path", "a.txt", "content", "/w==", "input_format", "base64"), facade.CodeInvalidArgument, "not UTF-8"},
		{"stale, and nothing to show", args(facade.FileReplace, "path", "a.txt", "old_content", "absent", "new_content", "x", "if_match", "0123"), facade.CodeStale, "has changed since"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mem := afero.NewMemMapFs()
			plant(t, mem, seed)
			before, err := image(mem)
			check(t, err)
			res := call(t, facade.Files(newFiles(t, mem, nil)), tt.args)
			if res.Error == nil || res.Error.Code != tt.code || !strings.Contains(res.Text, tt.says) {
				t.Errorf("want %s with %q: %s", tt.code, tt.says, res.Text)
			}
			if strings.Contains(res.Text, "\n@@ ") {
				t.Errorf("there is a diff: %s", res.Text)
			}
			now, err := image(mem)
			check(t, err)
			if diff := cmp.Diff(before, now); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Callers from Go are held to the same rules as those that send JSON.
func TestInvalidInput(t *testing.T) {
	mem := afero.NewMemMapFs()
	plant(t, mem, map[string]string{"a.txt": "one\n"})
	files := newFiles(t, mem, nil)
	_, write := files.Write(t.Context(), facade.WriteInput{Path: "a.txt", Append: true, CreateOnly: true})
	_, modify := files.Modify(t.Context(), facade.ModifyInput{Path: "a.txt"})
	_, replace := files.Replace(t.Context(), facade.ReplaceInput{Path: "a.txt", OldContent: "one", NewContent: "one"})
	for name, err := range map[string]error{"write": write, "modify": modify, "replace": replace} {
		if facade.CodeOf(err) != facade.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if data, err := afero.ReadFile(mem, "/a.txt"); err != nil || string(data) != "one\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
}

func TestEditChanges(t *testing.T) {
	mem := afero.NewMemMapFs()
	plant(t, mem, map[string]string{"a.txt": "one\n", "n.ipynb": oneCell, "d/": ""})
	files := newFiles(t, mem, nil)
	holds := func(name, want string) {
		t.Helper()
		if data, err := afero.ReadFile(mem, "/"+name); err != nil || string(data) != want {
			t.Errorf("%s has %q, %v; want %q", name, data, err, want)
		}
	}
	ctx := t.Context()

	// Edits that come to nothing write nothing, so there is nothing to undo.
	out, err := files.Edit(ctx, facade.EditInput{Path: "a.txt", Edits: []facade.TextEdit{{OldText: "one", NewText: "1"}, {OldText: "1", NewText: "one"}}})
	check(t, err)
	if len(out.Files) != 1 || len(out.Files[0].Matches) != 2 || out.Files[0].Diff != "" {
		t.Errorf("back and forth: %+v", out)
	}
	if undone, err := files.Undo(ctx, facade.UndoInput{Steps: 1}); err != nil || len(undone.Reverted) > 0 {
		t.Errorf("undo of nothing: %+v, %v", undone, err)
	}
	holds("a.txt", "one\n")

	// Text of a notebook is that of its cells.
	out, err = files.Edit(ctx, facade.EditInput{Path: "n.ipynb", Edits: []facade.TextEdit{{OldText: "x = 1\ny", NewText: "x = \"1\"\ny"}, {OldText: "2", NewText: "3"}}})
	check(t, err)
	if len(out.Files) != 1 || len(out.Files[0].Matches) != 2 {
		t.Errorf("notebook: %+v", out)
	}
	holds("n.ipynb", `{"cells": [{"cell_type": "code", "source": ["x = \"1\"\n", "y = 3"]}], "nbformat": 4}`)

	// A copy leaves the file that it is made of.
	out, err = files.Patch(ctx, facade.PatchInput{Patch: "diff --git a/a.txt b/c.txt\ncopy from a.txt\ncopy to c.txt\n--- a/a.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-one\n+two\n"})
	check(t, err)
	if len(out.Files) != 1 || out.Files[0].Status != "copied" || out.Files[0].OldPath != "a.txt" {
		t.Errorf("copy: %+v", out)
	}
	holds("a.txt", "one\n")
	holds("c.txt", "two\n")

	// A directory given twice is named once.
	made, err := files.Create(ctx, facade.CreateInput{Paths: []string{"d", "new", "d/", "new"}})
	check(t, err)
	if diff := cmp.Diff(facade.CreateOutput{Created: []string{"new"}, Existed: []string{"d"}}, made); diff != "" {
		t.Errorf("create (-want +got):\n%s", diff)
	}
}
