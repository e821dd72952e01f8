package schema_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// decoding is what the decoder makes of arguments.
type decoding struct {
	failure *facade.Error
	notes   []string
}

// decode runs the arguments through t up to the point where an implementation
// would be called.
func decode(t testing.TB, tool *facade.Tool, args []byte) decoding {
	t.Helper()
	nothing := func(context.Context, *facade.Request) (any, error) { return struct{}{}, nil }
	res, err := everything.Answered(tool, nothing).Call(t.Context(), facade.Call{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return decoding{res.Error, res.Notes}
}

// excused reports whether the failure is one of the listed rules.
func excused(tool string, failure *facade.Error) bool {
	return failure != nil && slices.ContainsFunc(rules, func(r rule) bool {
		return r.tool == tool && regexp.MustCompile(r.message).MatchString(failure.Message)
	})
}

// TestSchemaAndDecoderAgree checks, for the schema of every single action, that
// the arguments it accepts are those that decode without error and without
// coercion. Beyond the schema are: the listed rules; null for absent; integers
// above 2^63; and a member given twice, which the validator never sees.
func TestSchemaAndDecoderAgree(t *testing.T) {
	for _, whole := range everything.Tools() {
		for _, tool := range whole.Granular() {
			t.Run(tool.Name(), func(t *testing.T) {
				doc := document(t, render(t, schema.MCP, tool)[0].Input)
				validator := compile(t, doc)
				rapid.Check(t, func(rt *rapid.T) {
					args := drawObject(rt, doc).(map[string]any)
					for range rapid.IntRange(0, 2).Draw(rt, "spoilt") {
						spoil(rt, args)
					}
					agree(t, rt, tool, validator, doc, args)
				})
			})
		}
	}
}

func agree(t *testing.T, rt *rapid.T, tool *facade.Tool, validator *jsonschema.Schema, doc, args map[string]any) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		rt.Fatal(err)
	}
	invalid := validator.Validate(withoutNulls(args, doc))
	got := decode(t, tool, raw)
	switch {
	case invalid == nil && got.failure != nil && !excused(tool.Name(), got.failure):
		rt.Fatalf("the schema accepts, the decoder refuses\n%s\n%v", raw, got.failure)
	case invalid == nil && got.failure == nil && len(got.notes) > 0:
		rt.Fatalf("the schema accepts, the decoder coerces\n%s\n%v", raw, got.notes)
	case invalid != nil && got.failure == nil && len(got.notes) == 0:
		rt.Fatalf("the schema refuses, the decoder accepts\n%s\n%v", raw, invalid)
	}
}

func TestRulesAreReal(t *testing.T) {
	tools := map[string]*facade.Tool{}
	for _, whole := range everything.Tools() {
		for _, tool := range whole.Granular() {
			tools[tool.Name()] = tool
		}
	}
	for _, r := range rules {
		tool := tools[r.tool]
		if tool == nil {
			t.Errorf("no tool %s", r.tool)
			continue
		}
		args, err := jsonschema.UnmarshalJSON(strings.NewReader(r.args))
		if err != nil {
			t.Fatal(err)
		}
		if err := compile(t, document(t, render(t, schema.MCP, tool)[0].Input)).Validate(args); err != nil {
			t.Errorf("%s %s: the schema says it itself: %v", r.tool, r.args, err)
		}
		got := decode(t, tool, []byte(r.args)).failure
		if got == nil || !regexp.MustCompile(r.message).MatchString(got.Message) {
			t.Errorf("%s %s: got %v, want %s", r.tool, r.args, got, r.message)
		}
	}
}

// TestFlatAcceptsWhatActionsAccept checks that no action's valid call is
// refused by the schema of the whole tool.
func TestFlatAcceptsWhatActionsAccept(t *testing.T) {
	for _, whole := range everything.Tools() {
		validator := compile(t, document(t, render(t, schema.MCP, whole)[0].Input))
		for _, tool := range whole.Granular() {
			action := tool.Actions()[0].Name
			doc := document(t, render(t, schema.MCP, tool)[0].Input)
			t.Run(tool.Name(), rapid.MakeCheck(func(rt *rapid.T) {
				args := drawObject(rt, doc).(map[string]any)
				args["action"] = action
				if err := validator.Validate(withoutNulls(args, doc)); err != nil {
					rt.Fatalf("%v\n%v", args, err)
				}
			}))
			example, err := everything.Example(whole, whole.Actions()[slices.IndexFunc(whole.Actions(), func(a facade.Action) bool { return a.Name == action })])
			if err != nil {
				t.Fatal(err)
			}
			if err := validator.Validate(document(t, example)); err != nil {
				t.Errorf("example %s: %v", example, err)
			}
		}
	}
}
