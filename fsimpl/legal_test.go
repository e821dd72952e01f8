package fsimpl_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// TestOddNames uses names that look like attacks or are rare, and are neither,
// with every action.
func TestOddNames(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("some of these names cannot exist here")
	}
	names := []string{
		"...", "..a", "a..", "a..b", ".hidden", "-rf", "--", "~", "$HOME", "%2e%2e", "C:", `C:\x`, `a\b`, `..\x`, `a\x41`,
		" ", "  x", "x ", "x.", "a\tb", "a\nb", "\x01", "*", "?", "[a]", "{a,b}", "a:b", "<a>", `"a"`, "`a`", "$(a)",
		"\xff\xfe", "a\x80b", "日本語", "e\u0301", "．．", "\u202etxt.exe", "👩‍👩‍👧", "CON", "nul",
		strings.Repeat("n", 255), "root-evil", "proc",
	}
	for i, name := range names {
		t.Run(fmt.Sprintf("%d %q", i, name), func(t *testing.T) {
			dir := t.TempDir()
			useAll(t, dir, name, name)
		})
	}
}

// TestInnerLinks works through links that stay inside.
func TestInnerLinks(t *testing.T) {
	for name, target := range map[string]string{
		"relative": "real", "absolute": "{root}/real", "chain": "relative", "by detour": "real/../real", "here": "./real/.",
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			check(t, err)
			check(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
			check(t, os.Symlink("real", filepath.Join(dir, "relative")))
			if name != "relative" {
				check(t, os.Symlink(strings.ReplaceAll(target, "{root}", dir), filepath.Join(dir, name)))
			}
			useAll(t, dir, name, "f")
		})
	}
}

// useAll runs every action on dir/base and fails where one does.
func useAll(t *testing.T, root, dir, base string) {
	t.Helper()
	files := confined(t, root)
	defer func() { check(t, files.Close()) }()
	tool := facade.Files(files)
	d := pathname.Escape(dir)
	file := d + "/" + pathname.Escape(base)
	for _, c := range []json.RawMessage{
		args(facade.FileCreate, "paths", []string{d}),
		args(facade.FileWrite, "path", file, "content", "one\n"),
		args(facade.FileWrite, "path", file, "content", "two\n", "append", true),
		args(facade.FileRead, "path", file),
		args(facade.FileInfo, "path", file),
		args(facade.FileList, "path", d),
		args(facade.FileFind, "path", d, "keywords_file_content", []string{"one"}),
		args(facade.FileGrep, "path", d, "pattern", "one"),
		args(facade.FileModify, "path", file, "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "1\n"),
		args(facade.FileReplace, "path", file, "old_content", "two", "new_content", "2"),
		args(facade.FileCopy, "source", file, "destination", d+"/copy"),
		args(facade.FileMove, "source", d+"/copy", "destination", file, "overwrite", true),
		args(facade.FileCd, "path", d),
		args(facade.FileRead, "path", pathname.Escape(base)),
		args(facade.FileDelete, "paths", []string{pathname.Escape(base)}),
	} {
		if res := call(t, tool, c); res.Error != nil {
			t.Errorf("%s: %s", c, res.Text)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, dir, base)); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}
