package facadetest

import (
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// found calls find and returns the paths of its matches.
func (f *filesTest) found(kv ...any) []string {
	f.Helper()
	var out []string
	for _, m := range data[facade.FindOutput](f, "find", kv...).Matches {
		out = append(out, m.Path)
	}
	return out
}

// seedTree writes the files that the find and grep rules search.
func (f *filesTest) seedTree() {
	f.Helper()
	f.seed(
		"main.go", "package main\n\nfunc main() { Run() }\n",
		"src/run.go", "package src\n\n// Run starts.\nfunc Run() {}\n",
		"src/run_test.go", "package src\n\nfunc TestRun() { Run() }\n",
		"src/deep/notes.md", "# Notes\nthe runner\n",
		"vendor/lib/lib.go", "package lib\n\nfunc Run() {}\n",
	)
}

func findRules() []filesRule {
	return []filesRule{
		{
			Name:        "find/patterns",
			Explanation: "Any of the patterns is enough; a glob without '/' matches the base name at any depth; matches are in the order of their paths.",
			Run: func(f *filesTest) {
				f.seedTree()
				equals(f, "*.go", f.found("patterns", []string{"*.go"}), "main.go", "src/run.go", "src/run_test.go", "vendor/lib/lib.go")
				equals(f, "*.md or main.*", f.found("patterns", []string{"*.md", "main.*"}), "main.go", "src/deep/notes.md")
				equals(f, "src/*.go", f.found("patterns", []string{"src/*.go"}), "src/run.go", "src/run_test.go")
				equals(f, "**/*_test.go", f.found("patterns", []string{"**/*_test.go"}), "src/run_test.go")
				equals(f, "braces", f.found("patterns", []string{"*.{md,txt}"}), "src/deep/notes.md")
				equals(f, "below src", f.found("path", "src", "patterns", []string{"*.go"}), "src/run.go", "src/run_test.go")
				equals(f, "nothing", f.found("patterns", []string{"*.zig"}))
			},
		},
		{
			Name:        "find/any-and-all",
			Explanation: "An entry has to satisfy any of each list, and all of the lists that are given.",
			Run: func(f *filesTest) {
				f.seedTree()
				equals(f, "path keyword", f.found("keywords_path_name", []string{"notes", "vendor/lib/"}), "src/deep/notes.md", "vendor/lib/lib.go")
				equals(f, "content keyword", f.found("keywords_file_content", []string{"TestRun", "runner"}), "src/deep/notes.md", "src/run_test.go")
				equals(f, "pattern and content", f.found("patterns", []string{"*.go"}, "keywords_file_content", []string{"run"}),
					"main.go", "src/run.go", "src/run_test.go", "vendor/lib/lib.go")
				equals(f, "all three", f.found("patterns", []string{"*.go"}, "keywords_path_name", []string{"src"},
					"keywords_file_content", []string{"starts", "TestRun"}), "src/run.go", "src/run_test.go")
				equals(f, "all but one", f.found("patterns", []string{"*.md"}, "keywords_file_content", []string{"TestRun"}))
			},
		},
		{
			Name:        "find/lines",
			Explanation: "A content match lists its lines: number from 1, the line without its ending, the text that matched, and context lines around it.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "one\r\ntwo needle x\r\nthree\r\nfour\r\nfive NEEDLE\r\n")
				out := data[facade.FindOutput](f, "find", "keywords_file_content", []string{"needle"}, "context", 1)
				if len(out.Matches) != 1 || len(out.Matches[0].Lines) != 2 {
					f.Fatalf("matches are %+v, want one file with two lines", out.Matches)
				}
				m := out.Matches[0]
				equal(f, "type", m.Type, facade.TypeFile)
				equal(f, "size", m.Size, 45)
				first, last := m.Lines[0], m.Lines[1]
				equal(f, "line", first.Line, 2)
				equal(f, "content", first.Content, "two needle x")
				equal(f, "match", first.Match, "needle")
				equals(f, "before", first.Before, "one")
				equals(f, "after", first.After, "three")
				equal(f, "last line", last.Line, 5)
				equal(f, "last match", last.Match, "NEEDLE")
				equals(f, "before the last", last.Before, "four")
				equals(f, "after the last", last.After)
				equal(f, "files in totals", out.Totals.Files, 1)
				equal(f, "lines in totals", out.Totals.Lines, 2)
				plain := data[facade.FindOutput](f, "find", "keywords_file_content", []string{"three"})
				if len(plain.Matches) == 1 && len(plain.Matches[0].Lines) == 1 {
					equals(f, "before without context", plain.Matches[0].Lines[0].Before)
				}
			},
		},
		{
			Name:        "find/case",
			Explanation: "Keywords match without regard to case unless case_sensitive.",
			Run: func(f *filesTest) {
				f.seed("Upper.txt", "Needle\n", "lower.txt", "needle\n")
				equals(f, "content", f.found("keywords_file_content", []string{"NEEDLE"}), "Upper.txt", "lower.txt")
				equals(f, "content, case_sensitive", f.found("keywords_file_content", []string{"Needle"}, "case_sensitive", true), "Upper.txt")
				equals(f, "path", f.found("keywords_path_name", []string{"UPPER"}), "Upper.txt")
				equals(f, "path, case_sensitive", f.found("keywords_path_name", []string{"UPPER"}, "case_sensitive", true))
			},
		},
		{
			Name:        "find/regex",
			Explanation: "Keywords are plain text, and regular expressions with regex_keywords; a bad one is invalid_argument.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "v1.2\n", "b.txt", "v1x2\n")
				equals(f, "plain", f.found("keywords_file_content", []string{"v1.2"}), "a.txt")
				equals(f, "regex", f.found("keywords_file_content", []string{"^v1.2$"}, "regex_keywords", true), "a.txt", "b.txt")
				equals(f, "regex path", f.found("keywords_path_name", []string{"^[ab]"}, "regex_keywords", true, "patterns", []string{"b*"}), "b.txt")
				f.fails("invalid_argument", "find", "keywords_file_content", []string{"("}, "regex_keywords", true)
				f.fails("invalid_argument", "find", "keywords_path_name", []string{"("}, "regex_keywords", true)
				equals(f, "plain parenthesis", f.found("keywords_file_content", []string{"("}))
			},
		},
		{
			Name:        "find/exclude",
			Explanation: "exclude leaves out what its globs match, by base name or by path.",
			Run: func(f *filesTest) {
				f.seedTree()
				equals(f, "exclude", f.found("patterns", []string{"*.go"}, "exclude", []string{"vendor/**", "*_test.go"}), "main.go", "src/run.go")
				f.fails("invalid_argument", "find", "exclude", []string{"["})
				f.fails("invalid_argument", "find", "patterns", []string{"["})
			},
		},
		{
			Name:        "find/scope",
			Explanation: "recursive=false stays in the directory; path may be one file; directories match too; fast search and workers change no result.",
			Run: func(f *filesTest) {
				f.seedTree()
				equals(f, "one directory", f.found("path", "src", "patterns", []string{"*.*"}, "recursive", false), "src/run.go", "src/run_test.go")
				equals(f, "one file", f.found("path", "src/run.go", "keywords_file_content", []string{"Run"}), "src/run.go")
				equals(f, "a directory", f.found("patterns", []string{"deep"}), "src/deep")
				want := f.found("keywords_file_content", []string{"run"})
				equals(f, "without fast search", f.found("keywords_file_content", []string{"run"}, "use_fast_search", false), want...)
				equals(f, "with one worker", f.found("keywords_file_content", []string{"run"}, "max_workers", 1), want...)
				f.fails("not_found", "find", "path", "nothing-like-it", "patterns", []string{"*"})
			},
		},
		{
			Name:        "find/long-line",
			Explanation: "A match in a line of any length is found; the content shown is cut around it.",
			Run: func(f *filesTest) {
				f.seed("long.txt", strings.Repeat("x", 200<<10)+"needle"+strings.Repeat("y", 200<<10)+"\nlast\n")
				out := data[facade.FindOutput](f, "find", "keywords_file_content", []string{"needle"})
				if len(out.Matches) != 1 || len(out.Matches[0].Lines) != 1 {
					f.Fatalf("found %d files, want one line of one", len(out.Matches))
				}
				l := out.Matches[0].Lines[0]
				equal(f, "match", l.Match, "needle")
				if !strings.Contains(l.Content, "needle") || len(l.Content) > 16<<10 {
					f.Errorf("the content shown has %d bytes, want it cut around the match", len(l.Content))
				}
			},
		},
	}
}

func findPageRules() []filesRule {
	return []filesRule{
		{
			Name:        "find/ignored",
			Explanation: "What .gitignore hides is not searched but counted in ignored; include_ignored searches it.",
			Run: func(f *filesTest) {
				f.seed(".gitignore", "*.log\nbuild/\n", "a.txt", "needle\n", "b.log", "needle\n", "build/c.txt", "needle\n")
				out := data[facade.FindOutput](f, "find", "keywords_file_content", []string{"needle"})
				if len(out.Matches) != 1 || out.Matches[0].Path != "a.txt" || out.Ignored == 0 {
					f.Errorf("found %+v with %d ignored, want a.txt and some ignored", out.Matches, out.Ignored)
				}
				equals(f, "with include_ignored", f.found("keywords_file_content", []string{"needle"}, "include_ignored", true),
					"a.txt", "b.log", "build/c.txt")
				equals(f, "below an ignored path", f.found("path", "build", "patterns", []string{"*.txt"}), "build/c.txt")
			},
		},
		{
			Name:        "find/pages",
			Explanation: "limit cuts the matches; the cursor continues them exactly.",
			Run: func(f *filesTest) {
				var want []string
				for i := range 23 {
					p := fmt.Sprintf("d%02d/f.txt", i)
					f.seed(p, "needle\n")
					want = append(want, p)
				}
				for _, kv := range [][]any{
					{"patterns", []string{"*.txt"}},
					{"keywords_file_content", []string{"needle"}},
				} {
					var got []string
					pages := pagesOf(f, "find", func(o facade.FindOutput) string {
						if len(o.Matches) > 5 {
							f.Errorf("%d matches on a page of limit 5", len(o.Matches))
						}
						for _, m := range o.Matches {
							got = append(got, m.Path)
						}
						return o.NextCursor
					}, append(kv, "limit", 5)...)
					equals(f, "pages joined", got, want...)
					equal(f, "pages", pages, 5)
				}
			},
		},
	}
}
