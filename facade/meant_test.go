package facade_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// Models bring the names of other tools along; a hint tells the ones here.
func TestHintsKnowOtherNames(t *testing.T) {
	type in struct {
		Path       string   `json:"path"`
		Paths      []string `json:"paths,omitempty"`
		Content    string   `json:"content,omitempty"`
		OldContent string   `json:"old_content,omitempty"`
		Command    string   `json:"command,omitempty"`
		Cwd        string   `json:"cwd,omitempty"`
	}
	type many struct {
		Paths []string `json:"paths"`
	}
	tool := facade.New("files", "Files.",
		facade.Bind("write", facade.EffectWrite, "Write.", func(context.Context, in) (struct{}, error) { return struct{}{}, nil }),
		facade.Bind("delete", facade.EffectWrite, "Delete.", func(context.Context, many) (struct{}, error) { return struct{}{}, nil }),
		facade.Bind("history", facade.EffectRead, "History.", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }))
	for _, c := range []struct{ args, hint string }{
		{`{"action":"write","path":"a","text":"b"}`, "did you mean 'content'?"},
		{`{"action":"write","path":"a","old_string":"b"}`, "did you mean 'old_content'?"},
		{`{"action":"write","path":"a","cmd":"b"}`, "did you mean 'command'?"}, // and not cwd, which has as many letters in common
		{`{"action":"write","PATH":"a"}`, "names are case-sensitive: 'path'"},
		{`{"action":"write","path":"a","zzzzzzzz":"b"}`, "fields of 'write': path, paths, content, old_content, command, cwd"},
		{`{"action":"delete","path":"a"}`, "did you mean 'paths'? fields of 'delete': paths"},
		{`{"action":"delete","content":"a","paths":"a"}`, "fields of 'delete': paths"},
		{`{"action":"rm","paths":["a"]}`, "did you mean 'delete'?"},
		{`{"action":"log"}`, "did you mean 'history'?"},
		{`{"action":"cat"}`, ""},
	} {
		r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(c.args)})
		if err != nil {
			t.Fatal(err)
		}
		if r.OK() || r.Error.Hint != c.hint {
			t.Errorf("%s\ngot  %+v\nwant the hint %q", c.args, r.Error, c.hint)
		}
	}
}
