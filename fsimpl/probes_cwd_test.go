package fsimpl_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// Results name paths from the root. A session that has changed its directory
// and sends one back as it is learns how to write it from there.
func TestProbePathsAfterCd(t *testing.T) {
	p := newProbe(t, nil)
	p.put("README.md", "a\n")
	p.put("src/main.go", "a\n")
	p.ok("cd", "path", "src")
	const there = "paths start from the current directory 'src': use 'main.go'"
	for action, kv := range map[string][]any{
		"read":    {"path", "src/main.go"},
		"info":    {"path", "src/main.go"},
		"grep":    {"path", "src/main.go", "pattern", "a"},
		"find":    {"path", "src/main.go", "patterns", []string{"*"}},
		"list":    {"path", "src/main.go"},
		"cd":      {"path", "src/main.go"},
		"delete":  {"paths", []string{"src/main.go"}},
		"modify":  {"path", "src/main.go", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "b"},
		"replace": {"path", "src/main.go", "old_content", "a", "new_content", "b"},
		"edit":    {"path", "src/main.go", "edits", []map[string]any{{"old_text": "a", "new_text": "b"}}},
		"move":    {"source", "src/main.go", "destination", "x.go"},
		"copy":    {"source", "src/main.go", "destination", "x.go"},
	} {
		p.says(p.fails(facade.CodeNotFound, action, kv...), there)
	}
	p.says(p.fails(facade.CodeNotFound, "read", "path", "README.md"), "use '../README.md'")
	p.says(p.fails(facade.CodeNotFound, "read", "path", "mian.go"), "did you mean 'main.go'?")
	p.says(p.fails(facade.CodeNotFound, "read", "path", "../raedme.md"), "did you mean '../README.md'?")
	p.says(p.fails(facade.CodeOutsideRoot, "read", "path", "/src/main.go"), "relative to the current directory 'src', as 'main.go'")
	p.says(p.fails(facade.CodeNotFound, "delete", "paths", []string{"**/*.go"}), "find what fits with the action find")
	p.ok("read", "path", "main.go")
	p.ok("write", "path", "src/main.go", "content", "b\n") // a new file may have the name of another
	p.holds("src/src/main.go", "b\n")
	p.ok("read", "path", "src/main.go")
}

// Look-behind looks like a named group to the parser of regular expressions.
func TestProbeLookAround(t *testing.T) {
	p := newProbe(t, nil)
	for _, pattern := range []string{"(?<=a)b", "(?<!a)b", "a(?=b)", "a(?!b)"} {
		p.says(p.fails(facade.CodeInvalidArgument, "grep", "pattern", pattern), "no look-around")
	}
	p.ok("grep", "pattern", "(?P<name>a)(?<other>b)")
}

// An undone or repeated move says what is now where, and each path once.
func TestProbeUndoSaysTheDirection(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "a\n")
	p.put("d/b.txt", "b\n")
	p.ok("move", "source", "a.txt", "destination", "c.txt")
	p.says(p.ok("undo").Text, "renamed c.txt to a.txt")
	p.says(p.ok("redo").Text, "renamed a.txt to c.txt")
	p.ok("copy", "source", "d", "destination", "e")
	p.ok("copy", "source", "d", "destination", "e", "overwrite", true)
	p.says(p.ok("history").Text, "copy: e/b.txt, e\n")
}
