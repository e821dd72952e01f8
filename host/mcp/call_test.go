package mcphost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

type ctx = context.Context

// reply is what a client sees: text blocks joined, structured content as JSON.
type reply struct {
	Text, Structured string
	IsError          bool
}

func seen(t *testing.T, res *mcp.CallToolResult) reply {
	t.Helper()
	got := reply{IsError: res.IsError}
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			got.Text += text.Text
		}
	}
	if res.StructuredContent != nil {
		b, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		got.Structured = string(b)
	}
	return got
}

func TestCall(t *testing.T) {
	const echo = `{"action":"echo","text":"<b>","times":2}`
	text := &mcphost.Options{Content: mcphost.ContentText}
	for _, test := range []struct {
		name, version, args string
		opts                *mcphost.Options
		want                reply
	}{
		{
			"structured", "", echo, nil,
			reply{"echoed", `{"lines":["\u003cb\u003e","\u003cb\u003e"]}`, false},
		},
		{
			"structured at first version", "2025-06-18", echo, nil,
			reply{"echoed", `{"lines":["\u003cb\u003e","\u003cb\u003e"]}`, false},
		},
		{"text by version", "2025-03-26", echo, nil, reply{"echoed\n<b>\n<b>", "", false}},
		{"text by version, oldest", "2024-11-05", echo, nil, reply{"echoed\n<b>\n<b>", "", false}},
		{"text by option", "", echo, text, reply{"echoed\n<b>\n<b>", "", false}},
		{
			"note once", "", `{"action":"echo","text":"a","times":"1"}`, nil,
			reply{
				"echoed\nnote: times: took string \"1\" as an integer",
				`{"lines":["a"],"notes":["times: took string \"1\" as an integer"]}`, false,
			},
		},
		{
			"note in text", "", `{"action":"echo","text":"a","times":"1"}`, text,
			reply{"echoed\na\nnote: times: took string \"1\" as an integer", "", false},
		},
		{
			"envelope", "", `{"action":"echo","text":"a"}`, &mcphost.Options{Content: mcphost.ContentEnvelope},
			reply{`{"status":"success","result":{"lines":["a"]}}`, "", false},
		},
		{
			"envelope of a failure", "", `{"action":"echo","text":""}`, &mcphost.Options{Content: mcphost.ContentEnvelope},
			reply{`{"status":"error","error":"error (invalid_argument): nothing to echo\nhint: send some text"}`, "", true},
		},
		{"no output", "", `{"action":"steps"}`, nil, reply{"{}", "{}", false}},
	} {
		t.Run(test.name, func(t *testing.T) {
			cs := connect(t, newLab().set(), test.opts, test.version)
			if diff := cmp.Diff(test.want, seen(t, call(t, cs, test.args))); diff != "" {
				t.Error("reply (-want +got)", diff)
			}
		})
	}
}

// A failure of a tool is a result that the model reads, never a protocol error.
func TestCallFailure(t *testing.T) {
	for _, test := range []struct {
		name, args string
		code       facade.Code
		text       string
	}{
		{
			"by the tool", `{"action":"echo","text":""}`, facade.CodeInvalidArgument,
			"error (invalid_argument): nothing to echo\nhint: send some text",
		},
		{
			"unknown action", `{"action":"ecko"}`, facade.CodeUnknownAction,
			"error (unknown_action): unknown action 'ecko' for lab tool; valid actions: echo, go, parts, steps, wait, panic\nhint: did you mean 'echo'?",
		},
		{
			"missing field", `{"action":"echo"}`, facade.CodeInvalidArgument,
			"error (invalid_argument): field 'text' is required for action 'echo'",
		},
		{
			"doubled field", `{"action":"echo","text":"a","text":"b"}`, facade.CodeInvalidArgument,
			"error (invalid_argument): field 'text' is given twice",
		},
		{
			"no arguments", `{}`, facade.CodeInvalidArgument,
			"error (invalid_argument): field 'action' is required for lab tool; valid actions: echo, go, parts, steps, wait, panic",
		},
		{
			"panic", `{"action":"panic"}`, facade.CodeInternal,
			"error (internal): the panic action failed unexpectedly; this is a defect of the tool\nhint: try another way; repeating the same call will fail again",
		},
		{
			"above the budget", `{"action":"echo","text":"abcdefgh","times":20000}`, facade.CodeTooLarge,
			"error (too_large): the reply has 220028 bytes, the limit is 65536\nhint: ask for less: a smaller limit, a range or a narrower path",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			cs := connect(t, newLab().set(), nil, "")
			got := seen(t, call(t, cs, test.args))
			if !got.IsError || got.Text != test.text {
				t.Errorf("IsError %v, text %q, want %q", got.IsError, got.Text, test.text)
			}
			var body struct{ Error struct{ Code facade.Code } }
			if err := json.Unmarshal(raw(got.Structured), &body); err != nil || body.Error.Code != test.code {
				t.Errorf("structured %s, %v; want code %s", got.Structured, err, test.code)
			}
		})
	}
}

// In text a reply above the budget is cut, not replaced.
func TestCallCutText(t *testing.T) {
	cs := connect(t, newLab().set(), &mcphost.Options{Content: mcphost.ContentText}, "")
	got := seen(t, call(t, cs, `{"action":"echo","text":"abcdefgh","times":20000}`))
	if got.IsError || len(got.Text) > facade.DefaultOutputBudget || !strings.Contains(got.Text, "[cut: 180006 bytes in all") {
		t.Errorf("IsError %v, %d bytes, end %q", got.IsError, len(got.Text), got.Text[max(0, len(got.Text)-200):])
	}
}

func TestCallUnknownTool(t *testing.T) {
	cs := connect(t, newLab().set(), nil, "")
	_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing"})
	if err == nil || !strings.Contains(err.Error(), `unknown tool "nothing"`) {
		t.Errorf("got %v", err)
	}
}

// Arguments reach the decoder byte for byte: numbers above 2^53 stay exact.
func TestCallRawArguments(t *testing.T) {
	cs := connect(t, newLab().set(), nil, "")
	got := seen(t, call(t, cs, `{"action":"echo","text":"a","times":9007199254740993}`))
	if !got.IsError || !strings.Contains(got.Text, "got 9007199254740993") {
		t.Errorf("got %q", got.Text)
	}
}

func TestCallIDs(t *testing.T) {
	l := newLab()
	cs := connect(t, l.set(), nil, "")
	for range 3 {
		call(t, cs, `{"action":"echo","text":"a"}`)
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(l.ids))); len(distinct) != 3 || distinct[0] == "" {
		t.Errorf("ids %q", l.ids)
	}
}

func TestCallAttachments(t *testing.T) {
	describe := func(res *mcp.CallToolResult) (all []string) {
		for _, c := range res.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				all = append(all, c.Text)
			case *mcp.ImageContent:
				all = append(all, fmt.Sprintf("image %s %s", c.MIMEType, c.Data))
			case *mcp.AudioContent:
				all = append(all, fmt.Sprintf("audio %s %s", c.MIMEType, c.Data))
			case *mcp.EmbeddedResource:
				all = append(all, fmt.Sprintf("resource %s %s %s", c.Resource.URI, c.Resource.MIMEType, c.Resource.Blob))
			}
		}
		return all
	}
	for _, test := range []struct {
		name string
		opts *mcphost.Options
		want []string
	}{
		{"all", nil, []string{
			"three attachments",
			"image image/png xxxx", "audio audio/wav xxxx", "resource root:///dir/c%20d.zip application/zip xxxx",
		}},
		{"one too many", &mcphost.Options{MaxPartBytes: 11}, []string{
			"three attachments\n" + `note: left out application/zip "dir/c d.zip", 4 bytes: the attachments of a reply may have 11`,
			"image image/png xxxx", "audio audio/wav xxxx",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := call(t, connect(t, newLab().set(), test.opts, ""), `{"action":"parts"}`)
			if diff := cmp.Diff(test.want, describe(res)); diff != "" {
				t.Error("content (-want +got)", diff)
			}
		})
	}
}
