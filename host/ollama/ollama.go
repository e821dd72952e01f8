package ollamahost

import (
	"context"
	"encoding/json"

	"github.com/ollama/ollama/api"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Tools defines the tools of set for a chat request.
func Tools(set *facade.Set) (api.Tools, error) {
	return host.Each(set, schema.Ollama, func(t host.Tool) (api.Tool, error) {
		tool := api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
		err := json.Unmarshal(t.Input, &tool.Function.Parameters)
		return tool, err
	})
}

// Result serves one call of a message and returns the message that answers it.
// The error is the context's, when that ended the call.
func Result(ctx context.Context, set *facade.Set, call api.ToolCall) (api.Message, error) {
	args, err := json.Marshal(call.Function.Arguments)
	if err != nil {
		return api.Message{}, err
	}
	reply, err := host.Dispatch(ctx, set, host.Call{ID: call.ID, Name: call.Function.Name, Args: args}, host.Images)
	message := api.Message{Role: "tool", ToolName: call.Function.Name, ToolCallID: call.ID, Content: reply.Text}
	for _, i := range reply.Images {
		message.Images = append(message.Images, i.Data)
	}
	return message, err
}
