package facadetest

import "github.com/toolfacade/toolfacade/facade"

func gitRemoteRules() []gitRule {
	return []gitRule{
		{
			Name: "push/new", Remote: true,
			Explanation: "A push tells the fate of the ref, and another repository can pull it.",
			Run: func(f *gitTest) {
				c := f.commit("first", "a", "1\n")
				dry := gitData[facade.GitPushOutput](f, "push", "dry_run", true)
				same(f, "dry run", dry.Refs[0].Status, "new")
				out := gitData[facade.GitPushOutput](f, "push", "set_upstream", true)
				same(f, "status", out.Refs[0].Status, "new")
				same(f, "new", out.Refs[0].New, c.OID)
				same(f, "again", gitData[facade.GitPushOutput](f, "push").Refs[0].Status, "up_to_date")
				p := f.peer()
				pulled := gitData[facade.GitPullOutput](p, "pull")
				same(f, "pulled", pulled.After, c.OID)
				p.holds("1\n")
			},
		},
		{
			Name: "push/rejected", Remote: true,
			Explanation: "A push that would drop commits is a conflict with the rejected ref in the data; force has a lease.",
			Run: func(f *gitTest) {
				p := f.diverged()
				out := gitFails[facade.GitPushOutput](p, facade.CodeConflict, "push")
				same(f, "status", out.Refs[0].Status, "rejected")
				gitFails[facade.GitPushOutput](p, facade.CodeStale, "push", "force", true)
				gitData[facade.GitFetchOutput](p, "fetch")
				same(f, "forced", gitData[facade.GitPushOutput](p, "push", "force", true).Refs[0].Status, "forced")
			},
		},
		{
			Name: "fetch/updates", Remote: true,
			Explanation: "Fetch moves remote-tracking branches only, and tells which.",
			Run: func(f *gitTest) {
				p := f.diverged()
				out := gitData[facade.GitFetchOutput](p, "fetch")
				if len(out.Updates) != 1 || out.Updates[0].Ref != "refs/remotes/origin/main" || out.Updates[0].Kind != "fast_forward" {
					f.Errorf("updates are %+v", out.Updates)
				}
				p.holds("peer\n")
				same(f, "again", len(gitData[facade.GitFetchOutput](p, "fetch").Updates), 0)
			},
		},
		{
			Name: "pull/fast-forward only", Remote: true,
			Explanation: "By default a pull never merges: when both sides have commits it is a conflict and changes nothing.",
			Run: func(f *gitTest) {
				p := f.diverged()
				out := gitFails[facade.GitPullOutput](p, facade.CodeConflict, "pull")
				same(f, "HEAD", out.After, out.Before)
				same(f, "operation", out.Operation, "none")
				p.holds("peer\n")
			},
		},
		{
			Name: "pull/conflict", Remote: true,
			Explanation: "Conflicts of a pull are data beside the error; merge_abort goes back to where it started.",
			Run: func(f *gitTest) {
				p := f.diverged()
				for _, mode := range []string{"merge", "rebase"} {
					out := gitFails[facade.GitPullOutput](p, facade.CodeConflict, "pull", "mode", mode)
					same(f, "operation", out.Operation, mode)
					if len(out.Conflicts) != 1 || out.Conflicts[0].Path != "a" || len(out.Conflicts[0].Markers) != 1 {
						f.Errorf("conflicts are %+v", out.Conflicts)
					}
					aborted := gitData[facade.GitMergeAbortOutput](p, "merge_abort")
					same(f, "aborted", aborted.Operation, mode)
					same(f, "HEAD", aborted.After, out.Before)
					p.holds("peer\n")
				}
			},
		},
		{
			Name: "remote/by name", Remote: true,
			Explanation: "Remotes are configured names: addresses and refspecs are refused.",
			Run: func(f *gitTest) {
				f.commit("first", "a", "1\n")
				for _, remote := range []string{"nowhere", "https://localhost/x", "ext::sh -c true", "--upload-pack=x"} {
					gitFails[facade.GitFetchOutput](f, facade.CodeNotFound, "fetch", "remote", remote)
				}
				for _, branch := range []string{":main", "+main", "main:other", "-d"} {
					gitFails[facade.GitPushOutput](f, facade.CodeInvalidArgument, "push", "branch", branch)
				}
			},
		},
	}
}

// diverged returns a peer whose branch and the remote's both have a commit on
// top of a common one.
func (f *gitTest) diverged() *gitTest {
	f.Helper()
	f.commit("first", "a", "1\n")
	gitData[facade.GitPushOutput](f, "push")
	p := f.peer()
	gitData[facade.GitPullOutput](p, "pull")
	f.commit("second", "a", "ours\n")
	gitData[facade.GitPushOutput](f, "push")
	p.commit("other", "a", "peer\n")
	return p
}
