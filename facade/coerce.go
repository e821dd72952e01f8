package facade

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Models send "10" for 10, "true" for true, "[\"a\"]" for ["a"] and "a" for
// ["a"]. Those are taken, with a note, because they can mean nothing else.
// Text is never made from anything but text: file content stays as sent.

var (
	rawMessageType = reflect.TypeFor[json.RawMessage]()
	stringType     = reflect.TypeFor[string]()
)

// value decodes one value into v, of the field's type or a pointer to it. It
// returns false for null, which means absent.
func (d *decoder) value(f *Field, raw []byte, v reflect.Value, at string) bool {
	if raw[0] == 'n' {
		return false
	}
	if f.pointer {
		v.Set(reflect.New(f.Type))
		v = v.Elem()
	}
	switch f.Type.Kind() { //nolint:exhaustive // the last case takes every other kind
	case reflect.String:
		d.text(f, raw, v, at)
	case reflect.Bool:
		d.boolean(raw, v, at)
	case reflect.Int, reflect.Int64:
		d.integer(f, raw, v, at)
	case reflect.Float64:
		d.number(f, raw, v, at)
	case reflect.Struct:
		if raw = d.container('{', "an object", raw, at); raw != nil {
			d.object(f.elem, raw, v, at+".")
		}
	case reflect.Slice:
		d.slice(f, raw, v, at)
	default:
		d.other(raw, v, at)
	}
	return true
}

func (d *decoder) wrongType(want string, raw []byte, at string) {
	d.problem(at, "field '%s' must be %s, got %s", at, want, describe(raw))
}

func (d *decoder) note(at string, raw []byte, as string) {
	d.notes = append(d.notes, at+": took "+describe(raw)+" as "+as)
}

func (d *decoder) text(f *Field, raw []byte, v reflect.Value, at string) {
	if raw[0] != '"' {
		d.wrongType("a string", raw, at)
		return
	}
	s, err := unquote(raw)
	if err != nil {
		d.problem(at, "field '%s' %v", at, err).WithHint("send bytes that are not text as base64")
		return
	}
	if len(f.Enum) > 0 && !slices.Contains(f.Enum, s) {
		e := d.problem(at, "field '%s' must be one of %s; got '%s'", at, strings.Join(f.Enum, ", "), s)
		if near := Nearest(s, f.Enum); near != "" {
			e.Hint = "did you mean '" + near + "'?"
		}
		return
	}
	v.SetString(s)
}

// bare returns the text inside a quoted value, for a coercion, or raw itself.
func bare(raw []byte) (inner []byte, quoted bool) {
	if raw[0] != '"' {
		return raw, false
	}
	s, err := unquote(raw)
	if err != nil {
		return raw, false
	}
	return []byte(strings.TrimSpace(s)), true
}

func (d *decoder) boolean(raw []byte, v reflect.Value, at string) {
	inner, quoted := bare(raw)
	switch string(inner) {
	case "true":
		v.SetBool(true)
	case "false":
		v.SetBool(false)
	default:
		d.wrongType("true or false", raw, at)
		return
	}
	if quoted {
		d.note(at, raw, "a boolean")
	}
}

func (d *decoder) integer(f *Field, raw []byte, v reflect.Value, at string) {
	inner, quoted := bare(raw)
	n, err := strconv.ParseInt(string(inner), 10, 64)
	if err != nil || inner[0] == '+' {
		x, ok := jsonNumber(inner)
		// 1e3 and 10.0 are integers to JSON Schema. Beyond 2^53 a float64 would
		// stand for several integers.
		if !ok || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			d.wrongType("an integer", raw, at)
			return
		}
		n = int64(x)
	}
	if quoted {
		d.note(at, raw, "an integer")
	}
	if d.inRange(f, float64(n), at, string(inner)) {
		v.SetInt(n)
	}
}

func (d *decoder) number(f *Field, raw []byte, v reflect.Value, at string) {
	inner, quoted := bare(raw)
	x, ok := jsonNumber(inner)
	if !ok {
		d.wrongType("a number", raw, at)
		return
	}
	if quoted {
		d.note(at, raw, "a number")
	}
	if d.inRange(f, x, at, string(inner)) {
		v.SetFloat(x)
	}
}

// jsonNumber parses s by JSON's grammar, which has no hexadecimals, underscores
// or infinities.
func jsonNumber(s []byte) (float64, bool) {
	if len(s) == 0 || s[0] != '-' && (s[0] < '0' || s[0] > '9') || !json.Valid(s) {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(s), 64)
	return x, err == nil
}

func (d *decoder) inRange(f *Field, n float64, at, got string) bool {
	switch {
	case f.Min != nil && n < *f.Min:
		d.problem(at, "field '%s' must be at least %s, got %s", at, decimal(*f.Min), got)
	case f.Max != nil && n > *f.Max:
		d.problem(at, "field '%s' must be at most %s, got %s", at, decimal(*f.Max), got)
	default:
		return true
	}
	return false
}

// decimal writes a bound without an exponent, as the tag has it.
func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// container returns raw when it starts with open, or the JSON text in a quoted
// raw that does; else it reports the type and returns nil.
func (d *decoder) container(open byte, want string, raw []byte, at string) []byte {
	if raw[0] == open {
		return raw
	}
	if inner, quoted := bare(raw); quoted && isContainer(inner, open) {
		d.note(at, raw, want)
		return inner
	}
	d.wrongType(want, raw, at)
	return nil
}

func isContainer(raw []byte, open byte) bool {
	return len(raw) > 0 && raw[0] == open && utf8.Valid(raw) && json.Valid(raw)
}

func (d *decoder) slice(f *Field, raw []byte, v reflect.Value, at string) {
	if f.Type == rawMessageType {
		d.other(raw, v, at)
		return
	}
	elem := f.Type.Elem()
	inner, quoted := bare(raw)
	if quoted && elem.Kind() == reflect.String && !isContainer(inner, '[') {
		d.note(at, raw, "a list of one")
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	if raw = d.container('[', "an array", raw, at); raw == nil {
		return
	}
	n := 0
	elements(raw, func([]byte) { n++ })
	if n < f.MinItems {
		d.problem(at, "field '%s' must have at least %d item(s), got %d", at, f.MinItems, n)
		return
	}
	out := reflect.MakeSlice(f.Type, n, n)
	item := Field{Type: elem, Enum: f.Enum, elem: f.elem}
	i := 0
	elements(raw, func(value []byte) {
		path := at + "[" + strconv.Itoa(i) + "]"
		if !d.value(&item, value, out.Index(i), path) {
			d.wrongType("a value", value, path)
		}
		i++
	})
	v.Set(out)
}

// other decodes maps, raw JSON and any: places where the shape is the caller's.
func (d *decoder) other(raw []byte, v reflect.Value, at string) {
	if v.Type() == rawMessageType {
		v.SetBytes(bytes.Clone(raw))
		return
	}
	if v.Kind() == reflect.Map {
		if raw = d.container('{', "an object", raw, at); raw == nil {
			return
		}
		d.keysOnce(raw, at)
		if v.Type().Elem() == stringType {
			d.stringMap(raw, v, at)
			return
		}
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		d.wrongType("a "+v.Kind().String(), raw, at)
	}
}

func (d *decoder) keysOnce(raw []byte, at string) {
	seen := map[string]bool{}
	members(raw, func(quoted, _ []byte) {
		key, err := unquote(quoted)
		if err != nil {
			d.problem(at, "a name in field '%s' %v", at, err)
		} else if seen[key] {
			d.problem(at, "field '%s.%s' is given twice", at, key)
		}
		seen[key] = true
	})
}

func (d *decoder) stringMap(raw []byte, v reflect.Value, at string) {
	out := reflect.MakeMap(v.Type())
	item := Field{Type: stringType}
	members(raw, func(quoted, value []byte) {
		key, err := unquote(quoted)
		if err != nil {
			return // keysOnce has said so
		}
		s := reflect.New(stringType).Elem()
		if !d.value(&item, value, s, at+"."+key) {
			d.wrongType("a string", value, at+"."+key)
		}
		out.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), s.Convert(v.Type().Elem()))
	})
	v.Set(out)
}
