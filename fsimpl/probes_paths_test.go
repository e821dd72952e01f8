//go:build unix

package fsimpl_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func TestProbeWaysOut(t *testing.T) {
	p := newProbe(t, nil)
	outside := filepath.Join(filepath.Dir(p.dir), "outside")
	for _, dir := range []string{outside, p.dir + "-evil"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link(t, outside, p.at("out"))
	link(t, filepath.Join(outside, "new.txt"), p.at("dangling"))
	before := p.snapshot()
	for _, name := range []string{"out/secret", "../outside/secret", "../root-evil/secret", p.dir + "-evil/secret", "/etc/passwd"} {
		p.fails(facade.CodeOutsideRoot, "read", "path", name)
		p.fails(facade.CodeOutsideRoot, "write", "path", name, "content", "x")
		p.fails(facade.CodeOutsideRoot, "delete", "paths", []string{name})
	}
	p.fails(facade.CodeOutsideRoot, "write", "path", "dangling", "content", "x")
	p.fails(facade.CodeOutsideRoot, "read", "path", "dangling")
	p.same(before)
	if _, err := os.Stat(filepath.Join(outside, "new.txt")); err == nil {
		t.Error("wrote through the dangling link")
	}
	p.ok("info", "path", "dangling")
	p.ok("delete", "paths", []string{"dangling"})
	p.absent("dangling")
}

// Absolute paths of the root, and ".." that stays inside, are as good as others.
func TestProbeOtherWaysIn(t *testing.T) {
	p := newProbe(t, nil)
	p.put("d/f.txt", "x\n")
	for _, name := range []string{p.at("d/f.txt"), "d/../d/f.txt", "./d//f.txt", "/d/f.txt"} {
		r := p.call("read", "path", name)
		if name == "/d/f.txt" { // it is not below the root, but the hint says how to name it
			p.says(p.failed(facade.CodeOutsideRoot, r), "'d/f.txt'")
			continue
		}
		if out := into[facade.ReadOutput](p, r); len(out.Files) != 1 || out.Files[0].Path != "d/f.txt" {
			t.Errorf("%s: %s", name, r.Text)
		}
	}
	p.ok("cd", "path", "d")
	p.ok("read", "path", "f.txt")
	p.ok("read", "path", "../d/f.txt")
	p.fails(facade.CodeOutsideRoot, "read", "path", "../../d/f.txt")
	p.fails(facade.CodeOutsideRoot, "cd", "path", "../..")
	p.fails(facade.CodeNotDirectory, "cd", "path", "f.txt")
}

func TestProbeLinksInside(t *testing.T) {
	p := newProbe(t, nil)
	p.put("real.txt", "one\n")
	link(t, "real.txt", p.at("link.txt"))
	p.ok("write", "path", "link.txt", "content", "two\n")
	p.holds("real.txt", "two\n")
	p.ok("replace", "path", "link.txt", "old_content", "two", "new_content", "three")
	p.holds("real.txt", "three\n")
	if target, err := os.Readlink(p.at("link.txt")); err != nil || target != "real.txt" {
		t.Errorf("the link was replaced: %q %v", target, err)
	}
	p.ok("undo", "steps", 2)
	p.holds("real.txt", "one\n")
	link(t, "loop", p.at("loop"))
	p.fails(facade.CodeInvalidArgument, "write", "path", "loop", "content", "x")
}

// A write puts a new file into the place of the old one, so that a hard link,
// which may be a name outside the root, keeps what it had.
func TestProbeHardLink(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "one\n")
	if err := os.Link(p.at("a.txt"), p.at("b.txt")); err != nil {
		t.Fatal(err)
	}
	p.ok("replace", "path", "a.txt", "old_content", "one", "new_content", "two")
	p.holds("a.txt", "two\n")
	p.holds("b.txt", "one\n")
}

func TestProbeSpecialFiles(t *testing.T) {
	p := newProbe(t, nil)
	if err := syscall.Mkfifo(p.at("fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.put("f.txt", "needle\n")
	for _, args := range [][]any{
		{"read", "path", "fifo"},
		{"read", "path", "fifo", "output_format", "base64"},
		{"write", "path", "fifo", "content", "x"},
		{"write", "path", "fifo", "content", "x", "append", true},
		{"replace", "path", "fifo", "old_content", "x", "new_content", "y"},
		{"edit", "path", "fifo", "edits", []any{map[string]any{"old_text": "a", "new_text": "x"}}},
		{"modify", "path", "fifo", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "y"},
		{"copy", "source", "fifo", "destination", "copy"},
		{"grep", "pattern", "x", "path", "fifo"},
		{"find", "keywords_file_content", []string{"x"}, "path", "fifo"},
	} {
		p.fails(facade.CodeNotRegular, args[0].(string), args[1:]...)
	}
	if r := get[facade.InfoOutput](p, "info", "path", "fifo"); r.Type != facade.TypeOther {
		t.Errorf("type %s, want other", r.Type)
	}
	p.says(p.ok("list").Text, "fifo  (other)")
	p.says(p.ok("grep", "pattern", "needle").Text, "f.txt")
	p.says(p.ok("find", "keywords_file_content", []string{"needle"}).Text, "f.txt")
}

func TestProbeRootStays(t *testing.T) {
	p := newProbe(t, nil)
	p.put("d/f.txt", "x\n")
	for _, name := range []string{".", "./", "d/..", p.dir, "d/../."} {
		p.fails(facade.CodePermissionDenied, "delete", "paths", []string{name}, "recursive", true)
		p.fails(facade.CodePermissionDenied, "move", "source", name, "destination", "x")
	}
	p.fails(facade.CodeInvalidArgument, "delete", "paths", []string{""}, "recursive", true)
	p.fails(facade.CodeInvalidArgument, "delete", "paths", []string{}, "recursive", true)
	p.holds("d/f.txt", "x\n")
}

// A newline in a name cannot forge a line of a reply.
func TestProbeForgedRows(t *testing.T) {
	p := newProbe(t, nil)
	name := "a\n[DIR] fake\nerror (internal): x"
	p.put(name, "needle\n")
	for _, args := range [][]any{
		{"list"},
		{"find", "patterns", []string{"*"}},
		{"grep", "pattern", "needle"},
		{"grep", "pattern", "needle", "output", "count"},
		{"read", "path", name},
		{"info", "path", name},
		{"write", "path", name, "content", "needle 2\n"},
		{"edit", "path", name, "edits", []any{map[string]any{"old_text": "2", "new_text": "3"}}},
		{"replace", "path", name, "old_content", "3", "new_content", "4"},
		{"copy", "source", name, "destination", name + "2"},
		{"move", "source", name + "2", "destination", name + "3"},
		{"delete", "paths", []string{name + "3"}},
		{"history"},
		{"undo"},
		{"read", "path", name + "x"},
		{"write", "path", name, "content", "x", "create_only", true},
		{"write", "path", name, "content", "x", "if_match", "0"},
		{"list", "path", name},
		{"move", "source", "no", "destination", name},
	} {
		text := p.call(args[0].(string), args[1:]...).FullText()
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "[DIR] fake") || strings.HasPrefix(line, "error (internal)") {
				t.Errorf("%s: forged a line: %q", args[0], text)
			}
		}
	}
}

// Names that are not UTF-8 come back in a form that can be sent again.
func TestProbeNamesThatAreNotUTF8(t *testing.T) {
	p := newProbe(t, nil)
	p.put("caf\xe9.txt", "needle\n")
	if _, err := os.Lstat(p.at("caf\xe9.txt")); err != nil {
		t.Skipf("the file system has no such names: %v", err)
	}
	name := get[facade.ListOutput](p, "list").Entries[0].Path
	for _, found := range []string{
		get[facade.FindOutput](p, "find", "patterns", []string{"*.txt"}).Matches[0].Path,
		get[facade.GrepOutput](p, "grep", "pattern", "needle").Matches[0].Path,
		get[facade.ReadOutput](p, "read", "path", name).Files[0].Path,
	} {
		if found != name {
			t.Errorf("%q and %q are names of one file", found, name)
		}
	}
	p.ok("replace", "path", name, "old_content", "needle", "new_content", "pin")
	p.holds("caf\xe9.txt", "pin\n")
	p.ok("move", "source", name, "destination", "plain.txt")
	p.ok("undo", "steps", 2)
	p.holds("caf\xe9.txt", "needle\n")
	p.ok("delete", "paths", []string{name})
	p.absent("caf\xe9.txt")
}

func TestProbeMove(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "a\n")
	p.put("b.txt", "b\n")
	p.put("d/c.txt", "c\n")
	before := p.snapshot()
	for _, action := range []string{"move", "copy"} {
		p.says(p.fails(facade.CodeAlreadyExists, action, "source", "a.txt", "destination", "b.txt"), "overwrite")
		p.says(p.fails(facade.CodeAlreadyExists, action, "source", "a.txt", "destination", "d"), "d/a.txt")
		p.fails(facade.CodeAlreadyExists, action, "source", "a.txt", "destination", "d", "overwrite", true)
		p.fails(facade.CodeAlreadyExists, action, "source", "d", "destination", "a.txt", "overwrite", true)
		p.fails(facade.CodeInvalidArgument, action, "source", "d", "destination", "d/e")
		p.fails(facade.CodeInvalidArgument, action, "source", "a.txt", "destination", "a.txt")
		p.fails(facade.CodeNotFound, action, "source", "x.txt", "destination", "y.txt")
		p.fails(facade.CodeNotDirectory, action, "source", "a.txt", "destination", "b.txt/c.txt")
	}
	p.same(before)
	p.ok("move", "source", "a.txt", "destination", "b.txt", "overwrite", true)
	p.holds("b.txt", "a\n")
	p.absent("a.txt")
	p.ok("undo")
	p.same(before)
}
