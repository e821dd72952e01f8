package hosttest

import (
	"encoding/json"
	"fmt"
)

// Gemini is generateContent of the Gemini API.
type Gemini struct{}

// Reply implements [Wire].
func (Gemini) Reply(calls []Call, text string) any {
	parts := each(calls, func(c Call) object {
		return object{"functionCall": object{"id": c.ID, "name": c.Tool, "args": raw(c.Args)}}
	})
	if len(calls) == 0 {
		parts = list{object{"text": text}}
	}
	return object{"candidates": list{object{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}}}
}

type geminiResponse struct {
	ID, Name string
	Response map[string]string
	Parts    []struct {
		InlineData struct {
			MIMEType string
			Data     []byte
		}
	}
}

// Read implements [Wire].
func (Gemini) Read(body []byte) (Seen, error) {
	var req struct {
		Tools []struct {
			FunctionDeclarations []struct {
				Name, Description    string
				Parameters           json.RawMessage
				ParametersJSONSchema json.RawMessage
			}
		}
		Contents []struct {
			Parts []struct{ FunctionResponse *geminiResponse }
		}
	}
	var seen Seen
	if err := json.Unmarshal(body, &req); err != nil {
		return seen, err
	}
	for _, t := range req.Tools {
		for _, f := range t.FunctionDeclarations {
			d := Def{Name: f.Name, Description: f.Description, Schema: f.ParametersJSONSchema}
			if f.Parameters != nil {
				d.Schema = f.Parameters
			}
			seen.Tools = append(seen.Tools, d)
		}
	}
	if len(req.Contents) < 2 {
		return seen, nil
	}
	for _, p := range req.Contents[len(req.Contents)-1].Parts {
		if p.FunctionResponse == nil {
			return seen, fmt.Errorf("a part that is no function response among the results")
		}
		seen.Results = append(seen.Results, p.FunctionResponse.result())
	}
	return seen, nil
}

// result reads the response: its key says whether the call failed.
func (f *geminiResponse) result() Result {
	text, failed := f.Response["error"]
	if !failed {
		text = f.Response["output"]
	}
	r := Result{ID: f.ID, Tool: f.Name, Text: text, Failed: &failed}
	for _, p := range f.Parts {
		r.Images = append(r.Images, Image{p.InlineData.MIMEType, string(p.InlineData.Data)})
	}
	return r
}
