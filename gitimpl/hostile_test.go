package gitimpl_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// deed is an action as the library does it, and as people do it with git.
type deed struct {
	prepare string // content to give a.txt before; "" leaves it
	args    string
	plain   string
}

// deeds visit every action, in an order that gives each something to do.
var deeds = []deed{
	{"changed 1\n", `{"action":"status"}`, "status"},
	{"", `{"action":"diff"}`, "diff"},
	{"", `{"action":"stage","files":["a.txt"]}`, "add a.txt"},
	{"", `{"action":"diff","staged":true}`, "diff --cached"},
	{"", `{"action":"unstage","files":["a.txt"]}`, "reset -q -- a.txt"},
	{"", `{"action":"restore","files":["a.txt"]}`, "restore a.txt"},
	{"changed 2\n", `{"action":"stash","operation":"push"}`, "stash push"},
	{"", `{"action":"stash","operation":"pop"}`, "stash pop"},
	{"changed 3\n", `{"action":"commit","message":"m","stage_all":true}`, "commit -qam m"},
	{"", `{"action":"history","files":["a.txt"]}`, "log -p -2"},
	{"", `{"action":"show","ref":"HEAD"}`, "show"},
	{"", `{"action":"blame","path":"a.txt"}`, "blame a.txt"},
	{"", `{"action":"branches","include_remote":true}`, "branch -avv"},
	{"", `{"action":"switch","branch":"side"}`, "switch -q side"},
	{"", `{"action":"switch","branch":"main"}`, "switch -q main"},
	{"", `{"action":"conflicts","ref":"side"}`, "merge-tree --write-tree HEAD side"},
	{"", `{"action":"remotes"}`, "remote -v"},
	{"", `{"action":"fetch"}`, "fetch -q origin"},
	{"", `{"action":"pull","mode":"merge"}`, "pull -q --no-rebase --no-edit"},
	{"", `{"action":"conflicts"}`, "ls-files -u"},
	{"", `{"action":"merge_abort"}`, "merge --abort"},
	{"", `{"action":"pull","rebase":true}`, "pull -q --rebase"},
	{"", `{"action":"merge_abort"}`, "rebase --abort"},
	{"", `{"action":"push","branch":"side"}`, "push -q origin side"},
}

// buildTemplate makes what every arena starts from.
func buildTemplate(t *testing.T) *lab {
	l := newLab(t)
	l.write("outside/secret", "SECRET 0123456789012345678901234567890123456789\n")
	l.write("outside/profile", "echo hello\n")
	l.repo(victim, "a.txt", "one\n", "d/b.txt", "two\n")
	l.git("root", "init", "-q", "--bare", "remote.git")
	l.git(victim, "branch", "side")
	l.write(victim+"/a.txt", "second\n")
	l.git(victim, "commit", "-qam", "second")
	// The remote is added by hand: every arena has a path of its own.
	l.git(".", "clone", "-q", l.path(victim), "their")
	l.write("their/a.txt", "theirs\n")
	l.git("their", "commit", "-qam", "theirs")
	l.git("their", "push", "-q", l.path("root/remote.git"), "main")
	if err := os.RemoveAll(l.path("their")); err != nil {
		t.Fatal(err)
	}
	return l
}

// enter copies the template and makes it hostile.
func enter(t *testing.T, template *lab, v vector) *arena {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(template.dir)); err != nil {
		t.Fatal(err)
	}
	a := &arena{lab: &lab{t, dir}, mark: filepath.Join(dir, "MARK")}
	a.run, a.pipe = a.path("root/run.sh"), a.path("root/pipe.sh")
	a.program("root/run.sh", "echo ran >> "+a.mark+"; exit 1")
	a.program("root/pipe.sh", "echo ran >> "+a.mark+`; if [ $# -gt 0 ]; then cat "$1"; else cat; fi`)
	a.configOf(victim+"/.git/config", "remote.origin.url "+a.path("root/remote.git"), "remote.origin.fetch +refs/heads/*:refs/remotes/origin/*",
		"branch.main.remote origin", "branch.main.merge refs/heads/main")
	v.setup(a)
	_ = os.Remove(a.mark)
	return a
}

// ran reports whether a payload has run since the last call.
func (a *arena) ran() bool { return os.Remove(a.mark) == nil }

// outsideHash sums up everything outside the root.
func (a *arena) outsideHash() string {
	h := sha256.New()
	err := filepath.WalkDir(a.path("outside"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, d.Type())
		if d.Type().IsRegular() {
			raw, err := os.ReadFile(path)
			h.Write(raw)
			return err
		}
		return nil
	})
	if err != nil {
		a.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// TestHostileRepositories runs every action in every hostile repository: no
// payload may run, nothing outside may be read or written. Plain git, in the
// same repositories, shows that the payloads work; in short runs, until it has
// shown enough.
func TestHostileRepositories(t *testing.T) {
	const leastControl = 70
	template := buildTemplate(t)
	fired := 0
	for _, v := range vectors(t) {
		t.Run(v.name, func(t *testing.T) {
			a := enter(t, template, v)
			before := a.outsideHash()
			a.throughLibrary(v)
			if a.outsideHash() != before {
				t.Error("something outside the root has changed")
			}
		})
		if fired >= leastControl && !full() {
			continue
		}
		t.Run(v.name+"/plain", func(t *testing.T) {
			a := enter(t, template, v)
			n := a.throughGit()
			t.Logf("plain git ran %d payloads", n)
			fired += n
		})
	}
	t.Logf("plain git ran %d payloads", fired)
	if fired < leastControl {
		t.Errorf("plain git ran %d payloads only; the control needs %d", fired, leastControl)
	}
}

func (a *arena) throughLibrary(v vector) {
	g := a.open("root", &gitimpl.Options{InsecureHTTP: true})
	set := facade.NewSet([]*facade.Tool{facade.Git(g.Extended())}, nil)
	defer func() { _ = set.Close() }()
	succeeded := 0
	for _, d := range deeds {
		a.prepare(d)
		args := strings.Replace(d.args, "{", `{"repo_path":"victim",`, 1)
		res, err := set.Dispatch(ctxOf(a), "git", facade.Call{Args: json.RawMessage(args)})
		if err != nil {
			a.Fatal(err)
		}
		if a.ran() {
			a.Errorf("a payload ran: %s", d.args)
		}
		shown := res.FullText() + string(res.JSON())
		if strings.Contains(shown, "SECRET") || res.Error != nil && strings.Contains(res.Error.Text(), os.TempDir()) {
			a.Errorf("%s shows something of the host:\n%s", d.args, shown)
		}
		if res.OK() {
			succeeded++
		} else if res.Error.Code == facade.CodeInternal {
			a.Errorf("%s: %v", d.args, res.Error)
		}
	}
	if v.refused && succeeded > 0 {
		a.Errorf("%d actions worked in a repository that leads outside", succeeded)
	}
	if !v.refused && succeeded < 3 {
		a.Errorf("only %d of %d actions worked", succeeded, len(deeds))
	}
}

func (a *arena) prepare(d deed) {
	if d.prepare == "" {
		return
	}
	if fi, err := os.Lstat(a.path(victim + "/a.txt")); err == nil && fi.Mode().IsRegular() {
		a.write(victim+"/a.txt", d.prepare)
	}
}

// throughGit does the same with plain git, and counts the deeds that ran a
// payload.
func (a *arena) throughGit() int {
	fired := 0
	for _, d := range deeds {
		a.prepare(d)
		cmd := exec.CommandContext(ctxOf(a), "git", strings.Fields(d.plain)...)
		cmd.Dir = a.path(victim)
		cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_MERGE_AUTOEDIT=no")
		_ = cmd.Run() // a payload may make git fail
		if a.ran() {
			fired++
		}
	}
	return fired
}
