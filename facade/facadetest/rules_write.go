package facadetest

import (
	"encoding/base64"
	"encoding/binary"
	"runtime"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

func writeRules() []filesRule {
	return []filesRule{
		{
			Name: "write/new", Needs: writes,
			Explanation: "write makes a file and its parents, with exactly the bytes given; it returns created, the size and the etag that read returns.",
			Run: func(f *filesTest) {
				out := data[facade.WriteOutput](f, "write", "path", "new/dir/a.txt", "content", "x\r\ny\n\nnaïve ☕")
				f.holds("new/dir/a.txt", "x\r\ny\n\nnaïve ☕")
				equal(f, "path", out.Path, "new/dir/a.txt")
				equal(f, "created", out.Created, true)
				equal(f, "bytes", out.Bytes, int64(len("x\r\ny\n\nnaïve ☕")))
				equal(f, "etag", out.ETag, f.etag("new/dir/a.txt"))
			},
		},
		{
			Name: "write/over", Needs: writes,
			Explanation: "write replaces a file's whole content and shows the change as a unified diff; no temporary file stays.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "same\nold line\n")
				out := data[facade.WriteOutput](f, "write", "path", "a.txt", "content", "same\nnew line\n")
				equal(f, "created", out.Created, false)
				equal(f, "etag", out.ETag, f.etag("a.txt"))
				f.holds("a.txt", "same\nnew line\n")
				if !strings.Contains(out.Diff, "\n-old line") || !strings.Contains(out.Diff, "\n+new line") || strings.Contains(out.Diff, "\n-same") {
					f.Errorf("diff is %q, want a unified diff of one line", out.Diff)
				}
				if got := len(f.inRoot()); got != 1 {
					f.Errorf("%d entries in the root, want the file alone: %q", got, f.inRoot())
				}
			},
		},
		{
			Name: "write/empty", Needs: writes,
			Explanation: "Empty content makes an empty file; content is required.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x")
				out := data[facade.WriteOutput](f, "write", "path", "a.txt", "content", "")
				equal(f, "bytes", out.Bytes, int64(0))
				f.holds("a.txt", "")
				f.ok("write", "path", "b.txt", "content", "")
				f.holds("b.txt", "")
				f.fails("invalid_argument", "write", "path", "a.txt")
			},
		},
		{
			Name: "write/append", Needs: writes,
			Explanation: "append adds to the end and makes the file if there is none; bytes is the size afterwards.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "one")
				out := data[facade.WriteOutput](f, "write", "path", "a.txt", "content", "two\n", "append", true)
				equal(f, "bytes", out.Bytes, 7)
				equal(f, "created", out.Created, false)
				f.holds("a.txt", "onetwo\n")
				equal(f, "etag", out.ETag, f.etag("a.txt"))
				equal(f, "created of a new file", data[facade.WriteOutput](f, "write", "path", "b.txt", "content", "x", "append", true).Created, true)
				f.holds("b.txt", "x")
			},
		},
		{
			Name: "write/mode", Needs: all(writes, modes),
			Explanation: "A write keeps the file's permission bits.",
			Run: func(f *filesTest) {
				f.must(f.Store.WriteFile("run.sh", []byte("a\n"), 0o750))
				f.ok("write", "path", "run.sh", "content", "b\n")
				f.ok("replace", "path", "run.sh", "old_content", "b", "new_content", "c")
				equal(f, "run.sh", f.snapshot()["run.sh"], "file -rwxr-x--- c\n")
			},
		},
	}
}

// inRoot is the snapshot without what lies outside the root.
func (f *filesTest) inRoot() map[string]string {
	f.Helper()
	all, err := f.Store.Snapshot()
	f.must(err)
	return all
}

// modes needs permission bits.
func modes(*FilesFixture) string {
	if runtime.GOOS == "windows" {
		return "this system has no permission bits"
	}
	return ""
}

func writeFormRules() []filesRule {
	return []filesRule{
		{
			Name: "write/base64", Needs: writes,
			Explanation: "input_format base64 is decoded, for mode binary byte by byte; invalid base64 is invalid_argument and changes nothing.",
			Run: func(f *filesTest) {
				raw := "\x00\xff\r\n\x80"
				f.ok("write", "path", "b.bin", "content", base64.StdEncoding.EncodeToString([]byte(raw)), "mode", "binary", "input_format", "base64")
				f.holds("b.bin", raw)
				f.ok("write", "path", "b.bin", "content", base64.StdEncoding.EncodeToString([]byte(raw)), "mode", "binary", "input_format", "base64", "append", true)
				f.holds("b.bin", raw+raw)
				f.ok("write", "path", "t.txt", "content", base64.StdEncoding.EncodeToString([]byte("té\n")), "input_format", "base64")
				f.holds("t.txt", "té\n")
				f.unchanged(func() {
					r := f.fails("invalid_argument", "write", "path", "b.bin", "content", "not*base64", "mode", "binary", "input_format", "base64")
					equal(f, "field", r.Error.Field, "content")
				})
			},
		},
		{
			Name: "write/encoding", Needs: writes,
			Explanation: "file_encoding encodes the text; what the encoding lacks is unsupported_encoding, an unknown name invalid_argument, and nothing changes.",
			Run: func(f *filesTest) {
				f.ok("write", "path", "latin", "content", "café\n", "file_encoding", "iso-8859-1")
				f.holds("latin", "caf\xe9\n")
				f.ok("write", "path", "le", "content", greeting, "file_encoding", "utf-16le")
				equal(f, "utf-16le read back", f.read("le", "file_encoding", "utf-16le").Content, greeting)
				f.unchanged(func() {
					f.fails("unsupported_encoding", "write", "path", "latin", "content", "→", "file_encoding", "iso-8859-1")
					r := f.fails("invalid_argument", "write", "path", "latin", "content", "x", "file_encoding", "no-such-code")
					equal(f, "field", r.Error.Field, "file_encoding")
					f.fails("invalid_argument", "write", "path", "latin", "content", "x", "mode", "binary", "file_encoding", "utf-16le")
				})
			},
		},
		{
			Name: "write/append-utf16", Needs: writes,
			Explanation: "Appending text to a file with a byte order mark adds no second one.",
			Run: func(f *filesTest) {
				f.seed("le", bomLE+asUTF16(binary.LittleEndian, "one\n"))
				f.ok("write", "path", "le", "content", "two\n", "file_encoding", "utf-16le", "append", true)
				f.holds("le", bomLE+asUTF16(binary.LittleEndian, "one\ntwo\n"))
			},
		},
		{
			Name: "write/dry-run", Needs: writes,
			Explanation: "dry_run gives the same result and changes nothing, parents included.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "old\n")
				for _, kv := range [][]any{
					{"path", "a.txt", "content", "new\n"},
					{"path", "a.txt", "content", "more\n", "append", true},
					{"path", "new/dir/b.txt", "content", "x"},
				} {
					var dry facade.WriteOutput
					f.unchanged(func() { dry = data[facade.WriteOutput](f, "write", append(kv, "dry_run", true)...) })
					equal(f, "dry_run", dry.DryRun, true)
					wet := data[facade.WriteOutput](f, "write", kv...)
					dry.DryRun, dry.Validation, wet.Validation = false, nil, nil
					equal(f, "dry result", dry, wet)
				}
			},
		},
	}
}

func writeGuardRules() []filesRule {
	return []filesRule{
		{
			Name: "write/create-only", Needs: writes,
			Explanation: "create_only refuses an existing file with already_exists and keeps it.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "old")
				f.unchanged(func() {
					f.fails("already_exists", "write", "path", "a.txt", "content", "new", "create_only", true)
					f.fails("already_exists", "write", "path", "a.txt", "content", "new", "create_only", true, "dry_run", true)
					f.fails("invalid_argument", "write", "path", "b.txt", "content", "new", "create_only", true, "append", true)
				})
				f.ok("write", "path", "b.txt", "content", "new", "create_only", true)
				f.holds("b.txt", "new")
			},
		},
		{
			Name: "write/if-match", Needs: writes,
			Explanation: "if_match writes only if the file still has that etag; else stale keeps the content, and the reply carries the fresh content or diff, or the fresh etag.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "first\n")
				tag := f.etag("a.txt")
				next := data[facade.WriteOutput](f, "write", "path", "a.txt", "content", "second\n", "if_match", tag).ETag
				f.holds("a.txt", "second\n")
				f.unchanged(func() {
					f.stale(f.fails("stale", "write", "path", "a.txt", "content", "third\n", "if_match", tag), "second", next)
					f.stale(f.fails("stale", "write", "path", "a.txt", "content", "third\n", "if_match", tag, "append", true), "second", next)
					f.fails("stale|not_found", "write", "path", "gone.txt", "content", "x", "if_match", tag)
				})
				f.ok("write", "path", "a.txt", "content", "third\n", "if_match", next)
				f.holds("a.txt", "third\n")
			},
		},
		{
			Name: "write/wrong-kind", Needs: writes,
			Explanation: "A directory is is_directory, a file as parent not_directory; nothing changes.",
			Run: func(f *filesTest) {
				f.seed("d/a.txt", "x")
				f.unchanged(func() {
					f.fails("is_directory", "write", "path", "d", "content", "x")
					f.fails("is_directory|invalid_argument", "write", "path", ".", "content", "x")
					f.fails("not_directory", "write", "path", "d/a.txt/b", "content", "x")
					f.fails("is_directory|invalid_argument", "write", "path", "new/", "content", "x")
				})
			},
		},
	}
}

// stale checks that a stale reply lets the model go on without another read.
func (f *filesTest) stale(r *facade.Result, content, etag string) {
	f.Helper()
	reply := r.Text + string(r.JSON())
	if !strings.Contains(reply, content) && !strings.Contains(reply, etag) {
		f.Errorf("the stale reply shows neither the fresh content %q nor the fresh etag: %s", content, r.Text)
	}
}

func deleteRules() []filesRule {
	return []filesRule{
		{
			Name: "delete/files", Needs: writes,
			Explanation: "delete removes files and empty directories, and lists the paths as asked for.",
			Run: func(f *filesTest) {
				f.seed("a", "1", "b", "2", "keep", "3")
				f.must(f.Store.MkdirAll("empty"))
				out := data[facade.DeleteOutput](f, "delete", "paths", []string{"a", "b", "empty"})
				sameSet(f, "deleted", out.Deleted, "a", "b", "empty")
				f.gone("a", "b", "empty")
				f.holds("keep", "3")
			},
		},
		{
			Name: "delete/recursive", Needs: writes,
			Explanation: "A directory with entries is not_empty unless recursive.",
			Run: func(f *filesTest) {
				f.seed("d/e/f", "x", "d/g", "y")
				f.unchanged(func() { f.fails("not_empty", "delete", "paths", []string{"d"}) })
				f.ok("delete", "paths", []string{"d"}, "recursive", true)
				f.gone("d", "d/e", "d/e/f", "d/g")
			},
		},
		{
			Name: "delete/root", Needs: writes,
			Explanation: "The root is never deleted, however it is spelt.",
			Run: func(f *filesTest) {
				f.seed("d/x", "y", "z", "")
				f.unchanged(func() {
					for _, p := range []string{".", "/", "./", "d/..", "d/../.", "//", "/."} {
						if r := f.call("delete", "paths", []string{p}, "recursive", true); r.Error == nil {
							f.Errorf("deleting %q succeeded: %s", p, r.Text)
						}
					}
					if r := f.call("delete", "paths", []string{"z", "."}, "recursive", true); r.Error == nil {
						f.Errorf("deleting the root among others succeeded: %s", r.Text)
					}
				})
			},
		},
		{
			Name: "delete/all-or-nothing", Needs: writes,
			Explanation: "Bulk actions are all or nothing: one bad path keeps every other.",
			Run: func(f *filesTest) {
				f.seed("a", "1", "d/x", "2")
				f.unchanged(func() {
					f.fails("not_found", "delete", "paths", []string{"a", "nothing-like-it"})
					f.fails("not_empty", "delete", "paths", []string{"a", "d"})
					f.fails("outside_root", "delete", "paths", []string{"a", "../a"})
					f.fails("invalid_argument", "delete", "paths", []string{})
				})
			},
		},
		{
			Name: "delete/nested", Needs: writes,
			Explanation: "A path within another of the same call is all or nothing too.",
			Run: func(f *filesTest) {
				f.seed("d/x", "1", "d/y", "2")
				before := f.snapshot()
				if r := f.call("delete", "paths", []string{"d", "d/x"}, "recursive", true); r.Error != nil {
					f.same(before, f.snapshot())
				} else {
					f.gone("d", "d/x", "d/y")
				}
			},
		},
		{
			Name: "delete/dry-run", Needs: writes,
			Explanation: "dry_run reports what would be deleted, or the error, and deletes nothing.",
			Run: func(f *filesTest) {
				f.seed("a", "1", "d/x", "2")
				f.unchanged(func() {
					out := data[facade.DeleteOutput](f, "delete", "paths", []string{"a", "d"}, "recursive", true, "dry_run", true)
					sameSet(f, "deleted", out.Deleted, "a", "d")
					equal(f, "dry_run", out.DryRun, true)
					f.fails("not_empty", "delete", "paths", []string{"a", "d"}, "dry_run", true)
				})
			},
		},
	}
}
