package facadetest

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// GitHarness tells [TestGit] how to get an implementation to test.
type GitHarness struct {
	// New returns a fixture that nothing else uses. It is called once per
	// rule, and releases what it holds with t.Cleanup.
	New func(t testing.TB) *GitFixture
	// Skip names rules that the implementation is known not to keep, with the
	// reason. They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// GitFixture is one fresh implementation over a new repository: its branch is
// "main", it has no commits, and somebody is set as author.
type GitFixture struct {
	// Tools is the implementation. Rules about writing and remotes run when it
	// has those interfaces.
	Tools facade.GitReader
	// Store reaches the files of the work tree without going through Tools.
	Store Store
	// HostPath is the root's path on the host, "" when there is none. Nothing
	// that Tools returns may contain it.
	HostPath string
	// Peer returns a second fixture whose repository shares the remote
	// "origin", empty at first, with this one. Nil means that there are no
	// remotes; rules about them do not run then.
	Peer func() *GitFixture
}

// TestGit runs every rule of the git contract that h's implementation is able
// to keep, each as a subtest on a fresh fixture.
func TestGit(t *testing.T, h GitHarness) {
	rules := gitRules()
	for name := range h.Skip {
		if !slices.ContainsFunc(rules, func(r gitRule) bool { return r.Name == name }) {
			t.Errorf("the harness skips %q, which is no rule", name)
		}
	}
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			if reason, ok := h.Skip[r.Name]; ok {
				t.Skipf("skipped by the harness: %s", reason)
			}
			f := h.New(t)
			if why := r.lacks(f); why != "" {
				t.Skip(why)
			}
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("the contract: %s", r.Explanation)
				}
			})
			r.Run(&gitTest{TB: t, GitFixture: f, tool: facade.Git(f.Tools)})
		})
	}
}

// gitRule is one rule of the contract.
type gitRule struct {
	// Name is "group/rule".
	Name string
	// Explanation is the rule in a sentence; a failure prints it.
	Explanation string
	// Remote says that the rule needs two repositories with a common remote.
	Remote bool
	// Run checks the rule.
	Run func(f *gitTest)
}

// lacks returns why the rule does not apply to a fixture, or "". Every rule
// needs a writer: without commits there is little to check.
func (r gitRule) lacks(f *GitFixture) string {
	if _, ok := f.Tools.(facade.GitWriter); !ok {
		return "the implementation has no GitWriter"
	}
	if !r.Remote {
		return ""
	}
	if _, ok := f.Tools.(facade.GitRemote); !ok {
		return "the implementation has no GitRemote"
	}
	if f.Peer == nil {
		return "the fixture has no remote"
	}
	return ""
}

func gitRules() []gitRule {
	return slices.Concat(gitReadRules(), gitWriteRules(), gitRemoteRules())
}

// gitTest is what a rule works with: the fixture, and calls made as a model
// makes them. Every call is checked for what holds of all replies.
type gitTest struct {
	testing.TB
	*GitFixture
	tool *facade.Tool
}

// call calls an action with arguments given as name, value, name, value.
func (f *gitTest) call(action facade.GitAction, kv ...any) *facade.Result {
	f.Helper()
	args := map[string]any{"action": action}
	for i := 0; i < len(kv); i += 2 {
		args[kv[i].(string)] = kv[i+1]
	}
	raw, err := json.Marshal(args)
	if err != nil {
		f.Fatalf("arguments: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	res, err := f.tool.Call(ctx, facade.Call{Args: raw})
	if err != nil {
		f.Fatalf("%s: %v", raw, err)
	}
	f.checkReply(string(raw), res)
	return res
}

// gitData calls an action that must succeed and returns its output.
func gitData[Out any](f *gitTest, action facade.GitAction, kv ...any) Out {
	f.Helper()
	res := f.call(action, kv...)
	if res.Error != nil {
		f.Fatalf("%s %v: %s", action, kv, res.Error.Text())
	}
	return gitOut[Out](f, res)
}

// gitFails calls an action that must fail with a code and returns its output,
// which may hold what is known all the same.
func gitFails[Out any](f *gitTest, code facade.Code, action facade.GitAction, kv ...any) Out {
	f.Helper()
	res := f.call(action, kv...)
	if res.Error == nil || res.Error.Code != code {
		f.Fatalf("%s %v: got %v, want a failure with code %s", action, kv, res.Text, code)
	}
	if res.Data == nil {
		var none Out
		return none
	}
	return gitOut[Out](f, res)
}

func gitOut[Out any](f *gitTest, res *facade.Result) Out {
	f.Helper()
	out, ok := res.Data.(Out)
	if !ok {
		f.Fatalf("data is %T", res.Data)
	}
	return out
}

// checkReply checks what holds of every reply.
func (f *gitTest) checkReply(args string, res *facade.Result) {
	f.Helper()
	if res.Text == "" {
		f.Errorf("%s: the text is empty", args)
	}
	if res.Error != nil && res.Error.Code == facade.CodeInternal {
		f.Errorf("%s: %s", args, res.Error.Text())
	}
	if f.HostPath != "" {
		for _, text := range []string{res.FullText(), string(res.JSON())} {
			if strings.Contains(text, f.HostPath) {
				f.Errorf("%s: the reply shows the host path: %s", args, text)
			}
		}
	}
}

// seed writes a file of the work tree.
func (f *gitTest) seed(path, content string) {
	f.Helper()
	const mode = 0o644
	if err := f.Store.WriteFile(path, []byte(content), mode); err != nil {
		f.Fatal(err)
	}
}

// holds checks the file a of the work tree.
func (f *gitTest) holds(content string) {
	f.Helper()
	const path = "a"
	raw, err := f.Store.ReadFile(path)
	if err != nil || string(raw) != content {
		f.Errorf("%s holds %q (%v), want %q", path, raw, err, content)
	}
}

// commit writes files, in pairs of path and content, and commits them.
func (f *gitTest) commit(message string, files ...string) facade.GitCommitOutput {
	f.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		f.seed(files[i], files[i+1])
	}
	return gitData[facade.GitCommitOutput](f, "commit", "message", message, "stage_all", true)
}

// status returns entries as "XY path", in order.
func (f *gitTest) status() []string {
	f.Helper()
	out := gitData[facade.GitStatusOutput](f, "status", "untracked", "all")
	list := make([]string, len(out.Entries))
	for i, e := range out.Entries {
		list[i] = e.Index + e.Worktree + " " + e.Path
		if e.Kind == "untracked" {
			list[i] = "?? " + e.Path
		}
	}
	slices.Sort(list)
	return list
}

// peer returns the second repository of the fixture.
func (f *gitTest) peer() *gitTest {
	f.Helper()
	p := f.Peer()
	return &gitTest{TB: f.TB, GitFixture: p, tool: facade.Git(p.Tools)}
}

// same checks that two values are equal.
func same[T any](f *gitTest, what string, got, want T) {
	f.Helper()
	if !reflect.DeepEqual(got, want) {
		f.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}
