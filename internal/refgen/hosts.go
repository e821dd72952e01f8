package main

import (
	"bytes"
	_ "embed" // for recipes.md
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recipes are the adapters of hosts that have no module here.
//
//go:embed recipes.md
var recipes string

// hostsPage lists the adapters in the folder host: how long each is, and what
// its tests exercise on the wire, by the lists that those tests keep.
func hostsPage(root string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(header + `# Hosts

Each adapter is a module of its own, below ` + "`host/`" + `. Its tests run the host's own machinery, the SDK's client, runner, agent or server, against a
scripted model server (over MCP: a scripted client) that answers with tool calls; what is sent back is what is checked.
Lines are those of code: no blanks, no comments, no imports. What all adapters share is package ` + "`host`" + `; mcp is more than an adapter, with transports, progress,
resources and sessions, of which register is the adapter proper.

| Host | Library | Adapter lines | Machinery |
|---|---|---|---|
`)
	var all []way
	entries, err := os.ReadDir(filepath.Join(root, "host"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		dir := filepath.Join(root, "host", e.Name())
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		ways, err := hostWays(e.Name(), dir)
		if err != nil {
			return nil, fmt.Errorf("host %s: %w", e.Name(), err)
		}
		if err := hostRow(&b, e.Name(), dir, ways); err != nil {
			return nil, fmt.Errorf("host %s: %w", e.Name(), err)
		}
		all = append(all, ways...)
	}
	exercised(&b, all)
	b.WriteString("\n" + recipes)
	return b.Bytes(), nil
}

// way is one way by which a host carries results.
type way struct {
	host, via string
	checks    []string // that passed, in their order
}

// hostWays reads the lists of what a host's tests exercise.
func hostWays(name, dir string) ([]way, error) {
	lists, err := filepath.Glob(filepath.Join(dir, "testdata", "wire-*.txt"))
	if err != nil {
		return nil, err
	}
	if len(lists) == 0 {
		return nil, errors.New("no testdata/wire-*.txt says what was exercised")
	}
	var ways []way
	for _, list := range lists {
		done, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		via := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(list), "wire-"), ".txt")
		ways = append(ways, way{name, via, strings.Split(strings.TrimSpace(string(done)), "\n")})
	}
	return ways, nil
}

// hostRow writes what a host is.
func hostRow(b *bytes.Buffer, name, dir string, ways []way) error {
	lines, err := codeLines(dir)
	if err != nil {
		return err
	}
	library, err := libraryOf(dir)
	if err != nil {
		return err
	}
	vias := make([]string, len(ways))
	for i, w := range ways {
		vias[i] = w.via
	}
	fmt.Fprintf(b, "| [%s](../host/%s) | %s | %s | %s |\n", name, name, library, lines, strings.Join(vias, ", "))
	return nil
}

// exercised writes a table of what each way was checked for.
func exercised(b *bytes.Buffer, ways []way) {
	b.WriteString("\n## Exercised on the wire\n\nAn empty cell is what the host or its protocol does not have.\n\n| |")
	var checks []string
	for _, w := range ways {
		fmt.Fprintf(b, " %s %s |", w.host, w.via)
		for i, c := range w.checks {
			if !slices.Contains(checks, c) { // it belongs behind the one before it
				at := 0
				if i > 0 {
					at = slices.Index(checks, w.checks[i-1]) + 1
				}
				checks = slices.Insert(checks, at, c)
			}
		}
	}
	b.WriteString("\n|---|" + strings.Repeat(":-:|", len(ways)) + "\n")
	for _, c := range checks {
		fmt.Fprintf(b, "| %s |", c)
		for _, w := range ways {
			mark := ""
			if slices.Contains(w.checks, c) {
				mark = "✓"
			}
			fmt.Fprintf(b, " %s |", mark)
		}
		b.WriteString("\n")
	}
}

// libraryOf returns the first requirement of a host's module that is neither
// this library nor for tests, with its version.
func libraryOf(dir string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(mod)) {
		path, version, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "require ")), " ")
		if !ok || !strings.HasPrefix(version, "v") || slices.ContainsFunc(notHosts, func(p string) bool { return strings.HasPrefix(path+" ", p) }) {
			continue
		}
		return path + " " + version, nil
	}
	return "", errors.New("go.mod requires no library of a host")
}

// notHosts are requirements beside the library that a host is.
var notHosts = []string{
	"github.com/toolfacade/", "github.com/google/go-cmp", "go.uber.org/goleak", "github.com/bytedance/sonic",
	"github.com/cloudwego/eino-ext/", "github.com/eino-contrib/", "github.com/aws/aws-sdk-go-v2 ",
}

// codeLines says how many lines of code each file of a package has, that of
// its documentation and tests left out: "30", or "chat 20, responses 30".
func codeLines(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	var counts []string
	for _, name := range files {
		base := strings.TrimSuffix(filepath.Base(name), ".go")
		if base == "doc" || strings.HasSuffix(base, "_test") {
			continue
		}
		n, err := fileLines(name)
		if err != nil {
			return "", err
		}
		counts = append(counts, fmt.Sprintf("%s %d", base, n))
	}
	if len(counts) == 1 {
		_, n, _ := strings.Cut(counts[0], " ")
		return n, nil
	}
	return strings.Join(counts, ", "), nil
}

// fileLines counts the lines of code behind the imports of a file.
func fileLines(name string) (int, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	comment := map[int]bool{}
	for _, g := range file.Comments {
		for _, c := range g.List {
			for n := set.Position(c.Pos()).Line; n <= set.Position(c.End()).Line; n++ {
				comment[n] = true
			}
		}
	}
	first := set.Position(file.Name.End()).Line
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			first = set.Position(g.End()).Line
		}
	}
	count := 0
	for i, line := range strings.Split(string(src), "\n") {
		text := strings.TrimSpace(line)
		if n := i + 1; n > first && text != "" && (!comment[n] || !strings.HasPrefix(text, "//")) {
			count++
		}
	}
	return count, nil
}
