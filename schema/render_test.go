package schema_test

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// bound returns an action with the given input and output.
func bound[In, Out any](name string, effect facade.Effect) facade.Action {
	return facade.Bind(name, effect, "Do "+name+".", func(context.Context, In) (out Out, err error) { return out, nil })
}

type nothing struct{}

// fieldsOf renders a tool and returns its properties.
func fieldsOf(t *testing.T, tool *facade.Tool) map[string]prop {
	t.Helper()
	return properties(t, rootOf(t, render(t, schema.MCP, tool)[0].Input))
}

func TestOneFieldManyMeanings(t *testing.T) {
	type first struct {
		Size int      `json:"size,omitempty" default:"10" min:"1" max:"100" description:"How many."`
		Kind string   `json:"kind" enum:"a,b" description:"Which."`
		Tags []string `json:"tags" minItems:"2" enum:"x,y" description:"Labels."`
		Deep *bool    `json:"deep,omitempty" default:"true" description:"All of it."`
	}
	type second struct {
		Size int      `json:"size,omitempty" default:"20" min:"0" max:"50" description:"How many."`
		Kind string   `json:"kind" enum:"b,c" description:"Which one."`
		Tags []string `json:"tags,omitempty" enum:"x,y" description:"Labels."`
		Deep bool     `json:"deep,omitempty" default:"false" description:"All of it."`
	}
	got := fieldsOf(t, facade.New("t", "T.", bound[first, nothing]("one", facade.EffectRead), bound[second, nothing]("two", facade.EffectRead)))
	zero, hundred := 0.0, 100.0
	want := map[string]prop{
		"action": {Type: "string", Description: "one: Do one.\ntwo: Do two.", Enum: []string{"one", "two"}},
		"size": {
			Type: "integer", Minimum: &zero, Maximum: &hundred,
			Description: "How many (one: default 10, at least 1; two: default 20, at most 50).",
		},
		"kind": {
			Type: "string", Enum: []string{"a", "b", "c"},
			Description: "Which (one; one of a, b). Which one (two; one of b, c).",
		},
		"tags": {
			Type: "array", Items: &prop{Type: "string", Enum: []string{"x", "y"}},
			Description: "Labels (required for one; one: at least 2 items).",
		},
		"deep": {Type: "boolean", Description: "All of it (one: default true)."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}
}

func TestWhoTakesAField(t *testing.T) {
	type common struct {
		Everywhere string `json:"everywhere" description:"Shared."`
	}
	type more struct {
		Everywhere string `json:"everywhere" description:"Shared."`
		Most       string `json:"most,omitempty" description:"Widely used."`
	}
	tool := facade.New("t", "T.",
		bound[more, nothing]("alpha", facade.EffectRead), bound[more, nothing]("bravo", facade.EffectRead),
		bound[more, nothing]("charlie", facade.EffectRead), bound[common, nothing]("delta", facade.EffectRead))
	got := fieldsOf(t, tool)
	if want := "Shared."; got["everywhere"].Description != want {
		t.Errorf("taken by all: got %q, want %q", got["everywhere"].Description, want)
	}
	if want := "Widely used (all but delta)."; got["most"].Description != want {
		t.Errorf("taken by most: got %q, want %q", got["most"].Description, want)
	}
	root := rootOf(t, render(t, schema.MCP, tool)[0].Input)
	if diff := cmp.Diff([]string{"action", "everywhere"}, root.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestValues(t *testing.T) {
	type inner struct {
		Name string `json:"name" description:"A name."`
		On   *bool  `json:"on,omitempty" default:"true" description:"A switch."`
	}
	type in struct {
		Text  string            `json:"text,omitempty" default:"a \"b\" <c>" description:"Text."`
		Share float64           `json:"share,omitempty" default:"0.5" description:"Part."`
		Free  map[string]any    `json:"free,omitempty" description:"Anything."`
		Env   map[string]string `json:"env,omitempty" description:"Texts."`
		Raw   json.RawMessage   `json:"raw,omitempty" description:"Any JSON."`
		List  []inner           `json:"list,omitempty" minItems:"1" description:"Things."`
		One   *inner            `json:"one,omitempty" description:"A thing."`
	}
	def := render(t, schema.MCP, facade.New("t", "T.", bound[in, nothing]("do", facade.EffectRead)).Granular()[0])[0]
	thing := `"properties":{"name":{"type":"string","description":"A name."},"on":{"type":"boolean","description":"A switch.","default":true}},"required":["name"],"additionalProperties":false}`
	want := `{"type":"object","properties":{` +
		`"text":{"type":"string","description":"Text.","default":"a \"b\" <c>"},` +
		`"share":{"type":"number","description":"Part.","default":0.5},` +
		`"free":{"type":"object","description":"Anything."},` +
		`"env":{"type":"object","description":"Texts.","additionalProperties":{"type":"string"}},` +
		`"raw":{"description":"Any JSON."},` +
		`"list":{"type":"array","description":"Things.","minItems":1,"items":{"type":"object",` + thing + `},` +
		`"one":{"type":"object","description":"A thing.",` + thing +
		`},"additionalProperties":false}`
	if diff := cmp.Diff(want, string(def.Input)); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
}

func TestResultShapes(t *testing.T) {
	type item struct {
		When time.Time `json:"when" description:"Time."`
	}
	type base struct {
		ID string `json:"id" description:"Identity."`
	}
	type first struct {
		base
		Items []item     `json:"items" description:"Items."`
		Seen  *time.Time `json:"seen,omitempty" description:"Last seen."`
		Blob  []byte     `json:"blob,omitempty" description:"Bytes."`
	}
	type second struct {
		ID    string `json:"id" description:"Identity."`
		Items int    `json:"items" description:"How many."`
	}
	def := render(t, schema.MCP, facade.New("t", "T.",
		bound[nothing, first]("one", facade.EffectRead), bound[nothing, second]("two", facade.EffectRead)))[0]
	want := `{"type":"object","properties":{` +
		`"id":{"type":"string","description":"Identity."},` +
		`"items":{"anyOf":[{"type":["array","null"],"description":"Items (one).","items":{"type":"object","properties":` +
		`{"when":{"type":"string","format":"date-time","description":"Time."}},"required":["when"]}},` +
		`{"type":"integer","description":"How many (two)."}]},` +
		`"seen":{"type":"string","format":"date-time","description":"Last seen (one)."},` +
		`"blob":{"type":"string","contentEncoding":"base64","description":"Bytes (one)."},` +
		`"notes":{"type":"array",`
	if !strings.HasPrefix(string(def.Output), want) {
		t.Errorf("output (-want +got):\n%s", cmp.Diff(want, string(def.Output)))
	}
}

func TestAnnotations(t *testing.T) {
	const read, write = facade.EffectRead | facade.Idempotent, facade.EffectWrite
	tests := []struct {
		name    string
		effects []facade.Effect
		want    schema.Def
	}{
		{"only reads", []facade.Effect{read, read}, schema.Def{ReadOnly: true, Idempotent: true}},
		{"one write", []facade.Effect{read, write}, schema.Def{}},
		{"repeatable write", []facade.Effect{read, write | facade.Idempotent}, schema.Def{Idempotent: true}},
		{"destructive", []facade.Effect{write, write | facade.EffectDestructive}, schema.Def{Destructive: true}},
		{"network read", []facade.Effect{read | facade.EffectNetwork}, schema.Def{ReadOnly: true, Idempotent: true, OpenWorld: true}},
		{"executes", []facade.Effect{facade.EffectRead | facade.EffectExecute}, schema.Def{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var actions []facade.Action
			for i, e := range tt.effects {
				actions = append(actions, bound[nothing, nothing](string(rune('a'+i)), e))
			}
			got := render(t, schema.MCP, facade.New("t", "T.", actions...))[0]
			if got.Name != "t" || got.Description != "T." {
				t.Errorf("got name %q, description %q", got.Name, got.Description)
			}
			got.Name, got.Description, got.Input, got.Output = "", "", nil, nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("annotations (-want +got):\n%s", diff)
			}
		})
	}
}

type tree struct {
	Children map[string]tree `json:"children,omitempty"`
}

type forest []forest

func TestRefusals(t *testing.T) {
	type deep struct {
		Forest forest `json:"forest,omitempty"`
	}
	type wired struct {
		Wire chan int `json:"wire"`
	}
	tests := []struct {
		name   string
		action facade.Action
		want   string
	}{
		{"recursive output", bound[nothing, tree]("do", 0), "contains itself"},
		{"recursive slice in output", bound[nothing, deep]("do", 0), "contains itself"},
		{"channel", bound[nothing, wired]("do", 0), "JSON has no form for chan int"},
		{"output is no object", bound[nothing, time.Time]("do", 0), "is not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def, err := schema.Render(facade.New("t", "T.", tt.action), schema.MCP)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `tool "t"`) {
				t.Errorf("got %v, want an error of tool t with %q", err, tt.want)
			}
			if !reflect.DeepEqual(def, schema.Def{}) {
				t.Errorf("got a definition beside the error: %+v", def)
			}
		})
	}
	if _, err := schema.Render(facade.New("t", "T."), "klingon"); err == nil || !strings.Contains(err.Error(), `unknown profile "klingon"`) {
		t.Errorf("unknown profile: got %v", err)
	}
}

func TestNoActions(t *testing.T) {
	def := render(t, schema.MCP, facade.New("t", "T."))[0]
	compile(t, document(t, def.Output))
	if !strings.HasPrefix(string(def.Input), `{"type":"object","properties":{"action":{"type":"string"`) {
		t.Errorf("got %s", def.Input)
	}
}

// TestViews checks that a view of a tool renders as the smaller tool it is.
func TestViews(t *testing.T) {
	type write struct {
		Path string `json:"path" description:"File."`
		Text string `json:"text" description:"Text."`
	}
	type read struct {
		Path string `json:"path,omitempty" description:"File."`
	}
	whole := facade.New("t", "T.", bound[read, nothing]("read", facade.EffectRead|facade.Idempotent),
		bound[write, nothing]("write", facade.EffectWrite))
	def := render(t, schema.MCP, facade.ReadOnly(whole)...)[0]
	want := `{"type":"object","properties":{"action":{"type":"string","description":"read: Do read.","enum":["read"]},` +
		`"path":{"type":"string","description":"File."}},"required":["action"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(def.Input)); diff != "" {
		t.Errorf("read-only view (-want +got):\n%s", diff)
	}
	if !def.ReadOnly || !def.Idempotent {
		t.Errorf("annotations of the read-only view: %+v", def)
	}
	if got := fieldsOf(t, whole)["path"].Description; got != "File (required for write)." {
		t.Errorf("path of the whole tool: %q", got)
	}
}

// TestAnnotationsOfViews looks at what a host tells of the tools in each view.
func TestAnnotationsOfViews(t *testing.T) {
	reads := schema.Def{ReadOnly: true, Idempotent: true}
	for _, c := range []struct {
		cut  facade.View
		some bool // want names some of the tools only
		want map[string]schema.Def
	}{
		{views[0].cut, false, map[string]schema.Def{"filesystem": {Destructive: true}, "git": {Destructive: true, OpenWorld: true}, "python": {}}},
		{facade.ReadOnly, false, map[string]schema.Def{"filesystem": reads, "git": reads, "python": reads}},
		{facade.SplitReadWrite, false, map[string]schema.Def{
			"filesystem_query": reads, "filesystem_change": {Destructive: true},
			"git_query": reads, "git_change": {Destructive: true, OpenWorld: true},
			"python_query": reads, "python_change": {},
		}},
		{facade.Allow("git.fetch", "filesystem.create"), false, map[string]schema.Def{"filesystem": {Idempotent: true}, "git": {OpenWorld: true, Idempotent: true}}},
		{facade.Deny("git", "filesystem", "python.run", "python.run_background", "python.task_input"), false, map[string]schema.Def{"python": {Idempotent: true}}},
		{facade.Granular, true, map[string]schema.Def{"filesystem_read": reads, "filesystem_write": {Destructive: true}, "git_stage": {Idempotent: true}}},
	} {
		got := map[string]schema.Def{}
		for _, whole := range everything.Core()[:3] {
			for _, def := range render(t, schema.OpenAI, c.cut(whole)...) {
				got[def.Name] = schema.Def{ReadOnly: def.ReadOnly, Destructive: def.Destructive, Idempotent: def.Idempotent, OpenWorld: def.OpenWorld}
			}
		}
		if !c.some && len(got) != len(c.want) {
			t.Errorf("tools: got %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(c.want)))
		}
		for name, want := range c.want {
			if diff := cmp.Diff(want, got[name]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// TestDescriptionTagWins checks the order of the sources of descriptions.
func TestDescriptionTagWins(t *testing.T) {
	type mine struct {
		Silent string `json:"silent,omitempty"`
		Tagged string `json:"tagged,omitempty" description:"From the tag."`
	}
	got := fieldsOf(t, facade.New("t", "T.", bound[mine, nothing]("do", 0), bound[facade.InfoInput, nothing]("info", 0)))
	for name, want := range map[string]string{"silent": "(do)", "tagged": "From the tag (do).", "path": "File or directory (info; required)."} {
		if got[name].Description != want {
			t.Errorf("%s: got %q, want %q", name, got[name].Description, want)
		}
	}
}
