package access_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

// notes is a tiny tool for the examples.
func notes() *facade.Set {
	type note struct {
		Path string `json:"path"`
	}
	done := func(context.Context, note) (struct{}, error) { return struct{}{}, nil }
	return facade.NewSet([]*facade.Tool{facade.New("notes", "Keep notes.",
		facade.Bind("show", facade.EffectRead, "Show a note.", done),
		facade.Bind("save", facade.EffectWrite, "Save a note.", done),
		facade.Bind("burn", facade.EffectWrite|facade.EffectDestructive, "Destroy a note.", done),
	)}, nil)
}

func show(set *facade.Set, args string) {
	r, err := set.Dispatch(context.Background(), "notes", facade.Call{ID: "7", Session: "anna", Args: json.RawMessage(args)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Text)
}

// Rules decide by tool, action, effect and path; deny comes before ask, ask
// before allow, whatever their order.
func ExampleNewPolicy() {
	set := notes()
	policy, err := access.NewPolicy(set, []access.Rule{
		{Verdict: access.Allow, Effects: facade.EffectWrite, Paths: []string{"/drafts"}},
		{Name: "private", Verdict: access.Deny, Paths: []string{"/diary*"}},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	guarded := set.With(policy.Middleware)
	show(guarded, `{"action":"save","path":"drafts/poem.txt"}`)
	show(guarded, `{"action":"show","path":"drafts/../Diary.txt"}`)
	show(guarded, `{"action":"save","path":"poem.txt"}`)
	// Output:
	// {}
	// error (denied): the host's policy refuses this call by rule 'private'
	// hint: work on other paths; a call on a directory above a refused path is refused too
	// error (needs_approval): a person has to approve this call first
	// hint: tell the user what you want to do and why; repeat the call unchanged once it is approved
}

// A rule that could never hold is an error, not a hole.
func ExampleNewPolicy_typo() {
	_, err := access.NewPolicy(notes(), []access.Rule{{Verdict: access.Deny, Calls: []string{"notes.brun"}}}, nil)
	fmt.Println(err)
	// Output:
	// access: rule "deny #1": tool "notes" has no action "brun"; actions: show, save, burn
}

// An approver asks a person. Its decision holds for the request it was made
// for and for no other.
func ExampleApprover() {
	set := notes()
	policy, err := access.NewPolicy(set, nil, &access.PolicyOptions{
		Approver: func(_ context.Context, req access.Request) (access.Decision, error) {
			fmt.Printf("may %s.%s %s? (%s)\n", req.Tool, req.Action, req.Input, req.Effect)
			if req.Action == "burn" {
				return req.Deny("we keep everything"), nil
			}
			return req.AllowAlways(), nil
		},
		ApprovalTimeout: time.Minute,
	})
	if err != nil {
		log.Fatal(err)
	}
	guarded := set.With(policy.Middleware)
	show(guarded, `{"action":"save","path":"a.txt"}`)
	show(guarded, `{"action":"save","path":"a.txt"}`) // not asked again
	show(guarded, `{"action":"burn","path":"a.txt"}`)
	// Output:
	// may notes.save {"path":"a.txt"}? (write)
	// {}
	// {}
	// may notes.burn {"path":"a.txt"}? (write, destructive)
	// error (denied): the user refused this call: we keep everything
	// hint: do not repeat it unchanged
}

func ExampleNewAudit() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration_ms" {
			return slog.Attr{}
		}
		return a
	}})
	show(notes().With(access.NewAudit(handler, nil).Middleware), `{"action":"burn","path":"a.txt"}`)
	// Output:
	// level=INFO msg="tool call" id=7 session=anna tool=notes action=burn effect="write, destructive" decision=none rule="" resources=[a.txt] code=""
	// {}
}

// A bucket holds a burst and fills at so many tokens a minute.
func ExampleNewRate() {
	guarded := notes().With(access.NewRate(&access.ByEffect[access.Limit]{
		Destructive: access.Limit{PerMinute: 60, Burst: 1},
	}).Middleware)
	show(guarded, `{"action":"burn","path":"a.txt"}`)
	r, err := guarded.Dispatch(context.Background(), "notes", facade.Call{
		Session: "anna", Args: json.RawMessage(`{"action":"burn","path":"b.txt"}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Error.Code, r.Error.RetryAfter.Round(time.Second))
	// Output:
	// {}
	// rate_limited 1s
}

func ExampleResources() {
	for _, r := range access.Resources(&facade.MoveInput{Source: "a", Destination: "b/c"}) {
		fmt.Printf("%s: %s\n", r.Field, r.Path)
	}
	// Output:
	// source: a
	// destination: b/c
}
