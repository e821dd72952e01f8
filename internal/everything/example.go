package everything

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/toolfacade/toolfacade/facade"
)

// Example returns the arguments of a call to an action of t that t takes
// without complaint: the required parameters and, where the action's own rules
// ask for more, the optional ones that its errors name.
func Example(t *facade.Tool, a facade.Action) (json.RawMessage, error) {
	var args, spare []facade.Field
	for _, f := range a.Fields() {
		if f.Required {
			args = append(args, f)
		} else {
			spare = append(spare, f)
		}
	}
	t = Answered(t, empty(t))
	for {
		raw := render(a.Name, args)
		res, err := t.Call(context.Background(), facade.Call{Args: raw})
		switch {
		case err != nil:
			return nil, err
		case res.OK() && len(res.Notes) == 0:
			return raw, nil
		case res.OK():
			return nil, fmt.Errorf("the example of %s is coerced: %s %v", a.Name, raw, res.Notes)
		}
		wanted := slices.IndexFunc(spare, func(f facade.Field) bool {
			return f.Name == res.Error.Field || res.Error.Field == "" && f.Example != ""
		})
		if wanted < 0 {
			return nil, fmt.Errorf("the example of %s is refused: %s %w", a.Name, raw, res.Error)
		}
		args, spare = append(args, spare[wanted]), slices.Delete(spare, wanted, wanted+1)
	}
}

// render writes the call with the parameters in their order.
func render(action string, fields []facade.Field) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"action":` + quote(action))
	for _, f := range fields {
		b.WriteString("," + quote(f.Name) + ":" + exampleValue(f))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// exampleValue returns a value of f as JSON: its example, or its default, or
// the first value that its tags allow.
func exampleValue(f facade.Field) string {
	text := f.Example
	if text == "" {
		text = f.Default
	}
	switch f.Type.Kind() {
	case reflect.String:
		switch {
		case text != "":
			return quote(text)
		case len(f.Enum) > 0:
			return quote(f.Enum[0])
		}
		return quote(f.Name)
	case reflect.Slice:
		elem := f
		elem.Type, elem.Default = f.Type.Elem(), ""
		return "[" + exampleValue(elem) + "]"
	case reflect.Struct:
		return exampleObject(f.Type)
	}
	switch {
	case text != "":
		return text
	case f.Min != nil:
		return strconv.FormatFloat(*f.Min, 'f', -1, 64)
	case f.Type.Kind() == reflect.Bool:
		return "true"
	case f.Type.Kind() == reflect.Map:
		return "{}"
	}
	return "0"
}

func exampleObject(t reflect.Type) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, f := range facade.Fields(t) {
		if !f.Required && f.Example == "" {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quote(f.Name) + ":" + exampleValue(f))
	}
	b.WriteByte('}')
	return b.String()
}

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return string(bytes.TrimSpace(b.Bytes()))
}
