package hosttest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// Chat is OpenAI's Chat Completions API, which others speak too.
type Chat struct{}

// Reply implements [Wire].
func (Chat) Reply(calls []Call, text string) any {
	message, reason := object{"role": "assistant", "content": text}, "stop"
	if len(calls) > 0 {
		reason = "tool_calls"
		message["tool_calls"] = each(calls, func(c Call) object {
			return object{"id": c.ID, "type": "function", "function": object{"name": c.Tool, "arguments": c.Args}}
		})
	}
	return object{
		"id": "completion", "object": "chat.completion", "created": 1, "model": "scripted",
		"choices": list{object{"index": 0, "finish_reason": reason, "message": message}},
		"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	}
}

type function struct {
	Name, Description string
	Parameters        json.RawMessage
	Strict            *bool
}

func (f function) def() Def { return Def{f.Name, f.Description, f.Parameters, f.Strict} }

// Read implements [Wire].
func (Chat) Read(body []byte) (Seen, error) {
	type message struct {
		Role       string
		ToolCallID string `json:"tool_call_id"`
		Content    json.RawMessage
	}
	var req struct {
		Tools    []struct{ Function function }
		Messages []message
	}
	var seen Seen
	if err := json.Unmarshal(body, &req); err != nil {
		return seen, err
	}
	for _, t := range req.Tools {
		seen.Tools = append(seen.Tools, t.Function.def())
	}
	for _, m := range since(req.Messages, func(m message) bool { return m.Role == "assistant" }) {
		if m.Role != "tool" {
			return seen, fmt.Errorf("a message of %s among the results", m.Role)
		}
		text, err := textOf(m.Content)
		if err != nil {
			return seen, err
		}
		seen.Results = append(seen.Results, Result{ID: m.ToolCallID, Text: text})
	}
	return seen, nil
}

// Responses is OpenAI's Responses API.
type Responses struct{}

// Reply implements [Wire].
func (Responses) Reply(calls []Call, text string) any {
	output := each(calls, func(c Call) object {
		return object{"type": "function_call", "id": "item_" + c.ID, "call_id": c.ID, "name": c.Tool, "arguments": c.Args, "status": "completed"}
	})
	if len(calls) == 0 {
		output = list{object{
			"type": "message", "id": "message", "role": "assistant", "status": "completed",
			"content": list{object{"type": "output_text", "text": text, "annotations": list{}}},
		}}
	}
	return object{"id": "response", "object": "response", "created_at": 1, "status": "completed", "model": "scripted", "output": output}
}

// Read implements [Wire].
func (Responses) Read(body []byte) (Seen, error) {
	type item struct {
		Type   string
		CallID string `json:"call_id"`
		Output json.RawMessage
	}
	var req struct {
		Tools []function
		Input []item
	}
	var seen Seen
	if err := json.Unmarshal(body, &req); err != nil {
		return seen, err
	}
	for _, f := range req.Tools {
		seen.Tools = append(seen.Tools, f.def())
	}
	for _, i := range since(req.Input, func(i item) bool { return i.Type == "function_call" }) {
		if i.Type != "function_call_output" {
			return seen, fmt.Errorf("a %q among the results", i.Type)
		}
		r, err := responseOutput(i.Output)
		if err != nil {
			return seen, err
		}
		r.ID = i.CallID
		seen.Results = append(seen.Results, r)
	}
	return seen, nil
}

// responseOutput reads a text, or a list of texts and images.
func responseOutput(output json.RawMessage) (Result, error) {
	var r Result
	text, err := textOf(output)
	if err != nil {
		return r, err
	}
	r.Text = text
	var parts []struct {
		Type     string
		ImageURL string `json:"image_url"`
	}
	if json.Unmarshal(output, &parts) != nil {
		return r, nil
	}
	for _, p := range parts {
		if p.Type != "input_image" {
			continue
		}
		i, err := dataURL(p.ImageURL)
		if err != nil {
			return r, err
		}
		r.Images = append(r.Images, i)
	}
	return r, nil
}

func dataURL(url string) (Image, error) {
	mime, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	if !ok {
		return Image{}, fmt.Errorf("%.60q is not a data URL", url)
	}
	content, err := base64.StdEncoding.DecodeString(data)
	return Image{mime, string(content)}, err
}
