package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
)

// TestGenerated fails when a generated file is not what would be written now.
func TestGenerated(t *testing.T) {
	if err := doMain(false); err != nil {
		t.Fatal(err)
	}
}

// module writes a module with a package facade of the given source and makes it
// the current directory.
func module(t *testing.T, source string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module x\n", "facade/x.go": source} {
		if err := put(filepath.Join(root, name), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, "facade"))
	return root
}

const someSource = "package facade\n"

func TestStaleFilesAreFound(t *testing.T) {
	root := module(t, someSource)
	if err := doMain(false); err == nil || !strings.Contains(err.Error(), "reference/README.md") {
		t.Fatalf("nothing written yet: got %v, want an error that names the missing files", err)
	}
	if err := doMain(true); err != nil {
		t.Fatal(err)
	}
	if err := doMain(false); err != nil {
		t.Fatalf("just written: %v", err)
	}
	page := filepath.Join(root, "reference", "filesystem.md")
	if err := os.WriteFile(page, []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := doMain(false); err == nil || !strings.Contains(err.Error(), "reference/filesystem.md") {
		t.Errorf("edited page: got %v, want an error that names it", err)
	}
	if err := doMain(true); err != nil {
		t.Fatal(err)
	}
	if err := put(filepath.Join(root, "reference", "gone.md"), nil); err != nil {
		t.Fatal(err)
	}
	if err := doMain(false); err == nil || !strings.Contains(err.Error(), "reference/gone.md") {
		t.Errorf("page of no tool: got %v, want an error that names it", err)
	}
}

func TestSourceMustParse(t *testing.T) {
	module(t, "package facade\nfunc {")
	if err := doMain(false); err == nil || !strings.Contains(err.Error(), "x.go") {
		t.Errorf("got %v, want a syntax error in x.go", err)
	}
}

func TestComments(t *testing.T) {
	root := module(t, `package facade

// In is an input.
type In struct {
	// Files to read, see [Other.Field]
	// and [*Tool].
	Files []string `+"`json:\"files,omitempty\"`"+`
	// NextCursor continues.
	NextCursor string `+"`json:\"next_cursor\"`"+`
	Line int `+"`json:\"line\"`"+` // Line is behind it.
	// Not shown.
	Hidden int `+"`json:\"-\"`"+`
	// Not named.
	Unnamed int
	// Not exported.
	small int `+"`json:\"small\"`"+`
	Silent int `+"`json:\"silent\"`"+`
}

// Same is In under another name, Again is too.
type Same In
type Again Same
type Round Round

type Code string

const (
	CodeOne Code = "one" // the first
	other = "two"
)
`)
	got, err := readSource(filepath.Join(root, "facade"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range []string{"In", "Same", "Again"} {
		want[name+".Files"] = "Files to read, see Other.Field and *Tool."
		want[name+".NextCursor"] = "next_cursor continues."
		want[name+".Line"] = "Line is behind it."
	}
	if diff := cmp.Diff(want, got.comments); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
	if len(got.codes) != 1 || got.codes[0] != (code{"one", "the first"}) {
		t.Errorf("codes: got %v", got.codes)
	}
}

func TestEveryCodeIsExplained(t *testing.T) {
	src, err := readSource(filepath.Join("..", "..", "facade"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range src.codes {
		seen[c.value] = true
		if c.when == "" {
			t.Errorf("code %s has no comment", c.value)
		}
	}
	for _, c := range []facade.Code{facade.CodeUnknownAction, facade.CodeNotFound, facade.CodeIO} {
		if !seen[string(c)] {
			t.Errorf("code %s is missing", c)
		}
	}
}

func TestPagesNameEverything(t *testing.T) {
	src, err := readSource(filepath.Join("..", "..", "facade"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range everything.Tools() {
		page, err := toolPage(src, tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range tool.Actions() {
			if !strings.Contains(string(page), "\n## "+a.Name+"\n") {
				t.Errorf("%s: no section of %s", tool.Name(), a.Name)
			}
			for _, r := range append(src.rows(a.In, ""), src.rows(a.Out, "")...) {
				if r.meaning == "" {
					t.Errorf("%s.%s: %s has no description", tool.Name(), a.Name, r.name)
				}
			}
		}
	}
}
