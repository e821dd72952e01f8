package fsimpl_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// Every reply is within the budget, as [probe.inspect] checks of each.
func TestProbeBudgetOfChanges(t *testing.T) {
	p := newProbe(t, nil)
	var edits []any
	var patch strings.Builder
	var paths []string
	for i := range 40 {
		name := fmt.Sprintf("f%02d.txt", i)
		p.put(name, strings.Repeat(`a "quoted" line of text`+"\n", 100))
		edits = append(edits, map[string]any{"path": name, "old_text": "quoted", "new_text": "q", "replace_all": true})
		paths = append(paths, name)
		fmt.Fprintf(&patch, "--- /dev/null\n+++ b/new%02d.txt\n@@ -0,0 +1,200 @@\n%s", i, strings.Repeat("+new \"line\"\n", 200))
	}
	p.ok("edit", "edits", edits, "dry_run", true)
	p.ok("edit", "edits", edits)
	p.ok("undo")
	p.ok("redo")
	p.ok("patch", "patch", patch.String())
	p.ok("delete", "paths", paths)
	p.ok("undo", "steps", 3)
	p.ok("redo", "steps", 3)
	p.ok("history")
	p.put("escapes.txt", strings.Repeat("\x1b[31mred\x1b[0m\"\\\n", 4000))
	p.ok("replace", "path", "escapes.txt", "old_content", "red", "new_content", "green", "replace_all", true)
	p.ok("write", "path", "escapes.txt", "content", strings.Repeat("\x1b\"\\\n", 9000))
	p.fails(facade.CodeStale, "write", "path", "escapes.txt", "content", "x", "if_match", "0")
	p.put("many.txt", strings.Repeat("x\n", 100_000))
	p.ok("replace", "path", "many.txt", "old_content", "x", "new_content", "y", "replace_all", true)
	p.ok("edit", "path", "many.txt", "edits", []any{map[string]any{"old_text": "y", "new_text": "z", "replace_all": true}})
	p.says(p.fails(facade.CodeAmbiguousMatch, "replace", "path", "many.txt", "old_content", "z", "new_content", "y"), "replace_all")
	p.ok("undo", "steps", 4)
}

func TestProbeBudgetOfManyNames(t *testing.T) {
	p := newProbe(t, nil)
	var paths []string
	for i := range 1500 {
		paths = append(paths, fmt.Sprintf("%s/%04d", strings.Repeat("d", 60), i))
	}
	p.ok("create", "paths", paths)
	p.ok("create", "paths", paths)
	p.ok("history")
	p.ok("undo")
	p.ok("redo")
	p.ok("delete", "paths", paths, "dry_run", true)
	p.ok("delete", "paths", paths)
	p.ok("undo")
	p.ok("read", "paths", paths[:300])
}

func TestProbeBudgetOfSearches(t *testing.T) {
	p := newProbe(t, nil)
	for i := range 600 {
		p.put(fmt.Sprintf("%s/%03d.txt", strings.Repeat("long", 30), i), strings.Repeat("needle \x1b\"\\ and more\n", 50))
	}
	p.put("wide.txt", strings.Repeat(strings.Repeat("x\x1b", 1000)+"needle\n", 300))
	for _, args := range [][]any{
		{"list", "recursive", true, "limit", 10000},
		{"list", "recursive", true, "limit", 10000, "sort", "mtime"},
		{"find", "patterns", []string{"*"}, "limit", 10000},
		{"find", "keywords_file_content", []string{"needle"}, "limit", 10000, "context", 100},
		{"grep", "pattern", "needle", "limit", 10000, "context", 100},
		{"grep", "pattern", "needle", "limit", 10000, "output", "files"},
		{"grep", "pattern", "needle", "limit", 10000, "output", "count"},
		{"grep", "pattern", "(?s).*", "limit", 10000, "multiline", true},
		{"read", "path", "wide.txt"},
		{"read", "path", "wide.txt", "add_line_numbers", true},
		{"read", "path", "wide.txt", "output_format", "hex"},
		{"read", "path", "wide.txt", "output_format", "base64"},
		{"read", "path", "wide.txt", "offset_type", "byte"},
		{"grep", "pattern", "needle", "path", "wide.txt", "context", 100},
		{"find", "keywords_file_content", []string{"needle"}, "path", "wide.txt", "context", 100},
	} {
		if r := p.ok(args[0].(string), args[1:]...); !r.Truncated {
			t.Errorf("%v: not marked as truncated", args)
		}
	}
}

// Pages put together are the whole, each entry once.
func TestProbePaging(t *testing.T) {
	p := newProbe(t, nil)
	var want []string
	for i := range 250 {
		name := fmt.Sprintf("d%d/f%03d.txt", i%3, i)
		p.put(name, "needle 1\nneedle 2\n")
		want = append(want, name)
	}
	slices.Sort(want)
	pages := func(action string, of func(*facade.Result) ([]string, string), kv ...any) []string {
		t.Helper()
		var all []string
		for cursor := ""; ; {
			args := kv
			if cursor != "" {
				args = append(slices.Clone(kv), "cursor", cursor)
			}
			some, next := of(p.ok(action, args...))
			all = append(all, some...)
			if next == "" {
				return all
			}
			cursor = next
		}
	}
	list := func(r *facade.Result) ([]string, string) {
		var out []string
		o := into[facade.ListOutput](p, r)
		for _, e := range o.Entries {
			if e.Type == facade.TypeFile {
				out = append(out, e.Path)
			}
		}
		return out, o.NextCursor
	}
	for _, sort := range []string{"name", "mtime", "size"} {
		got := pages("list", list, "recursive", true, "sort", sort, "limit", 37)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("list by %s (-want +got):\n%s", sort, diff)
		}
	}
	find := func(r *facade.Result) ([]string, string) {
		var out []string
		o := into[facade.FindOutput](p, r)
		for _, m := range o.Matches {
			out = append(out, m.Path)
		}
		return out, o.NextCursor
	}
	if diff := cmp.Diff(want, pages("find", find, "patterns", []string{"*.txt"}, "limit", 41)); diff != "" {
		t.Errorf("find (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, pages("find", find, "keywords_file_content", []string{"needle"}, "limit", 41)); diff != "" {
		t.Errorf("find by content (-want +got):\n%s", diff)
	}
	grep := func(r *facade.Result) ([]string, string) {
		var out []string
		o := into[facade.GrepOutput](p, r)
		for _, m := range o.Matches {
			out = append(out, fmt.Sprint(m.Path, ":", m.Line))
		}
		return out, o.NextCursor
	}
	var lines []string
	for _, name := range want {
		lines = append(lines, name+":1", name+":2")
	}
	if diff := cmp.Diff(lines, pages("grep", grep, "pattern", "needle", "limit", 33)); diff != "" {
		t.Errorf("grep (-want +got):\n%s", diff)
	}
}

// Reading on with what the reply names gives the whole file.
func TestProbeReadingOn(t *testing.T) {
	for name, content := range map[string]string{
		"lines": strings.Repeat("a line of \"some\" length, with ünïcödé\n", 8000),
		"CRLF":  strings.Repeat("a line\r\n", 30_000),
		"one":   strings.Repeat("0123456789é", 40_000),
		"mixed": strings.Repeat("x\n", 100) + strings.Repeat("y", 200_000) + "\n" + strings.Repeat("z\n", 100),
	} {
		t.Run(name, func(t *testing.T) {
			p := newProbe(t, nil)
			p.put("f.txt", content)
			var got strings.Builder
			kv := []any{"path", "f.txt"}
			for range 100 {
				f := get[facade.ReadOutput](p, "read", kv...).Files[0]
				got.WriteString(f.Content)
				if f.Next == nil {
					break
				}
				kv = []any{"path", f.Next.Path}
				if f.Next.StartLine > 0 {
					kv = append(kv, "start_line", f.Next.StartLine)
				}
				if f.Next.OffsetType != "" {
					kv = append(kv, "start_offset_inclusive", f.Next.StartOffsetInclusive, "offset_type", f.Next.OffsetType)
				}
			}
			if got.String() != content {
				t.Errorf("%d bytes read, the file has %d", got.Len(), len(content))
			}
		})
	}
}

func TestProbeCursors(t *testing.T) {
	p := newProbe(t, nil)
	for i := range 10 {
		p.put(fmt.Sprintf("%d.txt", i), "needle\n")
	}
	list := get[facade.ListOutput](p, "list", "limit", 3).NextCursor
	grep := get[facade.GrepOutput](p, "grep", "pattern", "needle", "limit", 3).NextCursor
	for _, args := range [][]any{
		{"list", "cursor", "junk"},
		{"list", "cursor", list, "sort", "size"},
		{"list", "cursor", grep},
		{"grep", "pattern", "needle", "cursor", "junk"},
		{"grep", "pattern", "needle", "cursor", list},
		{"grep", "pattern", "other", "cursor", grep},
		{"find", "patterns", []string{"*"}, "cursor", "junk"},
		{"find", "patterns", []string{"*"}, "cursor", grep},
		{"find", "keywords_file_content", []string{"x"}, "cursor", grep},
	} {
		p.fails(facade.CodeInvalidArgument, args[0].(string), args[1:]...)
	}
	if err := os.Remove(p.at("2.txt")); err != nil { // the last one shown
		t.Fatal(err)
	}
	if got := get[facade.ListOutput](p, "list", "cursor", list); len(got.Entries) != 7 || got.Entries[0].Path != "3.txt" {
		t.Errorf("the list goes on with %+v", got.Entries)
	}
	if got := get[facade.GrepOutput](p, "grep", "pattern", "needle", "cursor", grep); len(got.Matches) != 7 {
		t.Errorf("the search goes on with %+v", got.Matches)
	}
}
