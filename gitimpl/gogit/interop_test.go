package gogit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/gitimpl/gogit"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// lab is a directory with plain git beside the library.
type lab struct {
	testing.TB
	dir string
	*gogit.Extended
}

func newLab(t testing.TB) *lab {
	t.Helper()
	testenv.NeedProgram(t, "git")
	dir := t.TempDir()
	l := &lab{TB: t, dir: dir}
	fsys, err := rootfs.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fsys.Close() })
	l.git("init", "-q", "-b", "main")
	l.Extended = open(t, fsys, nil)
	return l
}

// reopen opens the directory once more.
func (l *lab) reopen() (*rootfs.FS, func()) {
	l.Helper()
	fsys, err := rootfs.Open(l.dir, nil)
	if err != nil {
		l.Fatal(err)
	}
	return fsys, func() { _ = fsys.Close() }
}

// git runs plain git with nobody's configuration.
func (l *lab) git(args ...string) string {
	l.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = l.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	out, err := cmd.Output()
	if err != nil {
		l.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func (l *lab) write(name, content string) {
	l.Helper()
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		l.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		l.Fatal(err)
	}
}

func (l *lab) read(name string) string {
	l.Helper()
	raw, err := os.ReadFile(filepath.Join(l.dir, filepath.FromSlash(name)))
	if err != nil {
		l.Fatal(err)
	}
	return string(raw)
}

// must returns a function that ends the test on an error.
func must[Out any](t testing.TB) func(Out, error) Out {
	return func(out Out, err error) Out {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// sameAsGit compares what the library says with plain git.
func (l *lab) sameAsGit(step string) {
	l.Helper()
	ctx := l.Context()
	var b strings.Builder
	for _, e := range must[facade.GitStatusOutput](l)(l.Status(ctx, facade.GitStatusInput{})).Entries {
		code := map[string]string{"untracked": "??"}[e.Kind]
		if code == "" {
			code = strings.ReplaceAll(e.Index+e.Worktree, ".", " ")
		}
		b.WriteString(code + " " + e.Path + "\x00")
		if e.OrigPath != "" {
			b.WriteString(e.OrigPath + "\x00")
		}
	}
	if diff := cmp.Diff(l.git("status", "--porcelain", "-z"), b.String()); diff != "" {
		l.Errorf("%s: status (-git +library):\n%s", step, diff)
	}
	for _, staged := range []bool{false, true} {
		args := []string{"diff", "--full-index", "--no-color"}
		if staged {
			args = append(args, "--cached")
		}
		out := must[facade.GitDiffOutput](l)(l.Diff(ctx, facade.GitDiffInput{Staged: staged}))
		// The names of functions after @@ and the similarity of a renamed file
		// are left out by go-git.
		want := l.git(append(args, "--no-renames")...)
		if !strings.Contains(out.Patch, "rename from") {
			if diff := cmp.Diff(plainHunks(want), plainHunks(out.Patch)); diff != "" {
				l.Errorf("%s: diff, staged=%v (-git +library):\n%s", step, staged, diff)
			}
		}
	}
	b.Reset()
	for _, c := range must[facade.GitHistoryOutput](l)(l.History(ctx, facade.GitHistoryInput{Limit: 50})).Commits {
		b.WriteString(c.OID + " " + strings.Join(c.Parents, " ") + " " + c.Author + " " + c.Subject + " " + strings.Join(c.Refs, ", ") + "\n")
	}
	if want := strings.ReplaceAll(l.git("log", "--all", "--format=%H %P %an <%ae> %s %D"), "HEAD -> ", "HEAD, "); want != b.String() {
		l.Errorf("%s: history (-git +library):\n%s", step, cmp.Diff(want, b.String()))
	}
	l.git("fsck", "--strict")
}

// plainHunks cuts what follows the second @@.
func plainHunks(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, "@@ ") {
			line = line[:strings.LastIndex(line, "@@")+2] + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestInterop works on a directory beside the git program, which must agree at
// every step.
func TestInterop(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	l.write("README.md", "# Project\n")
	l.write("src/deep/main.go", "package main\n\nfunc main() {}\n")
	l.write("src-x", "sorts between src and src/\n")
	l.write(".gitignore", "*.log\nbuild/\n!keep.log\n")
	l.write("debug.log", "noise\n")
	l.write("src/keep.log", "kept\n")
	l.write("build/out", "noise\n")
	l.sameAsGit("untracked")
	must[facade.GitStageOutput](t)(l.Stage(ctx, facade.GitStageInput{StageAll: true}))
	l.sameAsGit("staged")
	must[facade.GitCommitOutput](t)(l.Commit(ctx, facade.GitCommitInput{Message: "First"}))
	l.sameAsGit("committed")
	l.write("README.md", "# Project\n\nno newline at the end")
	l.write("src/deep/new.go", "package main\n")
	l.git("add", "src/deep/new.go")
	l.git("rm", "-q", "src-x")
	l.sameAsGit("changed by both")
	must[facade.GitCommitOutput](t)(l.Commit(ctx, facade.GitCommitInput{Message: "Second", StageAll: true}))
	l.sameAsGit("second")
	l.git("mv", "src/deep/main.go", "src/main.go")
	l.sameAsGit("renamed")
	l.git("commit", "-qm", "Third")
	l.git("tag", "-a", "v1", "-m", "one")
	l.git("gc", "-q")
	l.sameAsGit("packed")
	l.write("src/main.go", "package main\n\nfunc main() { println() }\n")
	must[facade.GitStageOutput](t)(l.Stage(ctx, facade.GitStageInput{Files: []string{"src/main.go"}}))
	must[facade.GitUnstageOutput](t)(l.Unstage(ctx, facade.GitUnstageInput{UnstageAll: true}))
	l.sameAsGit("unstaged")
	restored := must[facade.GitRestoreOutput](t)(l.Restore(ctx, facade.GitRestoreInput{Files: []string{"src"}}))
	if len(restored.Backup) != 1 || !strings.Contains(l.git("cat-file", "-p", restored.Backup[0].OID), "println") {
		t.Errorf("backup: %+v", restored)
	}
	l.sameAsGit("restored")
	if err := os.Chmod(filepath.Join(l.dir, "README.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	l.sameAsGit("executable")
	must[facade.GitRestoreOutput](t)(l.Restore(ctx, facade.GitRestoreInput{Files: []string{"README.md"}, Source: "HEAD~1", Staged: true}))
	must[facade.GitSwitchOutput](t)(l.Switch(ctx, facade.GitSwitchInput{Branch: "side", Create: true}))
	l.sameAsGit("switched")
}

// TestSwitchMovesFiles takes the work tree between branches and refuses to
// lose changes.
func TestSwitchMovesFiles(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	l.write("a", "1\n")
	l.write("dir/b", "1\n")
	must[facade.GitCommitOutput](t)(l.Commit(ctx, facade.GitCommitInput{Message: "one", StageAll: true}))
	must[facade.GitSwitchOutput](t)(l.Switch(ctx, facade.GitSwitchInput{Branch: "side", Create: true}))
	if err := os.RemoveAll(filepath.Join(l.dir, "dir")); err != nil {
		t.Fatal(err)
	}
	l.write("dir", "a file now\n")
	l.write("a", "2\n")
	must[facade.GitCommitOutput](t)(l.Commit(ctx, facade.GitCommitInput{Message: "two", StageAll: true}))
	for range 2 {
		for branch, want := range map[string]string{"main": "1\n", "side": "2\n"} {
			must[facade.GitSwitchOutput](t)(l.Switch(ctx, facade.GitSwitchInput{Branch: branch}))
			if got := l.read("a"); got != want || l.git("status", "--porcelain") != "" {
				t.Errorf("%s: a holds %q, status %q", branch, got, l.git("status", "--porcelain"))
			}
		}
	}
	must[facade.GitSwitchOutput](t)(l.Switch(ctx, facade.GitSwitchInput{Branch: "side"}))
	l.write("a", "mine\n")
	_, err := l.Switch(ctx, facade.GitSwitchInput{Branch: "main"})
	if facade.CodeOf(err) != facade.CodeConflict || l.read("a") != "mine\n" || l.read("dir") != "a file now\n" {
		t.Errorf("%v, a holds %q", err, l.read("a"))
	}
	blame := must[facade.GitBlameOutput](t)(l.Blame(ctx, facade.GitBlameInput{Path: "a", Ref: "HEAD"}))
	if len(blame.Lines) != 1 || blame.Lines[0].Content != "2" || blame.Commits[0].Subject != "two" {
		t.Errorf("blame: %+v", blame)
	}
}

// TestBlame agrees with git blame about commits and line numbers.
func TestBlame(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	for i, content := range []string{"a\nb\nc\n", "x\na\nb\nc\ny\n", "x\nz\na\nB\nc\ny\n"} {
		l.write("f", content)
		must[facade.GitCommitOutput](t)(l.Commit(ctx, facade.GitCommitInput{Message: string(rune('1' + i)), StageAll: true}))
	}
	var got strings.Builder
	for _, line := range must[facade.GitBlameOutput](t)(l.Blame(ctx, facade.GitBlameInput{Path: "f"})).Lines {
		got.WriteString(line.Commit + " " + string(rune('0'+line.OrigLine)) + " " + string(rune('0'+line.Line)) + "\n")
	}
	var want strings.Builder
	for line := range strings.Lines(l.git("blame", "--porcelain", "f")) {
		if f := strings.Fields(line); len(f) >= 3 && len(f[0]) == 40 {
			want.WriteString(f[0][:12] + " " + f[1] + " " + f[2] + "\n")
		}
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("blame (-git +library):\n%s", diff)
	}
}
