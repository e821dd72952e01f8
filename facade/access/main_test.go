package access_test

import (
	"context"
	"encoding/json"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
	"github.com/toolfacade/toolfacade/fsimpl"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type ctxt = context.Context

// files returns the filesystem tool on a directory with src/main.go,
// secret/key and secret/deep/.env.
func files(t *testing.T) *facade.Set {
	t.Helper()
	impl, err := fsimpl.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	set := facade.NewSet([]*facade.Tool{facade.Files(impl)}, nil)
	set.OnClose(impl)
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, p := range []string{"src/main.go", "secret/key", "secret/deep/.env"} {
		if r := dispatch(t, set, "filesystem", `{"action":"write","path":"`+p+`","content":"x"}`); !r.OK() {
			t.Fatal(r.Text)
		}
	}
	return set
}

func newPolicy(t *testing.T, set *facade.Set, opts *access.PolicyOptions, rules ...access.Rule) *access.Policy {
	t.Helper()
	p, err := access.NewPolicy(set, rules, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func dispatch(t *testing.T, set *facade.Set, tool, args string) *facade.Result {
	t.Helper()
	r, err := set.Dispatch(t.Context(), tool, facade.Call{ID: "1", Session: "s", Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func codeOf(r *facade.Result) facade.Code {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

// allowAll is the default of policies whose rules only refuse.
var allowAll = access.ByEffect[access.Verdict]{
	Read: access.Allow, Write: access.Allow, Execute: access.Allow, Network: access.Allow, Destructive: access.Allow,
}

type empty struct{}

// plain is a tool with one action of each effect, each running fn.
func plain(fn func(ctxt) error) *facade.Set {
	run := func(ctx ctxt, _ empty) (empty, error) { return empty{}, fn(ctx) }
	return facade.NewSet([]*facade.Tool{facade.New("plain", "",
		facade.Bind("read", facade.EffectRead, "", run),
		facade.Bind("write", facade.EffectWrite, "", run),
		facade.Bind("execute", facade.EffectExecute, "", run),
		facade.Bind("network", facade.EffectNetwork, "", run),
		facade.Bind("destroy", facade.EffectWrite|facade.EffectDestructive, "", run),
		facade.Bind("untold", facade.Idempotent, "", run),
	)}, nil)
}

func nothing(ctxt) error { return nil }
