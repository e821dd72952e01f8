package facade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// DefaultOutputBudget is how many bytes of text, or of JSON, a reply may have.
const DefaultOutputBudget = 64 << 10

// Part is an image or other binary attachment of a result.
type Part struct {
	// MIME is the media type, as image/png.
	MIME string `json:"mime"`
	// Data is the content.
	Data []byte `json:"data,omitempty"`
	// Path names the file it came from, relative to the root.
	Path string `json:"path,omitempty"`
}

// Result is what a call gives back to a host. A host shows a model either Text
// or the structured form ([Result.JSON]), never both, and the parts.
type Result struct {
	// Text is the compact form for a model. Its first line says what happened,
	// on failure too.
	Text string `json:"text"`
	// Data is the action's output struct. After a failure it holds what was
	// produced before, as the partial output of a timeout; else nil.
	Data any `json:"data,omitempty"`
	// Parts are images and other binary attachments.
	Parts []Part `json:"parts,omitempty"`
	// Notes tell what was adjusted on the way: coerced arguments, for one.
	Notes []string `json:"notes,omitempty"`
	// Truncated says that output was cut; Text and Data name the next call.
	Truncated bool `json:"truncated,omitempty"`
	// Error is the failure, nil on success.
	Error *Error `json:"error,omitempty"`

	budget int
}

// Presenter is implemented by outputs that know their compact text form. An
// output without it is shown as JSON.
type Presenter interface {
	// Present fills in Text, and Parts, Notes and Truncated where they apply.
	// Text starts with one line that says what happened.
	Present(r *Result)
}

// OK reports whether the call succeeded.
func (r *Result) OK() bool { return r.Error == nil }

// Headline is the first line of Text, followed by the notes: what a host sends
// beside structured data.
func (r *Result) Headline() string {
	line, _, _ := strings.Cut(r.Text, "\n")
	if r.Error != nil {
		line = r.Error.Text()
	}
	return line + notesText(r.Notes)
}

// FullText is Text followed by the notes: what a host sends to a model that
// gets no structured data.
func (r *Result) FullText() string { return r.Text + notesText(r.Notes) }

func notesText(notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString("\nnote: " + n)
	}
	return b.String()
}

// JSON renders the structured form: the members of Data, and beside them
// "notes", "truncated" and "error" where they apply. A form above the output
// budget is replaced by a too_large error.
func (r *Result) JSON() json.RawMessage {
	raw, _ := r.Structured()
	return raw
}

// Structured is [Result.JSON] with the failure it tells of: that of the call,
// or the reason why the form was replaced; nil on success. It is for hosts that
// mark failures beside the payload.
func (r *Result) Structured() (json.RawMessage, *Error) {
	raw, err := r.structured()
	if err != nil {
		return r.replaced(Errorf(CodeInternal, "the result cannot be rendered: %v", err))
	}
	if limit := r.limit(); len(raw) > limit {
		return r.replaced(Errorf(CodeTooLarge, "the reply has %d bytes, the limit is %d", len(raw), limit).
			WithHint("ask for less: a smaller limit, a range or a narrower path"))
	}
	return raw, r.Error
}

// Envelope renders the result as an object with a status, which some systems
// expect: {"status":"success","result":{…}}, the structured form, or
// {"status":"error","error":"…"}, the text for the model, with the structured
// form beside it as "result" where the failure left partial output.
func (r *Result) Envelope() json.RawMessage {
	raw, failure := r.Structured()
	out := struct {
		Status string          `json:"status"`
		Error  string          `json:"error,omitempty"`
		Result json.RawMessage `json:"result,omitempty"`
	}{Status: "success", Result: raw}
	if failure != nil {
		out.Status, out.Error = "error", failure.Text()
		if r.Data == nil {
			out.Result = nil
		}
	}
	var b bytes.Buffer
	if err := encodeJSON(&b, out); err != nil {
		return json.RawMessage(`{"status":"error","error":"internal"}`)
	}
	return bytes.TrimSpace(b.Bytes())
}

func (r *Result) limit() int {
	if r.budget > 0 {
		return r.budget
	}
	return DefaultOutputBudget
}

// replaced renders e, or the error that r has anyway, on its own.
func (r *Result) replaced(e *Error) (json.RawMessage, *Error) {
	if r.Error != nil {
		c := *r.Error
		e = &c
	}
	raw, err := (&Result{Error: e}).structured()
	if over := len(raw) - r.limit(); err == nil && over > 0 {
		e.Hint = ""
		// An escaped byte has up to six characters; leave room for them all.
		e.Message = clip(e.Message, max(200, (r.limit()-200)/6))
		raw, err = (&Result{Error: e}).structured()
	}
	if err != nil {
		raw = json.RawMessage(`{"error":{"code":"internal"}}`)
	}
	return raw, e
}

// structured joins the object of Data with the members beside it.
func (r *Result) structured() (json.RawMessage, error) {
	var out bytes.Buffer
	if r.Data != nil {
		if err := encodeJSON(&out, r.Data); err != nil {
			return nil, err
		}
	}
	data := bytes.TrimSpace(out.Bytes())
	if len(data) == 0 {
		data = []byte("{}")
	}
	if data[0] != '{' {
		return nil, fmt.Errorf("data is not an object but %T", r.Data)
	}
	if len(r.Notes) == 0 && !r.Truncated && r.Error == nil {
		return data, nil
	}
	var beside bytes.Buffer
	err := encodeJSON(&beside, struct {
		Notes     []string `json:"notes,omitempty"`
		Truncated bool     `json:"truncated,omitempty"`
		Error     *Error   `json:"error,omitempty"`
	}{r.Notes, r.Truncated, r.Error})
	if err != nil {
		return nil, err
	}
	more := bytes.TrimSpace(beside.Bytes())
	if len(more) == len("{}") {
		return data, nil
	}
	return joined(data, more), nil
}

// joined returns the members of two objects as one object. Where both have a
// name, as "truncated", beside is right: it speaks of the whole reply.
func joined(data, beside []byte) []byte {
	taken := map[string]bool{}
	for w := walk(beside); w.next(); {
		taken[string(w.key)] = true
	}
	out := make([]byte, 0, len(data)+len(beside))
	out = append(out, '{')
	for w := walk(data); w.next(); {
		if !taken[string(w.key)] {
			out = append(append(append(append(out, w.key...), ':'), w.value...), ',')
		}
	}
	return append(out, beside[1:]...)
}

// encodeJSON writes v without escaping <, > and &, which models read as noise.
func encodeJSON(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// present fills in the text form of r from its data.
func (r *Result) present() {
	switch d := r.Data.(type) {
	case nil:
	case Presenter:
		d.Present(r)
	default:
		var b bytes.Buffer
		if err := encodeJSON(&b, d); err == nil {
			r.Text = strings.TrimSpace(b.String())
		}
	}
	if r.Error != nil {
		r.Text = strings.TrimRight(r.Error.Text()+"\n"+r.Text, "\n")
	}
}

// cut enforces the output budget on Text. Implementations page their output
// well below it; this is the last resort.
func (r *Result) cut() {
	limit := r.limit()
	if len(r.Text) <= limit {
		return
	}
	tail := fmt.Sprintf("\n[cut: %d bytes in all, the limit is %d; ask for less: a smaller limit, a range or a narrower path]", len(r.Text), limit)
	r.Text = clip(clip(r.Text, max(0, limit-len(tail)))+tail, limit)
	r.Truncated = true
}

// clip returns the first n bytes of s, fewer where that would split a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// printable renders a name of the model's for a message: short, on one line.
func printable(name string) string {
	const most = 64
	if len(name) > most {
		name = clip(name, most) + "…"
	}
	return oneLine(name)
}
