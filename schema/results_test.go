package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// drawInto fills v with anything that an implementation could put there.
func drawInto(t *rapid.T, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		seconds := rapid.Int64Range(0, 4e9).Draw(t, "time")
		v.Set(reflect.ValueOf(time.Unix(seconds, rapid.Int64Range(0, 999).Draw(t, "ns")).UTC()))
		return
	case facade.Error:
		v.Set(reflect.ValueOf(*drawError(t)))
		return
	case json.RawMessage:
		v.SetBytes([]byte(rapid.SampledFrom([]string{"null", "1", `"a"`, `{"a":[]}`}).Draw(t, "raw")))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.SampledFrom(texts).Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64Range(-5, 1e9).Draw(t, "int"))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64Range(0, 200).Draw(t, "uint"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(-1e9, 1e9).Draw(t, "float"))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				drawInto(t, v.Field(i))
			}
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			drawInto(t, v.Elem())
		}
	case reflect.Slice:
		if n := rapid.IntRange(-1, 2).Draw(t, "len"); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				drawInto(t, v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			drawInto(t, v.Index(i))
		}
	case reflect.Map:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.MakeMap(v.Type()))
			elem := reflect.New(v.Type().Elem()).Elem()
			drawInto(t, elem)
			v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), elem)
		}
	case reflect.Interface:
		if x := drawAnything(t, "any"); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	default:
		t.Fatalf("no values of %v", v.Type())
	}
}

func drawError(t *rapid.T) *facade.Error {
	e := facade.Errorf(rapid.SampledFrom([]facade.Code{facade.CodeNotFound, facade.CodeRateLimited, "of someone else"}).Draw(t, "code"), "failed")
	e.Field = rapid.SampledFrom(texts).Draw(t, "field")
	e.Path = rapid.SampledFrom(texts).Draw(t, "path")
	e.Hint = rapid.SampledFrom(texts).Draw(t, "hint")
	e.RetryAfter = time.Duration(rapid.Int64Range(0, 1e10).Draw(t, "retry after"))
	return e
}

// closed forbids members that the schema does not name. Schemas of results
// leave them open so that a result may grow; a test wants to know of them.
func closed(doc map[string]any) map[string]any {
	walk(doc, "", func(_ string, node map[string]any) {
		if node["properties"] != nil {
			node["additionalProperties"] = false
		}
	})
	return doc
}

// TestOutputAcceptsEveryResult runs random outputs through [facade.Tool.Call],
// with and without failures, notes and cuts, and validates what hosts get.
func TestOutputAcceptsEveryResult(t *testing.T) {
	for _, whole := range everything.Tools() {
		flat := compile(t, closed(document(t, render(t, schema.MCP, whole)[0].Output)))
		for _, a := range whole.Actions() {
			example, err := everything.Example(whole, a)
			if err != nil {
				t.Fatal(err)
			}
			one := whole.Only(func(b facade.Action) bool { return b.Name == a.Name }).Granular()[0]
			granular := compile(t, closed(document(t, render(t, schema.MCP, one)[0].Output)))
			t.Run(one.Name(), rapid.MakeCheck(func(rt *rapid.T) {
				raw := drawResult(rt, whole, a, example)
				accepts(rt, flat, raw)
				accepts(rt, granular, raw)
			}))
		}
	}
}

// drawResult calls an action that answers with a random output, failure or
// both, and returns the structured form of the result.
func drawResult(t *rapid.T, tool *facade.Tool, a facade.Action, args json.RawMessage) json.RawMessage {
	res, err := everything.Answered(tool, func(context.Context, *facade.Request) (any, error) {
		switch out := reflect.New(a.Out).Elem(); rapid.SampledFrom([]string{"done", "done", "failed", "partial", "zero"}).Draw(t, "outcome") {
		case "failed":
			return nil, drawError(t)
		case "partial":
			drawInto(t, out)
			return out.Interface(), drawError(t)
		case "zero":
			return out.Interface(), nil
		default:
			drawInto(t, out)
			return out.Interface(), nil
		}
	}).Call(context.Background(), facade.Call{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "noted") {
		res.Notes = append(res.Notes, "noted")
	}
	res.Truncated = res.Truncated || rapid.Bool().Draw(t, "truncated")
	return res.JSON()
}

func accepts(t *rapid.T, validator *jsonschema.Schema, raw json.RawMessage) {
	t.Helper()
	if twice := doubled(raw); twice != "" {
		t.Fatalf("member %q is there twice\n%s", twice, raw)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	if err := validator.Validate(v); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
}

// doubled returns a name that occurs twice in the object raw.
func doubled(raw json.RawMessage) string {
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token()
	for dec.More() {
		token, _ := dec.Token()
		name, _ := token.(string)
		if seen[name] {
			return name
		}
		seen[name] = true
		var value json.RawMessage
		_ = dec.Decode(&value)
	}
	return ""
}

// TestErrorObject checks that the schema of the error object is that of
// [facade.Error], member for member.
func TestErrorObject(t *testing.T) {
	def := render(t, schema.MCP, everything.Tools()[0])[0]
	e := &facade.Error{
		Code: facade.CodeRateLimited, Message: "m", Tool: "t", Action: "a", Field: "f",
		Path: "p", Hint: "h", RetryAfter: time.Second,
	}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	properties := document(t, def.Output)["properties"].(map[string]any)["error"].(map[string]any)
	got := document(t, raw)
	for name := range got {
		if _, ok := properties["properties"].(map[string]any)[name]; !ok {
			t.Errorf("the schema lacks %s", name)
		}
	}
	for name := range properties["properties"].(map[string]any) {
		if _, ok := got[name]; !ok {
			t.Errorf("the schema has %s, which errors never have", name)
		}
	}
	if err := compile(t, properties).Validate(got); err != nil {
		t.Error(err)
	}
}
