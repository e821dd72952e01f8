package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// prose are the documents written by hand.
func prose(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "design/*.md", "examples/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			rel, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.ToSlash(rel)] = string(text)
		}
	}
	return texts
}

// tree lists every file and folder of the repository, folders with a slash.
func tree(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".cache" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			rel += "/"
		}
		all = append(all, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	link   = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	quoted = regexp.MustCompile("`([^`\n]+)`")
	file   = regexp.MustCompile(`^\.?[\w./-]+(/|\.(go|md|json|txt|sh|py|mod|yml))$`)
	target = regexp.MustCompile(`\bmake ([a-z]+)`)
	name   = regexp.MustCompile(`^\*?([a-z]+)\.([A-Z]\w*)`)
	goCode = regexp.MustCompile("(?s)```go\n(.*?)```")
)

// TestProseNamesWhatExists holds the links of every document, and the files,
// folders and make targets that it has in backquotes, to what there is.
func TestProseNamesWhatExists(t *testing.T) {
	all := tree(t)
	makefile, err := os.ReadFile(root + "/Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for doc, text := range prose(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if to := path.Join(path.Dir(doc), m[1]); !slices.Contains(all, to) && !slices.Contains(all, to+"/") {
				t.Errorf("%s links to %s, which does not exist", doc, m[1])
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			bare := strings.HasPrefix(doc, "design/") && !strings.Contains(m[1], "/") // files that programs make, too
			if file.MatchString(m[1]) && !bare && !exists(all, m[1]) {
				t.Errorf("%s names `%s`, which does not exist", doc, m[1])
			}
			if to := target.FindStringSubmatch(m[1]); to != nil && !strings.Contains(string(makefile), "\n"+to[1]+":") {
				t.Errorf("%s names `%s`, which the Makefile does not have", doc, m[1])
			}
		}
	}
}

// TestProseNamesFunctionsOfFiles holds what is written as a file and, after a
// comma, a function: "facade/serve.go, Call" in backquotes.
func TestProseNamesFunctionsOfFiles(t *testing.T) {
	pair := regexp.MustCompile("`([\\w/]+\\.go)`, `(\\w+)`")
	named := 0
	for doc, text := range prose(t) {
		for _, m := range pair.FindAllStringSubmatch(text, -1) {
			named++
			src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m[1])))
			if err != nil {
				t.Errorf("%s: %v", doc, err)
				continue
			}
			declares := regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[2] + `\b`)
			if !declares.Match(src) {
				t.Errorf("%s says that %s has a function %s", doc, m[1], m[2])
			}
		}
	}
	if named == 0 {
		t.Error("no document names a function of a file")
	}
}

// TestArchitectureListsEveryFolder wants each folder at the top, and each below
// internal, in the map.
func TestArchitectureListsEveryFolder(t *testing.T) {
	text := prose(t)["ARCHITECTURE.md"]
	for _, name := range tree(t) {
		parts := strings.Split(strings.TrimSuffix(name, "/"), "/")
		switch {
		case !strings.HasSuffix(name, "/") || strings.HasPrefix(name, "."):
		case len(parts) == 1 && !strings.Contains(text, "`"+parts[0]+"/"):
			t.Errorf("ARCHITECTURE.md does not say what is in %s", name)
		case len(parts) == 2 && parts[0] == "internal" && !strings.Contains(text, "`"+parts[1]+"`"):
			t.Errorf("ARCHITECTURE.md does not say what is in %s", name)
		}
	}
}

// exists reports whether a file or folder is in the tree, at its top or below
// whatever the text around the name says.
func exists(all []string, name string) bool {
	return slices.ContainsFunc(all, func(have string) bool {
		return have == name || strings.HasSuffix(have, "/"+name)
	})
}

// TestProseNamesDeclarations holds names such as facade.Bind to the packages.
func TestProseNamesDeclarations(t *testing.T) {
	packages := declarations(t)
	for doc, text := range prose(t) {
		if doc == "CHANGELOG.md" {
			continue // it may tell of what is gone
		}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			n := name.FindStringSubmatch(m[1])
			if n == nil || packages[n[1]] == nil {
				continue
			}
			if !packages[n[1]][n[2]] {
				t.Errorf("%s names `%s`, but package %s declares no %s", doc, m[1], n[1], n[2])
			}
		}
	}
}

// declarations are the top-level names of each package, by the package's name,
// tests left out.
func declarations(t *testing.T) map[string]map[string]bool {
	t.Helper()
	packages := map[string]map[string]bool{}
	goFiles(t, func(name string, src []byte) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		have := packages[f.Name.Name]
		if have == nil {
			have = map[string]bool{}
			packages[f.Name.Name] = have
		}
		for _, d := range f.Decls {
			declared(d, have)
		}
	})
	return packages
}

func declared(d ast.Decl, have map[string]bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			have[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				have[s.Name.Name] = true
			case *ast.ValueSpec:
				for _, n := range s.Names {
					have[n.Name] = true
				}
			}
		}
	}
}

// TestReadmeCodeIsTested wants every Go block of the README in a test file, line
// by line, so that it compiles and runs.
func TestReadmeCodeIsTested(t *testing.T) {
	var tests []string
	goFiles(t, func(path string, src []byte) {
		if strings.HasSuffix(path, "_test.go") {
			tests = append(tests, flat(string(src)))
		}
	})
	text := prose(t)["README.md"]
	blocks := goCode.FindAllStringSubmatch(text, -1)
	if len(blocks) == 0 {
		t.Fatal("the README has no code")
	}
	for _, b := range blocks {
		if !slices.ContainsFunc(tests, func(src string) bool { return strings.Contains(src, flat(b[1])) }) {
			t.Errorf("no test file has this code of the README:\n%s", b[1])
		}
	}
}

// flat is code without indentation and blank lines.
func flat(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
