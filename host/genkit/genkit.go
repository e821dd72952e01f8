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
		a := action{core.NewAction(t.Name, api.ActionTypeToolV2, map[string]any{
			"type": api.ActionTypeToolV2, "name": t.Name, "description": t.Description, "tool": map[string]any{"multipart": true},
		}, nil, tool{t}.run), nil}
		if t.Input != nil {
			if err := json.Unmarshal(t.Input, &a.input); err != nil {
				return nil, err
			}
		}
		genkit.RegisterAction(g, a)
		return ai.ToolName(t.Name), nil
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

// tool is a tool of a set as its action calls it.
type tool struct{ host.Tool }

func (t tool) run(ctx context.Context, in any) (*ai.MultipartToolResponse, error) {
	args, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	reply, err := t.Call(ctx, host.Call{Args: args}, host.Images)
	response := &ai.MultipartToolResponse{Output: map[string]any{"output": reply.Text}}
	if reply.Failed {
		response.Output = map[string]any{"error": reply.Text}
	}
	for _, i := range reply.Images {
		response.Content = append(response.Content, ai.NewMediaPart(i.MIME, i.URL()))
	}
	return response, err
}
