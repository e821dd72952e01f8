package facadetest

import (
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

func moveRules() []filesRule {
	return []filesRule{
		{
			Name: "move/file", Needs: moves,
			Explanation: "move renames a file or a directory with what is in it.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n", "d/e/b.txt", "y\n")
				f.must(f.Store.MkdirAll("into"))
				out := data[facade.MoveOutput](f, "move", "source", "a.txt", "destination", "into/c.txt")
				equal(f, "source", out.Source, "a.txt")
				equal(f, "destination", out.Destination, "into/c.txt")
				f.gone("a.txt")
				f.holds("into/c.txt", "x\n")
				f.ok("move", "source", "d", "destination", "m")
				f.gone("d", "d/e")
				f.holds("m/e/b.txt", "y\n")
			},
		},
		{
			Name: "copy/file", Needs: moves,
			Explanation: "copy duplicates a file or a directory with what is in it, and counts files and bytes.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n", "d/e/b.txt", "yy\n", "d/c.txt", "z\n")
				f.ok("copy", "source", "a.txt", "destination", "b.txt")
				f.holds("a.txt", "x\n")
				f.holds("b.txt", "x\n")
				out := data[facade.CopyOutput](f, "copy", "source", "d", "destination", "n")
				equal(f, "files", out.Files, 2)
				equal(f, "bytes", out.Bytes, 5)
				f.holds("n/e/b.txt", "yy\n")
				f.holds("d/e/b.txt", "yy\n")
			},
		},
		{
			Name: "move/overwrite", Needs: moves,
			Explanation: "An existing destination is already_exists for move and copy unless overwrite.",
			Run: func(f *filesTest) {
				f.seed("a", "A", "b", "B", "c", "C")
				f.unchanged(func() {
					f.fails("already_exists", "move", "source", "a", "destination", "b")
					f.fails("already_exists", "copy", "source", "a", "destination", "b")
				})
				equal(f, "overwritten", data[facade.CopyOutput](f, "copy", "source", "a", "destination", "b", "overwrite", true).Overwritten, true)
				f.holds("b", "A")
				equal(f, "overwritten", data[facade.MoveOutput](f, "move", "source", "c", "destination", "b", "overwrite", true).Overwritten, true)
				f.holds("b", "C")
				f.gone("c")
			},
		},
		{
			Name: "move/errors", Needs: moves,
			Explanation: "A missing source is not_found; a directory into itself, or the root, is an error; nothing changes.",
			Run: func(f *filesTest) {
				f.seed("d/e/x", "y", "a", "A")
				f.unchanged(func() {
					f.fails("not_found", "move", "source", "nothing-like-it", "destination", "b")
					f.fails("not_found", "copy", "source", "nothing-like-it", "destination", "b")
					for _, kv := range [][]any{
						{"source", "d", "destination", "d/e/f"}, {"source", ".", "destination", "d/f"}, {"source", "a", "destination", ".", "overwrite", true},
					} {
						for _, action := range []facade.FileAction{"move", "copy"} {
							if r := f.call(action, kv...); r.Error == nil {
								f.Errorf("%s%v succeeded: %s", action, kv, r.Text)
							}
						}
					}
				})
			},
		},
	}
}

func journalRules() []filesRule {
	return []filesRule{
		{
			Name: "undo/write", Needs: all(journals, writes),
			Explanation: "undo reverts the last changes, steps of them; redo repeats them.",
			Run: func(f *filesTest) {
				f.seed("a", "zero\n")
				f.ok("write", "path", "a", "content", "one\n")
				f.ok("replace", "path", "a", "old_content", "one", "new_content", "two")
				f.ok("write", "path", "new", "content", "n\n")
				out := data[facade.UndoOutput](f, "undo")
				if len(out.Reverted) != 1 || len(out.Reverted[0].Paths) != 1 || out.Reverted[0].Paths[0] != "new" || out.Reverted[0].Action != "write" {
					f.Errorf("reverted is %+v, want the write of new", out.Reverted)
				}
				f.gone("new")
				out = data[facade.UndoOutput](f, "undo", "steps", 2)
				equal(f, "changes reverted", len(out.Reverted), 2)
				f.holds("a", "zero\n")
				f.ok("redo")
				f.holds("a", "one\n")
				f.ok("redo", "steps", 2)
				f.holds("a", "two\n")
				f.holds("new", "n\n")
			},
		},
		{
			Name: "undo/delete", Needs: all(journals, writes),
			Explanation: "undo brings back what delete removed, directories and mode included.",
			Run: func(f *filesTest) {
				f.must(f.Store.WriteFile("d/run.sh", []byte("x\n"), 0o755))
				f.seed("d/e/b", "b\n", "a", "a\n")
				f.unchanged(func() {
					f.ok("delete", "paths", []string{"d", "a"}, "recursive", true)
					f.gone("d", "a")
					f.ok("undo")
				})
			},
		},
		{
			Name: "undo/stale", Needs: all(journals, writes),
			Explanation: "undo refuses with stale where someone changed the file since, and keeps what is there.",
			Run: func(f *filesTest) {
				f.seed("a", "zero\n")
				f.ok("write", "path", "a", "content", "one\n")
				f.seed("a", "by a person\n")
				f.unchanged(func() { f.fails("stale", "undo") })
			},
		},
		{
			Name: "undo/session", Needs: all(journals, writes),
			Explanation: "undo and history are of the session; history lists the latest first, and marks what is undone; dry runs and failures are not in it.",
			Run: func(f *filesTest) {
				f.seed("a", "a\n", "b", "b\n")
				one, two := f.as("one"), f.as("two")
				one.ok("write", "path", "a", "content", "A\n")
				one.ok("write", "path", "a", "content", "AA\n")
				one.ok("write", "path", "a", "content", "dry\n", "dry_run", true)
				one.fails("no_match", "replace", "path", "a", "old_content", "zzz", "new_content", "y")
				two.ok("write", "path", "b", "content", "B\n")
				two.ok("undo")
				f.holds("a", "AA\n")
				f.holds("b", "b\n")
				one.ok("undo")
				changes := data[facade.HistoryOutput](one, "history").Changes
				if len(changes) != 2 || !changes[0].Undone || changes[1].Undone || changes[0].ID == changes[1].ID {
					f.Errorf("history is %+v, want two changes, the latest undone", changes)
				}
			},
		},
		{
			Name: "undo/path", Needs: all(journals, writes),
			Explanation: "path restricts undo to changes of that file or below that directory; nothing left to undo is no error.",
			Run: func(f *filesTest) {
				f.ok("write", "path", "d/a", "content", "a\n")
				f.ok("write", "path", "b", "content", "b\n")
				f.ok("undo", "path", "d/a")
				f.gone("d/a")
				f.holds("b", "b\n")
				r := f.ok("undo", "path", "d/a")
				if out := decoded[facade.UndoOutput](f, r); len(out.Reverted) != 0 || !strings.Contains(r.Text, "nothing") {
					f.Errorf("undo of nothing says %q with %+v", r.Text, out.Reverted)
				}
			},
		},
	}
}
