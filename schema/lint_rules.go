package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// rules are what [Lint] knows of a receiver.
type rules struct {
	// notAtRoot are keywords that the root must not have.
	notAtRoot []string
	// onlyAtRoot are all that the root may have, when not nil.
	onlyAtRoot []string
	// rejects are keywords that may stand nowhere.
	rejects []string
	// keeps are all keywords that are understood, when not nil; keepsAtRoot
	// are more of them at the root.
	keeps, keepsAtRoot []string
	// drops says that other keywords are ignored rather than rejected.
	drops bool
	// verbatim are keywords whose schema is handed on without being looked at.
	verbatim []string
	// node looks at one schema, whole at the counts.
	node  func(l *linter, at string, n map[string]any)
	whole func(l *linter)
}

// choices are refused at the root by OpenAI and Anthropic, which empties every
// tool of the request.
var choices = []string{"oneOf", "anyOf", "allOf"}

// conditions are what no grammar of a strict mode can be made of.
var conditions = []string{
	"oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
	"propertyNames", "unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains",
	"uniqueItems", "minProperties", "maxProperties", "prefixItems",
}

// rules returns what is known of the receiver of p, and whether p is known.
func (p Profile) rules() (rules, bool) {
	switch p {
	case MCP, Gemini:
		return rules{node: wellFormed}, true
	case OpenAI:
		return rules{notAtRoot: slices.Concat(choices, []string{"enum", "not", "const"}), node: lists}, true
	case OpenAIStrict:
		return rules{
			notAtRoot: slices.Concat(choices, []string{"enum", "not", "const"}),
			rejects:   slices.Concat(conditions, []string{"default", "minLength", "maxLength"}),
			node:      openAIStrictNode, whole: openAIStrictWhole,
		}, true
	case Anthropic:
		return rules{notAtRoot: choices, node: wellFormed}, true
	case AnthropicStrict:
		return rules{
			notAtRoot: choices,
			rejects: slices.Concat(conditions, []string{
				"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "maxItems",
			}),
			node: anthropicStrictNode, whole: anthropicStrictWhole,
		}, true
	case GeminiOpenAPI:
		return rules{
			keeps: []string{
				"type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties",
				"required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf",
				"propertyOrdering", "default", "minimum", "maximum",
			},
			node: geminiOpenAPINode,
		}, true
	case Bedrock:
		return rules{onlyAtRoot: []string{"type", "properties", "required"}, node: wellFormed}, true
	case Mistral:
		return rules{rejects: []string{"$schema", "$id"}, node: wellFormed}, true
	case Ollama:
		return rules{
			keeps:       []string{"type", "description", "enum", "items", "properties", "anyOf"},
			keepsAtRoot: []string{"required", "$defs"},
			drops:       true, verbatim: []string{"items"}, node: wellFormed,
		}, true
	}
	return rules{}, false
}

// typeNames are those of JSON Schema.
var typeNames = []string{"string", "number", "integer", "boolean", "object", "array", "null"}

// wellFormed checks what is wrong everywhere.
func wellFormed(l *linter, at string, n map[string]any) {
	names, several := n["type"].([]any)
	if !several && n["type"] != nil {
		names = []any{n["type"]}
	}
	for _, x := range names {
		if name, ok := x.(string); !ok || !slices.Contains(typeNames, name) {
			l.rejected(at, "type", "there is no type %v", x)
		}
	}
	for _, k := range []string{"properties", "patternProperties", "$defs"} {
		if v, there := n[k]; there {
			if _, ok := v.(map[string]any); !ok {
				l.rejected(at, k, "%s is not an object", k)
			}
		}
	}
	if v, there := n["required"]; there {
		list, ok := v.([]any)
		if !ok {
			l.rejected(at, "required", "required is not a list of names")
		}
		properties, _ := n["properties"].(map[string]any)
		for _, name := range list {
			if s, ok := name.(string); ok && properties != nil && properties[s] == nil {
				l.rejected(at, "required", "%q is required and no property", s)
			}
		}
	}
	if enum, ok := n["enum"].([]any); ok && len(enum) == 0 {
		l.rejected(at, "enum", "enum is empty: no value fits")
	}
}

// lists adds that an array says what is in it.
func lists(l *linter, at string, n map[string]any) {
	wellFormed(l, at, n)
	if isType(n, "array") && n["items"] == nil {
		l.rejected(at, "items", "an array must say its items")
	}
}

// closed adds that an object has the listed properties and no others.
func closed(l *linter, at string, n map[string]any) {
	lists(l, at, n)
	if isType(n, "object") && n["additionalProperties"] != false {
		l.rejected(at, "additionalProperties", "additionalProperties must be false")
	}
}

func openAIStrictNode(l *linter, at string, n map[string]any) {
	closed(l, at, n)
	properties, required := propertiesOf(n)
	for _, name := range properties {
		if !slices.Contains(required, name) {
			l.rejected(at, "required", "%q must be required; a type list with null makes it optional", name)
		}
	}
	if n["type"] == nil && n["anyOf"] == nil && n["$ref"] == nil && n["enum"] == nil && n["const"] == nil {
		l.rejected(at, "type", "a value of any type cannot be said")
	}
}

func openAIStrictWhole(l *linter) {
	for _, limit := range []struct {
		what    string
		n, most int
	}{{"properties", l.properties, 5000}, {"levels", l.depth, 10}, {"values of enums", l.enums, 1000}} {
		if limit.n > limit.most {
			l.rejected("", "", "%d %s, the limit is %d", limit.n, limit.what, limit.most)
		}
	}
}

func anthropicStrictNode(l *linter, at string, n map[string]any) {
	closed(l, at, n)
	if least := n["minItems"]; least != nil && least != json.Number("0") && least != json.Number("1") {
		l.rejected(at, "minItems", "minItems may be 0 or 1")
	}
	if ref, ok := n["$ref"].(string); ok {
		switch {
		case !strings.HasPrefix(ref, "#"):
			l.rejected(at, "$ref", "%q is outside the schema", ref)
		case l.recursive(ref, nil, map[string]bool{}):
			l.rejected(at, "$ref", "%q contains itself", ref)
		}
	}
}

func anthropicStrictWhole(l *linter) {
	if l.optional > strictOptional {
		l.rejected("", "", "%d optional parameters, the limit is %d for all strict tools together", l.optional, strictOptional)
	}
	if l.unions > strictUnions {
		l.rejected("", "", "%d parameters of several types, the limit is %d for all strict tools together", l.unions, strictUnions)
	}
}

// geminiOpenAPINode knows the types in upper case, as Google writes them.
func geminiOpenAPINode(l *linter, at string, n map[string]any) {
	name, single := n["type"].(string)
	switch {
	case !single && n["type"] != nil:
		l.rejected(at, "type", "a list of types cannot be said; nullable adds null")
	case !single && n["anyOf"] == nil:
		l.rejected(at, "type", "every value must have a type")
	case single && !slices.Contains(typeNames, strings.ToLower(name)):
		l.rejected(at, "type", "there is no type %s", name)
	}
	properties, _ := n["properties"].(map[string]any)
	if isType(n, "object") && len(properties) == 0 {
		l.rejected(at, "properties", "an object must have properties")
	}
	if isType(n, "array") && n["items"] == nil {
		l.rejected(at, "items", "an array must say its items")
	}
	enum, _ := n["enum"].([]any)
	if slices.ContainsFunc(enum, func(v any) bool { _, ok := v.(string); return !ok }) {
		l.rejected(at, "enum", "the values of an enum must be strings")
	}
}

// isType reports whether values of the type are allowed by name.
func isType(n map[string]any, name string) bool {
	if list, ok := n["type"].([]any); ok {
		return slices.Contains(list, any(name))
	}
	t, _ := n["type"].(string)
	return strings.EqualFold(t, name)
}

// recursive reports whether the schema that ref points to leads to itself.
// done has the references that are known not to.
func (l *linter) recursive(ref string, within []string, done map[string]bool) bool {
	if slices.Contains(within, ref) {
		return true
	}
	if done[ref] {
		return false
	}
	found := false
	var look func(at string, n map[string]any)
	look = func(at string, n map[string]any) {
		if inner, ok := n["$ref"].(string); ok && !found {
			found = l.recursive(inner, append(slices.Clone(within), ref), done)
		}
		l.each(at, n, look)
	}
	if target := l.resolve(ref); target != nil {
		look("", target)
	}
	done[ref] = !found
	return found
}

// resolve returns the schema that a local reference points to, or nil.
func (l *linter) resolve(ref string) map[string]any {
	at := l.root
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		if part == "" {
			continue
		}
		at, _ = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)].(map[string]any)
	}
	return at
}
