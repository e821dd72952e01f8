package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// project is a clone of an empty remote, with a test command that a file
// decides about.
func project(t *testing.T) (string, func(args ...string) string) {
	testenv.NeedProgram(t, "git")
	testenv.NeedProgram(t, "sh")
	base := t.TempDir()
	for k, v := range map[string]string{
		"HOME": base, "GIT_CONFIG_GLOBAL": "", "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
	} {
		t.Setenv(k, v)
	}
	dir := filepath.Join(base, "work")
	plain := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	remote := filepath.Join(base, "remote.git")
	plain("init", "-q", "--bare", "-b", "main", remote)
	plain("init", "-q", "-b", "main", dir)
	plain("-C", dir, "remote", "add", "origin", remote)
	return dir, func(args ...string) string { t.Helper(); return plain(append([]string{"-C", dir}, args...)...) }
}

func answer(t *testing.T, dir, call string) string {
	t.Helper()
	scripts, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := serve(t.Context(), dir, scripts, "test -f passes", strings.NewReader(call+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func write(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(name+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestScripts commits without staging by hand, is kept from pushing by failing
// tests, and pushes when they pass.
func TestScripts(t *testing.T) {
	dir, git := project(t)
	write(t, dir, "a.txt")
	text := answer(t, dir, `{"action":"commit","message":"Add $(touch pwned) a file"}`)
	if !strings.Contains(text, "the script staged: a.txt") || git("status", "--porcelain") != "" {
		t.Errorf("commit: %s", text)
	}
	if got := git("log", "-1", "--format=%s"); got != "Add $(touch pwned) a file" {
		t.Errorf("the subject is %q", got)
	}
	head := git("rev-parse", "HEAD")

	text = answer(t, dir, `{"action":"push"}`)
	if !strings.Contains(text, "error (conflict)") || !strings.Contains(text, "tests failed: nothing was pushed") {
		t.Errorf("push with failing tests: %s", text)
	}
	if got := git("ls-remote", "origin"); got != "" {
		t.Errorf("failing tests, and yet the remote has %s", got)
	}

	write(t, dir, "passes")
	text = answer(t, dir, `{"action":"push"}`)
	if got := git("ls-remote", "origin", "refs/heads/main"); !strings.HasPrefix(got, head) {
		t.Errorf("the remote has %q, want %s\n%s", got, head, text)
	}
	if !strings.Contains(text, "refs/heads/main: new") {
		t.Errorf("push: %s", text)
	}
	text = answer(t, dir, `{"action":"commit","message":"Better","amend":true,"author":"Bob <bob@example.org>"}`)
	if got := git("log", "--format=%an %s"); got != "Bob Better" {
		t.Errorf("amend: %q\n%s", got, text)
	}
	text = answer(t, dir, `{"action":"push","force":true}`)
	if !strings.Contains(text, "refs/heads/main: forced") {
		t.Errorf("forced push: %s", text)
	}
}
