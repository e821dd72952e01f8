package hosttest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Ollama is Ollama's chat API.
type Ollama struct{}

// Reply implements [Wire].
func (Ollama) Reply(calls []Call, text string) any {
	message := object{"role": "assistant", "content": text}
	if len(calls) > 0 {
		message["tool_calls"] = each(calls, func(c Call) object {
			return object{"id": c.ID, "function": object{"name": c.Tool, "arguments": raw(c.Args)}}
		})
	}
	return object{"model": "scripted", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true}
}

// Read implements [Wire].
func (Ollama) Read(body []byte) (Seen, error) {
	type message struct {
		Role, Content string
		ToolName      string `json:"tool_name"`
		ToolCallID    string `json:"tool_call_id"`
		Images        [][]byte
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
		r := Result{ID: m.ToolCallID, Tool: m.ToolName, Text: m.Content}
		for _, data := range m.Images { // bare bytes: the server looks what they are
			r.Images = append(r.Images, Image{http.DetectContentType(data), string(data)})
		}
		seen.Results = append(seen.Results, r)
	}
	return seen, nil
}
