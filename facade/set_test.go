package facade_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func twoTools() *facade.Set {
	return facade.NewSet([]*facade.Tool{projectTool(&projects{names: []string{"web"}}), sampleTool()}, nil)
}

// show lists tools with their actions.
func show(s *facade.Set) string {
	var out []string
	for _, t := range s.Tools() {
		line := t.Name() + ": " + names(t)
		switch {
		case t.Fixed():
			line += " (fixed, of " + t.Facade() + ")"
		case t.Facade() != t.Name():
			line += " (of " + t.Facade() + ")"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestViews(t *testing.T) {
	for _, c := range []struct {
		what  string
		views []facade.View
		want  string
	}{
		{"none", nil, "project: create list get delete\nsample: echo aim rest"},
		{"read-only", []facade.View{facade.ReadOnly}, "project: list get\nsample: echo rest"},
		{"allow", []facade.View{facade.Allow("project.get", "sample")}, "project: get\nsample: echo aim rest"},
		{"allow nothing known", []facade.View{facade.Allow("projects")}, ""},
		{"deny", []facade.View{facade.Deny("project", "sample.aim")}, "sample: echo rest"},
		{"allow and read-only", []facade.View{facade.Allow("project"), facade.ReadOnly}, "project: list get"},
		{"granular and allow", []facade.View{facade.Granular, facade.Allow("project.get")}, "project_get: get (fixed, of project)"},
		{"allow and granular", []facade.View{facade.Allow("project.get"), facade.Granular}, "project_get: get (fixed, of project)"},
		{
			"granular and read-only and deny",
			[]facade.View{facade.Granular, facade.ReadOnly, facade.Deny("sample")},
			"project_list: list (fixed, of project)\nproject_get: get (fixed, of project)",
		},
		{
			"split",
			[]facade.View{facade.SplitReadWrite},
			"project_query: list get (of project)\nproject_change: create delete (of project)\n" +
				"sample_query: echo rest (of sample)\nsample_change: aim (of sample)",
		},
		{"split and read-only", []facade.View{facade.SplitReadWrite, facade.ReadOnly}, "project_query: list get (of project)\nsample_query: echo rest (of sample)"},
		{"read-only and split", []facade.View{facade.ReadOnly, facade.SplitReadWrite}, "project: list get\nsample: echo rest"},
		{"split twice and deny", []facade.View{facade.SplitReadWrite, facade.SplitReadWrite, facade.Deny("sample", "project.list")}, "project_query: get (of project)\nproject_change: create delete (of project)"},
		{"split and granular", []facade.View{facade.SplitReadWrite, facade.Granular, facade.Allow("project.get")}, "project_get: get (fixed, of project)"},
		{"granular and split", []facade.View{facade.Granular, facade.SplitReadWrite, facade.Allow("project.get")}, "project_get: get (fixed, of project)"},
		{"granular twice", []facade.View{facade.Granular, facade.Granular, facade.Allow("sample.rest")}, "sample_rest: rest (fixed, of sample)"},
	} {
		set := twoTools()
		if diff := cmp.Diff(c.want, show(set.View(c.views...))); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
		if diff := cmp.Diff("project: create list get delete\nsample: echo aim rest", show(set)); diff != "" {
			t.Errorf("%s: the view changed its set: %s", c.what, diff)
		}
	}
}

// TestAllowIsNotFooledByNames has a tool whose name ends as an action's does.
func TestAllowIsNotFooledByNames(t *testing.T) {
	act := facade.Bind("status", facade.EffectRead, "", func(ctxt, nothing) (nothing, error) { return nothing{}, nil })
	set := facade.NewSet([]*facade.Tool{facade.New("git_status", "", act)}, nil)
	if got := show(set.View(facade.Allow("git"))); got != "" {
		t.Errorf("allowing git allows %s", got)
	}
	if got := show(set.View(facade.Allow("git_status.status"))); got != "git_status: status" {
		t.Errorf("allowing git_status.status allows %q", got)
	}
}

// dispatch returns the text of a call.
func dispatch(t *testing.T, s *facade.Set, name, args string) string {
	t.Helper()
	r, err := s.Dispatch(t.Context(), name, facade.Call{Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	return r.FullText()
}

// TestDispatchByEitherName calls flat, split and granular sets by flat and
// granular names: the same text for all.
func TestDispatchByEitherName(t *testing.T) {
	flat := twoTools()
	granular := flat.View(facade.Granular)
	for what, s := range map[string]*facade.Set{"flat": flat, "granular": granular, "split": flat.View(facade.SplitReadWrite)} {
		for _, c := range []struct{ name, args string }{
			{"project", `{"action":"get","name":"web"}`},
			{"project_get", `{"action":"get","name":"web"}`},
			{"project_get", `{"name":"web"}`},
			{"project_get", `{"name":"web","action":null}`},
		} {
			if got := dispatch(t, s, c.name, c.args); got != `{"name":"web","number":1}` {
				t.Errorf("%s set, %s %s: %s", what, c.name, c.args, got)
			}
		}
		unknown := "error (unknown_action): unknown action 'foo' for project tool; valid actions: create, list, get, delete"
		if what == "split" {
			unknown = "error (unknown_action): unknown action 'foo' for project tool; valid actions: list, get, create, delete"
		}
		if got := dispatch(t, s, "project", `{"action":"foo"}`); got != unknown {
			t.Errorf("%s: %s", what, got)
		}
		const wrong = "error (unknown_action): unknown action 'list' for project_get tool; valid actions: get"
		if got := dispatch(t, s, "project_get", `{"action":"list"}`); got != wrong {
			t.Errorf("%s: %s", what, got)
		}
	}
	const strange = "error (unknown_action): unknown tool 'projct'; valid tools: project, sample\nhint: did you mean 'project'?"
	if got := dispatch(t, flat, "projct", `{}`); got != strange {
		t.Error(got)
	}
	for _, name := range []string{"project_", "project_foo", "_get", "", "project_get_get", "PROJECT"} {
		if got := dispatch(t, flat, name, `{}`); !strings.HasPrefix(got, "error (unknown_action): unknown tool '"+name+"'; valid tools: project, sample") {
			t.Errorf("%q: %s", name, got)
		}
	}
}

// TestViewsBindDispatch checks that no name reaches an action that the view
// has not.
func TestViewsBindDispatch(t *testing.T) {
	for _, views := range [][]facade.View{
		{facade.ReadOnly},
		{facade.ReadOnly, facade.Granular},
		{facade.Granular, facade.ReadOnly},
		{facade.Granular, facade.Deny("project.delete")},
		{facade.SplitReadWrite, facade.ReadOnly},
		{facade.SplitReadWrite, facade.Deny("project.delete"), facade.Granular},
		{facade.Allow("project.get", "project.list"), facade.Granular},
	} {
		s := twoTools().View(views...)
		for name, args := range map[string]string{"project": `{"action":"delete","name":"web"}`, "project_delete": `{"name":"web"}`} {
			if got := dispatch(t, s, name, args); !strings.HasPrefix(got, "error (unknown_action)") {
				t.Errorf("%s reaches delete: %s", name, got)
			}
		}
		if got := dispatch(t, s, "project", `{"action":"get","name":"web"}`); got != `{"name":"web","number":1}` {
			t.Errorf("get is lost: %s", got)
		}
	}
}

// TestSplitToolsKeepToTheirKind calls a split set by its own names.
func TestSplitToolsKeepToTheirKind(t *testing.T) {
	s := twoTools().View(facade.SplitReadWrite)
	for _, c := range []struct{ name, args, want string }{
		{"project_query", `{"action":"get","name":"web"}`, `{"name":"web","number":1}`},
		{"project_query", `{"action":"delete","name":"web"}`, "error (unknown_action): unknown action 'delete' for project_query tool; valid actions: list, get"},
		{"project_change", `{"action":"get","name":"web"}`, "error (unknown_action): unknown action 'get' for project_change tool; valid actions: create, delete"},
		{"project_query_get", `{"name":"web"}`, "error (unknown_action): unknown tool 'project_query_get'; valid tools: project_query, project_change, sample_query, sample_change\nhint: did you mean 'project_query'?"},
	} {
		if diff := cmp.Diff(c.want, dispatch(t, s, c.name, c.args)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.args, diff)
		}
	}
}

// TestGranularToolsKeepTheirMiddlewares gives one granular tool a guard and
// tries to pass it by the facade's name.
func TestGranularToolsKeepTheirMiddlewares(t *testing.T) {
	guard := func(facade.Handler) facade.Handler {
		return func(ctxt, *facade.Request) (any, error) { return nil, facade.Errorf(facade.CodeDenied, "not this one") }
	}
	s := twoTools().View(facade.Granular, func(t *facade.Tool) []*facade.Tool {
		if t.Name() == "project_delete" {
			t = t.With(guard)
		}
		return []*facade.Tool{t}
	})
	const denied = "error (denied): not this one"
	for name, args := range map[string]string{"project": `{"action":"delete","name":"web"}`, "project_delete": `{"name":"web"}`} {
		if got := dispatch(t, s, name, args); got != denied {
			t.Errorf("%s passes the guard: %s", name, got)
		}
	}
	if got := dispatch(t, s, "project", `{"action":"get","name":"web"}`); got != `{"name":"web","number":1}` {
		t.Errorf("the guard is on the wrong action: %s", got)
	}
}

func TestMiddlewareOrder(t *testing.T) {
	var order []string
	mw := func(name string) facade.Middleware {
		return func(next facade.Handler) facade.Handler {
			return func(ctx ctxt, req *facade.Request) (any, error) {
				order = append(order, name+" "+req.Tool+"."+req.Action)
				return next(ctx, req)
			}
		}
	}
	tool := projectTool(&projects{}).With(mw("1"), mw("2"))
	s := facade.NewSet([]*facade.Tool{tool}, nil).With(mw("3"), mw("4")).View(facade.Granular).With(mw("5"))
	for _, name := range []string{"project_list", "project"} {
		order = nil
		dispatch(t, s, name, `{"action":"list"}`)
		want := []string{"1 project.list", "2 project.list", "3 project.list", "4 project.list", "5 project.list"}
		if diff := cmp.Diff(want, order); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	order = nil
	dispatch(t, s, "project", `{"action":"create"}`)
	if order != nil {
		t.Errorf("a middleware saw a malformed call: %v", order)
	}
}

func TestMiddlewareSeesInputAndEffect(t *testing.T) {
	var got []string
	impl := struct{ facade.DocumentTools }{}
	tool := facade.Document(remote{impl}).With(func(facade.Handler) facade.Handler {
		return func(_ ctxt, req *facade.Request) (any, error) {
			got = append(got, fmt.Sprintf("%T %v", req.Input, req.Effect))
			return nil, nil
		}
	})
	for _, args := range []string{
		`{"action":"read","path":"a"}`, `{"action":"read","path":"a","extraction_template":{"total":0}}`,
		`{"action":"read_image","path":"a"}`, `{"action":"read_image","path":"a","perform_ocr":false}`,
		`{"action":"index","path":"a"}`,
	} {
		call(t, tool, args)
	}
	want := []string{
		"*facade.DocumentReadInput read, idempotent", "*facade.DocumentReadInput read, network, idempotent",
		"*facade.DocumentReadImageInput read, network, idempotent", "*facade.DocumentReadImageInput read, idempotent",
		"*facade.DocumentIndexInput write, idempotent",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// remote says that reading asks a model.
type remote struct{ facade.DocumentTools }

func (remote) Remote(a facade.DocumentAction) bool { return a != facade.DocumentIndex }

type closer struct {
	name  string
	order *[]string
	err   error
}

func (c closer) Close() error {
	*c.order = append(*c.order, c.name)
	return c.err
}

func TestCloseOrder(t *testing.T) {
	var order []string
	bad, worse := errors.New("bad"), errors.New("worse")
	set := twoTools()
	set.OnClose(closer{"first", &order, bad})
	set.View(facade.ReadOnly).OnClose(closer{"second", &order, nil})
	set.OnClose(closer{"third", &order, worse})
	for range 2 {
		if err := set.Close(); !errors.Is(err, bad) || !errors.Is(err, worse) {
			t.Errorf("Close returns %v", err)
		}
	}
	if diff := cmp.Diff([]string{"third", "second", "first"}, order); diff != "" {
		t.Error(diff)
	}
}

// TestCloseDeliversEvents publishes within a closer: Set.Close closes the bus last.
func TestCloseDeliversEvents(t *testing.T) {
	set := twoTools()
	var got []facade.EventType
	set.View(facade.Granular).Subscribe(func(e facade.Event) { got = append(got, e.Type) })
	set.OnClose(closeFunc(func() { dispatch(t, set, "project", `{"action":"list"}`) }))
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]facade.EventType{facade.EventCallStarted, facade.EventCallFinished}, got); diff != "" {
		t.Error(diff)
	}
}

type closeFunc func()

func (f closeFunc) Close() error { f(); return nil }
