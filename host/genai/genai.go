package genaihost

import (
	"context"
	"encoding/json"

	"google.golang.org/genai"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Tools declares the tools of set as functions.
func Tools(set *facade.Set) (*genai.Tool, error) {
	functions, err := host.Each(set, schema.Gemini, func(t host.Tool) (*genai.FunctionDeclaration, error) {
		return &genai.FunctionDeclaration{Name: t.Name, Description: t.Description, ParametersJsonSchema: t.Input}, nil
	})
	return &genai.Tool{FunctionDeclarations: functions}, err
}

// Result serves one function call and returns the part that answers it. The
// error is the context's, when that ended the call.
func Result(ctx context.Context, set *facade.Set, call *genai.FunctionCall) (*genai.Part, error) {
	args, err := json.Marshal(call.Args)
	if err != nil {
		return nil, err
	}
	reply, err := host.Dispatch(ctx, set, host.Call{ID: call.ID, Name: call.Name, Args: args}, host.Images)
	response := &genai.FunctionResponse{ID: call.ID, Name: call.Name, Response: reply.Output()}
	for _, i := range reply.Images {
		response.Parts = append(response.Parts, genai.NewFunctionResponsePartFromBytes(i.Data, i.MIME))
	}
	return &genai.Part{FunctionResponse: response}, err
}
