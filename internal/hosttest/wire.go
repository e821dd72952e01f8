package hosttest

import "encoding/json"

// Call is a tool call of a model.
type Call struct{ ID, Tool, Args string }

// Def is a tool as the request defines it.
type Def struct {
	Name, Description string
	Schema            json.RawMessage
	Strict            *bool
}

// Image is a picture as it came over the wire.
type Image struct{ MIME, Data string }

// Result is what came back for a call.
type Result struct {
	// ID or Tool may be "": not every protocol has both.
	ID, Tool string
	Text     string
	// Failed is nil where the protocol has no mark for a failure.
	Failed *bool
	Images []Image
}

// Seen is what a request of a host says: the tools, and the results that came
// since the model's last word.
type Seen struct {
	Tools   []Def
	Results []Result
}

// Wire is the protocol of a model server.
type Wire interface {
	// Reply is the body of the response that calls tools or, with none, says
	// the text.
	Reply(calls []Call, text string) any
	// Read returns what the body of a request says.
	Read(body []byte) (Seen, error)
}

// object and list save words below.
type (
	object = map[string]any
	list   = []any
)

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// each renders the elements of calls.
func each(calls []Call, form func(Call) object) list {
	out := list{}
	for _, c := range calls {
		out = append(out, form(c))
	}
	return out
}

// since returns the elements after the last one that isReply accepts.
func since[T any](all []T, isReply func(T) bool) []T {
	for i := len(all) - 1; i >= 0; i-- {
		if isReply(all[i]) {
			return all[i+1:]
		}
	}
	return nil
}

// textOf returns what a JSON string says, or the texts in a list of parts.
func textOf(content json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text, nil
	}
	var parts []struct{ Text string }
	err := json.Unmarshal(content, &parts)
	for _, p := range parts {
		text += p.Text
	}
	return text, err
}
