package facade

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Field describes one parameter, as the struct tags of an input say:
//
//	json:"limit,omitempty"   the name; without omitempty the field is required
//	default:"100"            the value an absent field means
//	min:"1" max:"1000"       the inclusive range of a number
//	minItems:"1"             the least length of an array
//	enum:"name,mtime,size"   the values a string may have
//	example:"src/main.go"    a value for documentation
//	description:"Most rows." what schemas say of it
//
// Pointers stand for fields whose absence differs from zero. As in
// encoding/json a field without a json tag has its Go name, json:"-" leaves it
// out, and the fields of an embedded struct without a json tag belong to the
// outer one.
type Field struct {
	Name     string
	Type     reflect.Type // never a pointer
	Required bool
	Default  string // "" when there is none
	Example  string
	Enum     []string
	Min, Max *float64
	MinItems int
	// GoName is the name of the struct field, GoStruct the type declaring it.
	GoName   string
	GoStruct reflect.Type

	index   []int
	pointer bool
	opaque  bool   // decodes itself
	elem    *plan  // of a struct
	item    *Field // of a slice or map
}

// plan is what the decoder knows of one struct type.
type plan struct {
	fields []Field
	byName map[string]int
}

var plans sync.Map // reflect.Type -> *plan

// Fields lists the JSON members of a struct type in their order. Nested
// structs are reached through [Field.Type].
func Fields(t reflect.Type) []Field { return slices.Clone(planOf(t).fields) }

// planOf returns the plan of a struct type. It panics on a malformed tag or on
// a type that contains itself, both programming errors.
func planOf(t reflect.Type) *plan { return planWithin(t, nil) }

func planWithin(t reflect.Type, outer []reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("facade: %v is not a struct", t))
	}
	if slices.Contains(outer, t) {
		panic(fmt.Sprintf("facade: %v contains itself", t))
	}
	p := &plan{byName: map[string]int{}}
	outer = append(slices.Clone(outer), t)
	for i := range t.NumField() {
		for _, f := range fieldsOf(t, i, outer) {
			if _, dup := p.byName[f.Name]; dup {
				panic(fmt.Sprintf("facade: %v has two fields %q", t, f.Name))
			}
			p.byName[f.Name] = len(p.fields)
			p.fields = append(p.fields, f)
		}
	}
	actual, _ := plans.LoadOrStore(t, p)
	return actual.(*plan)
}

// names lists the fields in their order.
func (p *plan) names() []string {
	names := make([]string, len(p.fields))
	for i := range p.fields {
		names[i] = p.fields[i].Name
	}
	return names
}

// fieldsOf returns field i of t, or the fields of the struct embedded there.
func fieldsOf(t reflect.Type, i int, outer []reflect.Type) []Field {
	sf := t.Field(i)
	tag := sf.Tag.Get("json")
	name, opts, _ := strings.Cut(tag, ",")
	if sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct {
		inner := slices.Clone(planWithin(sf.Type, outer).fields)
		for k := range inner {
			inner[k].index = append([]int{i}, inner[k].index...)
		}
		return inner
	}
	if !sf.IsExported() || tag == "-" {
		return nil
	}
	if name == "" {
		name = sf.Name
	}
	f := newField(sf.Type, outer)
	f.Name, f.GoName, f.GoStruct, f.index = name, sf.Name, t, []int{i}
	f.Required = !strings.Contains(opts, "omit")
	f.Default, f.Example = sf.Tag.Get("default"), sf.Tag.Get("example")
	if enum := sf.Tag.Get("enum"); enum != "" {
		f.Enum = strings.Split(enum, ",")
		if f.item != nil {
			f.item.Enum = f.Enum
		}
	}
	f.Min, f.Max = bound(sf, "min"), bound(sf, "max")
	if n := bound(sf, "minItems"); n != nil {
		f.MinItems = int(*n)
	}
	if f.Default != "" {
		f.checkDefault()
	}
	return []Field{f}
}

// newField returns what a type alone says of a field.
func newField(t reflect.Type, outer []reflect.Type) Field {
	f := Field{Type: t}
	if t.Kind() == reflect.Pointer {
		f.Type, f.pointer = t.Elem(), true
	}
	if f.opaque = decodesItself(f.Type); f.opaque {
		return f
	}
	switch f.Type.Kind() {
	case reflect.Struct:
		f.elem = planWithin(f.Type, outer)
	case reflect.Map:
		if f.Type.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("facade: %v: the keys of a map must be strings", f.Type))
		}
		fallthrough
	case reflect.Slice:
		item := newField(f.Type.Elem(), outer)
		f.item = &item
	}
	return f
}

// decodesItself reports whether encoding/json would leave decoding to the type.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// checkDefault panics now rather than in a call.
func (f *Field) checkDefault() {
	v := reflect.New(f.Type).Elem()
	f.setDefault(v)
	if v.Kind() == reflect.Bool && v.Bool() && !f.pointer {
		panic(fmt.Sprintf("facade: %v.%s: a boolean whose default is true must be a pointer, or false cannot be said", f.GoStruct, f.GoName))
	}
}

func bound(sf reflect.StructField, tag string) *float64 {
	s, ok := sf.Tag.Lookup(tag)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("facade: field %s: tag %s: %v", sf.Name, tag, err))
	}
	return &n
}

// setDefault sets v, of the field's type, to the value in the default tag.
func (f *Field) setDefault(v reflect.Value) {
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.Default)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(f.Default)
		v.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(f.Default, 10, 64)
		v.SetInt(n)
	case reflect.Float32, reflect.Float64:
		var n float64
		n, err = strconv.ParseFloat(f.Default, 64)
		v.SetFloat(n)
	default:
		err = fmt.Errorf("a %v has no default", v.Kind())
	}
	if err != nil {
		panic(fmt.Sprintf("facade: %v.%s: tag default: %v", f.GoStruct, f.GoName, err))
	}
}

// Defaulted returns in with every field that is zero, or nil for pointers, set
// to its default. Implementations call it first, so that a Go caller's struct
// literal and a model's JSON mean the same.
func Defaulted[In any](in In) In {
	v := reflect.ValueOf(&in).Elem()
	p := planOf(v.Type())
	for i := range p.fields {
		f := &p.fields[i]
		if f.Default == "" {
			continue
		}
		fv := v.FieldByIndex(f.index)
		switch {
		case !fv.IsZero():
		case f.pointer:
			fv.Set(reflect.New(f.Type))
			f.setDefault(fv.Elem())
		default:
			f.setDefault(fv)
		}
	}
	return in
}
