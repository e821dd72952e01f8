package facade

import (
	"bytes"
	"encoding/json"
	"errors"
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
	unsaid   int // problems beyond those kept
}

// parseArgs checks that args is one JSON object in UTF-8.
func parseArgs(args []byte) ([]byte, *Error) {
	args = bytes.Trim(args, " \t\r\n") // JSON's white space, which is less than Unicode's
	if len(args) == 0 {
		args = []byte("{}")
	}
	if !utf8.Valid(args) {
		return nil, Errorf(CodeInvalidArgument, "the arguments are not valid UTF-8 (byte %d)", invalidUTF8(args)).
			WithHint("send bytes that are not text as base64")
	}
	if !json.Valid(args) {
		return nil, Errorf(CodeInvalidArgument, "the arguments are not valid JSON: %s", syntaxProblem(args)).
			WithHint(`send one object, as {"action":"…"}`)
	}
	if args[0] != '{' {
		return nil, Errorf(CodeInvalidArgument, "the arguments must be an object, got %s", describe(args)).
			WithHint(`send one object, as {"action":"…"}`)
	}
	return args, nil
}

// syntaxProblem says what is wrong with args and where.
func syntaxProblem(args []byte) string {
	var v any
	err := json.Unmarshal(args, &v)
	if se, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("%v (byte %d of %d)", se, se.Offset, len(args))
	}
	return fmt.Sprint(err)
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

// mostRemarks bounds the problems and the notes of a call: a model learns
// nothing from the rest, and a reply has a budget.
const mostRemarks = 20

func (d *decoder) problem(field, format string, args ...any) *Error {
	e := InvalidArgument(field, format, args...)
	if len(d.problems) < mostRemarks {
		d.problems = append(d.problems, e)
	} else {
		d.unsaid++
	}
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
	messages := make([]string, len(d.problems), len(d.problems)+1)
	hints := make([]string, 0, len(d.problems))
	for i, p := range d.problems {
		messages[i] = p.Message
		if p.Hint != "" && !slices.Contains(hints, p.Hint) {
			hints = append(hints, p.Hint)
		}
	}
	if d.unsaid > 0 {
		messages = append(messages, fmt.Sprintf("and %d more", d.unsaid))
	}
	first.Message = fmt.Sprintf("%d problems: %s", len(d.problems)+d.unsaid, strings.Join(messages, "; "))
	first.Hint = strings.Join(hints, "; ")
	return &first
}

// object decodes the members of args into v, a struct of plan p. at is the
// path of the object with a dot, "" for the arguments themselves.
func (d *decoder) object(p *plan, args []byte, v reflect.Value, at string) {
	var seenArray [64]bool
	seen := seenArray[:]
	if len(p.fields) > len(seen) {
		seen = make([]bool, len(p.fields))
	}
	actions := 0
	for w := walk(args); w.next(); {
		i, known := p.byName[string(w.key[1:len(w.key)-1])]
		if !known {
			i, known = d.unfamiliar(p, w.key, at, &actions)
		}
		switch {
		case !known:
		case seen[i]:
			d.twice(at + p.fields[i].Name)
		default:
			seen[i] = true
			d.member(&p.fields[i], w.value, v, at)
		}
	}
	for i := range p.fields {
		if p.fields[i].Required && !seen[i] {
			d.missing(&p.fields[i], at)
		}
	}
}

// unfamiliar deals with a member whose name is not, byte by byte, a field's: one
// spelt with escapes, whose index it returns, the action, or a stranger.
func (d *decoder) unfamiliar(p *plan, quoted []byte, at string, actions *int) (int, bool) {
	key, err := unquote(quoted)
	if err != nil {
		d.problem("", "the field name %s %v", printable(string(quoted)), err)
		return 0, false
	}
	if i, known := p.byName[key]; known {
		return i, true
	}
	if at == "" && key == "action" {
		if *actions++; *actions > 1 {
			d.twice(key)
		}
		return 0, false
	}
	if len(d.problems) < mostRemarks {
		d.stranger(p, key, at)
	} else {
		d.unsaid++
	}
	return 0, false
}

func (d *decoder) member(f *Field, value []byte, v reflect.Value, at string) {
	name := f.Name
	if at != "" {
		name = at + name
	}
	if !d.value(f, value, v.FieldByIndex(f.index), name) && f.Required {
		d.missing(f, at)
	}
}

func (d *decoder) twice(name string) { d.problem(name, "field '%s' is given twice", name) }

func (d *decoder) missing(f *Field, at string) {
	d.problem(at+f.Name, "field '%s' is required for action '%s'", at+f.Name, d.action.Name)
}

// stranger reports a member that the object does not have: which action takes
// it, or what was probably meant.
func (d *decoder) stranger(p *plan, key, at string) {
	name := at + printable(key)
	if at == "" {
		if owners := d.tool.actionsTaking(key); len(owners) > 0 {
			e := d.problem(name, "field '%s' does not belong to action '%s'; it is taken by: %s",
				name, d.action.Name, strings.Join(owners, ", "))
			e.Hint = d.fieldsHint(p, at)
			if near := meant(key, p.names()); near != "" {
				e.Hint = "did you mean '" + near + "'? " + e.Hint
			}
			return
		}
	}
	names := p.names()
	if at == "" {
		names = append(names, "action")
	}
	e := d.problem(name, "unknown field '%s' for action '%s'", name, d.action.Name)
	switch near := meant(key, names); {
	case near != "" && strings.EqualFold(near, key):
		e.Hint = "names are case-sensitive: '" + at + near + "'"
	case near != "":
		e.Hint = "did you mean '" + at + near + "'?"
	default:
		e.Hint = d.fieldsHint(p, at)
	}
}

// fieldsHint lists the fields of the action, or of the object at a path in it.
func (d *decoder) fieldsHint(p *plan, at string) string {
	of := d.action.Name
	if at != "" {
		of = strings.TrimSuffix(at, ".")
	}
	if len(p.fields) == 0 {
		return "'" + of + "' takes no fields"
	}
	return "fields of '" + of + "': " + strings.Join(p.names(), ", ")
}

// describe names a JSON value for an error, short enough to read.
func describe(value []byte) string {
	const most = 40
	text := clip(string(value[:min(len(value), most+utf8.UTFMax)]), most)
	if len(text) < len(value) {
		text += "…"
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
