package access_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		name string
		opts *access.PolicyOptions
		want map[string]facade.Code
	}{
		{"none", nil, map[string]facade.Code{
			"read": "", "write": facade.CodeNeedsApproval, "execute": facade.CodeNeedsApproval,
			"network": facade.CodeNeedsApproval, "destroy": facade.CodeNeedsApproval, "untold": facade.CodeNeedsApproval,
		}},
		{"strictest of a call's classes", &access.PolicyOptions{Default: access.ByEffect[access.Verdict]{
			Write: access.Allow, Execute: access.Deny, Network: access.Allow,
		}}, map[string]facade.Code{
			"write": "", "execute": facade.CodeDenied, "network": "", "destroy": facade.CodeNeedsApproval, "untold": facade.CodeDenied,
		}},
	} {
		set := plain(nothing)
		guarded := set.With(newPolicy(t, set, c.opts).Middleware)
		for action, want := range c.want {
			if got := codeOf(dispatch(t, guarded, "plain", `{"action":"`+action+`"}`)); got != want {
				t.Errorf("%s: %s has code %q, want %q", c.name, action, got, want)
			}
		}
	}
}

func TestPrecedence(t *testing.T) {
	set := files(t)
	p := newPolicy(t, set, &access.PolicyOptions{Default: access.ByEffect[access.Verdict]{Write: access.Deny}},
		access.Rule{Verdict: access.Allow, Calls: []string{"filesystem"}},
		access.Rule{Name: "ask for go", Verdict: access.Ask, Calls: []string{"filesystem.write"}, Paths: []string{"*.go"}},
		access.Rule{Name: "keys", Verdict: access.Deny, Effects: facade.EffectWrite, Paths: []string{"/secret"}},
	)
	for _, c := range []struct {
		action string
		input  any
		want   access.Ruling
	}{
		{"read", &facade.ReadInput{Path: "secret/key"}, access.Ruling{Verdict: access.Allow, Rule: "allow #1"}},
		{"write", &facade.WriteInput{Path: "a.go"}, access.Ruling{Verdict: access.Ask, Rule: "ask for go", Path: "a.go"}},
		{"write", &facade.WriteInput{Path: "secret/a.go"}, access.Ruling{Verdict: access.Deny, Rule: "keys", Path: "secret/a.go"}},
		{"write", &facade.WriteInput{Path: "a.txt"}, access.Ruling{Verdict: access.Allow, Rule: "allow #1"}},
		{"delete", &facade.DeleteInput{Paths: []string{"."}}, access.Ruling{Verdict: access.Allow, Rule: "allow #1"}},
		{"delete", &facade.DeleteInput{Paths: []string{"."}, Recursive: true}, access.Ruling{Verdict: access.Deny, Rule: "keys", Path: "."}},
	} {
		effect := facade.EffectWrite
		if c.action == "read" {
			effect = facade.EffectRead
		}
		got := p.Decide(&facade.Request{Tool: "filesystem", Action: c.action, Effect: effect, Input: c.input}, ".")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %+v (-want +got)\n%s", c.action, c.input, diff)
		}
	}
}

// An allowing rule needs every path covered, exactly, by rules that allow.
func TestAllowCoversEveryPath(t *testing.T) {
	set := files(t)
	p := newPolicy(t, set, &access.PolicyOptions{Roots: []string{"/srv/root"}},
		access.Rule{Name: "src", Verdict: access.Allow, Calls: []string{"filesystem"}, Paths: []string{"/src"}},
		access.Rule{Name: "docs", Verdict: access.Allow, Calls: []string{"filesystem"}, Paths: []string{"/docs/*.md"}},
	)
	for _, c := range []struct {
		input any
		dir   string
		want  string // the rule
	}{
		{&facade.WriteInput{Path: "src/a"}, ".", "src"},
		{&facade.WriteInput{Path: "a"}, "src", "src"},
		{&facade.WriteInput{Path: "src/../key"}, ".", "default"},
		{&facade.WriteInput{Path: "SRC/a"}, ".", "default"},
		{&facade.WriteInput{Path: `src/\x2e./key`}, ".", "default"},
		{&facade.WriteInput{Path: "/srv/root/src/a"}, ".", "src"},
		{&facade.WriteInput{Path: "/srv/root-evil/src/a"}, ".", "default"},
		{&facade.WriteInput{Path: "/src/a"}, ".", "default"}, // whose root?
		{&facade.MoveInput{Source: "src/a", Destination: "docs/a.md"}, ".", "src"},
		{&facade.MoveInput{Source: "src/a", Destination: "key"}, ".", "default"},
		{&facade.DeleteInput{Paths: []string{"docs"}, Recursive: true}, ".", "default"},
		{&facade.UndoInput{}, ".", "default"},
		{&facade.RootsInput{}, ".", "default"},
	} {
		got := p.Decide(&facade.Request{Tool: "filesystem", Action: "x", Effect: facade.EffectWrite, Input: c.input}, c.dir)
		if got.Rule != c.want {
			t.Errorf("%+v: %+v, want rule %q", c.input, got, c.want)
		}
	}
}

// smuggling are calls that would reach what lies in secret.
var smuggling = []string{
	`{"action":"read","path":"secret/key"}`,
	`{"action":"read","path":"./secret//key"}`,
	`{"action":"read","path":"src/../secret/key"}`,
	`{"action":"read","path":"secret/./deep/../key"}`,
	`{"action":"read","path":"SECRET/key"}`,
	`{"action":"read","path":"secret./key"}`,
	`{"action":"read","path":"secret::$INDEX_ALLOCATION/key"}`,
	`{"action":"read","path":"sec\u200bret/key"}`,
	`{"action":"read","path":"secret\\key"}`,
	`{"action":"read","path":"sec\\x72et/key"}`,
	`{"action":"read","path":"\\x2e/secret/key"}`,
	`{"action":"read","path":"secret\\x2fkey"}`,
	`{"action":"read","path":"/secret/key"}`,
	`{"action":"read","path":"/any/host/root/secret/key"}`,
	`{"action":"read","path":"C:\\root\\secret\\key"}`,
	`{"action":"read","paths":["src/main.go","secret/key"]}`,
	`{"action":"read","paths":"[\"secret/key\"]"}`,
	`{"action":"grep","pattern":"x"}`,
	`{"action":"find","path":"."}`,
	`{"action":"list","recursive":"true"}`,
	`{"action":"info","path":"secret"}`,
	`{"action":"move","source":"secret","destination":"src/s"}`,
	`{"action":"copy","source":".","destination":"src/s"}`,
	`{"action":"copy","source":"src/main.go","destination":"secret/key","overwrite":true}`,
	`{"action":"delete","paths":["./"],"recursive":true}`,
	`{"action":"create","paths":["src/a","secret/b"]}`,
	`{"action":"edit","path":"src/main.go","edits":[{"path":"secret/key","old_text":"x","new_text":"y"}]}`,
	`{"action":"patch","patch":"--- a/secret/key\n+++ b/secret/key\n@@ -1 +1 @@\n-x\n+y\n"}`,
	`{"action":"patch","patch":"diff --git \"a/sec\\162et/key\" \"b/sec\\162et/key\"\n--- \"a/sec\\162et/key\"\n+++ \"b/sec\\162et/key\"\n@@ -1 +1 @@\n-x\n+y\n"}`,
	`{"action":"patch","patch":"diff --git a/src/main.go b/secret/new\nrename from src/main.go\nrename to secret/new\n"}`,
	`{"action":"undo"}`,
	`{"action":"undo","path":"secret"}`,
	`{"action":"cd","path":"secret"}`,
}

func TestSmuggling(t *testing.T) {
	set := files(t)
	p := newPolicy(t, set, &access.PolicyOptions{Default: allowAll},
		access.Rule{Name: "no secrets", Verdict: access.Deny, Paths: []string{"/secret"}})
	guarded := set.With(p.Middleware)
	for _, args := range smuggling {
		r := dispatch(t, guarded, "filesystem", args)
		if codeOf(r) != facade.CodeDenied || !strings.Contains(r.Text, "'no secrets'") {
			t.Errorf("%s got %s", args, r.Text)
		}
	}
	for _, args := range []string{
		`{"action":"read","path":"src/main.go"}`,
		`{"action":"list"}`,
		`{"action":"grep","pattern":"x","path":"src"}`,
		`{"action":"write","path":"secrets.txt","content":"fine"}`,
		`{"action":"undo","path":"secrets.txt"}`,
		`{"action":"pwd"}`,
	} {
		if r := dispatch(t, guarded, "filesystem", args); !r.OK() {
			t.Errorf("%s got %s", args, r.Text)
		}
	}
	if r := dispatch(t, set, "filesystem", `{"action":"read","path":"secret/key"}`); !r.OK() || !strings.Contains(r.Text, "x") {
		t.Errorf("the secret was changed: %s", r.Text)
	}
}

// What would show one thing to a rule and another to the tool never gets there.
func TestSmugglingKeys(t *testing.T) {
	set := files(t)
	ruled := 0
	p := newPolicy(t, set, &access.PolicyOptions{Default: allowAll},
		access.Rule{Verdict: access.Deny, Paths: []string{"/secret"}})
	guarded := set.With(func(next facade.Handler) facade.Handler {
		return func(ctx ctxt, req *facade.Request) (any, error) {
			ruled++
			return next(ctx, req)
		}
	}, p.Middleware)
	for _, args := range []string{
		`{"action":"read","path":"src/main.go","path":"secret/key"}`,
		`{"action":"read","path":"src/main.go","Path":"secret/key"}`,
		`{"action":"read","path":"src/main.go","PATH":"secret/key"}`,
		`{"action":"read","path":"src/main.go","p\u0061th":"secret/key"}`,
		`{"action":"pwd","action":"read","path":"secret/key"}`,
		`{"action":"pwd","Action":"read","path":"secret/key"}`,
		`{"action":"read","path":"src/main.go"} {"path":"secret/key"}`,
	} {
		if r := dispatch(t, guarded, "filesystem", args); codeOf(r) != facade.CodeInvalidArgument {
			t.Errorf("%s got %s", args, r.Text)
		}
	}
	if ruled != 0 {
		t.Errorf("%d calls reached the middlewares", ruled)
	}
}

func TestNamedOnly(t *testing.T) {
	set := files(t)
	p := newPolicy(t, set, &access.PolicyOptions{Default: allowAll},
		access.Rule{Verdict: access.Deny, Paths: []string{".env"}, NamedOnly: true})
	guarded := set.With(p.Middleware)
	for args, want := range map[string]facade.Code{
		`{"action":"grep","pattern":"x"}`:                 "",
		`{"action":"read","path":"secret/deep/.env"}`:     facade.CodeDenied,
		`{"action":"grep","pattern":"x","path":"a/.ENV"}`: facade.CodeDenied,
	} {
		if got := codeOf(dispatch(t, guarded, "filesystem", args)); got != want {
			t.Errorf("%s: code %q, want %q", args, got, want)
		}
	}
}

// Granular names are other names for the same actions.
func TestGranularNames(t *testing.T) {
	set := files(t).View(facade.Granular)
	p := newPolicy(t, set, nil, access.Rule{Verdict: access.Deny, Calls: []string{"filesystem.read"}})
	guarded := set.With(p.Middleware)
	for name, args := range map[string]string{
		"filesystem_read": `{"path":"src/main.go"}`,
		"filesystem":      `{"action":"read","path":"src/main.go"}`,
	} {
		if got := codeOf(dispatch(t, guarded, name, args)); got != facade.CodeDenied {
			t.Errorf("%s: code %q", name, got)
		}
	}
}

// Relative paths start where the session is, not at the root.
func TestCurrentDirectory(t *testing.T) {
	set := files(t)
	p := newPolicy(t, set, &access.PolicyOptions{Default: allowAll},
		access.Rule{Verdict: access.Deny, Calls: []string{"filesystem.read", "filesystem.write"}, Paths: []string{"/secret/key"}})
	guarded := set.With(p.Middleware)
	for _, step := range []struct {
		args string
		want facade.Code
	}{
		{`{"action":"read","path":"key"}`, facade.CodeNotFound},
		{`{"action":"cd","path":"secret/deep"}`, ""},
		{`{"action":"read","path":"../key"}`, facade.CodeDenied},
		{`{"action":"cd","path":".."}`, ""},
		{`{"action":"read","path":"key"}`, facade.CodeDenied},
		{`{"action":"read","path":"deep/.env"}`, ""},
		{`{"action":"cd","path":"../src"}`, ""},
		{`{"action":"read","path":"main.go"}`, ""},
	} {
		if r := dispatch(t, guarded, "filesystem", step.args); codeOf(r) != step.want {
			t.Errorf("%s got %s; want code %q", step.args, r.Text, step.want)
		}
	}
}

// A cd beside a read never changes what the read was allowed for.
func TestCurrentDirectoryRace(t *testing.T) {
	set := files(t)
	for _, args := range []string{
		`{"action":"write","path":"src/key","content":"public"}`,
		`{"action":"write","path":"secret/key","content":"hidden"}`,
	} {
		if r := dispatch(t, set, "filesystem", args); !r.OK() {
			t.Fatal(r.Text)
		}
	}
	p := newPolicy(t, set, &access.PolicyOptions{Default: allowAll},
		access.Rule{Verdict: access.Deny, Calls: []string{"filesystem.read"}, Paths: []string{"/secret"}})
	guarded := set.With(p.Middleware)
	call := func(args string) *facade.Result {
		r, err := guarded.Dispatch(t.Context(), "filesystem", facade.Call{Session: "s", Args: json.RawMessage(args)})
		if err != nil {
			t.Error(err)
		}
		return r
	}
	if r := call(`{"action":"cd","path":"src"}`); !r.OK() {
		t.Fatal(r.Text)
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				call(fmt.Sprintf(`{"action":"cd","path":"%s"}`, []string{"../secret", "../src"}[i%2]))
			}
		}
	})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 300 {
				if r := call(`{"action":"read","path":"key"}`); strings.Contains(r.Text, "hidden") {
					t.Error("a read left its directory")
					return
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	wg.Wait()
}

func TestBadPolicies(t *testing.T) {
	set := files(t)
	deny := func(r access.Rule) []access.Rule {
		if r.Verdict == 0 {
			r.Verdict = access.Deny
		}
		return []access.Rule{r}
	}
	for _, c := range []struct {
		rules []access.Rule
		opts  *access.PolicyOptions
		set   *facade.Set
		want  string
	}{
		{rules: deny(access.Rule{Calls: []string{"files"}}), want: `no tool "files" in "files"; tools: filesystem`},
		{rules: deny(access.Rule{Calls: []string{"Filesystem"}}), want: `no tool "Filesystem"`},
		{rules: deny(access.Rule{Calls: []string{"filesystem.remove"}}), want: `has no action "remove"; actions: list, find`},
		{rules: deny(access.Rule{Calls: []string{"filesystem.*"}}), want: `has no action "*"`},
		{rules: deny(access.Rule{Calls: []string{"filesystem_read"}}), want: `no tool "filesystem_read"`},
		{rules: deny(access.Rule{Calls: []string{"filesystem."}}), want: `has no action ""`},
		{rules: deny(access.Rule{}), want: `"deny #1": it selects nothing`},
		{rules: deny(access.Rule{Effects: facade.Idempotent}), want: "are no class"},
		{rules: deny(access.Rule{Paths: []string{"[a"}}), want: `the pattern "[a"`},
		{rules: deny(access.Rule{NamedOnly: true, Effects: facade.EffectRead}), want: "NamedOnly"},
		{rules: []access.Rule{{Name: "mine", Calls: []string{"filesystem"}}}, want: `rule "mine": the verdict is 0`},
		{rules: deny(access.Rule{Verdict: 7, Calls: []string{"filesystem"}}), want: "the verdict is 7"},
		{opts: &access.PolicyOptions{Default: access.ByEffect[access.Verdict]{Network: 9}}, want: "default verdict is 9"},
		{opts: &access.PolicyOptions{Roots: []string{"srv"}}, want: `"srv" is not absolute`},
		{set: set.View(facade.Deny("filesystem.pwd")), want: "has cd and no pwd"},
	} {
		if c.set == nil {
			c.set = set
		}
		if _, err := access.NewPolicy(c.set, c.rules, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v; want %q", err, c.want)
		}
	}
}

// Without the current directory nothing can be decided.
func TestCurrentDirectoryUnknown(t *testing.T) {
	lost := errors.New("lost")
	set := facade.NewSet([]*facade.Tool{facade.New("filesystem", "",
		facade.Bind("read", facade.EffectRead, "", func(ctxt, facade.ReadInput) (empty, error) {
			t.Error("the call ran")
			return empty{}, nil
		}),
		facade.Bind("cd", facade.EffectRead, "", func(ctxt, facade.CdInput) (empty, error) { return empty{}, nil }),
		facade.Bind("pwd", facade.EffectRead, "", func(ctxt, facade.PwdInput) (facade.PwdOutput, error) { return facade.PwdOutput{}, lost }),
	)}, nil)
	guarded := set.With(newPolicy(t, set, nil).Middleware)
	if r := dispatch(t, guarded, "filesystem", `{"action":"read","path":"a"}`); codeOf(r) != facade.CodeDenied {
		t.Errorf("got %s", r.Text)
	}
}
