package access_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
	"github.com/toolfacade/toolfacade/internal/everything"
)

func TestResources(t *testing.T) {
	yes := true
	for _, c := range []struct {
		input any
		want  string // "field=path", a tree with a slash at the end
	}{
		{&facade.ReadInput{Path: "a"}, "path=a"},
		{&facade.ReadInput{Paths: []string{"a", "b"}}, "paths[0]=a paths[1]=b"},
		{&facade.ListInput{}, "path=."},
		{&facade.ListInput{Recursive: true, Path: "a"}, "path=a/"},
		{&facade.FindInput{}, "path=./"},
		{&facade.FindInput{Recursive: &yes, Path: "x"}, "path=x/"},
		{&facade.EditInput{Path: "a", Edits: []facade.TextEdit{{}, {Path: "b"}}}, "edits[1].path=b path=a"},
		{&facade.PatchInput{Patch: "--- a/x\n+++ b/x\n"}, "patch=a/x patch=x patch=b/x patch=x"},
		{&facade.MoveInput{Source: "a", Destination: "b"}, "source=a/ destination=b/"},
		{&facade.CopyInput{Source: "a", Destination: "b"}, "source=a/ destination=b/"},
		{&facade.DeleteInput{Paths: []string{"a"}}, "paths[0]=a"},
		{&facade.UndoInput{}, "=//"},
		{&facade.UndoInput{Path: "a"}, "path=a/"},
		{&facade.RootsInput{}, ""},
		{&facade.GitStatusInput{}, "repo_path=./"},
		{&facade.GitDiffInput{RepoPath: "r", Files: []string{"a", "/b"}}, "files[0]=r/a/ files[1]=/b/"},
		{&facade.GitRestoreInput{Files: []string{"a"}, Source: "HEAD~1"}, "files[0]=./a/"},
		{&facade.GitBlameInput{Path: "a"}, "path=./a"},
		{&facade.PythonRunInput{Script: "a.py"}, "script=a.py/ cwd=. cwd=//"},
		{&facade.PythonRunInput{Script: "print(1)\n", Python: "bin/python"}, "cwd=. cwd=// python=bin/python/"},
		{&facade.TerminalRunInput{Command: "cat secret/key", Cwd: "src"}, "cwd=src cwd=//"},
		{&facade.DocumentIndexInput{Path: "docs/**"}, "path=docs/**/ path=docs//"},
		{&facade.DocumentIndexInput{Path: "*.md"}, "path=*.md/ path=./"},
		{&facade.DocumentSearchInput{Query: "q"}, "=//"},
		{&listing{}, "chosen=a"},
		{nil, ""},
	} {
		var got []string
		for _, r := range access.Resources(c.input) {
			s := r.Field + "=" + r.Path
			if r.Tree {
				s += "/"
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%T (-want +got)\n%s", c.input, diff)
		}
	}
}

type listing struct {
	Path string `json:"path"`
}

func (*listing) Resources() []access.Resource {
	return []access.Resource{{Field: "chosen", Path: "a"}}
}

func TestPatchNames(t *testing.T) {
	for patch, want := range map[string]string{
		"--- a/x y\t2026-01-01\n+++ b/x y\t2026-01-01\n": "x y",
		"--- secret\n+++ secret\n":                       "secret",
		"diff --git a/n m b/n m\nnew file mode 100644\n": "n m",
		"diff --git \"a/t\\tb\" \"b/t\\tb\"\n":           "t\tb",
		"diff --git a/o b/p\nrename from o\nrename to p": "p",
		"--- /dev/null\r\n+++ \"b/caf\\303\\251\"\r\n":   "café",
		"copy from a/b\ncopy to c":                       "a/b",
		"diff --git x x\ndeleted file mode 100644\n":     "x",
		"preamble\n--- i/x\n+++ w/x\n":                   "x",
	} {
		var got []string
		for _, r := range access.Resources(&facade.PatchInput{Patch: patch}) {
			got = append(got, r.Path)
		}
		if !slices.Contains(got, want) {
			t.Errorf("%q names %q; want %q among them", patch, got, want)
		}
	}
}

// TestEveryParameter makes whoever adds a parameter decide whether it is a
// path: each text in an input of the contracts is known to be one, or known not
// to be.
func TestEveryParameter(t *testing.T) {
	other := strings.Fields(`cursor file_encoding output_format offset_type sort pattern patterns exclude
		keywords_path_name keywords_file_content content new_content old_content old_text new_text mode input_format
		session_id if_match output untracked message author expected_head from to grep since until ref remote branch
		code args stdin session task_id state data command pages password storage_backends query
		format heading kind instruction direction exclude_patterns operation`)
	seen := map[string]bool{}
	for _, tool := range everything.Tools() {
		for _, a := range tool.Actions() {
			walk(a.In, func(f facade.Field) {
				known := seen[f.Name]
				seen[f.Name] = true
				if !known && !slices.Contains(other, f.Name) && !found(t, a, f) {
					t.Errorf("%s.%s: is %q a path? Resources does not see it", tool.Name(), a.Name, f.Name)
				}
			})
		}
	}
	for _, name := range other {
		if !seen[name] {
			t.Errorf("no input has %q", name)
		}
	}
}

// walk visits the parameters that hold text.
func walk(t reflect.Type, visit func(facade.Field)) {
	for _, f := range facade.Fields(t) {
		elem := f.Type
		for elem.Kind() == reflect.Slice || elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		switch {
		case elem.Kind() == reflect.Struct && len(facade.Fields(elem)) > 0:
			walk(elem, visit)
		case elem.Kind() == reflect.String:
			visit(f)
		}
	}
}

// found reports whether Resources sees a probe in a parameter of the input's
// outermost struct, or in a list of structs there.
func found(t *testing.T, a facade.Action, f facade.Field) bool {
	t.Helper()
	probe := any("pro/be.py")
	if f.Name == "patch" {
		probe = "--- pro/be.py\n"
	}
	if f.Type.Kind() == reflect.Slice {
		probe = []any{probe}
	}
	args := map[string]any{f.Name: probe}
	for _, outer := range facade.Fields(a.In) {
		if outer.Type.Kind() == reflect.Slice && outer.Type.Elem() == f.GoStruct {
			args = map[string]any{outer.Name: []any{args}}
		} else if outer.Type == f.GoStruct {
			args = map[string]any{outer.Name: args}
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	in := reflect.New(a.In)
	if err := json.Unmarshal(raw, in.Interface()); err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(access.Resources(in.Interface()), func(r access.Resource) bool {
		return strings.HasSuffix(r.Path, "pro/be.py")
	})
}
