package facadetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

func paths(entries []facade.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Path)
	}
	return out
}

func listRules() []filesRule {
	return []filesRule{
		{
			Name:        "list/fields",
			Explanation: "An entry has name, path relative to the root, type, size, mode like -rw-r--r-- and time of modification; a list without limit reached has no cursor.",
			Run: func(f *filesTest) {
				f.seed("d/a.txt", "hello")
				f.must(f.Store.MkdirAll("d/sub"))
				when := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
				f.must(f.Store.Chtimes("d/a.txt", when))
				out := data[facade.ListOutput](f, "list", "path", "d")
				equals(f, "paths", paths(out.Entries), "d/a.txt", "d/sub")
				if len(out.Entries) != 2 {
					return
				}
				a, sub := out.Entries[0], out.Entries[1]
				equal(f, "path of the list", out.Path, "d")
				equal(f, "name", a.Name, "a.txt")
				equal(f, "type", a.Type, facade.TypeFile)
				equal(f, "size", a.Size, 5)
				equal(f, "type of a directory", sub.Type, facade.TypeDirectory)
				equal(f, "next_cursor", out.NextCursor, "")
				if !a.Modified.Equal(when) {
					f.Errorf("modified is %v, want %v", a.Modified, when)
				}
				if !strings.HasPrefix(a.Mode, "-r") || !strings.HasPrefix(sub.Mode, "d") {
					f.Errorf("modes are %q and %q, want them like -rw-r--r-- and drwxr-xr-x", a.Mode, sub.Mode)
				}
			},
		},
		{
			Name:        "list/sort",
			Explanation: "Entries are sorted by name in byte order; by mtime or size, the greatest first.",
			Run: func(f *filesTest) {
				f.seed("b", "1", "a", "333", "C", "22", "a1", "4444")
				for i, p := range []string{"b", "C", "a1", "a"} {
					f.must(f.Store.Chtimes(p, time.Date(2024, 1, 10+i, 0, 0, 0, 0, time.UTC)))
				}
				equals(f, "by default", paths(data[facade.ListOutput](f, "list").Entries), "C", "a", "a1", "b")
				equals(f, "by size", paths(data[facade.ListOutput](f, "list", "sort", "size").Entries), "a1", "a", "C", "b")
				equals(f, "by mtime", paths(data[facade.ListOutput](f, "list", "sort", "mtime").Entries), "a", "a1", "C", "b")
			},
		},
		{
			Name:        "list/recursive",
			Explanation: "A list is of one directory unless recursive or depth is above 1; depth=1 is the directory's own entries, each level more goes one directory deeper, 0 is all.",
			Run: func(f *filesTest) {
				f.seed("a/b/c/d.txt", "", "a/x.txt", "", "top.txt", "")
				equals(f, "not recursive", paths(data[facade.ListOutput](f, "list").Entries), "a", "top.txt")
				sameSet(f, "recursive", paths(data[facade.ListOutput](f, "list", "recursive", true).Entries),
					"a", "a/b", "a/b/c", "a/b/c/d.txt", "a/x.txt", "top.txt")
				sameSet(f, "depth 1", paths(data[facade.ListOutput](f, "list", "recursive", true, "depth", 1).Entries), "a", "top.txt")
				sameSet(f, "depth 2 alone", paths(data[facade.ListOutput](f, "list", "depth", 2).Entries),
					paths(data[facade.ListOutput](f, "list", "recursive", true, "depth", 2).Entries)...)
				sameSet(f, "depth 2", paths(data[facade.ListOutput](f, "list", "recursive", true, "depth", 2).Entries),
					"a", "a/b", "a/x.txt", "top.txt")
				sameSet(f, "of a subdirectory", paths(data[facade.ListOutput](f, "list", "path", "a", "recursive", true, "depth", 1).Entries),
					"a/b", "a/x.txt")
			},
		},
		{
			Name:        "list/pattern",
			Explanation: "A pattern without '/' matches the base name at any depth; one with '/' the path; '**' crosses directories.",
			Run: func(f *filesTest) {
				f.seed("main.go", "", "src/util.go", "", "src/deep/x.go", "", "src/readme.md", "")
				sameSet(f, "*.go, recursive", paths(data[facade.ListOutput](f, "list", "recursive", true, "pattern", "*.go").Entries),
					"main.go", "src/util.go", "src/deep/x.go")
				sameSet(f, "*.go, one directory", paths(data[facade.ListOutput](f, "list", "pattern", "*.go").Entries), "main.go")
				sameSet(f, "src/*.go", paths(data[facade.ListOutput](f, "list", "recursive", true, "pattern", "src/*.go").Entries), "src/util.go")
				sameSet(f, "src/**/*.go", paths(data[facade.ListOutput](f, "list", "recursive", true, "pattern", "src/**/*.go").Entries),
					"src/util.go", "src/deep/x.go")
				r := f.fails("invalid_argument", "list", "pattern", "[")
				equal(f, "field", r.Error.Field, "pattern")
			},
		},
		{
			Name:        "list/ignored",
			Explanation: "Entries hidden by .gitignore are counted in ignored and shown by include_ignored; a path given explicitly is listed whatever the rules say.",
			Run: func(f *filesTest) {
				f.seed(".gitignore", "*.log\nbuild/\n!keep.log\n", "a.txt", "", "a.log", "", "keep.log", "", "build/out.bin", "x", "sub/.gitignore", "local\n", "sub/local", "")
				out := data[facade.ListOutput](f, "list")
				sameSet(f, "entries", paths(out.Entries), ".gitignore", "a.txt", "keep.log", "sub")
				equal(f, "ignored", out.Ignored, 2)
				sub := data[facade.ListOutput](f, "list", "path", "sub")
				sameSet(f, "below a second .gitignore", paths(sub.Entries), "sub/.gitignore")
				shown := data[facade.ListOutput](f, "list", "include_ignored", true)
				sameSet(f, "with include_ignored", paths(shown.Entries), ".gitignore", "a.txt", "a.log", "keep.log", "build", "sub")
				equal(f, "ignored with include_ignored", shown.Ignored, 0)
				deep := data[facade.ListOutput](f, "list", "recursive", true)
				if slices.Contains(paths(deep.Entries), "build/out.bin") || deep.Ignored == 0 {
					f.Errorf("the recursive list shows %q and hides %d", paths(deep.Entries), deep.Ignored)
				}
				sameSet(f, "of an ignored directory", paths(data[facade.ListOutput](f, "list", "path", "build").Entries), "build/out.bin")
			},
		},
		{
			Name:        "list/errors",
			Explanation: "A file is not_directory, a missing path not_found, an unknown sort or a limit below 1 invalid_argument.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "")
				f.fails("not_directory", "list", "path", "a.txt")
				f.fails("not_found", "list", "path", "nothing-like-it")
				f.fails("invalid_argument", "list", "sort", "colour")
				f.fails("invalid_argument", "list", "limit", 0)
				f.fails("invalid_argument", "list", "cursor", "no cursor of mine")
			},
		},
		{
			Name:        "list/empty",
			Explanation: "An empty root lists as no entries, [] in JSON, not null.",
			Run: func(f *filesTest) {
				r := f.ok("list")
				if got := decoded[facade.ListOutput](f, r); len(got.Entries) != 0 {
					f.Errorf("entries are %+v, want none", got.Entries)
				}
				if !strings.Contains(string(r.JSON()), `"entries":[]`) {
					f.Errorf(`the structured form is %s, want "entries":[]`, r.JSON())
				}
			},
		},
	}
}

func listPageRules() []filesRule {
	return []filesRule{
		{
			Name:        "list/pages",
			Explanation: "limit cuts the list; the cursor continues it exactly: every entry once, in the order of the whole, for each order. total, where given, counts all.",
			Run: func(f *filesTest) {
				const n = 25
				for i := range n {
					p := fmt.Sprintf("d%d/f%02d", i%3, i)
					f.seed(p, strings.Repeat("x", i*7%n))
					f.must(f.Store.Chtimes(p, time.Date(2024, 1, 1, 0, i*11%n, 0, 0, time.UTC)))
				}
				for _, order := range []string{"name", "mtime", "size"} {
					whole := data[facade.ListOutput](f, "list", "recursive", true, "sort", order)
					equal(f, "entries in all", len(whole.Entries), n+3)
					var got []facade.Entry
					pages := pagesOf(f, "list", func(o facade.ListOutput) string {
						if len(o.Entries) > 4 {
							f.Errorf("%d entries on a page of limit 4", len(o.Entries))
						}
						if o.Total != nil {
							equal(f, "total", *o.Total, n+3)
						}
						got = append(got, o.Entries...)
						return o.NextCursor
					}, "recursive", true, "sort", order, "limit", 4)
					equals(f, "pages joined, by "+order, paths(got), paths(whole.Entries)...)
					equal(f, "pages", pages, (n+3)/4)
				}
			},
		},
		{
			Name:        "list/exact-page",
			Explanation: "A list that just fits its limit is complete: no cursor, not truncated.",
			Run: func(f *filesTest) {
				f.seed("a", "", "b", "", "c", "")
				r := f.ok("list", "limit", 3)
				out := decoded[facade.ListOutput](f, r)
				equal(f, "entries", len(out.Entries), 3)
				equal(f, "next_cursor", out.NextCursor, "")
				equal(f, "truncated", r.Truncated, false)
			},
		},
	}
}

func createRules() []filesRule {
	return []filesRule{
		{
			Name: "create/parents", Needs: writes,
			Explanation: "create makes directories with their parents and lists what is new in created, what was there in existed.",
			Run: func(f *filesTest) {
				f.must(f.Store.MkdirAll("old"))
				out := data[facade.CreateOutput](f, "create", "paths", []string{"a/b/c", "old"})
				sameSet(f, "created", out.Created, "a", "a/b", "a/b/c")
				sameSet(f, "existed", out.Existed, "old")
				snap := f.snapshot()
				equal(f, "a/b/c", snap["a/b/c"], "directory")
				again := data[facade.CreateOutput](f, "create", "paths", []string{"a/b/c"})
				sameSet(f, "created the second time", again.Created)
				sameSet(f, "existed the second time", again.Existed, "a/b/c")
			},
		},
		{
			Name: "create/file-in-the-way", Needs: writes,
			Explanation: "An existing file is an error, as the directory itself or as a parent of it.",
			Run: func(f *filesTest) {
				f.seed("file", "x")
				f.unchanged(func() {
					f.fails("already_exists", "create", "paths", []string{"file"})
					f.fails("not_directory|already_exists", "create", "paths", []string{"file/sub"})
				})
			},
		},
		{
			Name: "create/all-or-nothing", Needs: writes,
			Explanation: "Bulk actions are all or nothing: one bad path leaves every other uncreated.",
			Run: func(f *filesTest) {
				f.seed("file", "x")
				f.unchanged(func() {
					f.fails("already_exists", "create", "paths", []string{"new/one", "file", "new/two"})
					f.fails("not_directory|already_exists", "create", "paths", []string{"new/one", "file/sub"})
					f.fails("outside_root", "create", "paths", []string{"new/one", "../beside"})
					f.fails("invalid_argument", "create", "paths", []string{})
				})
			},
		},
	}
}
