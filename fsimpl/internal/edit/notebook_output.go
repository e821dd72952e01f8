package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxOutput is how many bytes of a cell's output are shown.
const maxOutput = 2000

// output is what a code cell has left, of any kind.
type output struct {
	Text  json.RawMessage            `json:"text"`   // of a stream
	Data  map[string]json.RawMessage `json:"data"`   // of a result or display, by media type
	Name  string                     `json:"ename"`  // of an error
	Value string                     `json:"evalue"` // of an error
}

// outputText tells what a cell's outputs show: text as it is, and of anything
// else the media type and size. Outputs in no known form are left out.
func outputText(v json.RawMessage) string {
	var outputs []output
	if json.Unmarshal(v, &outputs) != nil {
		return ""
	}
	var b strings.Builder
	add := func(text string) {
		if b.WriteString(text); text != "" && !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
	}
	for _, o := range outputs {
		add(joined(o.Text))
		for _, mime := range slices.Sorted(maps.Keys(o.Data)) {
			switch {
			case mime == "text/plain":
				add(joined(o.Data[mime]))
			case strings.HasPrefix(mime, "text/") && o.Data["text/plain"] != nil:
				// the same in another form
			default:
				add(fmt.Sprintf("[%s, %d bytes]", mime, len(o.Data[mime])))
			}
		}
		if o.Name != "" {
			add(o.Name + ": " + o.Value)
		}
	}
	text := b.String()
	if len(text) <= maxOutput {
		return text
	}
	cut := maxOutput
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s\n[%d more bytes]\n", text[:cut], len(text)-cut)
}

// joined is the text of a string or a list of lines, "" for anything else.
func joined(v json.RawMessage) string {
	if len(v) == 0 {
		return ""
	}
	text, err := sourceText(v)
	if err != nil {
		return ""
	}
	return text
}
