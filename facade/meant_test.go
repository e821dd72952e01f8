package facade_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// What was not an image is not described as one beside the error.
func TestNoImage(t *testing.T) {
	tool := facade.New("document", "Documents.", facade.Bind("read_image", facade.EffectRead, "Read an image.",
		func(_ context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
			return facade.DocumentReadImageOutput{Path: in.Path}, facade.Errorf(facade.CodeUnsupportedFormat, "no image")
		}))
	r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(`{"action":"read_image","path":"a.md"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if want := "error (unsupported_format): no image"; r.Text != want {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

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
	type search struct {
		Patterns         []string `json:"patterns,omitempty"`
		Exclude          []string `json:"exclude,omitempty"`
		KeywordsPathName []string `json:"keywords_path_name,omitempty"`
	}
	type many struct {
		Paths []string `json:"paths"`
	}
	tool := facade.New("files", "Files.",
		facade.Bind("write", facade.EffectWrite, "Write.", func(context.Context, in) (struct{}, error) { return struct{}{}, nil }),
		facade.Bind("delete", facade.EffectWrite, "Delete.", func(context.Context, many) (struct{}, error) { return struct{}{}, nil }),
		facade.Bind("search", facade.EffectRead, "Search.", func(context.Context, search) (struct{}, error) { return struct{}{}, nil }),
		facade.Bind("history", facade.EffectRead, "History.", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }))
	for _, c := range []struct{ args, hint string }{
		{`{"action":"write","path":"a","text":"b"}`, "did you mean 'content'?"},
		{`{"action":"write","path":"a","old_string":"b"}`, "did you mean 'old_content'?"},
		{`{"action":"write","path":"a","cmd":"b"}`, "did you mean 'command'?"}, // and not cwd, which has as many letters in common
		{`{"action":"write","PATH":"a"}`, "names are case-sensitive: 'path'"},
		{`{"action":"write","path":"a","zzzzzzzz":"b"}`, "fields of 'write': path, paths, content, old_content, command, cwd"},
		{`{"action":"delete","path":"a"}`, "did you mean 'paths'? fields of 'delete': paths"},
		{`{"action":"delete","content":"a","paths":"a"}`, "fields of 'delete': paths"},
		{`{"action":"search","include":"*.go"}`, "did you mean 'patterns'?"}, // and not exclude, its opposite
		{`{"action":"search","pattern":"*.go"}`, "did you mean 'patterns'?"},
		{`{"action":"search","query":"x"}`, "did you mean 'keywords_path_name'?"},
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
