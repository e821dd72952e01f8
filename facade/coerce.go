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

var rawMessageType = reflect.TypeFor[json.RawMessage]()

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
	switch kind := f.Type.Kind(); {
	case f.opaque:
		d.opaque(raw, v, at)
	case kind == reflect.String:
		d.text(f, raw, v, at)
	case kind == reflect.Bool:
		d.boolean(raw, v, at)
	case v.CanInt():
		d.integer(f, raw, v, at)
	case v.CanFloat():
		d.number(f, raw, v, at)
	case kind == reflect.Struct:
		if raw = d.container('{', "an object", raw, at); raw != nil {
			d.object(f.elem, raw, v, at+".")
		}
	case kind == reflect.Slice:
		d.slice(f, raw, v, at)
	case kind == reflect.Map:
		d.mapping(f, raw, v, at)
	default:
		d.opaque(raw, v, at)
	}
	return true
}

// item decodes an element of an array or map, where null has no meaning unless
// anything has.
func (d *decoder) item(f *Field, raw []byte, v reflect.Value, at string) {
	if !d.value(f, raw, v, at) && f.Type.Kind() != reflect.Interface {
		d.problem(at, "field '%s' must not be null", at)
	}
}

func (d *decoder) wrongType(want string, raw []byte, at string) {
	d.problem(at, "field '%s' must be %s, got %s", at, want, describe(raw))
}

func (d *decoder) note(at string, raw []byte, as string) {
	if len(d.notes) < mostRemarks {
		d.notes = append(d.notes, at+": took "+describe(raw)+" as "+as)
	}
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
		e := d.problem(at, "field '%s' must be one of %s; got '%s'", at, strings.Join(f.Enum, ", "), printable(s))
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
		if !ok || x != math.Trunc(x) {
			d.wrongType("an integer", raw, at)
			return
		}
		// 1e3 and 10.0 are integers to JSON Schema. Beyond 2^53 a float64 would
		// stand for several integers.
		if n = int64(x); math.Abs(x) > 1<<53 {
			d.beyond(raw, at)
			return
		}
	}
	if v.OverflowInt(n) {
		d.beyond(raw, at)
		return
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
	if math.IsInf(x, 0) || v.OverflowFloat(x) {
		d.beyond(raw, at)
		return
	}
	if quoted {
		d.note(at, raw, "a number")
	}
	if d.inRange(f, x, at, string(inner)) {
		v.SetFloat(x)
	}
}

func (d *decoder) beyond(raw []byte, at string) {
	d.problem(at, "field '%s' is beyond the range of such numbers, got %s", at, describe(raw))
}

// jsonNumber parses s by JSON's grammar, which has no hexadecimals, underscores
// or infinities. A number too great for a float64 is an infinity.
func jsonNumber(s []byte) (float64, bool) {
	if len(s) == 0 || s[0] != '-' && (s[0] < '0' || s[0] > '9') || !json.Valid(s) {
		return 0, false
	}
	x, _ := strconv.ParseFloat(string(s), 64) // the only error left is the range
	return x, true
}

func (d *decoder) inRange(f *Field, n float64, at, got string) bool {
	switch {
	case f.Min != nil && n < *f.Min:
		d.problem(at, "field '%s' must be at least %s, got %s", at, decimal(*f.Min), printable(got))
	case f.Max != nil && n > *f.Max:
		d.problem(at, "field '%s' must be at most %s, got %s", at, decimal(*f.Max), printable(got))
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
	inner, quoted := bare(raw)
	if quoted && f.item.Type.Kind() == reflect.String && !isContainer(inner, '[') {
		d.note(at, raw, "a list of one")
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	if raw = d.container('[', "an array", raw, at); raw == nil {
		return
	}
	n := count(raw)
	if n < f.MinItems {
		d.problem(at, "field '%s' must have at least %s, got %d", at, plural(f.MinItems, "item"), n)
		return
	}
	v.Set(reflect.MakeSlice(f.Type, n, n))
	i := 0
	for w := walk(raw); w.next(); i++ {
		d.item(f.item, w.value, v.Index(i), at+"["+strconv.Itoa(i)+"]")
	}
}

func (d *decoder) mapping(f *Field, raw []byte, v reflect.Value, at string) {
	if raw = d.container('{', "an object", raw, at); raw == nil {
		return
	}
	v.Set(reflect.MakeMap(f.Type))
	elem := reflect.New(f.Type.Elem()).Elem()
	for w := walk(raw); w.next(); {
		key, err := unquote(w.key)
		if err != nil {
			d.problem(at, "a name in field '%s' %v", at, err)
			continue
		}
		k := reflect.ValueOf(key).Convert(f.Type.Key())
		path := at + "." + printable(key)
		if v.MapIndex(k).IsValid() {
			d.twice(path)
			continue
		}
		elem.SetZero()
		d.item(f.item, w.value, elem, path)
		v.SetMapIndex(k, elem)
	}
}

// opaque decodes values whose shape is not the plan's business: raw JSON, any,
// and types that decode themselves.
func (d *decoder) opaque(raw []byte, v reflect.Value, at string) {
	if err := d.exact(raw, at); err != nil {
		d.problem(at, "field '%s' %v", at, err)
		return
	}
	if v.Type() == rawMessageType {
		v.SetBytes(bytes.Clone(raw))
		return
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		d.wrongType("a "+v.Type().String(), raw, at)
	}
}

// exact reports names given twice anywhere inside raw, and returns an error for
// text that is none: encoding/json would take the last of the names and write
// U+FFFD into the text.
func (d *decoder) exact(raw []byte, at string) error {
	switch raw[0] {
	case '"':
		if bytes.IndexByte(raw, '\\') >= 0 {
			_, err := unquote(raw)
			return err
		}
	case '[':
		for w := walk(raw); w.next(); {
			if err := d.exact(w.value, at); err != nil {
				return err
			}
		}
	case '{':
		seen := map[string]bool{}
		for w := walk(raw); w.next(); {
			key, err := unquote(w.key)
			if err != nil {
				return err
			}
			path := at + "." + printable(key)
			if seen[key] {
				d.twice(path)
			}
			seen[key] = true
			if err := d.exact(w.value, path); err != nil {
				return err
			}
		}
	}
	return nil
}
