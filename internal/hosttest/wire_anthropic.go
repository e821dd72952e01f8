package hosttest

import (
	"encoding/json"
	"fmt"
)

// Messages is Anthropic's Messages API.
type Messages struct{}

// Reply implements [Wire].
func (Messages) Reply(calls []Call, text string) any {
	content, reason := list{object{"type": "text", "text": text}}, "end_turn"
	if len(calls) > 0 {
		reason = "tool_use"
		content = each(calls, func(c Call) object {
			return object{"type": "tool_use", "id": c.ID, "name": c.Tool, "input": raw(c.Args)}
		})
	}
	return object{
		"id": "message", "type": "message", "role": "assistant", "model": "scripted", "content": content,
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1},
	}
}

// Read implements [Wire].
func (Messages) Read(body []byte) (Seen, error) {
	var req struct {
		Tools []struct {
			Name, Description string
			InputSchema       json.RawMessage `json:"input_schema"`
		}
		Messages []struct {
			Role    string
			Content []json.RawMessage
		}
	}
	var seen Seen
	if err := json.Unmarshal(body, &req); err != nil {
		return seen, err
	}
	for _, t := range req.Tools {
		seen.Tools = append(seen.Tools, Def{Name: t.Name, Description: t.Description, Schema: t.InputSchema})
	}
	if len(req.Messages) < 2 {
		return seen, nil
	}
	last := req.Messages[len(req.Messages)-1]
	if last.Role != "user" {
		return seen, fmt.Errorf("the last message is of %s", last.Role)
	}
	for _, block := range last.Content {
		r, err := messageResult(block)
		if err != nil {
			return seen, err
		}
		seen.Results = append(seen.Results, r)
	}
	return seen, nil
}

func messageResult(block json.RawMessage) (Result, error) {
	var b struct {
		Type      string
		ToolUseID string `json:"tool_use_id"`
		IsError   bool   `json:"is_error"`
		Content   []struct {
			Text   string
			Source struct {
				MediaType string `json:"media_type"`
				Data      []byte
			}
		}
	}
	if err := json.Unmarshal(block, &b); err != nil {
		return Result{}, err
	}
	if b.Type != "tool_result" {
		return Result{}, fmt.Errorf("a %q among the results", b.Type)
	}
	r := Result{ID: b.ToolUseID, Failed: &b.IsError}
	for _, c := range b.Content {
		r.Text += c.Text
		if c.Source.MediaType != "" {
			r.Images = append(r.Images, Image{c.Source.MediaType, string(c.Source.Data)})
		}
	}
	return r, nil
}
