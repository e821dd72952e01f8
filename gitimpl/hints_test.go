package gitimpl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// TestHints holds that an error names the next right call.
func TestHints(t *testing.T) {
	l := newLab(t)
	l.git(".", "init", "-q", "--bare", "outside.git")
	l.repo("root/proj", "README.md", "hi\n", "src/main.go", "package main\n")
	l.write("root/proj/scratch", "1\n")
	l.git("root/proj", "remote", "add", "origin", l.path("outside.git"))
	l.git("root/proj", "update-ref", "refs/remotes/origin/theirs", "HEAD")
	l.git("root/proj", "branch", "feature/x")
	tool := facade.Git(l.open("root", nil).Extended())
	for _, c := range []struct{ args, hint string }{
		{`{"action":"status","repo_path":"."}`, "repo_path, as: proj"},
		{`{"action":"status","repo_path":"prj"}`, "repo_path, as: proj"},
		{`{"action":"stage","files":["*.go"]}`, "patterns are not expanded"},
		{`{"action":"stage","files":["main.go"]}`, "did you mean 'src/main.go'?"},
		{`{"action":"stage","files":["../x"]}`, "relative to the top of the repository"},
		{`{"action":"restore","files":["scratch"]}`, "stage it first"},
		{`{"action":"diff","from":"main...feature/x"}`, "from='main', to='feature/x' and merge_base=true"},
		{`{"action":"diff","from":"main..feature/x"}`, "from='main' and to='feature/x'"},
		{`{"action":"diff","from":"HEAD~9"}`, "history"},
		{`{"action":"show","ref":"HEAD:README.md"}`, "'HEAD' alone"},
		{`{"action":"show","path":"readme.md"}`, "did you mean 'README.md'?"},
		{`{"action":"switch","branch":"theirs"}`, "create=true with ref='origin/theirs'"},
		{`{"action":"switch","branch":"feature/y"}`, "did you mean 'feature/x'?"},
		{`{"action":"fetch","remote":"upstream"}`, "remotes: origin"},
		{`{"action":"push"}`, "the host can allow more"},
		{`{"action":"history","grep":"["}`, "backslash"},
		{`{"action":"history","since":"whenever"}`, "2 weeks ago"},
		{`{"action":"commit","message":"m"}`, "stage files first"},
		{`{"action":"stash","operation":"pop"}`, "operation=list"},
		{`{"action":"show","ref":"main..feature/x"}`, "history takes a range"},
		{`{"action":"stage","files":[".git/config"]}`, "files of the work tree"},
	} {
		args := c.args
		if !strings.Contains(args, "repo_path") {
			args = strings.Replace(args, ",", `,"repo_path":"proj",`, 1)
		}
		if !strings.Contains(args, "repo_path") {
			args = strings.Replace(args, "}", `,"repo_path":"proj"}`, 1)
		}
		res, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		if res.Error == nil || !strings.Contains(res.Error.Hint, c.hint) || res.Error.Code == facade.CodeIO {
			t.Errorf("%s: %s; the hint should contain %q", args, res.Text, c.hint)
		}
	}
}

// TestShowKeepsShortIDs holds that the id of a shown commit is short and that
// tags are followed to their commit.
func TestShowKeepsShortIDs(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	l.git("r", "tag", "-a", "v1", "-m", "one")
	x := l.open("r", nil).Extended()
	for _, ref := range []string{"HEAD", "v1", "@", "main^{commit}"} {
		out := must[facade.GitShowOutput](t)(x.Show(t.Context(), facade.GitShowInput{Ref: ref}))
		if want := strings.TrimSpace(l.git("r", "rev-parse", "--short", "HEAD")); out.Commit.Short != want || out.Commit.Subject != "first" {
			t.Errorf("%s: %+v", ref, out.Commit)
		}
		if out.Diff.Totals.Files != 1 || !strings.Contains(out.Diff.Patch, "+1\n") {
			t.Errorf("%s: %+v", ref, out.Diff)
		}
	}
	l.git("r", "pack-refs", "--all")
	h := must[facade.GitHistoryOutput](t)(x.History(t.Context(), facade.GitHistoryInput{Ref: "v1"}))
	b := must[facade.GitBranchesOutput](t)(x.Branches(t.Context(), facade.GitBranchesInput{}))
	if len(h.Commits) != 1 || b.Current != "main" {
		t.Errorf("%d commits, current branch %q", len(h.Commits), b.Current)
	}
	// A tag comes before a branch of the same name, as for git.
	l.git("r", "commit", "-q", "--allow-empty", "-m", "second")
	l.git("r", "branch", "same")
	l.git("r", "tag", "same", "HEAD~1")
	h = must[facade.GitHistoryOutput](t)(x.History(t.Context(), facade.GitHistoryInput{Ref: "same"}))
	if want := strings.TrimSpace(l.git("r", "rev-parse", "refs/tags/same")); h.Commits[0].OID != want {
		t.Errorf("the branch is taken for the tag: %+v", h.Commits[0])
	}
}
