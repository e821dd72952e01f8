package facadetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// commonRules are about arguments and paths in general.
func commonRules() []filesRule {
	return []filesRule{
		{
			Name: "common/foreign-field", Needs: writes,
			Explanation: "A field of another action, an unknown field or a case variant is invalid_argument, names the field and changes nothing.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "one\n")
				f.unchanged(func() {
					r := f.fails("invalid_argument", "write", "path", "a.txt", "content", "x", "recursive", true)
					f.says(r, "recursive")
					r = f.fails("invalid_argument", "write", "path", "a.txt", "content", "x", "PATH", "b.txt")
					f.says(r, "PATH")
					f.fails("invalid_argument", "delete", "path", "a.txt")
				})
			},
		},
		{
			Name:        "common/lenient",
			Explanation: "Numbers and booleans in quotes, and one string for a list, are taken, and the result notes it.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "one\ntwo\nthree\n")
				r := f.ok("read", "paths", "a.txt", "start_line", "2", "end_line", "2")
				files := decoded[facade.ReadOutput](f, r).Files
				if len(files) != 1 || files[0].Content != "two\n" {
					f.Errorf("read returned %+v, want line 2", files)
				}
				if len(r.Notes) != 3 {
					f.Errorf("notes are %q, want three", r.Notes)
				}
			},
		},
		{
			Name:        "common/go-defaults",
			Explanation: "A Go caller's zero fields mean the documented defaults, as absent ones do in JSON.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n", "d/b.txt", "y\n")
				list, err := f.Tools.List(direct(), facade.ListInput{})
				if err != nil || len(list.Entries) != 2 || list.NextCursor != "" {
					f.Errorf("List of the zero input is %+v, %v; want both entries of the root", list, err)
				}
				found, err := f.Tools.Find(direct(), facade.FindInput{Patterns: []string{"*.txt"}})
				if err != nil || len(found.Matches) != 2 {
					f.Errorf("Find without Recursive and Path is %+v, %v; want both files", found, err)
				}
				read, err := f.Tools.Read(direct(), facade.ReadInput{Path: "a.txt"})
				if err != nil || len(read.Files) != 1 || read.Files[0].Content != "x\n" {
					f.Errorf("Read with a path only is %+v, %v; want the whole file", read, err)
				}
			},
		},
		{
			Name:        "common/absolute",
			Explanation: "A path is relative to the current directory, or absolute inside the root; '.' and '..' within the root are resolved; results are relative to the root.",
			Run: func(f *filesTest) {
				f.seed("d/a.txt", "x\n")
				for _, p := range []string{"d/a.txt", f.HostPath + "/d/a.txt", "./d/a.txt", "d/../d/a.txt", "d//a.txt", "d/./a.txt"} {
					files := data[facade.ReadOutput](f, "read", "path", p).Files
					if len(files) != 1 || files[0].Path != "d/a.txt" || files[0].Content != "x\n" {
						f.Errorf("read of %q is %+v, want d/a.txt", p, files)
					}
				}
			},
		},
		{
			Name:        "common/nearest",
			Explanation: "not_found names the nearest existing names in its hint.",
			Run: func(f *filesTest) {
				f.seed("src/config.yaml", "x\n", "src/other.txt", "y\n")
				r := f.fails("not_found", "read", "path", "src/confg.yaml")
				if !strings.Contains(r.Error.Hint, "config.yaml") {
					f.Errorf("the hint is %q, want it to name config.yaml", r.Error.Hint)
				}
				r = f.fails("not_found", "list", "path", "scr")
				if !strings.Contains(r.Error.Hint, "src") {
					f.Errorf("the hint is %q, want it to name src", r.Error.Hint)
				}
			},
		},
		{
			Name: "common/bad-path", Needs: writes,
			Explanation: "A path with a NUL byte is invalid_argument; nothing changes.",
			Run: func(f *filesTest) {
				f.seed("a", "x\n")
				f.unchanged(func() {
					f.fails("invalid_argument", "read", "path", "a\x00b")
					f.fails("invalid_argument", "write", "path", "a\x00b", "content", "x")
					f.fails("invalid_argument", "create", "paths", []string{"a\x00b"})
					f.fails("invalid_argument", "delete", "paths", []string{"a\x00"})
				})
			},
		},
		{
			Name:        "common/fifo",
			Explanation: "A named pipe is not_regular: reading it neither waits nor succeeds, and a search goes past it.",
			Needs: func(f *FilesFixture) string {
				if _, ok := f.Store.(FIFOStore); !ok {
					return "the store has no named pipes"
				}
				return ""
			},
			Run: func(f *filesTest) {
				f.must(f.Store.(FIFOStore).Mkfifo("pipe"))
				f.seed("a.txt", "needle\n")
				start := time.Now()
				f.fails("not_regular", "read", "path", "pipe")
				found := data[facade.FindOutput](f, "find", "keywords_file_content", []string{"needle"})
				if len(found.Matches) != 1 {
					f.Errorf("find returned %+v, want a.txt", found.Matches)
				}
				if took := time.Since(start); took > callLimit/2 {
					f.Errorf("the pipe held the calls up for %v", took)
				}
			},
		},
	}
}

// budgetRules are about the size of replies.
func budgetRules() []filesRule {
	return []filesRule{
		{
			Name:        "budget/read",
			Explanation: "A reply, its text and its structured form alike, keeps within the output budget; a cut one is marked truncated and names the next call.",
			Run: func(f *filesTest) {
				f.seed("quotes.txt", strings.Repeat(`"\"\"\"`+"\n", 12<<10), "line.txt", strings.Repeat("x", 300<<10))
				for _, p := range []string{"quotes.txt", "line.txt"} {
					r := f.ok("read", "path", p)
					out := decoded[facade.ReadOutput](f, r)
					if !r.Truncated || len(out.Files) != 1 || out.Files[0].Next == nil || out.Files[0].Content == "" {
						f.Errorf("%s: truncated is %v and there is no content with a next call in %d bytes", p, r.Truncated, len(r.Text))
					}
				}
			},
		},
		{
			Name:        "budget/read-many",
			Explanation: "The budget holds for all files of a read together; what had no room is named with its next call, never dropped.",
			Run: func(f *filesTest) {
				var paths []string
				for i := range 6 {
					p := fmt.Sprintf("f%d.txt", i)
					f.seed(p, strings.Repeat("0123456789abcde\n", 2<<10))
					paths = append(paths, p)
				}
				out := data[facade.ReadOutput](f, "read", "paths", paths)
				if len(out.Files) != len(paths) {
					f.Fatalf("%d files in the reply, want %d", len(out.Files), len(paths))
				}
				for i, c := range out.Files {
					equal(f, "path", c.Path, paths[i])
					if int64(len(c.Content)) < c.Size && c.Next == nil && c.Error == nil {
						f.Errorf("%s is cut to %d bytes without a next call", c.Path, len(c.Content))
					}
				}
			},
		},
		{
			Name:        "budget/list",
			Explanation: "A list above the budget is cut with a cursor, even when limit allows more.",
			Run: func(f *filesTest) {
				const n = 900
				for i := range n {
					f.seed(fmt.Sprintf("%s-%04d", strings.Repeat("n", 100), i), "")
				}
				seen := map[string]bool{}
				pages := pagesOf(f, "list", func(o facade.ListOutput) string {
					for _, e := range o.Entries {
						seen[e.Path] = true
					}
					return o.NextCursor
				}, "limit", 10000)
				if pages < 2 || len(seen) != n {
					f.Errorf("%d entries on %d pages, want %d on several", len(seen), pages, n)
				}
			},
		},
		{
			Name: "budget/write", Needs: writes,
			Explanation: "The diff of a large write is cut to the budget.",
			Run: func(f *filesTest) {
				f.seed("big.txt", strings.Repeat("old \"line\"\n", 20<<10))
				out := data[facade.WriteOutput](f, "write", "path", "big.txt", "content", strings.Repeat("new \"line\"\n", 20<<10))
				equal(f, "bytes", out.Bytes, int64(11*20<<10))
			},
		},
	}
}

// pagesOf repeats a call with the cursor of the page before until there is
// none, and returns the number of pages.
func pagesOf[T any](f *filesTest, action facade.FileAction, page func(T) (cursor string), kv ...any) int {
	f.Helper()
	const most = 2000
	cursor, n := "", 0
	for n < most {
		args := kv
		if cursor != "" {
			args = append(kv[:len(kv):len(kv)], "cursor", cursor)
		}
		r := f.ok(action, args...)
		n++
		if cursor = page(decoded[T](f, r)); cursor == "" {
			equal(f, "truncated on the last page", r.Truncated, false)
			return n
		}
		equal(f, "truncated on a page with a cursor", r.Truncated, true)
	}
	f.Fatalf("%s%v has no end after %d pages", action, kv, most)
	return n
}

// nameRules are about names that are hard to show.
func nameRules() []filesRule {
	return []filesRule{
		{
			Name: "names/not-utf8", Needs: badNames,
			Explanation: "A name that is not UTF-8 is returned with an escape that can be sent back unchanged; two names never look alike.",
			Run: func(f *filesTest) {
				f.seed("d/a\xff.txt", "ff\n", "d/a\xfe.txt", "fe\n")
				contents := f.readAll("d")
				for name := range contents {
					// a file literally named as the escape must stay another file
					f.seed(name, "literal "+name+"\n")
				}
				all := f.readAll("d")
				if len(all) != 4 {
					f.Errorf("four files read back as %q", all)
				}
				if out := data[facade.FindOutput](f, "find", "patterns", []string{"*.txt"}); len(out.Matches) != 4 {
					f.Errorf("find returned %+v, want four files", out.Matches)
				}
			},
		},
		{
			Name: "names/not-utf8-write", Needs: all(badNames, writes),
			Explanation: "A returned name that is not UTF-8 can be written, changed and deleted like any other.",
			Run: func(f *filesTest) {
				f.seed("d/a\xff.txt", "one\n")
				list := data[facade.ListOutput](f, "list", "path", "d").Entries
				if len(list) != 1 {
					f.Fatalf("list returned %+v, want one entry", list)
				}
				f.ok("replace", "path", list[0].Path, "old_content", "one", "new_content", "two")
				f.holds("d/a\xff.txt", "two\n")
				f.ok("delete", "paths", []string{list[0].Path})
				f.gone("d/a\xff.txt", list[0].Path)
			},
		},
		{
			Name: "names/newline", Needs: badNames,
			Explanation: "A newline in a name cannot forge a line of a reply's text; the name can be sent back.",
			Run: func(f *filesTest) {
				f.seed("d/evil\nd/forged.txt", "x\n", "d/b\u2028d/forged.txt", "y\n", "d/c\rd/forged.txt", "z\n")
				r := f.ok("list", "path", "d", "recursive", true)
				f.notForged(r)
				f.notForged(f.ok("find", "patterns", []string{"*.txt"}))
				if got := len(f.readAll("d")); got != 3 {
					f.Errorf("%d of three files read back by their listed paths", got)
				}
			},
		},
	}
}

// badNames needs a store whose names are any bytes.
func badNames(f *FilesFixture) string {
	if err := f.Store.WriteFile(".names/\xff\n", nil, 0o644); err != nil {
		return "the store refuses such names: " + err.Error()
	}
	if _, err := f.Store.ReadFile(".names/\xff\n"); err != nil {
		return "the store changes such names: " + err.Error()
	}
	return ""
}

// notForged checks that no line of the text is the forged entry.
func (f *filesTest) notForged(r *facade.Result) {
	f.Helper()
	for _, line := range strings.FieldsFunc(r.Text, func(c rune) bool { return c == '\n' || c == '\r' || c == '\u2028' }) {
		if strings.HasPrefix(line, "d/forged.txt") {
			f.Errorf("a name forged the line %q", line)
		}
	}
}

// readAll reads every file below dir by its listed path.
func (f *filesTest) readAll(dir string) map[string]string {
	f.Helper()
	out := map[string]string{}
	for _, e := range data[facade.ListOutput](f, "list", "path", dir, "recursive", true).Entries {
		if e.Type != facade.TypeFile {
			continue
		}
		files := data[facade.ReadOutput](f, "read", "path", e.Path).Files
		if len(files) == 1 && files[0].Path == e.Path {
			out[e.Path] = files[0].Content
		} else {
			f.Errorf("the listed path %q reads as %+v", e.Path, files)
		}
	}
	return out
}
