package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// FuzzParsers feeds every reader of git's output with anything: none may panic
// or loop, and what they return must fit into a reply.
func FuzzParsers(f *testing.F) {
	oid := strings.Repeat("a", 40)
	for _, s := range []string{
		"# branch.oid (initial)\x00# branch.head main\x001 M. N... 100644 100644 100644 " + oid + " " + oid + " a b\x00? new\nname\x00",
		"2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 new\x00old\x00u UU N... 1 2 3 4 " + oid + " " + oid + " " + oid + " a\x00",
		":100644 100644 " + oid + " " + oid + " M\x00a\x001\t1\ta\x00\x00diff --git a/a b/a\n@@ -1 +1 @@\n-a\n+b\n",
		":000000 100644 0 0 R100\x00a\x00b\x000\t0\t\x00a\x00b\x00",
		oid + "\x00aaa\x00\x00A <a@b>\x002026-01-01T00:00:00Z\x00\x00subject\n\nbody\n\x00",
		oid + " 1 1 1\nauthor A\nauthor-time 1\nfilename \"a\\303\\251\"\n\tcontent\n",
		"100644 " + oid + " 1\ta\x00100644 " + oid + " 2\ta\x00",
		oid + "\x00100644 " + oid + " 1\ta\x00\x001\x00a\x00CONFLICT\x00words\n\x00",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := func() *gitrule.Room { return gitrule.NewRoom(context.Background(), gitrule.MostRoom) }
		status := &statusParser{room: m()}
		diff := &diffParser{room: m(), patchRoom: 100}
		log := &logParser{room: m(), limit: 10}
		blame := &blameParser{room: m(), seen: map[string]*blameCommit{}}
		branches := &branchParser{room: m(), in: facade.GitBranchesInput{}}
		for _, parse := range []func(*bufio.Reader) error{
			status.parse, diff.parse, log.parse, blame.parse, branches.parse, (&conflictParser{}).parse, (&mergeParser{}).parse,
		} {
			_ = parse(bufio.NewReader(bytes.NewReader(data)))
		}
		out := diff.result(false)
		if len(out.Patch) > 3*diff.patchRoom {
			t.Errorf("patch of %d bytes", len(out.Patch))
		}
		gitrule.NewProgress(context.Background()).Write(data)
	})
}

// FuzzBranchName compares the rule for branch names with git's own: what is
// accepted here, git must accept.
func FuzzBranchName(f *testing.F) {
	git := testenv.NeedProgram(f, "git")
	for _, s := range []string{"main", "a/b", "+x", "-x", "a..b", "a.lock", "@", "a@{b", "é", ".a", "a/", "a b", "HEAD", "x.", "a//b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !gitrule.ValidBranch(name) {
			return
		}
		if err := exec.Command(git, "check-ref-format", "refs/heads/"+name).Run(); err != nil {
			t.Errorf("%q is accepted here, and refused by git", name)
		}
	})
}

// FuzzConfig holds that what is written as configuration says to git what was
// meant, and nothing else.
func FuzzConfig(f *testing.F) {
	git := testenv.NeedProgram(f, "git")
	f.Add("origin", "plain")
	f.Add(`a"b\c`, "v\"\n[core]\n\tfsmonitor = x\n")
	f.Add("x]", "# ; \t\\")
	f.Fuzz(func(t *testing.T, sub, value string) {
		if sub == "" || strings.ContainsAny(sub+value, "\x00\r") || strings.Contains(sub, "\n") {
			return
		}
		cmd := exec.Command(git, "config", "--file", "-", "--null", "--list")
		cmd.Stdin = strings.NewReader(render([]setting{{section: "remote", sub: sub, name: "fetch", value: value}}))
		out, err := cmd.Output()
		if err != nil || string(out) != "remote."+sub+".fetch\n"+value+"\x00" {
			t.Errorf("%q %q: git reads %q, %v", sub, value, out, err)
		}
	})
}
