package facadetest

import "github.com/toolfacade/toolfacade/facade"

func gitWriteRules() []gitRule {
	return []gitRule{
		{
			Name:        "stage/reports",
			Explanation: "Stage returns what changed in the index, deletions of nothing else; staging again changes nothing.",
			Run: func(f *gitTest) {
				f.seed("dir/a", "1\n")
				f.seed("dir/b", "1\n")
				f.seed("c", "1\n")
				same(f, "staged", gitData[facade.GitStageOutput](f, "stage", "files", []string{"dir"}).Staged, []string{"dir/a", "dir/b"})
				same(f, "again", len(gitData[facade.GitStageOutput](f, "stage", "files", []string{"dir"}).Staged), 0)
				same(f, "all", gitData[facade.GitStageOutput](f, "stage", "stage_all", true).Staged, []string{"c"})
			},
		},
		{
			Name:        "stage/all or nothing",
			Explanation: "A file that does not exist fails the whole call, which names it and stages nothing.",
			Run: func(f *gitTest) {
				f.seed("a", "1\n")
				out := gitFails[facade.GitStageOutput](f, facade.CodeNotFound, "stage", "files", []string{"a", "missing"})
				same(f, "missing", out.Missing, []string{"missing"})
				same(f, "status", f.status(), []string{"?? a"})
			},
		},
		{
			Name:        "stage/ignored",
			Explanation: "An ignored file is left out and told; one that is only ignored files is an error.",
			Run: func(f *gitTest) {
				f.seed(".gitignore", "*.log\n")
				f.seed("a", "1\n")
				f.seed("x.log", "1\n")
				out := gitData[facade.GitStageOutput](f, "stage", "files", []string{"a", "x.log"})
				same(f, "staged", out.Staged, []string{"a"})
				same(f, "ignored", out.Ignored, []string{"x.log"})
				gitFails[facade.GitStageOutput](f, facade.CodeInvalidArgument, "stage", "files", []string{"x.log"})
			},
		},
		{
			Name:        "stage/literal names",
			Explanation: "Names are taken literally: neither patterns nor pathspec magic select other files.",
			Run: func(f *gitTest) {
				for _, name := range []string{"a.txt", "b.txt", "-rf"} {
					f.seed(name, "1\n")
				}
				gitFails[facade.GitStageOutput](f, facade.CodeNotFound, "stage", "files", []string{"*.txt"})
				gitFails[facade.GitStageOutput](f, facade.CodeNotFound, "stage", "files", []string{":(glob)*"})
				same(f, "staged", gitData[facade.GitStageOutput](f, "stage", "files", []string{"-rf"}).Staged, []string{"-rf"})
			},
		},
		{
			Name:        "stage/outside",
			Explanation: "No path leads out of the repository.",
			Run: func(f *gitTest) {
				for _, path := range []string{"..", "../a", "a/../../b"} {
					gitFails[facade.GitStageOutput](f, facade.CodeOutsideRoot, "stage", "files", []string{path})
				}
			},
		},
		{
			Name:        "unstage/index only",
			Explanation: "Unstage sets the index back and leaves the files; it works before the first commit too.",
			Run: func(f *gitTest) {
				f.seed("a", "1\n")
				gitData[facade.GitStageOutput](f, "stage", "stage_all", true)
				same(f, "unstaged", gitData[facade.GitUnstageOutput](f, "unstage", "files", []string{"a"}).Unstaged, []string{"a"})
				same(f, "status", f.status(), []string{"?? a"})
				f.commit("first")
				f.seed("a", "2\n")
				gitData[facade.GitStageOutput](f, "stage", "stage_all", true)
				gitData[facade.GitUnstageOutput](f, "unstage", "unstage_all", true)
				same(f, "status", f.status(), []string{".M a"})
				f.holds("2\n")
			},
		},
		{
			Name:        "commit/result",
			Explanation: "A commit has the message as given, returns id, parents, branch and files, and leaves a clean tree.",
			Run: func(f *gitTest) {
				first := f.commit("One # not a comment\n\nBody", "a", "1\n")
				second := f.commit("Two", "a", "2\n", "b", "1\n")
				same(f, "subject", first.Subject, "One # not a comment")
				same(f, "branch", second.Branch, "main")
				same(f, "parents", second.Parents, []string{first.OID})
				same(f, "files", len(second.Files), 2)
				same(f, "status", f.status(), []string{})
			},
		},
		{
			Name:        "commit/nothing",
			Explanation: "Without changes there is no commit, unless allow_empty is set.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n")
				gitFails[facade.GitCommitOutput](f, facade.CodeInvalidArgument, "commit", "message", "m")
				gitData[facade.GitCommitOutput](f, "commit", "message", "m", "allow_empty", true)
				same(f, "commits", len(gitData[facade.GitHistoryOutput](f, "history").Commits), 2)
			},
		},
		{
			Name:        "commit/files",
			Explanation: "With files, the commit has these and nothing else that is staged.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n", "b", "1\n")
				f.seed("a", "2\n")
				f.seed("new", "1\n")
				gitData[facade.GitStageOutput](f, "stage", "files", []string{"a"})
				out := gitData[facade.GitCommitOutput](f, "commit", "message", "m", "files", []string{"new"})
				same(f, "files", len(out.Files), 1)
				same(f, "status", f.status(), []string{"M. a"})
			},
		},
		{
			Name:        "commit/expected head",
			Explanation: "With expected_head, a commit is made only while HEAD still is that one.",
			Run: func(f *gitTest) {
				first := f.commit("first", "a", "1\n")
				f.commit("second", "a", "2\n")
				gitFails[facade.GitCommitOutput](f, facade.CodeStale, "commit", "message", "m", "allow_empty", true, "expected_head", first.OID)
				amended := gitData[facade.GitCommitOutput](f, "commit", "message", "better", "amend", true, "expected_head", "HEAD")
				same(f, "parents of the amended", amended.Parents, []string{first.OID})
			},
		},
		{
			Name:        "restore/backup",
			Explanation: "Restore discards changes and keeps what it overwrites as a blob; a dry run changes nothing.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n")
				f.seed("a", "precious\n")
				dry := gitData[facade.GitRestoreOutput](f, "restore", "files", []string{"a"}, "dry_run", true)
				same(f, "restored in a dry run", dry.Restored, []string{"a"})
				f.holds("precious\n")
				out := gitData[facade.GitRestoreOutput](f, "restore", "files", []string{"a"})
				same(f, "restored", out.Restored, []string{"a"})
				if len(out.Backup) != 1 || out.Backup[0].Path != "a" || out.Backup[0].OID == "" {
					f.Errorf("backup is %+v", out.Backup)
				}
				f.holds("1\n")
				gitFails[facade.GitRestoreOutput](f, facade.CodeNotFound, "restore", "files", []string{"missing"})
			},
		},
		{
			Name:        "merge_abort/nothing",
			Explanation: "With nothing in progress there is nothing to abort: not_found.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n")
				gitFails[facade.GitMergeAbortOutput](f, facade.CodeNotFound, "merge_abort")
			},
		},
	}
}
