package genkithost

import (
	"context"
	"encoding/json"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Register adds the tools of set to g and returns what a prompt names them by.
func Register(g *genkit.Genkit, set *facade.Set) ([]ai.ToolRef, error) {
	return host.Each(set, schema.GeminiOpenAPI, func(t host.Tool) (ai.ToolRef, error) {
		about := map[string]any{"type": api.ActionTypeToolV2, "name": t.Name, "description": t.Description, "tool": map[string]any{"multipart": true}}
		input, err := t.Map()
		genkit.RegisterAction(g, action{core.NewAction(t.Name, api.ActionTypeToolV2, about, map[string]any{}, runner(t)), input})
		return ai.ToolName(t.Name), err
	})
}

// action is a tool's action, shown with a schema that it is not checked by.
type action struct {
	api.Action
	input map[string]any
}

// Desc implements [api.Action].
func (a action) Desc() api.ActionDesc {
	d := a.Action.Desc()
	d.InputSchema = a.input
	return d
}

// Register implements [api.Registerable].
func (a action) Register(r api.Registry) { r.RegisterAction(a.Desc().Key, a) }

// runner returns what the action of t runs.
func runner(t host.Tool) core.Func[json.RawMessage, *ai.MultipartToolResponse] {
	return func(ctx context.Context, args json.RawMessage) (*ai.MultipartToolResponse, error) {
		reply, err := t.Call(ctx, host.Call{Args: args}, host.Images)
		response := &ai.MultipartToolResponse{Output: reply.Output()}
		for _, i := range reply.Images {
			response.Content = append(response.Content, ai.NewMediaPart(i.MIME, i.URL()))
		}
		return response, err
	}
}
