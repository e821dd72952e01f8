package toolfacade_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/schema"
	"github.com/toolfacade/toolfacade/termexec"
)

func TestPerAction(t *testing.T) {
	set, err := toolfacade.Open(t.TempDir(), &toolfacade.Options{Terminal: &termexec.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = set.Close() }()
	view := set.View(toolfacade.PerAction)
	var names []string
	for _, tool := range view.Tools() {
		def, err := schema.Render(tool, schema.OpenAI)
		if err != nil || def.Name != tool.Name() {
			t.Errorf("%s is rendered as %q, %v", tool.Name(), def.Name, err)
		}
		names = append(names, tool.Name())
	}
	want := []string{
		"read_file", "file_read", "write_file", "list_files", "search_files", "edit_file", "delete_file",
		"git_status", "git_diff", "git_commit", "run_python", "run_command",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error("names (-want +got)", diff)
	}
	type envelope struct {
		Status, Error string
		Result        struct {
			Path  string
			Files []struct{ Content string }
		}
	}
	call := func(tool, args string) envelope {
		t.Helper()
		res, err := view.Dispatch(t.Context(), tool, facade.Call{Args: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		var e envelope
		if err := json.Unmarshal(res.Envelope(), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	if got := call("write_file", `{"path":"a.txt","content":"one\n"}`); got.Status != "success" || got.Result.Path != "a.txt" || got.Error != "" {
		t.Errorf("write_file: %+v", got)
	}
	for _, name := range []string{"read_file", "file_read"} {
		if got := call(name, `{"path":"a.txt"}`); got.Status != "success" || got.Result.Files[0].Content != "one\n" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := call("read_file", `{"path":"b.txt"}`); got.Status != "error" || got.Error == "" || got.Result.Files != nil {
		t.Errorf("missing file: %+v", got)
	}
	if got := call("read_file", `{"action":"write","path":"c.txt","content":"x"}`); got.Status != "error" {
		t.Errorf("another action under its name: %+v", got)
	}
	if got := call("filesystem", `{"action":"read","path":"a.txt"}`); got.Status != "success" {
		t.Errorf("the facade's own name: %+v", got)
	}
	if got := call("filesystem", `{"action":"move","source":"a.txt","destination":"b.txt"}`); got.Status != "error" {
		t.Errorf("an action that has no name: %+v", got)
	}
}
