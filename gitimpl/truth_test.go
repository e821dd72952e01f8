package gitimpl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// TestTexts holds that what a failure says is true, short and names what it is
// about.
func TestTexts(t *testing.T) {
	l := newLab(t)
	l.git(".", "init", "-q", "--bare", "root/bare.git")
	l.repo("root/r", "a", "1\n", "dir/b", "1\n")
	l.git("root/r", "branch", "other")
	l.git("root/r", "remote", "add", "origin", l.path("root/bare.git"))
	l.write("root/r/a", "2\n")
	l.git("root/r", "commit", "-qam", "second")
	l.git("root/r", "switch", "-q", "-c", "more", "other")
	l.write("root/r/new", "theirs\n")
	l.git("root/r", "add", "new")
	l.git("root/r", "commit", "-qm", "new")
	l.git("root/r", "switch", "-q", "main")
	l.git("root/r", "commit", "-q", "--allow-empty", "-m", "empty")
	l.write("root/r/a", "dirty\n")
	l.write("root/r/new", "mine\n")
	l.git(".", "init", "-q", "root/unborn")
	long := strings.Repeat("x", 900)
	tool := facade.Git(l.open("root", nil).Extended())
	for _, c := range []struct {
		args, text, hint string
		code             facade.Code
	}{
		{`{"action":"status","repo_path":"bare.git"}`, "'bare.git' is a bare repository", "as: ", facade.CodeNotFound},
		{`{"action":"switch","branch":"other"}`, "local changes would be overwritten: a", "restore", facade.CodeConflict},
		{`{"action":"switch","branch":"more"}`, "", "", facade.CodeConflict},
		{`{"action":"push","branch":"othre"}`, "no branch 'othre' with commits", "did you mean 'other'?", facade.CodeNotFound},
		{`{"action":"pull","branch":"other"}`, "remote 'origin' has no branch 'other'", "on the remote", facade.CodeNotFound},
		{`{"action":"blame","path":"dir"}`, "'dir' is a directory", "", facade.CodeIsDirectory},
		{`{"action":"stage","files":[".git/config"]}`, "belongs to git itself", "work tree", facade.CodeProtectedPath},
		{`{"action":"show","ref":"` + long + `"}`, "is no commit", "", facade.CodeNotFound},
		{`{"action":"commit","message":"again","amend":true}`, "the commit would change nothing", "allow_empty", facade.CodeInvalidArgument},
		{`{"action":"show","repo_path":"unborn"}`, "no commits yet", "commit them first", facade.CodeNotFound},
		{`{"action":"history","ref":"@~1..@","repo_path":"unborn"}`, "is no commit", "", facade.CodeNotFound},
	} {
		res := inRepo(t, tool, c.args)
		const longest = 400
		switch {
		case res.Error == nil, res.Error.Code != c.code, !strings.Contains(res.Error.Message, c.text), !strings.Contains(res.Error.Hint, c.hint), len(res.Text) > longest:
			t.Errorf("%s: %s\nwant code %s, text %q, hint %q", c.args, res.Text, c.code, c.text, c.hint)
		}
	}
	l.git("root/r", "restore", "a")
	if res := inRepo(t, tool, `{"action":"switch","branch":"more"}`); res.Error == nil || !strings.Contains(res.Error.Message, "files that git does not track would be overwritten: new") {
		t.Errorf("an untracked file in the way: %s", res.Text)
	}
}

// TestSuccessTexts holds the same of what an action that worked says.
func TestSuccessTexts(t *testing.T) {
	l := newLab(t)
	l.repo("root/r", "a", "1\n", "b", "1\n")
	l.write("root/r/a", "2\n")
	tool := facade.Git(l.open("root", nil).Extended())
	for _, c := range []struct{ args, text string }{
		{`{"action":"diff","output":"names"}`, "1 file changed\n"},
		{`{"action":"stash","operation":"push"}`, "changes put aside; the stash has 1 entry\n"},
		{`{"action":"stash","operation":"apply"}`, "changes brought back, the entry kept; the stash has 1 entry\n"},
		{`{"action":"stash","operation":"drop"}`, "entry dropped; the stash has 0 entries\n"},
		{`{"action":"stash"}`, "the stash has 0 entries"},
		{`{"action":"commit","message":"second","stage_all":true}`, "second"},
		{`{"action":"show","files":["b"]}`, "no differences"},
		{`{"action":"show","files":["nowhere"]}`, "no differences"},
		{`{"action":"show","files":["a"]}`, "1 file changed, 1 added, 1 deleted"},
	} {
		if res := inRepo(t, tool, c.args); res.Error != nil || !strings.Contains(res.FullText()+"\n", c.text) {
			t.Errorf("%s: %s\nwant %q", c.args, res.FullText(), c.text)
		}
	}
}

// inRepo calls the tool in the repository r, unless the arguments name one.
func inRepo(t *testing.T, tool *facade.Tool, args string) *facade.Result {
	t.Helper()
	if !strings.Contains(args, "repo_path") {
		args = strings.TrimSuffix(args, "}") + `,"repo_path":"r"}`
	}
	res, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	return res
}
