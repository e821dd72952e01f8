//go:build unix

package fsimpl_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// undoable are changes of every kind, each of which undo takes back and redo
// repeats, with contents, modes and links.
var undoable = map[string][][]any{
	"create":              {{"create", "paths", []string{"x/y/z", "w"}}},
	"write new":           {{"write", "path", "x/y/new.txt", "content", "x"}},
	"write":               {{"write", "path", "a.txt", "content", "x"}},
	"append":              {{"write", "path", "a.txt", "content", "x", "append", true}},
	"write empty":         {{"write", "path", "a.txt", "content", ""}},
	"modify":              {{"modify", "path", "a.txt", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "x"}},
	"replace":             {{"replace", "path", "a.txt", "old_content", "a", "new_content", "x"}},
	"delete file":         {{"delete", "paths", []string{"d/run.sh"}}},
	"delete tree":         {{"delete", "paths", []string{"d"}, "recursive", true}},
	"delete link":         {{"delete", "paths", []string{"d/link"}}},
	"delete several":      {{"delete", "paths", []string{"d", "a.txt", "empty"}, "recursive", true}},
	"move file":           {{"move", "source", "a.txt", "destination", "x/a.txt"}},
	"move tree":           {{"move", "source", "d", "destination", "x/d"}},
	"move over a file":    {{"move", "source", "a.txt", "destination", "b.txt", "overwrite", true}},
	"move over a tree":    {{"move", "source", "d", "destination", "e", "overwrite", true}},
	"move link":           {{"move", "source", "d/link", "destination", "link"}},
	"copy file":           {{"copy", "source", "d/run.sh", "destination", "x/run.sh"}},
	"copy tree":           {{"copy", "source", "e", "destination", "x/e"}},
	"copy over a file":    {{"copy", "source", "d/run.sh", "destination", "b.txt", "overwrite", true}},
	"copy over a tree":    {{"copy", "source", "e", "destination", "d", "overwrite", true}},
	"move, write, delete": {{"move", "source", "d", "destination", "x"}, {"write", "path", "x/in/f.txt", "content", "new"}, {"delete", "paths", []string{"x"}, "recursive", true}},
	"write, delete, write": {
		{"write", "path", "a.txt", "content", "1"},
		{"delete", "paths", []string{"a.txt"}},
		{"create", "paths", []string{"a.txt"}},
		{"delete", "paths", []string{"a.txt"}},
		{"write", "path", "a.txt", "content", "2"},
	},
}

func TestProbeUndoAndRedo(t *testing.T) {
	for name, calls := range undoable {
		t.Run(name, func(t *testing.T) {
			p := newProbe(t, nil)
			p.put("a.txt", "a\n")
			p.put("b.txt", "b\n")
			p.put("d/in/f.txt", "f\n")
			p.put("d/run.sh", "run\n")
			p.put("e/g.txt", "g\n")
			for dir, mode := range map[string]os.FileMode{"d/run.sh": 0o750, "d/in": 0o700, "e": 0o711, "b.txt": 0o600} {
				if err := os.Chmod(p.at(dir), mode); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(p.at("empty"), 0o755); err != nil {
				t.Fatal(err)
			}
			link(t, "in/f.txt", p.at("d/link"))
			before := p.snapshot()
			for _, c := range calls {
				p.ok(c[0].(string), c[1:]...)
			}
			after := p.snapshot()
			for range 2 {
				p.ok("undo", "steps", len(calls))
				p.same(before)
				p.ok("redo", "steps", len(calls))
				p.same(after)
			}
			for range calls {
				p.ok("undo")
			}
			p.same(before)
		})
	}
}

// A deleted tree with a link out of it, as Python's environments have, comes
// back without that link.
func TestProbeLinkOutIsNoObstacle(t *testing.T) {
	p := newProbe(t, nil)
	p.put("venv/lib.py", "x\n")
	link(t, filepath.Join(filepath.Dir(p.dir), "python"), p.at("venv/python"))
	if got := get[facade.InfoOutput](p, "info", "path", "venv/python"); got.Target != "(outside the root)" {
		t.Errorf("target %q", got.Target)
	}
	p.ok("move", "source", "venv", "destination", "env")
	p.ok("move", "source", "env/python", "destination", "env/py")
	p.ok("undo", "steps", 2)
	p.ok("delete", "paths", []string{"venv"}, "recursive", true)
	p.absent("venv")
	p.ok("undo")
	p.holds("venv/lib.py", "x\n")
	p.absent("venv/python")
}

func TestProbeUndoRefusesAfterAPerson(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "one\ntwo\n")
	p.ok("replace", "path", "a.txt", "old_content", "two", "new_content", "2")
	p.put("a.txt", "one\n2\nby hand\n")
	p.says(p.fails(facade.CodeStale, "undo"), "+by hand")
	p.holds("a.txt", "one\n2\nby hand\n")
	p.put("a.txt", "one\n2\n") // the person takes it back
	p.ok("undo")
	p.holds("a.txt", "one\ntwo\n")
	p.put("a.txt", "one\ntwo\nby hand\n")
	p.says(p.fails(facade.CodeStale, "redo"), "+by hand")

	p.ok("delete", "paths", []string{"a.txt"})
	p.put("a.txt", "again\n")
	p.fails(facade.CodeStale, "undo")
	p.holds("a.txt", "again\n")
	p.ok("write", "path", "b.txt", "content", "b\n")
	p.fails(facade.CodeStale, "undo", "steps", 2)
	p.holds("b.txt", "b\n") // all of the steps or none
	p.ok("undo", "path", "b.txt")
	p.absent("b.txt")
}

func TestProbeNothingToUndo(t *testing.T) {
	p := newProbe(t, nil)
	p.says(p.ok("undo").Text, "nothing")
	p.says(p.ok("redo").Text, "nothing")
	p.fails(facade.CodeInvalidArgument, "undo", "steps", 0)
	p.fails(facade.CodeInvalidArgument, "undo", "steps", -1)
	p.ok("write", "path", "a.txt", "content", "1")
	p.ok("undo")
	p.ok("write", "path", "b.txt", "content", "2")
	p.says(p.ok("redo").Text, "nothing") // a new change ends what could be redone
	p.absent("a.txt")
}
