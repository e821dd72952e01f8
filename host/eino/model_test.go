package einohost_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// responses is a chat model that renders tool messages of parts, which the
// published model components do not yet: a client of the Responses API with
// just what an agent needs.
type responses struct {
	url    string
	client *http.Client
	tools  []*schema.ToolInfo
}

var _ model.ToolCallingChatModel = (*responses)(nil)

type object = map[string]any

// WithTools implements [model.ToolCallingChatModel].
func (r *responses) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	c := *r
	c.tools = tools
	return &c, nil
}

// Stream implements [model.BaseChatModel].
func (r *responses) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	return nil, errors.New("this model does not stream")
}

// Generate implements [model.BaseChatModel].
func (r *responses) Generate(ctx context.Context, messages []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	var tools, input []any
	for _, t := range r.tools {
		parameters, err := t.ToJSONSchema()
		if err != nil {
			return nil, err
		}
		tools = append(tools, object{"type": "function", "name": t.Name, "description": t.Desc, "parameters": parameters})
	}
	for _, m := range messages {
		input = append(input, items(m)...)
	}
	body, err := json.Marshal(object{"model": "scripted", "tools": tools, "input": input})
	if err != nil {
		return nil, err
	}
	return r.post(ctx, body)
}

// items renders a message as items of an input.
func items(m *schema.Message) []any {
	var list []any
	switch m.Role {
	case schema.Tool:
		output := []any{}
		for _, p := range m.UserInputMultiContent {
			if p.Image != nil {
				output = append(output, object{"type": "input_image", "image_url": "data:" + p.Image.MIMEType + ";base64," + *p.Image.Base64Data})
				continue
			}
			output = append(output, object{"type": "input_text", "text": p.Text})
		}
		return []any{object{"type": "function_call_output", "call_id": m.ToolCallID, "output": output}}
	case schema.Assistant:
		for _, c := range m.ToolCalls {
			list = append(list, object{"type": "function_call", "call_id": c.ID, "name": c.Function.Name, "arguments": c.Function.Arguments})
		}
	default:
		list = append(list, object{"type": "message", "role": m.Role, "content": m.Content})
	}
	return list
}

func (r *responses) post(ctx context.Context, body []byte) (*schema.Message, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/responses", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", resp.Status)
	}
	var out struct {
		Output []struct {
			Type      string
			CallID    string `json:"call_id"`
			Name      string
			Arguments string
			Content   []struct{ Text string }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	answer := &schema.Message{Role: schema.Assistant}
	for _, item := range out.Output {
		if item.Type == "function_call" {
			answer.ToolCalls = append(answer.ToolCalls, schema.ToolCall{
				ID: item.CallID, Type: "function", Function: schema.FunctionCall{Name: item.Name, Arguments: item.Arguments},
			})
			continue
		}
		answer.Content += item.Content[0].Text
	}
	return answer, nil
}
