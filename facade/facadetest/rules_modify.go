package facadetest

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// change is one row of a table of modifications.
type change struct {
	before     string
	start, end int64
	text       string
	after      string
}

func (f *filesTest) changes(offsets string, rows []change) {
	f.Helper()
	for _, c := range rows {
		f.seed("f", c.before)
		f.ok("modify", "path", "f", "start_offset_inclusive", c.start, "end_offset_inclusive", c.end,
			"new_content", c.text, "offset_type", offsets)
		got, err := f.Store.ReadFile("f")
		f.must(err)
		equal(f, fmt.Sprintf("%q with %s %d to %d as %q", c.before, offsets, c.start, c.end, c.text), string(got), c.after)
	}
}

func modifyRules() []filesRule {
	const abc = "a\nb\nc\n"
	return []filesRule{
		{
			Name: "modify/lines", Needs: writes,
			Explanation: "modify replaces whole lines, counted from 0, inclusive; -1 is the end, start-1 inserts before start, empty text deletes the lines. New text neither glues to the next line nor leaves an empty one, with a newline at its end or without.",
			Run: func(f *filesTest) {
				f.changes("line", []change{
					{abc, 1, 1, "B\n", "a\nB\nc\n"},
					{abc, 1, 1, "B", "a\nB\nc\n"},
					{abc, 0, 1, "X\nY\nZ\n", "X\nY\nZ\nc\n"},
					{abc, 1, -1, "end\n", "a\nend\n"},
					{abc, 0, -1, "all\n", "all\n"},
					{abc, 1, 0, "new\n", "a\nnew\nb\nc\n"},
					{abc, 3, 2, "d\n", "a\nb\nc\nd\n"},
					{abc, 1, 1, "", "a\nc\n"},
					{"a\nb", 0, 0, "A", "A\nb"},
					{"a\nb", 2, 1, "c", "a\nb\nc"},
				})
			},
		},
		{
			Name: "modify/bytes", Needs: writes,
			Explanation: "With offset_type byte exactly the bytes of the range are replaced.",
			Run: func(f *filesTest) {
				f.changes("byte", []change{
					{"hello", 0, 0, "J", "Jello"},
					{"hello", 1, -1, "i", "hi"},
					{"hello", 2, 1, "__", "he__llo"},
					{"hello", 5, 4, "!", "hello!"},
					{"a\r\nb", 3, 3, "c\n", "a\r\nc\n"},
				})
			},
		},
		{
			Name: "modify/range", Needs: writes,
			Explanation: "A range outside the file is invalid_argument, names the file's length and changes nothing.",
			Run: func(f *filesTest) {
				f.seed("f", abc)
				f.unchanged(func() {
					f.says(f.fails("invalid_argument", "modify", "path", "f", "start_offset_inclusive", 10, "end_offset_inclusive", 10, "new_content", "x"), "3")
					f.says(f.fails("invalid_argument", "modify", "path", "f", "start_offset_inclusive", 1, "end_offset_inclusive", 10, "new_content", "x"), "3")
					f.says(f.fails("invalid_argument", "modify", "path", "f", "start_offset_inclusive", 0, "end_offset_inclusive", 10, "new_content", "x", "offset_type", "byte"), "6")
					f.fails("invalid_argument", "modify", "path", "f", "start_offset_inclusive", 2, "end_offset_inclusive", 0, "new_content", "x")
					f.fails("invalid_argument", "modify", "path", "f", "start_offset_inclusive", 2, "new_content", "x")
				})
			},
		},
		{
			Name: "modify/result", Needs: writes,
			Explanation: "modify returns the diff and the new etag; if_match, dry_run and errors work as for write.",
			Run: func(f *filesTest) {
				f.seed("f", abc, "d/x", "")
				old := f.etag("f")
				args := []any{"path", "f", "start_offset_inclusive", 1, "end_offset_inclusive", 1, "new_content", "B\n"}
				var dry facade.ModifyOutput
				f.unchanged(func() { dry = data[facade.ModifyOutput](f, "modify", append(args, "dry_run", true)...) })
				out := data[facade.ModifyOutput](f, "modify", append(args, "if_match", old)...)
				equal(f, "dry_run", dry.DryRun, true)
				equal(f, "dry diff", dry.Diff, out.Diff)
				equal(f, "etag", out.ETag, f.etag("f"))
				equal(f, "path", out.Path, "f")
				if !strings.Contains(out.Diff, "\n-b") || !strings.Contains(out.Diff, "\n+B") {
					f.Errorf("diff is %q, want -b and +B", out.Diff)
				}
				f.unchanged(func() {
					f.stale(f.fails("stale", "modify", append(args, "if_match", old)...), "B", out.ETag)
					args[1] = "d"
					f.fails("is_directory", "modify", args...)
					args[1] = "nothing-like-it"
					f.fails("not_found", "modify", args...)
				})
			},
		},
	}
}

// byteRules are about the bytes outside a change.
func byteRules() []filesRule {
	le := func(s string) string { return bomLE + asUTF16(binary.LittleEndian, s) }
	rows := []struct{ name, before, after string }{
		{"CRLF", "a\r\nb\r\nc\r\n", "a\r\nB\r\nX\r\nc\r\n"},
		{"mixed line endings", "a\r\nb\nc\r\n", "a\r\nB\nX\nc\r\n"},
		{"byte order mark", bomUTF8 + "a\nb\nc\n", bomUTF8 + "a\nB\nX\nc\n"},
		{"UTF-16", le("a\nb\nc\n"), le("a\nB\nX\nc\n")},
		{"bytes that are not UTF-8", "caf\xe9 \xff\nb\nc\xfe\n", "caf\xe9 \xff\nB\nX\nc\xfe\n"},
		{"no newline at the end", "a\nb\nc", "a\nB\nX\nc"},
	}
	return []filesRule{
		{
			Name: "bytes/modify", Needs: writes,
			Explanation: "modify keeps every byte outside the range, the encoding and the byte order mark; new lines take the line ending of the lines they replace.",
			Run: func(f *filesTest) {
				for _, c := range rows {
					f.seed("f", c.before)
					f.ok("modify", "path", "f", "start_offset_inclusive", 1, "end_offset_inclusive", 1, "new_content", "B\nX\n")
					f.holds("f", c.after)
				}
			},
		},
		{
			Name: "bytes/replace", Needs: writes,
			Explanation: "replace keeps every byte outside the match, the encoding and the byte order mark; old and new text with LF match and become the file's line ending.",
			Run: func(f *filesTest) {
				for _, c := range rows {
					f.seed("f", c.before)
					f.ok("replace", "path", "f", "old_content", "b\n", "new_content", "B\nX\n")
					f.holds("f", c.after)
				}
			},
		},
		{
			Name: "bytes/edit", Needs: edits,
			Explanation: "edit keeps every byte outside the match, the encoding and the byte order mark.",
			Run: func(f *filesTest) {
				for _, c := range rows {
					f.seed("f", c.before)
					f.ok("edit", "path", "f", "edits", []any{map[string]any{"old_text": "b\n", "new_text": "B\nX\n"}})
					f.holds("f", c.after)
				}
			},
		},
	}
}
