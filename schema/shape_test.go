package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// document parses a schema the way the validator wants it.
func document(t testing.TB, raw []byte) map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// compile checks doc against the metaschema of 2020-12 and returns a validator.
func compile(t testing.TB, doc any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// view is a way to cut tools.
type view struct {
	name string
	cut  facade.View
}

// views are all that package facade has, but those that take names.
var views = []view{
	{"flat", func(t *facade.Tool) []*facade.Tool { return []*facade.Tool{t} }},
	{"read-only", facade.ReadOnly},
	{"split", facade.SplitReadWrite},
	{"granular", facade.Granular},
}

// allTools are the tools in every view.
func allTools() []*facade.Tool {
	var tools []*facade.Tool
	for _, v := range views {
		for _, t := range everything.Tools() {
			tools = append(tools, v.cut(t)...)
		}
	}
	return tools
}

// keys lists the names in the object at raw[0] in their order.
func keys(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

type rootObject struct {
	Type                 string
	Properties           json.RawMessage
	Required             []string
	AdditionalProperties *bool
}

func rootOf(t *testing.T, raw json.RawMessage) rootObject {
	t.Helper()
	var r rootObject
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSchemasAreValidAndPlain(t *testing.T) {
	for _, tool := range allTools() {
		def := render(t, schema.MCP, tool)[0]
		for kind, raw := range map[string]json.RawMessage{"input": def.Input, "output": def.Output} {
			doc := document(t, raw)
			compile(t, doc)
			if doc["type"] != "object" {
				t.Errorf("%s %s: the root is of type %v, not object", tool.Name(), kind, doc["type"])
			}
			for _, k := range keys(t, raw) {
				if slices.Contains([]string{"oneOf", "anyOf", "allOf", "not", "enum", "const"}, k) {
					t.Errorf("%s %s: the root has %s, which providers reject", tool.Name(), kind, k)
				}
			}
			walk(doc, "", func(at string, node map[string]any) {
				for k := range node {
					if strings.HasPrefix(k, "$") {
						t.Errorf("%s %s: %s has %s", tool.Name(), kind, at, k)
					}
				}
			})
		}
	}
}

// walk calls fn for every schema in doc.
func walk(node map[string]any, at string, fn func(at string, node map[string]any)) {
	fn(at, node)
	if properties, ok := node["properties"].(map[string]any); ok {
		for name, child := range properties {
			walk(child.(map[string]any), at+"."+name, fn)
		}
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if child, ok := node[k].(map[string]any); ok {
			walk(child, at+"[]", fn)
		}
	}
	if choices, ok := node["anyOf"].([]any); ok {
		for i, child := range choices {
			walk(child.(map[string]any), fmt.Sprintf("%s|%d", at, i), fn)
		}
	}
}

func TestEveryFieldIsDescribed(t *testing.T) {
	for _, tool := range allTools() {
		def := render(t, schema.MCP, tool)[0]
		for kind, raw := range map[string]json.RawMessage{"input": def.Input, "output": def.Output} {
			walk(document(t, raw), "", func(at string, node map[string]any) {
				if at == "" || strings.HasSuffix(at, "]") || node["anyOf"] != nil {
					return // the root, an element, a choice whose branches are described
				}
				if text, _ := node["description"].(string); text == "" || strings.HasPrefix(text, "(") {
					t.Errorf("%s %s: %s has no description", tool.Name(), kind, at)
				}
			})
		}
	}
}

func TestFlatInput(t *testing.T) {
	for _, tool := range everything.Tools() {
		root := rootOf(t, render(t, schema.MCP, tool)[0].Input)
		if root.AdditionalProperties == nil || *root.AdditionalProperties {
			t.Errorf("%s: additionalProperties is not false", tool.Name())
		}
		want := []string{"action"}
		var actions []string
		lines := map[string]string{}
		takers := map[string]int{}
		needers := map[string]int{}
		for _, a := range tool.Actions() {
			actions = append(actions, a.Name)
			lines[a.Name] = a.Name + ": " + a.Doc
			for _, f := range a.Fields() {
				if takers[f.Name]++; takers[f.Name] == 1 {
					want = append(want, f.Name)
				}
				if f.Required {
					needers[f.Name]++
				}
			}
		}
		if diff := cmp.Diff(want, keys(t, root.Properties)); diff != "" {
			t.Errorf("%s: properties (-want +got):\n%s", tool.Name(), diff)
		}
		required := []string{"action"}
		for _, name := range want[1:] {
			if needers[name] == len(actions) {
				required = append(required, name)
			}
		}
		if diff := cmp.Diff(required, root.Required); diff != "" {
			t.Errorf("%s: required (-want +got):\n%s", tool.Name(), diff)
		}
		action := properties(t, root)["action"]
		if diff := cmp.Diff(actions, action.Enum); diff != "" {
			t.Errorf("%s: enum of action (-want +got):\n%s", tool.Name(), diff)
		}
		for name, line := range lines {
			if !slices.Contains(strings.Split(action.Description, "\n"), line) {
				t.Errorf("%s: the description of action lacks the line of %s", tool.Name(), name)
			}
		}
	}
}

// prop is what tests look at in a property.
type prop struct {
	Type             string
	Description      string
	Enum             []string
	Default          any
	Minimum, Maximum *float64
	MinItems         int
	Items            *prop
}

func properties(t *testing.T, root rootObject) map[string]prop {
	t.Helper()
	var m map[string]prop
	if err := json.Unmarshal(root.Properties, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestGranularInput(t *testing.T) {
	for _, whole := range everything.Tools() {
		for _, tool := range whole.Granular() {
			var names, required []string
			for _, f := range tool.Actions()[0].Fields() {
				names = append(names, f.Name)
				if f.Required {
					required = append(required, f.Name)
				}
			}
			root := rootOf(t, render(t, schema.MCP, tool)[0].Input)
			if diff := cmp.Diff(names, keys(t, root.Properties)); diff != "" {
				t.Errorf("%s: properties (-want +got):\n%s", tool.Name(), diff)
			}
			if diff := cmp.Diff(required, root.Required); diff != "" {
				t.Errorf("%s: required (-want +got):\n%s", tool.Name(), diff)
			}
			for name, p := range properties(t, root) {
				if strings.Contains(p.Description, "required") {
					t.Errorf("%s: %s says in words what the schema says: %s", tool.Name(), name, p.Description)
				}
			}
		}
	}
}

// TestFlatNotes looks at what the description of a shared parameter says.
func TestFlatNotes(t *testing.T) {
	for _, tool := range everything.Tools() {
		root := rootOf(t, render(t, schema.MCP, tool)[0].Input)
		described := properties(t, root)
		for _, a := range tool.Actions() {
			for _, f := range a.Fields() {
				everywhere := !slices.ContainsFunc(tool.Actions(), func(b facade.Action) bool {
					return !slices.ContainsFunc(b.Fields(), func(g facade.Field) bool { return g.Name == f.Name })
				})
				text := described[f.Name].Description
				if !everywhere && !mentions(text, a.Name) && !strings.Contains(text, "all but ") {
					t.Errorf("%s: the description of %s does not say that %s takes it: %s", tool.Name(), f.Name, a.Name, text)
				}
				if f.Required && !slices.Contains(root.Required, f.Name) && !strings.Contains(text, "required") {
					t.Errorf("%s: the description of %s does not say that %s needs it: %s", tool.Name(), f.Name, a.Name, text)
				}
			}
		}
	}
}

func mentions(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ().,;:", r) }), name)
}
