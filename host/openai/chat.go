package openaihost

import (
	"context"
	"encoding/json"

	"github.com/openai/openai-go/v3"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// ChatTools defines the tools of set for Chat Completions.
func ChatTools(set *facade.Set) ([]openai.ChatCompletionToolUnionParam, error) {
	return host.Each(set, schema.OpenAI, func(t host.Tool) (openai.ChatCompletionToolUnionParam, error) {
		parameters, err := t.Members()
		return openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: t.Name, Description: openai.String(t.Description), Parameters: parameters,
		}), err
	})
}

// ChatResult serves one call of a completion and returns the message that
// answers it. The error is the context's, when that ended the call.
func ChatResult(ctx context.Context, set *facade.Set, call openai.ChatCompletionMessageToolCallUnion) (openai.ChatCompletionMessageParamUnion, error) {
	c := host.Call{ID: call.ID, Name: call.Function.Name, Args: json.RawMessage(call.Function.Arguments)}
	reply, err := host.Dispatch(ctx, set, c, host.TextOnly)
	return openai.ToolMessage(reply.Text, call.ID), err
}
