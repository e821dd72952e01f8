package fsimpl_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// protectedSpellings are names that some file system takes for a protected one.
func protectedSpellings() []string {
	return []string{
		".git", ".GIT", ".Git", ".git.", ".git ", ".git . .", ".git...", "git~1", "GIT~1", ".git::$INDEX_ALLOCATION", ".git:stream",
		".g\u200cit", "\u200d.git", ".git\ufeff", ".gi\u00adt", ".g\u2060it", ".git\ufe0f", "\u202e.git",
		".hg", ".svn", ".ſvn", ".jj", ".vscode", ".vſcode", ".VSCODE", "VSCODE~1", ".idea", ".claude", ".CLAUDE.", ".cursor", ".CURSOR", ".codex", ".gemini",
		".mcp.json", ".MCP.json", ".mcp.json ", "MCP~1.JSO", ".envrc", ".Envrc",
	}
}

// writesTo has each way to change what is below dir.
func writesTo(dir string) map[string]json.RawMessage {
	file := dir + "/config"
	return map[string]json.RawMessage{
		"create":         args(facade.FileCreate, "paths", []string{dir + "/hooks"}),
		"create itself":  args(facade.FileCreate, "paths", []string{"ok", dir}),
		"write":          args(facade.FileWrite, "path", file, "content", "x"),
		"write itself":   args(facade.FileWrite, "path", dir, "content", "x"),
		"write below":    args(facade.FileWrite, "path", dir+"/a/b/c", "content", "x"),
		"append":         args(facade.FileWrite, "path", file, "content", "x", "append", true),
		"dry run":        args(facade.FileWrite, "path", file, "content", "x", "dry_run", true),
		"modify":         args(facade.FileModify, "path", file, "start_offset_inclusive", 0, "end_offset_inclusive", -1, "new_content", "x"),
		"replace":        args(facade.FileReplace, "path", file, "old_content", "o", "new_content", "x"),
		"delete":         args(facade.FileDelete, "paths", []string{dir}, "recursive", true),
		"delete below":   args(facade.FileDelete, "paths", []string{"a.txt", file}),
		"move away":      args(facade.FileMove, "source", dir, "destination", "elsewhere"),
		"move here":      args(facade.FileMove, "source", "tree", "destination", dir),
		"move file here": args(facade.FileMove, "source", "a.txt", "destination", file, "overwrite", true),
		"copy here":      args(facade.FileCopy, "source", "tree", "destination", dir),
		"copy file here": args(facade.FileCopy, "source", "a.txt", "destination", file, "overwrite", true),
		"by detour":      args(facade.FileWrite, "path", "tree/../"+file, "content", "x"),
		"deep":           args(facade.FileWrite, "path", "tree/sub/"+file, "content", "x"),
	}
}

// TestProtected refuses every change of a protected name in every spelling,
// there or not.
func TestProtected(t *testing.T) {
	for i, dir := range protectedSpellings() {
		for _, there := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d %q there=%v", i, dir, there), func(t *testing.T) { protects(t, dir, there) })
		}
	}
}

func protects(t *testing.T, dir string, there bool) {
	root := escapetest.TempDir(t)
	check(t, os.MkdirAll(filepath.Join(root, "tree/sub"), 0o755))
	check(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\n"), 0o644))
	if there {
		check(t, os.Mkdir(filepath.Join(root, dir), 0o755))
		check(t, os.WriteFile(filepath.Join(root, dir, "config"), []byte("old\n"), 0o644))
	}
	before, err := escapetest.Snapshot(root, "")
	check(t, err)
	files := confined(t, root)
	defer func() { check(t, files.Close()) }()
	for name, raw := range writesTo(dir) {
		res := call(t, facade.Files(files), raw)
		if res.Error == nil || res.Error.Code != facade.CodeProtectedPath || res.Error.Hint == "" {
			t.Errorf("%s: %s, want protected_path", name, res.Text)
		}
	}
	after, err := escapetest.Snapshot(root, "")
	check(t, err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("something changed: %s", diff)
	}
	if there {
		if res := call(t, facade.Files(files), args(facade.FileRead, "path", dir+"/config")); res.Error != nil {
			t.Errorf("it cannot be read: %s", res.Text)
		}
	}
}

// TestProtectedByLink sees through links, and with whole trees.
func TestProtectedByLink(t *testing.T) {
	root := escapetest.TempDir(t)
	check(t, os.MkdirAll(filepath.Join(root, "repo/.git/hooks"), 0o755))
	check(t, os.WriteFile(filepath.Join(root, "repo/.git/config"), []byte("old\n"), 0o644))
	check(t, os.Symlink("repo/.git", filepath.Join(root, "alias")))
	check(t, os.Symlink("repo/.git/config", filepath.Join(root, "cfg")))
	check(t, os.Symlink(".git/absent", filepath.Join(root, "dangling")))
	files := confined(t, root)
	defer func() { check(t, files.Close()) }()
	for name, raw := range map[string]json.RawMessage{
		"through link":     args(facade.FileWrite, "path", "alias/config", "content", "x"),
		"link to file":     args(facade.FileWrite, "path", "cfg", "content", "x"),
		"replace by link":  args(facade.FileReplace, "path", "cfg", "old_content", "old", "new_content", "x"),
		"dangling link":    args(facade.FileWrite, "path", "dangling", "content", "x"),
		"create by link":   args(facade.FileCreate, "paths", []string{"alias/new"}),
		"delete parent":    args(facade.FileDelete, "paths", []string{"repo"}, "recursive", true),
		"move parent":      args(facade.FileMove, "source", "repo", "destination", "other"),
		"copy parent":      args(facade.FileCopy, "source", "repo", "destination", "other"),
		"overwrite parent": args(facade.FileCopy, "source", "empty", "destination", "repo", "overwrite", true),
	} {
		check(t, os.MkdirAll(filepath.Join(root, "empty"), 0o755))
		if res := call(t, facade.Files(files), raw); res.Error == nil || res.Error.Code != facade.CodeProtectedPath {
			t.Errorf("%s: %s, want protected_path", name, res.Text)
		}
	}
	if data, err := os.ReadFile(filepath.Join(root, "repo/.git/config")); err != nil || string(data) != "old\n" {
		t.Errorf("the config holds %q, %v", data, err)
	}
}

// TestWritable opts in to one name, in every spelling, and to no other.
func TestWritable(t *testing.T) {
	files, err := fsimpl.Open(t.TempDir(), &fsimpl.Options{Writable: []string{".vscode"}})
	check(t, err)
	defer func() { check(t, files.Close()) }()
	for path, want := range map[string]facade.Code{
		".vscode/settings.json": "", "a/.VSCode/x": "", ".git/config": facade.CodeProtectedPath, ".vscode/.git/x": facade.CodeProtectedPath,
	} {
		res := call(t, facade.Files(files), args(facade.FileWrite, "path", path, "content", "x"))
		if got := res.Error; got == nil && want != "" || got != nil && got.Code != want {
			t.Errorf("%s: %s, want %q", path, res.Text, want)
		}
	}
}

// TestNotProtected lets names pass that only look like protected ones.
func TestNotProtected(t *testing.T) {
	files := confined(t, t.TempDir())
	defer func() { check(t, files.Close()) }()
	for _, path := range []string{".gitignore", ".gitattributes", ".github/workflows/x.yml", "git", "a.git/x", "git~", "git~10x", "claude/x", "mcp.json", "idea~/x"} {
		if res := call(t, facade.Files(files), args(facade.FileWrite, "path", path, "content", "x")); res.Error != nil {
			t.Errorf("%s: %s", path, res.Text)
		}
	}
}

func TestIsProtected(t *testing.T) {
	for _, test := range []struct {
		path     string
		writable []string
		want     bool
	}{
		{"a/.git/hooks/x", nil, true},
		{"a/.GIT./x", nil, true},
		{".git/x", []string{".git"}, false},
		{".git/.vscode/x", []string{".git"}, true},
		{".gitignore", nil, false},
		{"git/x", nil, false},
	} {
		if got := fsimpl.IsProtected(test.path, test.writable...); got != test.want {
			t.Errorf("%s with %q: %v", test.path, test.writable, got)
		}
	}
}
