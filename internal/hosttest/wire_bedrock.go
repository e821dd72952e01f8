package hosttest

import (
	"encoding/json"
	"fmt"
)

// Converse is the Converse API of Amazon Bedrock.
type Converse struct{}

// Reply implements [Wire].
func (Converse) Reply(calls []Call, text string) any {
	content, reason := list{object{"text": text}}, "end_turn"
	if len(calls) > 0 {
		reason = "tool_use"
		content = each(calls, func(c Call) object {
			return object{"toolUse": object{"toolUseId": c.ID, "name": c.Tool, "input": raw(c.Args)}}
		})
	}
	return object{
		"output":     object{"message": object{"role": "assistant", "content": content}},
		"stopReason": reason, "metrics": object{"latencyMs": 1},
		"usage": object{"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
	}
}

type converseResult struct {
	ToolUseID, Status string
	Content           []struct {
		Text  string
		Image *struct {
			Format string
			Source struct{ Bytes []byte }
		}
	}
}

// Read implements [Wire].
func (Converse) Read(body []byte) (Seen, error) {
	var req struct {
		ToolConfig struct {
			Tools []struct {
				ToolSpec struct {
					Name, Description string
					InputSchema       struct{ JSON json.RawMessage }
				}
			}
		}
		Messages []struct {
			Content []struct{ ToolResult *converseResult }
		}
	}
	var seen Seen
	if err := json.Unmarshal(body, &req); err != nil {
		return seen, err
	}
	for _, t := range req.ToolConfig.Tools {
		s := t.ToolSpec
		seen.Tools = append(seen.Tools, Def{Name: s.Name, Description: s.Description, Schema: s.InputSchema.JSON})
	}
	if len(req.Messages) < 2 {
		return seen, nil
	}
	for _, c := range req.Messages[len(req.Messages)-1].Content {
		if c.ToolResult == nil {
			return seen, fmt.Errorf("a block that is no tool result among the results")
		}
		seen.Results = append(seen.Results, c.ToolResult.result())
	}
	return seen, nil
}

func (c *converseResult) result() Result {
	failed := c.Status == "error"
	r := Result{ID: c.ToolUseID, Failed: &failed}
	for _, p := range c.Content {
		r.Text += p.Text
		if p.Image != nil {
			r.Images = append(r.Images, Image{"image/" + p.Image.Format, string(p.Image.Source.Bytes)})
		}
	}
	return r
}
