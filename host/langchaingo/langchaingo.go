package langchainhost

import (
	"context"
	"encoding/json"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Definitions defines the tools of set for a model.
func Definitions(set *facade.Set) ([]llms.Tool, error) {
	return host.Each(set, schema.OpenAI, func(t host.Tool) (llms.Tool, error) {
		function := &llms.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Input}
		return llms.Tool{Type: "function", Function: function}, nil
	})
}

// Result serves one call of a model and returns the message that answers it.
// The error is the context's, when that ended the call.
func Result(ctx context.Context, set *facade.Set, call llms.ToolCall) (llms.MessageContent, error) {
	name, args := call.FunctionCall.Name, json.RawMessage(call.FunctionCall.Arguments)
	reply, err := host.Dispatch(ctx, set, host.Call{ID: call.ID, Name: name, Args: args}, host.TextOnly)
	part := llms.ToolCallResponse{ToolCallID: call.ID, Name: name, Content: reply.Text}
	return llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{part}}, err
}

// Tools returns the tools of set for an agent.
func Tools(set *facade.Set) ([]tools.Tool, error) {
	return host.Each(set, schema.OpenAI, func(t host.Tool) (tools.Tool, error) { return tool{t}, nil })
}

// tool is a tool of a set as an agent calls it.
type tool struct{ host.Tool }

// Name implements [tools.Tool].
func (t tool) Name() string { return t.Def.Name }

// Description implements [tools.Tool].
func (t tool) Description() string {
	return t.Def.Description + "\nThe input is a JSON object of this schema: " + string(t.Input)
}

// Call implements [tools.Tool].
func (t tool) Call(ctx context.Context, input string) (string, error) {
	reply, err := t.Tool.Call(ctx, host.Call{Args: json.RawMessage(input)}, host.TextOnly)
	return reply.Text, err
}
