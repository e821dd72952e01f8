package gitimpl_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// oddNames are file names that break parsers, shells and option readers, as
// they are on disk and as results show them.
var oddNames = []struct{ disk, shown string }{
	{"new\nline", "new\nline"},
	{"tab\there", "tab\there"},
	{`quo"te`, `quo"te`},
	{`back\slash`, `back\slash`},
	{"-rf", "-rf"},
	{"--output=x", "--output=x"},
	{" leading and trailing ", " leading and trailing "},
	{"a -> b", "a -> b"},
	{":(exclude)z", ":(exclude)z"},
	{"*.txt", "*.txt"},
	{"été-日本", "été-日本"},
	{"latin\xe9", `latin\xe9`},
	{`lit\x41`, `lit\x5cx41`},
}

// TestOddNames sends every name through every action that takes or returns
// one, beside a neighbour that a pattern would catch too.
func TestOddNames(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the file system does not take these names")
	}
	for _, n := range oddNames {
		t.Run(n.shown, func(t *testing.T) {
			l := newLab(t)
			l.repo("r", "z", "1\n", "other.txt", "1\n")
			l.write("r/"+n.disk, "1\n")
			l.write("r/fresh", "1\n")
			l.carry(l.open("r", nil), n.disk, n.shown)
		})
	}
}

// carry walks one name through the tool.
func (l *lab) carry(g *gitimpl.Git, disk, name string) {
	tool := facade.Git(g.Extended())
	call := func(want []string, field string, args map[string]any) {
		l.Helper()
		raw, err := json.Marshal(args)
		if err != nil {
			l.Fatal(err)
		}
		res, err := tool.Call(ctxOf(l), facade.Call{Args: raw})
		if err != nil || res.Error != nil {
			l.Fatalf("%s: %v %v%s", raw, err, res.Error, detail(res.Error))
		}
		if got := pathsIn(l, res.JSON(), field); !slices.Equal(got, want) {
			l.Errorf("%s: %s is %q, want %q", raw, field, got, want)
		}
	}
	one := []string{name}
	call(one, "entries", map[string]any{"action": "status", "paths": one})
	call(one, "staged", map[string]any{"action": "stage", "files": one})
	call(one, "files", map[string]any{"action": "diff", "staged": true, "files": one})
	call(one, "unstaged", map[string]any{"action": "unstage", "files": one})
	call(one, "files", map[string]any{"action": "commit", "message": "add", "files": one})
	if got := l.git("r", "ls-files", "-z"); got != sortedNames(disk, "other.txt", "z") {
		l.Errorf("the commit holds %q", got)
	}
	l.write("r/"+disk, "1\n2\n")
	call(one, "files", map[string]any{"action": "diff", "files": one})
	call([]string{"add"}, "commits", map[string]any{"action": "history", "files": one})
	call(one, "files", map[string]any{"action": "show", "files": one})
	call(nil, "none", map[string]any{"action": "show", "path": name})
	call([]string{"1", "2"}, "lines", map[string]any{"action": "blame", "path": name})
	call(one, "files", map[string]any{"action": "stash", "operation": "push", "files": one})
	call(one, "files", map[string]any{"action": "stash", "operation": "pop"})
	call(one, "restored", map[string]any{"action": "restore", "files": one})
	if got := l.read("r/" + disk); got != "1\n" {
		l.Errorf("restored content is %q", got)
	}
	l.conflictIn(disk)
	call(one, "conflicts", map[string]any{"action": "conflicts", "ref": "side", "files": one})
	if _, err := l.tryGit("r", "merge", "-q", "side"); err == nil {
		l.Fatal("the merge has no conflict")
	}
	call(one, "conflicts", map[string]any{"action": "conflicts", "files": one})
	call(nil, "none", map[string]any{"action": "merge_abort"})
	if err := os.Rename(l.path("r/"+disk), l.path("r/moved")); err != nil {
		l.Fatal(err)
	}
	call(slices.Sorted(slices.Values([]string{"moved", name})), "staged", map[string]any{"action": "stage", "files": []string{name, "moved"}})
}

func sortedNames(list ...string) string {
	slices.Sort(list)
	return strings.Join(list, "\x00") + "\x00"
}

// conflictIn makes a branch that changes the file in another way.
func (l *lab) conflictIn(disk string) {
	l.git("r", "switch", "-qc", "side")
	l.write("r/"+disk, "theirs\n")
	l.git("r", "commit", "-qam", "theirs")
	l.git("r", "switch", "-q", "main")
	l.write("r/"+disk, "ours\n")
	l.git("r", "commit", "-qam", "ours")
}

// pathsIn returns the strings of a list in a result, or what its objects are
// known by, wherever it is.
func pathsIn(t testing.TB, raw []byte, name string) []string {
	var data map[string]any
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	list, ok := data[name].([]any)
	if diff, inside := data["diff"].(map[string]any); inside && !ok {
		list, _ = diff[name].([]any)
	}
	var out []string
	for _, item := range list {
		switch v := item.(type) {
		case string:
			out = append(out, v)
		case map[string]any:
			for _, key := range []string{"path", "subject", "content"} {
				if s, ok := v[key].(string); ok {
					out = append(out, s)
					break
				}
			}
		}
	}
	return out
}

// TestPathsOutside holds that no argument leads out of the repository.
func TestPathsOutside(t *testing.T) {
	l := newLab(t)
	l.repo("root/r", "a", "1\n")
	l.write("root/beside", "1\n")
	l.write("outside", "SECRET\n")
	tool := facade.Git(l.open("root", nil).Extended())
	for _, path := range []string{"../beside", "../../outside", "/beside", "/r/../beside", l.path("outside"), "a/../../beside", `..\x2f..\x2foutside`, ""} {
		for _, args := range []map[string]any{
			{"action": "status", "paths": []string{path}},
			{"action": "stage", "files": []string{path}},
			{"action": "unstage", "files": []string{path}},
			{"action": "commit", "message": "m", "files": []string{path}},
			{"action": "diff", "files": []string{path, "a"}},
			{"action": "diff", "files": []string{path, path}},
			{"action": "history", "files": []string{path}},
			{"action": "restore", "files": []string{path}},
			{"action": "show", "files": []string{path}},
			{"action": "blame", "path": path},
			{"action": "conflicts", "files": []string{path}},
			{"action": "stash", "operation": "push", "files": []string{path}},
		} {
			args["repo_path"] = "r"
			raw, _ := json.Marshal(args)
			res, err := tool.Call(t.Context(), facade.Call{Args: raw})
			if err != nil {
				t.Fatal(err)
			}
			code := facade.CodeOutsideRoot
			if path == "" {
				code = facade.CodeInvalidArgument
			}
			if args["action"] == "blame" && path == "" && res.Error != nil {
				continue
			}
			if res.Error == nil || res.Error.Code != code && res.Error.Code != facade.CodeNotFound {
				t.Errorf("%s: %v", raw, res.Text)
			}
			if strings.Contains(res.Text, "SECRET") {
				t.Errorf("%s: leaks %s", raw, res.Text)
			}
		}
	}
	for _, repo := range []string{"..", "../outside", "/../..", "r/../..", filepath.Join(l.dir, "outside")} {
		raw, _ := json.Marshal(map[string]any{"action": "status", "repo_path": repo})
		res, err := tool.Call(t.Context(), facade.Call{Args: raw})
		if err != nil {
			t.Fatal(err)
		}
		if res.Error == nil || res.Error.Field != "repo_path" {
			t.Errorf("%s: %v", raw, res.Text)
		}
	}
	if diff := cmp.Diff("", l.git("root/r", "status", "--porcelain")); diff != "" {
		t.Errorf("something has changed: %s", diff)
	}
}
