package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// maxLines is the length beyond which a file holds more than one thing.
const maxLines = 500

// goFiles calls fn for every Go file of the repository, nested modules
// included.
func goFiles(t *testing.T, fn func(path string, src []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".cache" || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil {
			fn(path, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreShort(t *testing.T) {
	goFiles(t, func(path string, src []byte) {
		if n := bytes.Count(src, []byte("\n")); n > maxLines && !bytes.HasPrefix(src, []byte("// Code generated")) {
			t.Errorf("%s has %d lines, the limit is %d", path, n, maxLines)
		}
	})
}

func TestNothingRunsOnImport(t *testing.T) {
	goFiles(t, func(path string, src []byte) {
		file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", path)
			}
		}
	})
}

// TestNoLooseEnds keeps unfinished work out of the tree.
func TestNoLooseEnds(t *testing.T) {
	words := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"}
	goFiles(t, func(path string, src []byte) {
		for _, w := range words {
			if bytes.Contains(src, []byte("// "+w)) {
				t.Errorf("%s has a %s", path, w)
			}
		}
	})
}

// TestModulesAreListed holds modules.txt to the modules that exist.
func TestModulesAreListed(t *testing.T) {
	list, err := os.ReadFile(root + "/modules.txt")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			listed = append(listed, line)
		}
	}
	var found []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == ".cache") {
			return filepath.SkipDir
		}
		if err == nil && d.Name() == "go.mod" {
			rel, _ := filepath.Rel(root, filepath.Dir(path))
			found = append(found, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(listed)
	slices.Sort(found)
	if !slices.Equal(listed, found) {
		t.Errorf("modules.txt lists %v, the tree has %v", listed, found)
	}
}
