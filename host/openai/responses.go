package openaihost

import (
	"context"
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// ResponseTools defines the tools of set for the Responses API.
func ResponseTools(set *facade.Set) ([]responses.ToolUnionParam, error) {
	return host.Each(set, schema.OpenAI, func(t host.Tool) (responses.ToolUnionParam, error) {
		parameters, err := t.Members()
		return responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{
			Name: t.Name, Description: openai.String(t.Description), Parameters: parameters, Strict: openai.Bool(false),
		}}, err
	})
}

// ResponseResult serves one function call of a response and returns the item
// that answers it. The error is the context's, when that ended the call.
func ResponseResult(ctx context.Context, set *facade.Set, call responses.ResponseFunctionToolCall) (responses.ResponseInputItemUnionParam, error) {
	c := host.Call{ID: call.CallID, Name: call.Name, Args: json.RawMessage(call.Arguments)}
	reply, err := host.Dispatch(ctx, set, c, host.Images)
	parts := responses.ResponseFunctionCallOutputItemListParam{{OfInputText: &responses.ResponseInputTextContentParam{Text: reply.Text}}}
	for _, i := range reply.Images {
		parts = append(parts, responses.ResponseFunctionCallOutputItemUnionParam{
			OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: openai.String(i.URL())},
		})
	}
	item := responses.ResponseInputItemParamOfFunctionCallOutput(parts)
	item.OfFunctionCallOutput.CallID = openai.String(call.CallID)
	return item, err
}
