package schema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// The functions here make arguments from a schema, and spoil them.

// texts are strings that a lenient decoder might take for something else.
var texts = []string{"", "a", "src/main.go", "10", "-1", "true", "null", `["x"]`, "[]", "{}", `{"a":1}`, " padded ", "größe\n", "<&>"}

// anything has JSON values of every type.
var anything = []string{
	"null", "true", "false", "0", "-1", "3", "2.0", "1e2", "1.5", "1000000",
	`""`, `"a"`, `"10"`, `"true"`, `"[\"x\"]"`, `"{\"a\":\"b\"}"`, `"[1]"`,
	`[]`, `["x"]`, `[1]`, `[null]`, `{}`, `{"a":"b"}`, `{"a":1}`, `{"path":"a"}`,
}

// drawAnything makes a new value, which may be changed, of any type.
func drawAnything(t *rapid.T, label string) any {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(rapid.SampledFrom(anything).Draw(t, label)))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// drawValid makes a value that a schema of this package accepts.
func drawValid(t *rapid.T, s map[string]any) any {
	if enum, ok := s["enum"].([]any); ok {
		return rapid.SampledFrom(enum).Draw(t, "enum")
	}
	kind := s["type"]
	if types, ok := kind.([]any); ok { // of a strict schema: a type or null
		if kind = types[0]; rapid.Bool().Draw(t, "null") {
			return nil
		}
	}
	switch kind {
	case "string":
		if rapid.Bool().Draw(t, "odd") {
			return rapid.String().Draw(t, "string")
		}
		return rapid.SampledFrom(texts).Draw(t, "text")
	case "boolean":
		return rapid.Bool().Draw(t, "bool")
	case "integer":
		return drawInteger(t, s)
	case "number":
		x := rapid.Float64Range(bound64(s, "minimum", -1e9), bound64(s, "maximum", 1e9)).Draw(t, "number")
		raw, _ := json.Marshal(x)
		return json.Number(raw)
	case "array":
		return drawArray(t, s)
	case "object":
		return drawObject(t, s)
	}
	return drawAnything(t, "any")
}

// drawInteger stays within 32 bits: an integer that does not fit into Go's is
// valid by every schema without a maximum and an error to the decoder.
func drawInteger(t *rapid.T, s map[string]any) any {
	n := rapid.Int64Range(int64(bound64(s, "minimum", -1<<31)), int64(bound64(s, "maximum", 1<<31))).Draw(t, "integer")
	raw, _ := json.Marshal(n)
	if rapid.Bool().Draw(t, "as 1.0") {
		return json.Number(raw) + ".0"
	}
	return json.Number(raw)
}

func bound64(s map[string]any, keyword string, otherwise float64) float64 {
	if n, ok := s[keyword].(json.Number); ok {
		x, _ := n.Float64()
		return x
	}
	return otherwise
}

func drawArray(t *rapid.T, s map[string]any) any {
	least := int(bound64(s, "minItems", 0))
	list := make([]any, rapid.IntRange(least, least+2).Draw(t, "items"))
	for i := range list {
		list[i] = drawValid(t, s["items"].(map[string]any))
	}
	return list
}

func drawObject(t *rapid.T, s map[string]any) any {
	object := map[string]any{}
	known, closed := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if slices.Contains(required, any(name)) || rapid.Bool().Draw(t, "with "+name) {
			object[name] = drawValid(t, known[name].(map[string]any))
		}
	}
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(texts), 0, 2).Draw(t, "names") {
			object[name] = drawValid(t, values)
		}
	} else if !closed {
		object["free"] = drawAnything(t, "any")
	}
	return object
}

// place is somewhere in a value where another value can be put.
type place struct {
	in  map[string]any // nil for an element of a list
	key string
	set func(any)
}

// places lists every place in v.
func places(v any) []place {
	var list []place
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			list = append(list, place{v, k, func(x any) { v[k] = x }})
			list = append(list, places(v[k])...)
		}
	case []any:
		for i := range v {
			list = append(list, place{set: func(x any) { v[i] = x }})
			list = append(list, places(v[i])...)
		}
	}
	return list
}

// spoil changes args in one place, mostly for the worse.
func spoil(t *rapid.T, args map[string]any) {
	list := places(args)
	if len(list) == 0 {
		args["stranger"] = drawAnything(t, "stranger")
		return
	}
	p := rapid.SampledFrom(list).Draw(t, "place")
	how := rapid.SampledFrom([]string{"replace", "drop", "rename", "add"}).Draw(t, "how")
	switch {
	case p.in == nil || how == "replace":
		p.set(drawAnything(t, "value"))
	case how == "drop":
		delete(p.in, p.key)
	case how == "rename":
		v := p.in[p.key]
		delete(p.in, p.key)
		p.in[strings.ToUpper(p.key)] = v
	default:
		p.in["stranger"] = drawAnything(t, "value")
	}
}

// withoutNulls drops the members of v that are null where schema s knows them:
// to the decoder null means absent, which a schema says only at the cost of a
// second type on every property. It returns a copy.
func withoutNulls(v any, s map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		known, _ := s["properties"].(map[string]any)
		out := map[string]any{}
		for k, x := range v {
			child, ok := known[k].(map[string]any)
			if ok && x == nil {
				continue
			}
			out[k] = withoutNulls(x, child)
		}
		return out
	case []any:
		child, _ := s["items"].(map[string]any)
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = withoutNulls(x, child)
		}
		return out
	}
	return v
}
