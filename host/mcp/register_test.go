package mcphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

type raw = json.RawMessage

func TestList(t *testing.T) {
	set := newLab().set()
	tools := listed(t, connect(t, set, nil, ""))
	if len(tools) != 1 || tools[0].Name != "lab" || tools[0].Description == "" {
		t.Fatalf("listed %+v", tools)
	}
	input := object(t, tools[0].InputSchema)
	if input["type"] != "object" {
		t.Errorf("the root of the input schema has type %v", input["type"])
	}
	action := input["properties"].(map[string]any)["action"].(map[string]any)
	if diff := cmp.Diff([]any{"echo", "go", "parts", "steps", "wait", "panic"}, action["enum"]); diff != "" {
		t.Error("action enum (-want +got)", diff)
	}
	if output := object(t, tools[0].OutputSchema); output["type"] != "object" {
		t.Errorf("the root of the output schema has type %v", output["type"])
	}
	if a := tools[0].Annotations; a.ReadOnlyHint || a.DestructiveHint == nil || !*a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
		t.Errorf("annotations %+v", a)
	}
}

func TestListViews(t *testing.T) {
	set := newLab().set().View(facade.ReadOnly, facade.Granular)
	tools := listed(t, connect(t, set, nil, ""))
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.DestructiveHint {
			t.Errorf("%s: annotations %+v", tool.Name, tool.Annotations)
		}
		if object(t, tool.InputSchema)["type"] != "object" {
			t.Errorf("%s: input schema %s", tool.Name, tool.InputSchema)
		}
	}
	want := []string{"lab_echo", "lab_go", "lab_parts", "lab_steps", "lab_wait"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error("names (-want +got)", diff)
	}
}

// A client may demand structured content from a tool with an output schema, so
// none is shown where none is sent.
func TestListOutputSchema(t *testing.T) {
	for _, test := range []struct {
		name, version string
		opts          *mcphost.Options
		want          bool
	}{
		{"latest", "", nil, true},
		{"first with structured content", "2025-06-18", nil, true},
		{"before structured content", "2025-03-26", nil, false},
		{"text", "", &mcphost.Options{Content: mcphost.ContentText}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "lab", Version: "1"}, nil)
			if err := mcphost.Register(server, newLab().set(), test.opts); err != nil {
				t.Fatal(err)
			}
			tools := listed(t, dial(t, server, nil, test.version))
			if got := tools[0].OutputSchema != nil; got != test.want {
				t.Errorf("output schema shown: %v, want %v", got, test.want)
			}
			// What one client does not see, the next one still does.
			if test.opts == nil && listed(t, dial(t, server, nil, ""))[0].OutputSchema == nil {
				t.Error("the output schema is gone for everyone")
			}
		})
	}
}

func TestRegisterNothingOnError(t *testing.T) {
	type output struct {
		// No schema says what a channel is.
		C chan int `json:"c"`
	}
	good := newLab().set().Tools()[0]
	bad := facade.New("bad", "A tool whose output JSON cannot hold.",
		facade.Bind("one", facade.EffectRead, "One.", func(_ ctx, _ noInput) (output, error) { return output{}, nil }))
	server := mcp.NewServer(&mcp.Implementation{Name: "lab", Version: "1"}, nil)
	err := mcphost.Register(server, facade.NewSet([]*facade.Tool{good, bad}, nil), nil)
	if err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("Register returned %v", err)
	}
	_, err = dial(t, server, nil, "").ListTools(t.Context(), nil)
	if wire, ok := errors.AsType[*jsonrpc.Error](err); err != nil && (!ok || wire.Code != jsonrpc.CodeMethodNotFound) {
		t.Fatal(err)
	}
}

func listed(t *testing.T, cs *mcp.ClientSession) []*mcp.Tool {
	t.Helper()
	res, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tools
}

func object(t *testing.T, v any) map[string]any {
	t.Helper()
	m, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%T is not an object", v)
	}
	return m
}

// A wrapper sees the request, reaches the middlewares by the context, and may
// answer itself.
func TestCallWrap(t *testing.T) {
	type key struct{}
	var got any
	set := newLab().set().With(func(next facade.Handler) facade.Handler {
		return func(ctx context.Context, req *facade.Request) (any, error) {
			got = ctx.Value(key{})
			return next(ctx, req)
		}
	})
	cs := connect(t, set, &mcphost.Options{Wrap: func(next mcp.ToolHandler) mcp.ToolHandler {
		return func(c context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if strings.Contains(string(req.Params.Arguments), "steps") {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "not today"}}, IsError: true}, nil
			}
			return next(context.WithValue(c, key{}, req.Params.Name), req)
		}
	}}, "")
	if res := seen(t, call(t, cs, `{"action":"echo","text":"a"}`)); res.IsError || got != "lab" {
		t.Errorf("reply %+v, context value %v", res, got)
	}
	if res := seen(t, call(t, cs, `{"action":"steps"}`)); res.Text != "not today" {
		t.Errorf("reply %+v", res)
	}
}
