package access_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

const write = `{"action":"write","path":"src/main.go","content":"new"}`

// guard returns the files behind a policy whose approver is fn.
func guard(t *testing.T, fn access.Approver, timeout time.Duration) (*facade.Set, *access.Policy) {
	t.Helper()
	set := files(t)
	p := newPolicy(t, set, &access.PolicyOptions{Approver: fn, ApprovalTimeout: timeout})
	return set.With(p.Middleware), p
}

// unchanged checks that the write has not happened.
func unchanged(t *testing.T, set *facade.Set) {
	t.Helper()
	if r := dispatch(t, set, "filesystem", `{"action":"read","path":"src/main.go"}`); !strings.HasSuffix(r.Text, "x") {
		t.Errorf("the call ran: %s", r.Text)
	}
}

func TestApprovalFailsClosed(t *testing.T) {
	type Request = access.Request
	type Decision = access.Decision
	for _, c := range []struct {
		name string
		fn   access.Approver
		code facade.Code
		text string
	}{
		{"no approver", nil, facade.CodeNeedsApproval, "repeat the call unchanged once it is approved"},
		{"zero decision", func(ctxt, Request) (Decision, error) { return Decision{}, nil }, facade.CodeDenied, "the user refused"},
		{"unknown verdict", func(_ ctxt, r Request) (Decision, error) { return Decision{Verdict: 9, Digest: r.Digest}, nil }, facade.CodeDenied, "refused"},
		{"allow without a digest", func(ctxt, Request) (Decision, error) { return Decision{Verdict: access.Allow}, nil }, facade.CodeDenied, "failed"},
		{"allow for another call", func(_ ctxt, r Request) (Decision, error) {
			r.Digest = strings.Repeat("0", len(r.Digest))
			return r.Allow(), nil
		}, facade.CodeDenied, "failed"},
		{"allow and an error", func(_ ctxt, r Request) (Decision, error) { return r.Allow(), errors.New("at /srv/host") }, facade.CodeDenied, "failed"},
		{"panic", func(ctxt, Request) (Decision, error) { panic("at /srv/host") }, facade.CodeDenied, "failed"},
		{"ended goroutine", func(ctxt, Request) (Decision, error) { runtime.Goexit(); return Decision{}, nil }, facade.CodeDenied, "failed"},
		{"too late", func(ctx ctxt, r Request) (Decision, error) { <-ctx.Done(); return r.Allow(), nil }, facade.CodeDenied, "failed"},
		{"refusal", func(_ ctxt, r Request) (Decision, error) { return r.Deny("not on Fridays"), nil }, facade.CodeDenied, "refused this call: not on Fridays"},
		{"refusal, no reason", func(_ ctxt, r Request) (Decision, error) { return r.Deny(""), nil }, facade.CodeDenied, "ask what to do instead"},
		{"later", func(_ ctxt, r Request) (Decision, error) { return r.Later("try at noon"), nil }, facade.CodeNeedsApproval, "hint: try at noon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var timeout time.Duration
			if c.name == "too late" {
				timeout = 20 * time.Millisecond
			}
			set, _ := guard(t, c.fn, timeout)
			r := dispatch(t, set, "filesystem", write)
			if codeOf(r) != c.code || !strings.Contains(r.Text, c.text) || strings.Contains(r.Text, "/srv") {
				t.Errorf("got %s", r.Text)
			}
			unchanged(t, set)
		})
	}
}

func TestApprovalRequest(t *testing.T) {
	var got access.Request
	set, _ := guard(t, func(_ ctxt, r access.Request) (access.Decision, error) {
		got = r
		return r.Allow(), nil
	}, 0)
	if r := dispatch(t, set, "filesystem", `{"action":"cd","path":"src"}`); !r.OK() {
		t.Fatal(r.Text)
	}
	if r := dispatch(t, set, "filesystem", `{"action":"write","path":"main.go","content":"n"}`); !r.OK() {
		t.Fatal(r.Text)
	}
	if len(got.Digest) != 64 {
		t.Errorf("digest %q", got.Digest)
	}
	var input facade.WriteInput
	if err := json.Unmarshal(got.Input, &input); err != nil || input.Content != "n" {
		t.Errorf("input %s, %v", got.Input, err)
	}
	got.Digest, got.Input = "", nil
	want := access.Request{
		ID: "1", Session: "s", Tool: "filesystem", Action: "write", Effect: facade.EffectWrite | facade.EffectDestructive,
		Rule: "default", Dir: "src", Resources: []access.Resource{{Field: "path", Path: "main.go"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got)", diff)
	}
}

// Different calls have different digests, and so has the same one elsewhere.
func TestApprovalDigest(t *testing.T) {
	seen := map[string]string{}
	set, _ := guard(t, func(_ ctxt, r access.Request) (access.Decision, error) {
		key := r.Dir + " " + r.Action + " " + string(r.Input)
		if was, ok := seen[r.Digest]; ok && was != key {
			t.Errorf("%s and %s have one digest", was, key)
		}
		seen[r.Digest] = key
		return r.Deny(""), nil
	}, 0)
	calls := []string{
		write,
		`{"action":"write","path":"src/main.go","content":"New"}`,
		`{"action":"write","path":"src/main.g","content":"onew"}`,
		`{"action":"write","path":"src/main.go","content":"new","append":true}`,
		`{"action":"create","paths":["a","b"]}`,
		`{"action":"create","paths":["a,b"]}`,
		`{"action":"delete","paths":["a","b"]}`,
	}
	for _, dir := range []string{".", "src"} {
		if r := dispatch(t, set, "filesystem", `{"action":"cd","path":"`+dir+`"}`); !r.OK() {
			t.Fatal(r.Text)
		}
		for range 2 {
			for _, args := range calls {
				dispatch(t, set, "filesystem", args)
			}
		}
	}
	if len(seen) != 2*len(calls) {
		t.Errorf("%d digests of %d calls in 2 directories", len(seen), len(calls))
	}
}

func TestApprovalRemembered(t *testing.T) {
	asked := 0
	set, p := guard(t, func(_ ctxt, r access.Request) (access.Decision, error) {
		asked++
		return r.AllowAlways(), nil
	}, 0)
	call := func(session, args string) {
		t.Helper()
		r, err := set.Dispatch(t.Context(), "filesystem", facade.Call{Session: session, Args: json.RawMessage(args)})
		if err != nil || !r.OK() {
			t.Fatal(err, r.Text)
		}
	}
	for i, step := range []struct {
		session, args string
		asked         int
	}{
		{"a", write, 1},
		{"a", write, 1},
		{"a", strings.ReplaceAll(write, `"content"`, ` "content" `), 1}, // the same input
		{"a", strings.Replace(write, "new", "other", 1), 2},
		{"b", write, 3},
		{"a", write, 3},
	} {
		if call(step.session, step.args); asked != step.asked {
			t.Errorf("step %d: asked %d times, want %d", i, asked, step.asked)
		}
	}
	p.Forget("a")
	call("b", write)
	if asked != 3 {
		t.Error("another session's approvals are forgotten")
	}
	if call("a", write); asked != 4 {
		t.Error("an approval outlives Forget")
	}
}

// A refusal is not remembered, a decision with Remember or without.
func TestRefusalNotRemembered(t *testing.T) {
	var asked atomic.Int64
	set, _ := guard(t, func(_ ctxt, r access.Request) (access.Decision, error) {
		asked.Add(1)
		d := r.Deny("")
		d.Remember = true
		return d, nil
	}, 0)
	for range 2 {
		dispatch(t, set, "filesystem", write)
	}
	if asked.Load() != 2 {
		t.Errorf("asked %d times", asked.Load())
	}
	unchanged(t, set)
}

// An approver that got hold of the input cannot have something else run.
func TestApprovedInputChanged(t *testing.T) {
	set := files(t)
	var held *facade.WriteInput
	p := newPolicy(t, set, &access.PolicyOptions{Approver: func(_ ctxt, r access.Request) (access.Decision, error) {
		held.Content = "evil"
		return r.Allow(), nil
	}})
	guarded := set.With(func(next facade.Handler) facade.Handler {
		return func(ctx ctxt, req *facade.Request) (any, error) {
			held, _ = req.Input.(*facade.WriteInput)
			return next(ctx, req)
		}
	}, p.Middleware)
	if r := dispatch(t, guarded, "filesystem", write); codeOf(r) != facade.CodeDenied {
		t.Errorf("got %s", r.Text)
	}
	unchanged(t, set)
}

func TestApprovalCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	set, _ := guard(t, func(ctx ctxt, r access.Request) (access.Decision, error) {
		cancel()
		<-ctx.Done()
		return r.Allow(), nil
	}, 0)
	r, err := set.Dispatch(ctx, "filesystem", facade.Call{Session: "s", Args: json.RawMessage(write)})
	if !errors.Is(err, context.Canceled) || codeOf(r) != facade.CodeCanceled {
		t.Errorf("%v, %s", err, r.Text)
	}
	unchanged(t, set)
}

type unspeakable struct {
	Bad never `json:"bad,omitempty"`
}

type never struct{}

func (never) MarshalJSON() ([]byte, error)  { return nil, errors.New("no") }
func (*never) UnmarshalJSON(_ []byte) error { return nil }

// What cannot be shown to anybody cannot be approved.
func TestApprovalOfUnmarshalable(t *testing.T) {
	set := facade.NewSet([]*facade.Tool{facade.New("odd", "", facade.Bind("do", facade.EffectWrite, "",
		func(ctxt, unspeakable) (empty, error) { t.Error("it ran"); return empty{}, nil }))}, nil)
	p := newPolicy(t, set, &access.PolicyOptions{Approver: func(_ ctxt, r access.Request) (access.Decision, error) { return r.Allow(), nil }})
	if r := dispatch(t, set.With(p.Middleware), "odd", `{"action":"do"}`); codeOf(r) != facade.CodeDenied {
		t.Errorf("got %s", r.Text)
	}
}
