package gitimpl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// TestMain gives every git of these tests, plain or through the library, the
// same small configuration, whatever the machine has.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "gitimpl-home-")
	if err != nil {
		panic(err)
	}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") {
			_ = os.Unsetenv(name)
		}
	}
	config := filepath.Join(home, "config")
	content := "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n" +
		"[protocol \"file\"]\n\tallow = always\n"
	if err := os.WriteFile(config, []byte(content), 0o600); err != nil {
		panic(err)
	}
	for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": home + "/none", "LC_ALL": "C"} {
		_ = os.Setenv(k, v)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(home)
		os.Exit(code)
	}))
}

// lab is a directory of repositories with plain git beside the library.
type lab struct {
	testing.TB
	dir string
}

func newLab(t testing.TB) *lab {
	t.Helper()
	testenv.NeedProgram(t, "git")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &lab{TB: t, dir: dir}
}

// tryGit runs plain git.
func (l *lab) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = l.path(dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %v: %w\n%s", args, err, stderr.String())
	}
	return string(out), err
}

func (l *lab) git(dir string, args ...string) string {
	l.Helper()
	out, err := l.tryGit(dir, args...)
	if err != nil {
		l.Fatal(err)
	}
	return out
}

// gitFrom runs plain git with a file of the lab as its input.
func (l *lab) gitFrom(dir, file string, args ...string) {
	l.Helper()
	in, err := os.Open(l.path(file))
	if err != nil {
		l.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = l.path(dir), in
	if out, err := cmd.CombinedOutput(); err != nil {
		l.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (l *lab) path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l *lab) write(name, content string) {
	l.Helper()
	if err := os.MkdirAll(filepath.Dir(l.path(name)), 0o755); err != nil {
		l.Fatal(err)
	}
	if err := os.WriteFile(l.path(name), []byte(content), 0o644); err != nil {
		l.Fatal(err)
	}
}

func (l *lab) read(name string) string {
	l.Helper()
	raw, err := os.ReadFile(l.path(name))
	if err != nil {
		l.Fatal(err)
	}
	return string(raw)
}

// repo makes a repository with one commit of the given files, in pairs of name
// and content.
func (l *lab) repo(name string, files ...string) {
	l.Helper()
	l.git(".", "init", "-q", name)
	for i := 0; i+1 < len(files); i += 2 {
		l.write(name+"/"+files[i], files[i+1])
	}
	if len(files) > 0 {
		l.git(name, "add", "-A")
		l.git(name, "commit", "-qm", "first")
	}
}

// open returns the library for a directory of the lab.
func (l *lab) open(name string, opts *gitimpl.Options) *gitimpl.Git {
	l.Helper()
	g, err := gitimpl.New(l.path(name), opts)
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() {
		if err := g.Close(); err != nil {
			l.Error(err)
		}
	})
	return g
}

// must returns a function that ends the test on an error.
func must[Out any](t testing.TB) func(Out, error) Out {
	return func(out Out, err error) Out {
		t.Helper()
		if err != nil {
			t.Fatalf("%v%s", err, detail(err))
		}
		return out
	}
}

// detail is what git said about an error.
func detail(err error) string {
	if ge, ok := errors.AsType[*gitimpl.GitError](err); ok {
		return "\n" + ge.Stderr
	}
	return ""
}

// wantError checks the code of an error and the sentinel in it.
func wantError(t testing.TB, err error, code facade.Code, sentinel error) {
	t.Helper()
	if facade.CodeOf(err) != code || sentinel != nil && !errors.Is(err, sentinel) {
		t.Errorf("got error %q (%v)%s, want code %q and %v", facade.CodeOf(err), err, detail(err), code, sentinel)
	}
}

// full reports whether TOOLFACADE_FULL=1 asks for the long variants of tests.
func full() bool { return testenv.Full() }

func ctxOf(t testing.TB) context.Context { return t.Context() }

func (l *lab) modTime(name string) time.Time {
	l.Helper()
	fi, err := os.Stat(l.path(name))
	if err != nil {
		l.Fatal(err)
	}
	return fi.ModTime()
}
