package toolfacade_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/toolfacade/toolfacade"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// Options widen or narrow the default set. Here code and commands run without a
// sandbox, .vscode may be written, the history of undo is kept in memory, and a
// person is asked before files are deleted or anything leaves the machine. (Every
// action that replaces content is [facade.EffectDestructive], edits too; delete is
// asked about by its name.)
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "project-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	set, err := toolfacade.Open(dir, &toolfacade.Options{
		Files:     &fsimpl.Options{Writable: []string{".vscode"}, Journal: fsimpl.JournalOptions{InMemory: true}},
		GitExtras: true,
		Python:    &pyexec.Options{Options: runner.Options{Sandbox: sandbox.None{}}},
		Terminal:  &termexec.Options{Sandbox: sandbox.None{}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()

	policy, err := access.NewPolicy(set, []access.Rule{
		{Verdict: access.Allow, Effects: facade.EffectWrite | facade.EffectExecute},
		{Verdict: access.Ask, Calls: []string{"filesystem.delete"}},
		{Verdict: access.Ask, Effects: facade.EffectNetwork},
	}, &access.PolicyOptions{
		Approver: func(_ context.Context, req access.Request) (access.Decision, error) {
			return req.Deny("ask me tomorrow"), nil // a host shows req to a person
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	guarded := set.With(policy.Middleware)
	for _, args := range []string{
		`{"action":"write","path":"notes.txt","content":"a\n"}`,
		`{"action":"delete","paths":["notes.txt"]}`,
	} {
		r, err := guarded.Dispatch(context.Background(), "filesystem", facade.Call{Args: json.RawMessage(args)})
		if err != nil {
			log.Fatal(err) // the context ended
		}
		fmt.Println(r.Text)
	}
	for _, t := range set.Tools() {
		fmt.Println(t.Name())
	}
	// Output:
	// created notes.txt, 2 bytes, etag 87428fc522803d31065e7bce3cf03fe4
	// error (denied): the user refused this call: ask me tomorrow
	// hint: do not repeat it unchanged
	// filesystem
	// git
	// python
	// terminal
	// document
}
