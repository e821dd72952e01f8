package facadetest

import (
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// grepped calls grep and returns "path:line" of its matches.
func (f *filesTest) grepped(kv ...any) []string {
	f.Helper()
	var out []string
	for _, m := range data[facade.GrepOutput](f, "grep", kv...).Matches {
		out = append(out, fmt.Sprintf("%s:%d", m.Path, m.Line))
	}
	return out
}

func grepRules() []filesRule {
	return []filesRule{
		{
			Name: "grep/lines", Needs: searches,
			Explanation: "A match has path, line and column from 1, the line without its ending, the text that matched and context lines.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "one\r\né needle x\r\nthree\r\n")
				out := data[facade.GrepOutput](f, "grep", "pattern", "need.e", "context", 1)
				if len(out.Matches) != 1 {
					f.Fatalf("matches are %+v, want one", out.Matches)
				}
				m := out.Matches[0]
				equal(f, "line", m.Line, 2)
				equal(f, "column", m.Column, 4)
				equal(f, "content", m.Content, "é needle x")
				equal(f, "match", m.Match, "needle")
				equals(f, "before", m.Before, "one")
				equals(f, "after", m.After, "three")
				equal(f, "totals", out.Totals, facade.GrepTotals{Files: 1, Matches: 1})
			},
		},
		{
			Name: "grep/pattern", Needs: searches,
			Explanation: "The pattern is RE2 without regard to case, plain text when literal; a bad one is invalid_argument. Matches are in the order of path and line.",
			Run: func(f *filesTest) {
				f.seed("b.txt", "v1.2\nV1x2\n", "a.txt", "x\nv1x2\n")
				equals(f, "regex", f.grepped("pattern", "v1.2"), "a.txt:2", "b.txt:1", "b.txt:2")
				equals(f, "anchored", f.grepped("pattern", "^v1x2$", "case_sensitive", true), "a.txt:2")
				equals(f, "literal", f.grepped("pattern", "v1.2", "literal", true), "b.txt:1")
				r := f.fails("invalid_argument", "grep", "pattern", "(")
				equal(f, "field", r.Error.Field, "pattern")
				equals(f, "literal parenthesis", f.grepped("pattern", "(", "literal", true))
			},
		},
		{
			Name: "grep/scope", Needs: searches,
			Explanation: "path, patterns, exclude and recursive=false narrow the search; ignored files count and are searched with include_ignored; binary files are counted and skipped.",
			Run: func(f *filesTest) {
				f.seedTree()
				f.seed(".gitignore", "*.log\n", "x.log", "func Run\n", "bin.go", "\x00\x01func Run\x00")
				equals(f, "everywhere", f.grepped("pattern", "func Run"), "src/run.go:4", "vendor/lib/lib.go:3")
				equals(f, "below src", f.grepped("pattern", "func Run", "path", "src"), "src/run.go:4")
				equals(f, "in a file", f.grepped("pattern", "run", "path", "src/deep/notes.md"), "src/deep/notes.md:2")
				equals(f, "patterns", f.grepped("pattern", "run", "patterns", []string{"*.md"}), "src/deep/notes.md:2")
				equals(f, "exclude", f.grepped("pattern", "func Run", "exclude", []string{"vendor/**"}), "src/run.go:4")
				equals(f, "one directory", f.grepped("pattern", "package", "recursive", false), "main.go:1")
				out := data[facade.GrepOutput](f, "grep", "pattern", "func Run")
				if out.SkippedBinary != 1 || out.Ignored == 0 {
					f.Errorf("skipped_binary is %d and ignored %d, want 1 and some", out.SkippedBinary, out.Ignored)
				}
				equals(f, "include_ignored", f.grepped("pattern", "func Run", "include_ignored", true), "src/run.go:4", "vendor/lib/lib.go:3", "x.log:1")
				f.fails("not_found", "grep", "pattern", "x", "path", "nothing-like-it")
			},
		},
		{
			Name: "grep/output", Needs: searches,
			Explanation: "output=files lists paths, output=count the matching lines of each file; multiline lets a pattern cross lines.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\ny\nx\n", "b.txt", "x\n", "c.txt", "z\n")
				files := data[facade.GrepOutput](f, "grep", "pattern", "x", "output", "files")
				counts := data[facade.GrepOutput](f, "grep", "pattern", "x", "output", "count")
				if len(files.Matches) != 2 || files.Matches[0].Path != "a.txt" || files.Matches[0].Content != "" || files.Matches[1].Path != "b.txt" {
					f.Errorf("files are %+v, want a.txt and b.txt", files.Matches)
				}
				if len(counts.Matches) != 2 || counts.Matches[0].Count != 2 || counts.Matches[1].Count != 1 {
					f.Errorf("counts are %+v, want 2 and 1", counts.Matches)
				}
				f.fails("invalid_argument", "grep", "pattern", `x\ny`)
				equals(f, "multiline", f.grepped("pattern", `x\ny`, "multiline", true), "a.txt:1")
			},
		},
		{
			Name: "grep/pages", Needs: searches,
			Explanation: "limit cuts the matches; the cursor continues them exactly, within a file too.",
			Run: func(f *filesTest) {
				var want []string
				for i := range 5 {
					p := fmt.Sprintf("f%d", i)
					f.seed(p, strings.Repeat("x\n", 5))
					for line := range 5 {
						want = append(want, fmt.Sprintf("%s:%d", p, line+1))
					}
				}
				var got []string
				pagesOf(f, "grep", func(o facade.GrepOutput) string {
					if len(o.Matches) > 4 {
						f.Errorf("%d matches on a page of limit 4", len(o.Matches))
					}
					for _, m := range o.Matches {
						got = append(got, fmt.Sprintf("%s:%d", m.Path, m.Line))
					}
					return o.NextCursor
				}, "pattern", "x", "limit", 4)
				equals(f, "pages joined", got, want...)
			},
		},
		{
			Name: "grep/long-line", Needs: searches,
			Explanation: "A match in a line of any length is found; the content shown is cut around it.",
			Run: func(f *filesTest) {
				f.seed("long", strings.Repeat("x", 200<<10)+"needle"+strings.Repeat("y", 200<<10)+"\n")
				out := data[facade.GrepOutput](f, "grep", "pattern", "needle")
				if len(out.Matches) != 1 || !strings.Contains(out.Matches[0].Content, "needle") || out.Matches[0].Column != 200<<10+1 {
					f.Errorf("%d matches, want one at column %d", len(out.Matches), 200<<10+1)
				}
			},
		},
	}
}
