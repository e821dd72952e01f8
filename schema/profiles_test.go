package schema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/schema"
)

// law is what a receiver demands of every schema, and what of the root alone.
type law struct {
	keywords []string // all that may occur
	root     []string // all that may occur at the root, when fewer
	node     func(node map[string]any) (complaint string)
}

func closedObjects(node map[string]any) string {
	if node["type"] == "object" && node["additionalProperties"] != false {
		return "an object without additionalProperties false"
	}
	return ""
}

func oneType(node map[string]any) string {
	if _, ok := node["type"].(string); !ok {
		return "not a single type"
	}
	if properties, _ := node["properties"].(map[string]any); node["type"] == "object" && len(properties) == 0 {
		return "an object without properties"
	}
	return ""
}

// allRequired wants of strict objects what OpenAI says in its error message.
func allRequired(node map[string]any) string {
	if complaint := closedObjects(node); complaint != "" {
		return complaint
	}
	properties, ok := node["properties"].(map[string]any)
	if !ok {
		return ""
	}
	required, ok := node["required"].([]any)
	if !ok || len(required) != len(properties) {
		return "required does not name every property"
	}
	for name, p := range properties {
		if !slices.Contains(required, any(name)) {
			return name + " is not required"
		}
		child := p.(map[string]any)
		enum, _ := child["enum"].([]any)
		if types, _ := child["type"].([]any); len(types) > 0 && enum != nil && !slices.Contains(enum, nil) {
			return name + " may be null, but not by its enum"
		}
	}
	return ""
}

func smallMinItems(node map[string]any) string {
	if n, ok := node["minItems"].(json.Number); ok && n != "0" && n != "1" {
		return "minItems above 1"
	}
	return closedObjects(node)
}

var laws = map[schema.Profile]law{
	schema.OpenAIStrict: {
		keywords: []string{"type", "description", "enum", "items", "properties", "required", "additionalProperties", "minimum", "maximum", "minItems"},
		node:     allRequired,
	},
	schema.AnthropicStrict: {
		keywords: []string{"type", "description", "enum", "default", "items", "minItems", "properties", "required", "additionalProperties"},
		node:     smallMinItems,
	},
	schema.GeminiOpenAPI: {
		keywords: []string{"type", "description", "enum", "items", "minItems", "minimum", "maximum", "properties", "required"},
		node:     oneType,
	},
	schema.Bedrock: {
		keywords: []string{"type", "description", "enum", "default", "items", "minItems", "minimum", "maximum", "properties", "required", "additionalProperties"},
		root:     []string{"type", "properties", "required"},
	},
	schema.Ollama: {
		keywords: []string{"type", "description", "enum", "items", "properties"},
		root:     []string{"type", "properties", "required"},
	},
}

func TestProfilesObeyTheirReceivers(t *testing.T) {
	for p, l := range laws {
		for _, tool := range allTools() {
			def, err := schema.Render(tool, p)
			if err != nil {
				if tool.Fixed() {
					t.Errorf("%s for %s: a single action is refused: %v", tool.Name(), p, err)
				}
				continue
			}
			if def.Output != nil {
				t.Errorf("%s for %s has an output schema", tool.Name(), p)
			}
			if strict := strings.HasSuffix(string(p), "-strict"); def.Strict != strict {
				t.Errorf("%s for %s: strict is %v", tool.Name(), p, def.Strict)
			}
			if def.Input == nil {
				if p != schema.GeminiOpenAPI || len(tool.Actions()[0].Fields()) > 0 {
					t.Errorf("%s for %s has no schema", tool.Name(), p)
				}
				continue
			}
			doc := document(t, def.Input)
			compile(t, doc)
			walk(doc, "", func(at string, node map[string]any) {
				allowed := l.keywords
				if at == "" && l.root != nil {
					allowed = l.root
				}
				for _, k := range slices.Sorted(maps.Keys(node)) {
					if !slices.Contains(allowed, k) && (at != "" || k != "required") {
						t.Errorf("%s for %s: %s has %s", tool.Name(), p, at, k)
					}
				}
				if l.node == nil {
					return
				}
				if complaint := l.node(node); complaint != "" {
					t.Errorf("%s for %s: %s: %s", tool.Name(), p, at, complaint)
				}
			})
		}
	}
}

// TestProfilesKeepTheOrder checks that a rewrite changes neither the parameters
// nor their order.
func TestProfilesKeepTheOrder(t *testing.T) {
	for _, tool := range allTools() {
		want := keys(t, rootOf(t, render(t, schema.MCP, tool)[0].Input).Properties)
		for _, p := range schema.Profiles() {
			def, err := schema.Render(tool, p)
			if err != nil || def.Input == nil {
				continue // the law test and the golden files know which
			}
			if diff := cmp.Diff(want, keys(t, rootOf(t, def.Input).Properties)); diff != "" {
				t.Errorf("%s for %s: properties (-mcp +got):\n%s", tool.Name(), p, diff)
			}
		}
	}
}

// TestStrictArgumentsDecode checks that what a strict mode lets a model send is
// taken: null for absent, and the JSON text of an object for one.
func TestStrictArgumentsDecode(t *testing.T) {
	for _, p := range []schema.Profile{schema.OpenAIStrict, schema.AnthropicStrict} {
		for _, tool := range allTools() {
			if !tool.Fixed() {
				continue
			}
			doc := document(t, render(t, p, tool)[0].Input)
			inRange := document(t, render(t, schema.MCP, tool)[0].Input)
			t.Run(string(p)+"/"+tool.Name(), rapid.MakeCheck(func(rt *rapid.T) {
				args := drawObject(rt, withRanges(doc, inRange)).(map[string]any)
				raw, err := json.Marshal(args)
				if err != nil {
					rt.Fatal(err)
				}
				if got := decode(t, tool, raw); got.failure != nil && !excused(tool.Name(), got.failure) {
					rt.Fatalf("%s\n%v", raw, got.failure)
				}
			}))
		}
	}
}

// withRanges returns doc with the limits that original states in keywords and
// doc in words, as a model would read them, and texts that are JSON objects.
func withRanges(doc, original map[string]any) map[string]any {
	out := maps.Clone(doc)
	for _, k := range []string{"minimum", "maximum", "minItems"} {
		if v, ok := original[k]; ok {
			out[k] = v
		}
	}
	if text, _ := doc["description"].(string); strings.Contains(text, "JSON text") {
		out["enum"] = []any{"{}", `{"a":"b"}`}
	}
	if child, ok := doc["items"].(map[string]any); ok {
		out["items"] = withRanges(child, original["items"].(map[string]any))
	}
	if children, ok := doc["properties"].(map[string]any); ok {
		properties := map[string]any{}
		for name, child := range children {
			properties[name] = withRanges(child.(map[string]any), original["properties"].(map[string]any)[name].(map[string]any))
		}
		out["properties"] = properties
	}
	return out
}

func TestStrictRefusals(t *testing.T) {
	type one struct {
		A string `json:"a,omitempty" description:"A."`
		B string `json:"b" description:"B."`
		C []struct {
			D int `json:"d,omitempty" description:"D."`
		} `json:"c,omitempty" description:"C."`
	}
	if _, err := schema.Render(facade.New("t", "T.", bound[one, nothing]("do", 0)), schema.AnthropicStrict); err != nil {
		t.Errorf("three optional parameters: %v", err)
	}
	type raw struct {
		X json.RawMessage `json:"x" description:"X."`
	}
	for _, p := range []schema.Profile{schema.OpenAIStrict, schema.AnthropicStrict, schema.GeminiOpenAPI} {
		_, err := schema.Render(facade.New("t", "T.", bound[raw, nothing]("do", 0)), p)
		if err == nil || !strings.Contains(err.Error(), "x may be of any type") {
			t.Errorf("%s: a parameter of any type: got %v", p, err)
		}
	}
}
