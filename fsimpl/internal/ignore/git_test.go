package ignore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/fsimpl/internal/ignore"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// elements are names of files and directories, nasty ones among them.
var elements = []string{
	"a", "b", "c", "foo", "bar", "x.c", "x.o", "foo.txt", "Makefile", "#h", "!b", "a b", "trail ", "[x]", "é", "foo.tar.gz",
	"build", ".hid", "doc", "a-b", "foobar", "x\\c", "*", "?", "A", "a]", "-", "tab\t", "foo.", ".x.o", "\xff\xfe",
}

// patterns are lines of ignore files: all the syntax, and mistakes in it.
// Those with an incomplete '**' after other characters and before '/', as
// "a**/b", are left out: releases of git differ about them.
var patterns = []string{
	"a", "/a", "a/", "*.o", "!x.o", "foo/*", "!foo/a", "**/b", "a/**", "a/**/b", "foo*", "*bar", "/foo/bar", "foo/bar",
	`\#h`, `\!b`, "a b", `a\ b`, "trail  ", `trail\ `, `trail\  `, "[x]", `\[x\]`, "[a-c]", "[!a]", "[^a]*", "?", "*", "!*/", "/*", "!/foo",
	"*.tar.*", ".*", "!.hid", "doc/*.txt", "**/foo/**", "**", "a/b/", "b/", "/b/**/c", "x.?", "*.[co]", `foo\`, "é", "# comment",
	"", "\r", "build/\r", "foo/**", "!foo/bar/", "**/", "a**b", "***/a", "f?o", "[[:alpha:]]", "*/a", "*/*/b", "/**/x.c", "!", "/", "//a",
	"a//b", "foo/./a", "[b-", `x.\c`, "[]a]", "[]-a]", "[a-]", "[!-a]", "[[:upper:]-a]", "[[:foo:]]", "[[:alpha:]", "[a[:digit:]b]", `[\]]`,
	`[\\]`, `x\\c`, `\*`, `\?`, "[*]", "!/a/", "!a/**", "a/*/", "**/a/**/b", "*/**", "**/*", "**/**", "/**", "/**/", "foo/**/", "**foo", "foo**",
	"f**r", "*o*", "*a*b*", "[f]oo", "foo/[b]ar", "foo[/]bar", "foo?bar", "a\tb", "tab\t", "  a", "a\x00b", "\xef\xbb\xbfa", "\xff*", "[\xff]*", "[\x80-\xff]*",
	"[z-a]", "[a-a]", "[--0]", "[^[:space:]]", "[[:punct:]]*", "[[:xdigit:]]", "[!]a]", "[", "]", "a]", "\\", "*\\", "!!b", "!\\!b", "! ", "*.", "*/", "*/x.*", "/*/b", "a/?", "a/[!b]", "a/**/x.?",
}

// grow makes a random tree with ignore files in dir.
func grow(t *testing.T, r *rand.Rand, dir string) {
	t.Helper()
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	dirs := []string{""}
	for range 10 {
		parent := pick(dirs)
		name := filepath.Join(parent, pick(elements))
		if strings.Count(name, "/") < 5 && os.Mkdir(filepath.Join(dir, name), 0o755) == nil {
			dirs = append(dirs, name)
		}
	}
	for range 50 {
		name := filepath.Join(dir, pick(dirs), pick(elements))
		if _, err := os.Lstat(name); err != nil {
			write(t, name, "")
		}
	}
	if r.IntN(4) == 0 {
		_ = os.Symlink("a", filepath.Join(dir, pick(dirs), "link")) // the name may be taken
	}
	for i := range 3 {
		var lines []string
		for range 1 + r.IntN(5) {
			lines = append(lines, pick(patterns))
		}
		end := "\n"
		if r.IntN(5) == 0 {
			end = ""
		}
		where := ""
		if i > 0 {
			where = pick(dirs)
		}
		write(t, filepath.Join(dir, where, ".gitignore"), strings.Join(lines, "\n")+end)
	}
	write(t, filepath.Join(dir, ".git/info/exclude"), pick(patterns)+"\n"+pick(patterns)+"\n")
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAgainstGit compares the files a walk meets with those git lists, on
// random trees: 150 by default, 2,000 with TOOLFACADE_FULL=1.
func TestAgainstGit(t *testing.T) {
	git := testenv.NeedProgram(t, "git")
	trees := 150
	if testenv.Full() {
		trees = 2000
	}
	top := t.TempDir()
	empty := filepath.Join(top, "empty")
	write(t, empty, "")
	global := "foo.tar.*\n!a\n"
	write(t, filepath.Join(top, "global"), global)
	repo := filepath.Join(top, "repo")
	if out, err := command(git, top, "init", "-q", repo).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	for seed := range uint64(trees) {
		clear(t, repo)
		grow(t, rand.New(rand.NewPCG(seed, 1)), repo)
		out, err := command(git, top, "-C", repo, "ls-files", "-o", "-z", "--exclude-standard").Output()
		if err != nil {
			t.Fatalf("seed %d: git ls-files: %v", seed, err)
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if len(out) == 0 {
			want = nil
		}
		slices.SortFunc(want, walk.Compare)
		var got []string
		opt := &walk.Options{Global: ignore.Parse([]byte(global)), Workers: 1}
		_, err = walk.Each(t.Context(), afero.NewBasePathFs(afero.NewOsFs(), repo), ".", opt, func(e *walk.Entry) bool {
			if e.Type != walk.Directory {
				got = append(got, e.Path())
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: files differ (-git +walk):\n%s%s", seed, diff, ignoreFiles(repo))
		}
	}
}

// command is git without the settings of the user and the system.
func command(git, top string, args ...string) *exec.Cmd {
	args = append([]string{"-c", "core.excludesFile=" + filepath.Join(top, "global"), "-c", "core.ignoreCase=false", "-c", "core.quotePath=false"}, args...)
	cmd := exec.Command(git, args...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(top, "empty"), "HOME="+top)
	return cmd
}

// clear removes all of the work tree but .git.
func clear(t *testing.T, repo string) {
	t.Helper()
	entries, err := os.ReadDir(repo)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".git" {
			if err := os.RemoveAll(filepath.Join(repo, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// ignoreFiles shows the rules of a tree, for a failure.
func ignoreFiles(repo string) string {
	var b strings.Builder
	_ = filepath.WalkDir(repo, func(name string, d os.DirEntry, err error) error {
		if err == nil && (d.Name() == ".gitignore" || d.Name() == "exclude") {
			content, _ := os.ReadFile(name)
			fmt.Fprintf(&b, "%s: %q\n", name, content)
		}
		return nil
	})
	return b.String()
}
