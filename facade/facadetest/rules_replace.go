package facadetest

import (
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

func replaceRules() []filesRule {
	return []filesRule{
		{
			Name: "replace/unique", Needs: writes,
			Explanation: "replace changes one match and returns count, strategy, the lines, the diff and the new etag.",
			Run: func(f *filesTest) {
				f.seed("f", "one\ntwo\nthree\n")
				out := data[facade.ReplaceOutput](f, "replace", "path", "f", "old_content", "two", "new_content", "2 $1")
				f.holds("f", "one\n2 $1\nthree\n")
				equal(f, "count", out.Count, 1)
				equal(f, "strategy", out.Strategy, "exact")
				equals(f, "lines", out.Lines, 2)
				equal(f, "etag", out.ETag, f.etag("f"))
				if !strings.Contains(out.Diff, "\n-two") || !strings.Contains(out.Diff, "\n+2 $1") {
					f.Errorf("diff is %q, want -two and +2 $1", out.Diff)
				}
			},
		},
		{
			Name: "replace/ambiguous", Needs: writes,
			Explanation: "Several matches are ambiguous_match with the line numbers of every one; nothing changes.",
			Run: func(f *filesTest) {
				f.seed("f", "x\nab\nx\ny\nz\nx\n")
				f.unchanged(func() {
					r := f.fails("ambiguous_match", "replace", "path", "f", "old_content", "x", "new_content", "q")
					f.says(r, "1", "3", "6")
				})
			},
		},
		{
			Name: "replace/no-match", Needs: writes,
			Explanation: "No match is no_match and shows the closest block; nothing changes.",
			Run: func(f *filesTest) {
				f.seed("f", "package x\n\nfunc total(items []int) int {\n\treturn len(items)\n}\n")
				f.unchanged(func() {
					r := f.fails("no_match", "replace", "path", "f", "old_content", "func totl(items []int) int {", "new_content", "x")
					f.says(r, "total(items", "3")
					f.fails("no_match", "replace", "path", "f", "old_content", "zzzz(q)", "new_content", "x", "is_regex", true)
				})
			},
		},
		{
			Name: "replace/all", Needs: writes,
			Explanation: "replace_all changes every match; expected_count exactly that many or none.",
			Run: func(f *filesTest) {
				f.seed("f", "x x\nx\n", "g", "x x\nx\n")
				out := data[facade.ReplaceOutput](f, "replace", "path", "f", "old_content", "x", "new_content", "yy", "replace_all", true)
				f.holds("f", "yy yy\nyy\n")
				equal(f, "count", out.Count, 3)
				equals(f, "lines", slices.Compact(out.Lines), 1, 2)
				const refused = "ambiguous_match|no_match|conflict|invalid_argument"
				f.unchanged(func() {
					f.says(f.fails(refused, "replace", "path", "g", "old_content", "x", "new_content", "y", "expected_count", 2), "3")
					f.says(f.fails(refused, "replace", "path", "g", "old_content", "x", "new_content", "y", "expected_count", 4), "3")
				})
				equal(f, "count as expected", data[facade.ReplaceOutput](f, "replace", "path", "g", "old_content", "x", "new_content", "y", "expected_count", 3).Count, 3)
				f.holds("g", "y y\ny\n")
			},
		},
	}
}

func replaceFormRules() []filesRule {
	return []filesRule{
		{
			Name: "replace/regex", Needs: writes,
			Explanation: "is_regex takes RE2 with $1 groups in the new text, one match unless told otherwise; a bad expression is invalid_argument.",
			Run: func(f *filesTest) {
				f.seed("f", "a=1\nb=2\n")
				out := data[facade.ReplaceOutput](f, "replace", "path", "f", "old_content", `(b)=(\d)`, "new_content", "$2:$1", "is_regex", true)
				f.holds("f", "a=1\n2:b\n")
				equal(f, "strategy", out.Strategy, "regex")
				equals(f, "lines", out.Lines, 2)
				f.unchanged(func() {
					f.fails("ambiguous_match", "replace", "path", "f", "old_content", `\d`, "new_content", "x", "is_regex", true)
					r := f.fails("invalid_argument", "replace", "path", "f", "old_content", `(`, "new_content", "x", "is_regex", true)
					equal(f, "field", r.Error.Field, "old_content")
				})
				equal(f, "count of all", data[facade.ReplaceOutput](f, "replace", "path", "f", "old_content", `\d`, "new_content", "<$0>", "is_regex", true, "replace_all", true).Count, 2)
				f.holds("f", "a=<1>\n<2>:b\n")
			},
		},
		{
			Name: "replace/line-ending", Needs: writes,
			Explanation: "Old text with LF matches the file's CRLF, the strategy says so, and new text takes the file's line ending.",
			Run: func(f *filesTest) {
				f.seed("f", "a\r\nb\r\nc\r\n")
				out := data[facade.ReplaceOutput](f, "replace", "path", "f", "old_content", "a\nb", "new_content", "x\ny\nz")
				f.holds("f", "x\r\ny\r\nz\r\nc\r\n")
				equal(f, "strategy", out.Strategy, "line_ending")
			},
		},
		{
			Name: "replace/guards", Needs: writes,
			Explanation: "if_match, dry_run and errors work as for write; empty or unchanged text is invalid_argument.",
			Run: func(f *filesTest) {
				f.seed("f", "one\n", "d/x", "")
				tag := f.etag("f")
				args := []any{"path", "f", "old_content", "one", "new_content", "two"}
				var dry facade.ReplaceOutput
				f.unchanged(func() { dry = data[facade.ReplaceOutput](f, "replace", append(args, "dry_run", true)...) })
				out := data[facade.ReplaceOutput](f, "replace", append(args, "if_match", tag)...)
				equal(f, "dry_run", dry.DryRun, true)
				equal(f, "dry diff", dry.Diff, out.Diff)
				f.unchanged(func() {
					f.stale(f.fails("stale", "replace", "path", "f", "old_content", "two", "new_content", "three", "if_match", tag), "two", out.ETag)
					f.fails("invalid_argument", "replace", "path", "f", "old_content", "", "new_content", "x")
					f.fails("invalid_argument", "replace", "path", "f", "old_content", "two", "new_content", "two")
					f.fails("not_found", "replace", "path", "nothing-like-it", "old_content", "a", "new_content", "b")
					f.fails("is_directory", "replace", "path", "d", "old_content", "a", "new_content", "b")
				})
			},
		},
	}
}
