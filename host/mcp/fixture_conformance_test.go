package mcphost_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// conformer is a tool whose actions, in the granular view, have the names that
// the official conformance suite calls: test_simple_text and so on.
type conformer struct{}

// said is an output that is a text with attachments.
type said struct {
	// Text of the reply.
	Text  string `json:"text"`
	parts []facade.Part
}

func (s said) Present(r *facade.Result) { r.Text, r.Parts = s.Text, s.parts }

func say(text string, parts ...facade.Part) func(context.Context, noInput) (said, error) {
	return func(context.Context, noInput) (said, error) { return said{text, parts}, nil }
}

type requestKey struct{}

// requested hands the request on in the context, for what only the protocol can
// do: log messages, sampling, elicitation.
func requested(next mcp.ToolHandler) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return next(context.WithValue(ctx, requestKey{}, req), req)
	}
}

func sessionOf(ctx context.Context) *mcp.ServerSession {
	return ctx.Value(requestKey{}).(*mcp.CallToolRequest).Session
}

func (conformer) logging(ctx context.Context, _ noInput) (said, error) {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := sessionOf(ctx).Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: text}); err != nil { //nolint:staticcheck // deprecated, and what the suite tests
			return said{}, err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return said{Text: "logged"}, nil
}

func (conformer) progress(ctx context.Context, _ noInput) (said, error) {
	for _, n := range []int64{0, 50, 100} {
		facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Current: n, Total: 100, Message: "step"})
		time.Sleep(120 * time.Millisecond)
	}
	return said{Text: "done"}, nil
}

func (conformer) fail(context.Context, noInput) (said, error) {
	return said{}, facade.Errorf(facade.CodeIO, "This tool intentionally returns an error for testing")
}

type promptInput struct {
	// Text for the model or the user.
	Prompt string `json:"prompt,omitempty"`
	// Message for the user.
	Message string `json:"message,omitempty"`
}

func (conformer) sampling(ctx context.Context, in promptInput) (said, error) {
	res, err := sessionOf(ctx).CreateMessage(ctx, &mcp.CreateMessageParams{ //nolint:staticcheck // deprecated, and what the suite tests
		MaxTokens: 100,
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: in.Prompt}}}, //nolint:staticcheck // deprecated, and what the suite tests
	})
	if err != nil {
		return said{}, err
	}
	text, _ := res.Content.(*mcp.TextContent)
	return said{Text: "LLM response: " + text.Text}, nil
}

// elicit asks the user for what a JSON Schema describes.
func elicit(properties string) func(context.Context, promptInput) (said, error) {
	return func(ctx context.Context, in promptInput) (said, error) {
		res, err := sessionOf(ctx).Elicit(ctx, &mcp.ElicitParams{
			Message:         in.Message + " please",
			RequestedSchema: json.RawMessage(`{"type":"object","properties":` + properties + `}`),
		})
		if err != nil {
			return said{}, err
		}
		return said{Text: fmt.Sprintf("Elicitation result: action=%s, content=%v", res.Action, res.Content)}, nil
	}
}

const (
	userName = `{"username":{"type":"string"},"email":{"type":"string"}}`
	defaults = `{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},` +
		`"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},` +
		`"verified":{"type":"boolean","default":true}}`
	titled = `[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]`
	enums  = `{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},` +
		`"titledSingle":{"type":"string","oneOf":` + titled + `},` +
		`"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},` +
		`"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},` +
		`"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":` + titled + `}}}`
)

func pixel(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (c conformer) set(t *testing.T) *facade.Set {
	t.Helper()
	img := facade.Part{MIME: "image/png", Data: pixel(t), Path: "a.png"}
	note := facade.Part{MIME: "text/plain", Data: []byte("embedded"), Path: "note.txt"}
	read := facade.EffectRead
	return facade.NewSet([]*facade.Tool{
		facade.New("test", "What the conformance suite calls.",
			facade.Bind("simple_text", read, "Say it.", say("This is a simple text response for testing.")),
			facade.Bind("image_content", read, "Show it.", say("an image", img)),
			facade.Bind("audio_content", read, "Sound it.", say("a sound", facade.Part{MIME: "audio/wav", Data: []byte("RIFF"), Path: "a.wav"})),
			facade.Bind("embedded_resource", read, "Embed it.", say("a resource", note)),
			facade.Bind("multiple_content_types", read, "Say, show and embed it.", say("several", img, note)),
			facade.Bind("tool_with_logging", read, "Log.", c.logging),
			facade.Bind("tool_with_progress", read, "Progress.", c.progress),
			facade.Bind("error_handling", read, "Fail.", c.fail),
			facade.Bind("sampling", read, "Ask the model.", c.sampling),
			facade.Bind("elicitation", read, "Ask the user.", elicit(userName)),
			facade.Bind("elicitation_sep1034_defaults", read, "Ask with defaults.", elicit(defaults)),
			facade.Bind("elicitation_sep1330_enums", read, "Ask for choices.", elicit(enums))),
	}, nil).View(facade.Granular)
}

// conforming returns a server of the fixture; what is no tool comes from the SDK.
func conforming(t *testing.T) *mcp.Server {
	t.Helper()
	accept := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	server := mcp.NewServer(&mcp.Implementation{Name: "conformance", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   accept,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
	})
	if err := mcphost.Register(server, conformer{}.set(t), &mcphost.Options{Wrap: requested}); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"test://static-text", "test://static-binary", "test://watched-resource"} {
		server.AddResource(&mcp.Resource{URI: uri, Name: uri}, contents)
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template"}, contents)
	prompts(server, pixel(t))
	return server
}

func contents(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "content of " + req.Params.URI}
	if strings.HasSuffix(c.URI, "binary") {
		c.MIMEType, c.Text, c.Blob = "application/octet-stream", "", []byte{1, 2, 3}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
}

func prompts(server *mcp.Server, img []byte) {
	add := func(name string, args []string, content func(map[string]string) mcp.Content) {
		p := &mcp.Prompt{Name: name, Description: name}
		for _, a := range args {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Required: true})
		}
		server.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
				{Role: "user", Content: content(req.Params.Arguments)},
				{Role: "user", Content: &mcp.TextContent{Text: "Please look at it."}},
			}}, nil
		})
	}
	add("test_simple_prompt", nil, func(map[string]string) mcp.Content {
		return &mcp.TextContent{Text: "This is a simple prompt for testing."}
	})
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) mcp.Content {
		return &mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}
	})
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(a map[string]string) mcp.Content {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: a["resourceUri"], MIMEType: "text/plain", Text: "embedded"}}
	})
	add("test_prompt_with_image", nil, func(map[string]string) mcp.Content {
		return &mcp.ImageContent{MIMEType: "image/png", Data: img}
	})
}
