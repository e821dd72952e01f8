package facade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// decoder turns a model's arguments into an input struct. It is exact where
// sloppiness hides mistakes (unknown, misspelt, doubled or missing fields) and
// lenient where the meaning is plain (see coerce.go). It collects every
// problem rather than stopping at the first.
type decoder struct {
	tool     *Tool
	action   *Action
	problems []*Error
	notes    []string
}

// parseArgs checks that args is one JSON object in UTF-8.
func parseArgs(args []byte) ([]byte, *Error) {
	args = bytes.TrimSpace(args)
	if len(args) == 0 {
		args = []byte("{}")
	}
	if !utf8.Valid(args) {
		return nil, Errorf(CodeInvalidArgument, "the arguments are not valid UTF-8 (byte %d)", invalidUTF8(args)).
			WithHint("send bytes that are not text as base64")
	}
	if !json.Valid(args) {
		var v any
		return nil, Errorf(CodeInvalidArgument, "the arguments are not valid JSON: %v", json.Unmarshal(args, &v)).
			WithHint(`send one object, as {"action":"…"}`)
	}
	if args[0] != '{' {
		return nil, Errorf(CodeInvalidArgument, "the arguments must be an object, got %s", describe(args)).
			WithHint(`send one object, as {"action":"…"}`)
	}
	return args, nil
}

func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

func (d *decoder) problem(field, format string, args ...any) *Error {
	e := InvalidArgument(field, format, args...)
	d.problems = append(d.problems, e)
	return e
}

// err joins the problems into one error that names every field.
func (d *decoder) err() error {
	switch len(d.problems) {
	case 0:
		return nil
	case 1:
		return d.problems[0]
	}
	first := *d.problems[0]
	messages := make([]string, len(d.problems))
	hints := make([]string, 0, len(d.problems))
	for i, p := range d.problems {
		messages[i] = p.Message
		if p.Hint != "" && !slices.Contains(hints, p.Hint) {
			hints = append(hints, p.Hint)
		}
	}
	first.Message = fmt.Sprintf("%d problems: %s", len(messages), strings.Join(messages, "; "))
	first.Hint = strings.Join(hints, "; ")
	return &first
}

// object decodes the members of args into v, a struct of plan p. at is the
// path of the object, "" for the arguments themselves.
func (d *decoder) object(p *plan, args []byte, v reflect.Value, at string) {
	var seenArray [64]bool
	seen := seenArray[:]
	if len(p.fields) > len(seen) {
		seen = make([]bool, len(p.fields))
	}
	var strangers []string
	members(args, func(quoted, value []byte) {
		key, err := unquote(quoted)
		if err != nil {
			d.problem("", "the field name %s %v", quoted, err)
			return
		}
		i, known := p.byName[key]
		switch {
		case !known && at == "" && key == "action":
		case !known && slices.Contains(strangers, key), known && seen[i]:
			d.problem(at+key, "field '%s' is given twice", at+key)
		case !known:
			strangers = append(strangers, key)
			d.stranger(p, key, at)
		default:
			seen[i] = true
			f := &p.fields[i]
			if !d.value(f, value, v.Field(f.index), at+key) && f.Required {
				d.missing(f, at)
			}
		}
	})
	for i := range p.fields {
		if p.fields[i].Required && !seen[i] {
			d.missing(&p.fields[i], at)
		}
	}
}

func (d *decoder) missing(f *Field, at string) {
	d.problem(at+f.Name, "field '%s' is required for action '%s'", at+f.Name, d.action.Name)
}

// stranger reports a member that the object does not have: which action takes
// it, or what was probably meant.
func (d *decoder) stranger(p *plan, key, at string) {
	names := make([]string, len(p.fields))
	for i := range p.fields {
		names[i] = p.fields[i].Name
	}
	if at == "" {
		if owners := d.tool.actionsTaking(key); len(owners) > 0 {
			d.problem(key, "field '%s' does not belong to action '%s'; it is taken by: %s",
				key, d.action.Name, strings.Join(owners, ", ")).
				WithHint("fields of '%s': %s", d.action.Name, strings.Join(names, ", "))
			return
		}
		names = append(names, "action")
	}
	e := d.problem(at+key, "unknown field '%s' for action '%s'", at+key, d.action.Name)
	switch near := Nearest(key, names); {
	case near != "" && strings.EqualFold(near, key):
		e.Hint = fmt.Sprintf("names are case-sensitive: '%s'", near)
	case near != "":
		e.Hint = fmt.Sprintf("did you mean '%s'?", near)
	default:
		e.Hint = fmt.Sprintf("fields of '%s': %s", d.action.Name, strings.Join(names, ", "))
	}
}

// describe names a JSON value for an error, short enough to read.
func describe(value []byte) string {
	const most = 40
	text := string(value)
	if len(text) > most {
		cut := most
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	switch value[0] {
	case '"':
		return "string " + text
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "boolean " + text
	case 'n':
		return "null"
	}
	return "number " + text
}
