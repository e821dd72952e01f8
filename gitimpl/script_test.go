package gitimpl_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// script writes a program for the host to register.
func (l *lab) script(name, body string) string {
	if runtime.GOOS == "windows" {
		l.Skip("the scripts of these tests need a POSIX shell")
	}
	l.write(name, "#!/bin/sh\n"+body+"\n")
	if err := os.Chmod(l.path(name), 0o755); err != nil {
		l.Fatal(err)
	}
	return l.path(name)
}

func TestCommitScript(t *testing.T) {
	for _, c := range []struct {
		name, body string
		code       facade.Code
		committed  bool
	}{
		{"commits", `git add -A && git commit -qF "$TOOLFACADE_MESSAGE_FILE" && echo fine`, "", true},
		{"fails", "echo no way; exit 3", facade.CodeConflict, false},
		{"lies", "echo committed", facade.CodeConflict, false},
		{"fails after the commit", `git add -A && git commit -qF "$TOOLFACADE_MESSAGE_FILE" && exit 4`, facade.CodeConflict, true},
		{"hangs", "sleep 60", facade.CodeTimeout, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			l.repo("r", "a", "1\n")
			l.write("r/a", "2\n")
			l.write("r/b", "1\n")
			before := l.git("r", "rev-parse", "HEAD")
			g := l.open("r", &gitimpl.Options{
				CommitScript: &gitimpl.Script{Path: l.script("commit.sh", c.body), Timeout: 2 * time.Second}, Grace: 200 * time.Millisecond,
			})
			out, err := g.Commit(t.Context(), facade.GitCommitInput{Message: "By script", Files: []string{"a"}})
			if c.code == "" && err != nil {
				t.Fatalf("%v%s", err, detail(err))
			}
			if c.code != "" {
				wantError(t, err, c.code, gitimpl.ErrScriptFailed)
			}
			if moved := l.git("r", "rev-parse", "HEAD") != before; moved != c.committed || (out.OID != "") != moved {
				t.Errorf("HEAD moved: %v, OID %q", moved, out.OID)
			}
			if out.Script == nil || out.Script.Name != "commit.sh" {
				t.Fatalf("script is %+v", out.Script)
			}
			if c.committed {
				if diff := cmp.Diff([]string{"b"}, out.Script.Staged); diff != "" {
					t.Errorf("staged by the script: %s", diff)
				}
			}
		})
	}
}

// TestScriptChanged holds that only what the host has approved runs.
func TestScriptChanged(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	path := l.script("commit.sh", "exit 0")
	g := l.open("r", &gitimpl.Options{CommitScript: &gitimpl.Script{Path: path}})
	l.script("commit.sh", "echo evil > "+l.path("evil"))
	_, err := g.Commit(t.Context(), facade.GitCommitInput{Message: "m"})
	wantError(t, err, facade.CodeStale, gitimpl.ErrScriptChanged)
	if _, err := os.Stat(l.path("evil")); err == nil {
		t.Error("the changed script has run")
	}
}

func TestScriptRegistration(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	inside := l.script("r/commit.sh", "exit 0")
	sum := sha256.Sum256([]byte("#!/bin/sh\nexit 0\n"))
	digest := hex.EncodeToString(sum[:])
	for _, c := range []struct {
		name   string
		script gitimpl.Script
		ok     bool
	}{
		{"inside without digest", gitimpl.Script{Path: inside}, false},
		{"inside with digest", gitimpl.Script{Path: inside, SHA256: digest}, true},
		{"wrong digest", gitimpl.Script{Path: inside, SHA256: strings.Repeat("0", len(digest))}, false},
		{"missing", gitimpl.Script{Path: l.path("none")}, false},
		{"directory", gitimpl.Script{Path: l.path(".")}, false},
	} {
		g, err := gitimpl.New(l.path("r"), &gitimpl.Options{PushScript: &c.script})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			_ = g.Close()
		}
	}
}

// TestScriptIsHardened lets a script use git in a hostile repository.
func TestScriptIsHardened(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	l.write("r/a", "2\n")
	mark := l.path("mark")
	evil := l.script("evil.sh", "echo ran >> "+mark)
	l.git("r", "config", "core.fsmonitor", evil)
	l.script("r/.git/hooks/pre-commit", "echo ran >> "+mark)
	_ = os.Remove(mark)
	g := l.open("r", &gitimpl.Options{CommitScript: &gitimpl.Script{Path: l.script("commit.sh", `git commit -qaF "$TOOLFACADE_MESSAGE_FILE"`)}})
	must[facade.GitCommitOutput](t)(g.Commit(t.Context(), facade.GitCommitInput{Message: "m"}))
	if _, err := os.Stat(mark); err == nil {
		t.Error("a payload has run")
	}
	l.git("r", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "commit", "-qm", "x", "--allow-empty")
	l.git("r", "status")
	if _, err := os.Stat(mark); err != nil {
		t.Error("the payload does not work; the test shows nothing")
	}
}
