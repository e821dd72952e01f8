package facadetest

import (
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

func gitReadRules() []gitRule {
	return []gitRule{
		{
			Name:        "status/unborn",
			Explanation: "A repository without commits has an unborn branch and an empty history, and is clean.",
			Run: func(f *gitTest) {
				out := gitData[facade.GitStatusOutput](f, "status")
				if out.Head == nil || !out.Head.Unborn || out.Head.Branch != "main" || out.Head.OID != "" || !out.Clean || out.Operation != "none" {
					f.Errorf("status is %+v, head %+v", out, out.Head)
				}
				same(f, "commits", len(gitData[facade.GitHistoryOutput](f, "history").Commits), 0)
			},
		},
		{
			Name:        "status/entries",
			Explanation: "Status tells staged, unstaged and untracked files apart, counts all of them, and says how many a limit hides.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n", "b", "1\n")
				f.seed("a", "2\n")
				gitData[facade.GitStageOutput](f, "stage", "files", []string{"a"})
				f.seed("a", "3\n")
				f.seed("b", "2\n")
				f.seed("new file", "1\n")
				same(f, "entries", f.status(), []string{".M b", "?? new file", "MM a"})
				out := gitData[facade.GitStatusOutput](f, "status", "limit", 1)
				same(f, "counts", out.Counts, facade.GitStatusCounts{Staged: 1, Unstaged: 2, Untracked: 1})
				same(f, "hidden", out.Hidden, 2)
				same(f, "clean", out.Clean, false)
				same(f, "untracked=no", len(gitData[facade.GitStatusOutput](f, "status", "untracked", "no").Entries), 2)
				same(f, "paths", len(gitData[facade.GitStatusOutput](f, "status", "paths", []string{"b"}).Entries), 1)
			},
		},
		{
			Name:        "diff/sides",
			Explanation: "Diff compares the work tree with the index, the index with HEAD, or commits with each other.",
			Run: func(f *gitTest) {
				first := f.commit("first", "a", "1\n")
				f.commit("second", "a", "2\n")
				f.seed("a", "3\n")
				gitData[facade.GitStageOutput](f, "stage", "stage_all", true)
				f.seed("a", "4\n")
				for _, c := range []struct {
					args      []any
					old, text string
				}{
					{nil, "-3", "+4"},
					{[]any{"staged", true}, "-2", "+3"},
					{[]any{"from", first.OID, "to", "HEAD"}, "-1", "+2"},
					{[]any{"from", "HEAD"}, "-2", "+4"},
				} {
					out := gitData[facade.GitDiffOutput](f, "diff", c.args...)
					if !strings.Contains(out.Patch, "\n"+c.old+"\n"+c.text+"\n") {
						f.Errorf("diff %v: %q", c.args, out.Patch)
					}
					same(f, "totals", out.Totals, facade.GitDiffTotals{Files: 1, Additions: 1, Deletions: 1})
				}
				same(f, "names have no patch", gitData[facade.GitDiffOutput](f, "diff", "output", "names").Patch, "")
			},
		},
		{
			Name:        "diff/limit",
			Explanation: "A patch above max_bytes is cut at the end of a line, marked as truncated, and names the files to ask for next.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n", "b", "1\n")
				f.seed("a", strings.Repeat("line\n", 100))
				f.seed("b", strings.Repeat("line\n", 100))
				res := f.call("diff", "max_bytes", 600)
				out := gitOut[facade.GitDiffOutput](f, res)
				same(f, "truncated", res.Truncated, true)
				same(f, "totals", out.Totals.Files, 2)
				if len(out.Patch) > 600 || !strings.HasSuffix(out.Patch, "\n") || len(out.Rest) == 0 || out.Rest[len(out.Rest)-1] != "b" {
					f.Errorf("patch of %d bytes, rest %q", len(out.Patch), out.Rest)
				}
			},
		},
		{
			Name:        "diff/unknown revision",
			Explanation: "A revision that names no commit is not_found, also when it looks like an option.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n")
				for _, rev := range []string{"nowhere", "--output=x", "HEAD~7"} {
					gitFails[facade.GitDiffOutput](f, facade.CodeNotFound, "diff", "from", rev)
				}
			},
		},
		{
			Name:        "history/pages",
			Explanation: "History lists commits, the latest first, and a cursor continues it without gap or repetition.",
			Run: func(f *gitTest) {
				for _, m := range []string{"one", "two", "three", "four", "five"} {
					f.commit(m+"\n\nBody of "+m, "a", m)
				}
				var got []string
				args := []any{"limit", 2}
				for {
					out := gitData[facade.GitHistoryOutput](f, "history", args...)
					for _, c := range out.Commits {
						got = append(got, c.Subject)
						same(f, "body", c.Body, "Body of "+c.Subject)
					}
					if out.NextCursor == "" || len(got) > 5 {
						break
					}
					args = []any{"limit", 2, "cursor", out.NextCursor}
				}
				same(f, "subjects", got, []string{"five", "four", "three", "two", "one"})
			},
		},
		{
			Name:        "history/filters",
			Explanation: "History filters by message, author and files; a range has what its end has and its start has not.",
			Run: func(f *gitTest) {
				first := f.commit("fix: one", "a", "1")
				f.commit("two", "b", "1")
				f.commit("fix: three", "b", "2")
				for _, c := range []struct {
					args []any
					want int
				}{
					{[]any{"grep", "^fix"}, 2},
					{[]any{"grep", "^nothing"}, 0},
					{[]any{"files", []string{"b"}}, 2},
					{[]any{"author", "Nobody Else"}, 0},
					{[]any{"ref", first.OID + "..HEAD"}, 2},
				} {
					same(f, "commits", len(gitData[facade.GitHistoryOutput](f, "history", c.args...).Commits), c.want)
				}
			},
		},
	}
}
