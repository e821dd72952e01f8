package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/schema"
)

// everyone has all profiles.
var everyone = schema.Profiles()

// but returns every profile without some.
func but(some ...schema.Profile) []schema.Profile {
	return slices.DeleteFunc(slices.Clone(everyone), func(p schema.Profile) bool { return slices.Contains(some, p) })
}

// foreign are schemas of other people's tools, of the shapes that providers
// reject, and what is found in them by whom.
var foreign = []struct {
	what, schema string
	want         string // pointer and keyword of the finding
	by           []schema.Profile
	others       bool // other findings are expected too
}{
	{
		what: "a union by action at the root", schema: `{"type":"object","oneOf":[{"type":"object","properties":{"action":{"const":"a"}}}]}`,
		want: " oneOf", by: but(schema.MCP, schema.Gemini, schema.Mistral), others: true,
	},
	{
		what: "anyOf at the root", schema: `{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`,
		want: " anyOf", by: []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Anthropic, schema.AnthropicStrict, schema.Bedrock}, others: true,
	},
	{what: "an array at the root", schema: `{"type":"array","items":{"type":"string"}}`, want: " type", by: everyone, others: true},
	{what: "no type at the root", schema: `{"properties":{"a":{"type":"string"}}}`, want: " type", by: everyone, others: true},
	{
		what: "an enum at the root", schema: `{"type":"object","properties":{"a":{"type":"string"}},"enum":[{}]}`,
		want: " enum", by: []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.GeminiOpenAPI, schema.Bedrock}, others: true,
	},
	{
		what: "an array of anything", schema: `{"type":"object","properties":{"a":{"type":"array"}},"required":["a"],"additionalProperties":false}`,
		want: "/properties/a items", by: []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.AnthropicStrict, schema.GeminiOpenAPI}, others: true,
	},
	{
		what: "the dialect", schema: `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
		want: " $schema", by: []schema.Profile{schema.GeminiOpenAPI, schema.Bedrock, schema.Mistral, schema.Ollama}, others: true,
	},
	{
		what: "definitions", schema: `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`,
		want: "/properties/a $ref", by: []schema.Profile{schema.GeminiOpenAPI, schema.Ollama}, others: true,
	},
	{
		what: "recursion", schema: `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"additionalProperties":false,
			"$defs":{"A":{"type":"object","properties":{"next":{"$ref":"#/$defs/B"}},"required":["next"],"additionalProperties":false},"B":{"type":"array","items":{"$ref":"#/$defs/A"}}}}`,
		want: "/properties/a $ref", by: []schema.Profile{schema.AnthropicStrict, schema.GeminiOpenAPI, schema.Ollama}, others: true,
	},
	{
		what: "a reference to elsewhere", schema: `{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}},"required":["a"],"additionalProperties":false}`,
		want: "/properties/a $ref", by: []schema.Profile{schema.AnthropicStrict, schema.GeminiOpenAPI, schema.Ollama}, others: true,
	},
	{
		what: "a list of types", schema: `{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}`,
		want: "/properties/a type", by: []schema.Profile{schema.GeminiOpenAPI}, others: true,
	},
	{
		what: "a property of any type", schema: `{"type":"object","properties":{"a":{"description":"A."}},"required":["a"]}`,
		want: "/properties/a type", by: []schema.Profile{schema.OpenAIStrict, schema.GeminiOpenAPI}, others: true,
	},
	{
		what: "an enum of numbers", schema: `{"type":"object","properties":{"a":{"type":"integer","enum":[1,2]}},"required":["a"]}`,
		want: "/properties/a enum", by: []schema.Profile{schema.GeminiOpenAPI}, others: true,
	},
	{
		what: "an empty object", schema: `{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}`,
		want: "/properties/a properties", by: []schema.Profile{schema.GeminiOpenAPI}, others: true,
	},
	{
		what: "a constant", schema: `{"type":"object","properties":{"a":{"type":"string","const":"x"}},"required":["a"]}`,
		want: "/properties/a const", by: []schema.Profile{schema.GeminiOpenAPI, schema.Ollama}, others: true,
	},
	{
		what: "a range", schema: `{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}`,
		want: "/properties/a minimum", by: []schema.Profile{schema.AnthropicStrict, schema.Ollama}, others: true,
	},
	{
		what: "a pattern in an element", schema: `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","pattern":"^x"}}},"required":["a"]}`,
		want: "/properties/a/items pattern", by: []schema.Profile{schema.AnthropicStrict}, others: true,
	},
	{
		what: "a default", schema: `{"type":"object","properties":{"a":{"type":"string","default":"x"}},"required":["a"]}`,
		want: "/properties/a default", by: []schema.Profile{schema.OpenAIStrict, schema.Ollama}, others: true,
	},
	{
		what: "an optional property", schema: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
		want: " required", by: []schema.Profile{schema.OpenAIStrict}, others: true,
	},
	{
		what: "an open object", schema: `{"type":"object","properties":{"a/b~c":{"type":"object","properties":{"d":{"type":"string"}},"required":["d"]}},"required":["a/b~c"]}`,
		want: "/properties/a~1b~0c additionalProperties", by: []schema.Profile{schema.OpenAIStrict, schema.AnthropicStrict}, others: true,
	},
	{
		what: "a closed root", schema: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
		want: " additionalProperties", by: []schema.Profile{schema.GeminiOpenAPI, schema.Bedrock, schema.Ollama},
	},
	{
		what: "a union inside", schema: `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"integer"}]}},"required":["a"]}`,
		want: "/properties/a oneOf", by: []schema.Profile{schema.OpenAIStrict, schema.AnthropicStrict, schema.GeminiOpenAPI, schema.Ollama}, others: true,
	},
	{
		what: "allOf inside a choice", schema: `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"allOf":[{"type":"string"}]}]}},"required":["a"]}`,
		want: "/properties/a/anyOf/1 allOf", by: []schema.Profile{schema.OpenAIStrict, schema.AnthropicStrict, schema.GeminiOpenAPI, schema.Ollama}, others: true,
	},
	{
		what: "a type that is none", schema: `{"type":"object","properties":{"a":{"type":"str"}},"required":["a"]}`,
		want: "/properties/a type", by: everyone, others: true,
	},
	{
		what: "a required property that is none", schema: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]}`,
		want: " required", by: but(schema.GeminiOpenAPI), others: true,
	},
	{
		what: "an empty enum", schema: `{"type":"object","properties":{"a":{"type":"string","enum":[]}},"required":["a"]}`,
		want: "/properties/a enum", by: but(schema.GeminiOpenAPI), others: true,
	},
	{what: "a list of properties", schema: `{"type":"object","properties":["a"]}`, want: " properties", by: everyone, others: true},
	{what: "no schema", schema: `[]`, want: " ", by: everyone},
	{what: "no JSON", schema: `{"type":"object"`, want: " ", by: everyone},
	{what: "two values", schema: `{"type":"object"} {}`, want: " ", by: everyone},
}

func TestLintForeignSchemas(t *testing.T) {
	for _, c := range foreign {
		var by []schema.Profile
		for _, p := range everyone {
			found := schema.Lint(p, json.RawMessage(c.schema))
			if !slices.ContainsFunc(found, func(f schema.Finding) bool { return f.Pointer+" "+f.Keyword == c.want }) {
				continue
			}
			by = append(by, p)
			if !c.others && len(found) != 1 {
				t.Errorf("%s for %s: %v, want one finding", c.what, p, found)
			}
			for _, f := range found {
				if f.Dropped != (p == schema.Ollama && strings.Contains(f.String(), "ignored")) {
					t.Errorf("%s for %s: %v: Dropped is %v", c.what, p, f, f.Dropped)
				}
			}
		}
		if diff := cmp.Diff(c.by, by); diff != "" {
			t.Errorf("%s: %q is found by (-want +got):\n%s", c.what, c.want, diff)
		}
	}
}

func TestLintFindsNothingInOurs(t *testing.T) {
	for _, p := range everyone {
		for _, tool := range allTools() {
			def, err := schema.Render(tool, p)
			if err != nil || def.Input == nil {
				continue // the law test and the golden files know which
			}
			for _, f := range schema.Lint(p, def.Input) {
				t.Errorf("%s for %s: %s", tool.Name(), p, f)
			}
		}
	}
}

// TestLintLimits goes over each limit by one.
func TestLintLimits(t *testing.T) {
	object := func(properties []string, required bool) json.RawMessage {
		names := "[]"
		if required {
			raw, _ := json.Marshal(slices.Collect(func(yield func(string) bool) {
				for i := range properties {
					yield(fmt.Sprintf("p%d", i))
				}
			}))
			names = string(raw)
		}
		return json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":` + names + `,"additionalProperties":false}`)
	}
	many := func(n int, node string) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`"p%d":%s`, i, node)
		}
		return list
	}
	enum := func(n int) string {
		values := make([]string, n)
		for i := range values {
			values[i] = fmt.Sprintf(`"v%d"`, i)
		}
		return `{"type":"string","enum":[` + strings.Join(values, ",") + `]}`
	}
	for _, c := range []struct {
		profile  schema.Profile
		fits     json.RawMessage
		exceeds  json.RawMessage
		complain string
	}{
		{schema.AnthropicStrict, object(many(24, `{"type":"string"}`), false), object(many(25, `{"type":"string"}`), false), "25 optional parameters"},
		{schema.AnthropicStrict, object(many(16, `{"type":["string","null"]}`), true), object(many(17, `{"type":["string","null"]}`), true), "17 parameters of several types"},
		{schema.OpenAIStrict, object(many(5000, `{"type":"string"}`), true), object(many(5001, `{"type":"string"}`), true), "5001 properties"},
		{schema.OpenAIStrict, object(many(1, enum(1000)), true), object(many(1, enum(1001)), true), "1001 values of enums"},
		{schema.OpenAIStrict, nested(10), nested(11), "11 levels"},
	} {
		if found := schema.Lint(c.profile, c.fits); found != nil {
			t.Errorf("%s, at the limit: %v", c.profile, found)
		}
		found := schema.Lint(c.profile, c.exceeds)
		if len(found) != 1 || !strings.Contains(found[0].Message, c.complain) {
			t.Errorf("%s: got %v, want %s", c.profile, found, c.complain)
		}
	}
}

// nested returns objects in each other.
func nested(levels int) json.RawMessage {
	s := `{"type":"string"}`
	for range levels {
		s = `{"type":"object","properties":{"p":` + s + `},"required":["p"],"additionalProperties":false}`
	}
	return json.RawMessage(s)
}

func TestLintUnknownProfile(t *testing.T) {
	found := schema.Lint("nobody's", json.RawMessage(`{"type":"object"}`))
	if len(found) != 1 || !strings.Contains(found[0].String(), "nobody's") {
		t.Errorf("got %v", found)
	}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]schema.Finding{
		"the root: rejected: oneOf must not stand at the root": {Keyword: "oneOf", Message: "oneOf must not stand at the root"},
		"/properties/a: dropped: default is ignored":           {Pointer: "/properties/a", Keyword: "default", Dropped: true, Message: "default is ignored"},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzLint(f *testing.F) {
	for _, c := range foreign {
		f.Add(c.schema)
	}
	f.Add(`{"type":"object","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#"}]}},"properties":{"x":{"$ref":"#/$defs/a"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range everyone {
			for _, found := range schema.Lint(p, json.RawMessage(text)) {
				if found.Message == "" {
					t.Errorf("%s: a finding without a message: %+v", p, found)
				}
			}
		}
	})
}
