package facade

import (
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
//
// Pointers stand for fields whose absence differs from zero.
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

	index   int
	pointer bool
	elem    *plan // of a struct, or of the structs in a slice
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
	for i := range t.NumField() {
		f, ok := fieldOf(t, i, append(outer, t))
		if !ok {
			continue
		}
		if _, dup := p.byName[f.Name]; dup {
			panic(fmt.Sprintf("facade: %v has two fields %q", t, f.Name))
		}
		p.byName[f.Name] = len(p.fields)
		p.fields = append(p.fields, f)
	}
	actual, _ := plans.LoadOrStore(t, p)
	return actual.(*plan)
}

func fieldOf(t reflect.Type, i int, outer []reflect.Type) (Field, bool) {
	sf := t.Field(i)
	name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
	if !sf.IsExported() || name == "" || name == "-" {
		return Field{}, false
	}
	f := Field{
		Name: name, Type: sf.Type, GoName: sf.Name, GoStruct: t, index: i,
		Required: !strings.Contains(opts, "omit"),
		Default:  sf.Tag.Get("default"), Example: sf.Tag.Get("example"),
	}
	if sf.Type.Kind() == reflect.Pointer {
		f.Type, f.pointer = sf.Type.Elem(), true
	}
	if enum := sf.Tag.Get("enum"); enum != "" {
		f.Enum = strings.Split(enum, ",")
	}
	f.Min, f.Max = bound(sf, "min"), bound(sf, "max")
	if n := bound(sf, "minItems"); n != nil {
		f.MinItems = int(*n)
	}
	switch elem := f.Type; {
	case elem.Kind() == reflect.Struct:
		f.elem = planWithin(elem, outer)
	case elem.Kind() == reflect.Slice && elem.Elem().Kind() == reflect.Struct:
		f.elem = planWithin(elem.Elem(), outer)
	}
	if f.Default != "" {
		f.setDefault(reflect.New(f.Type).Elem()) // panics now rather than in a call
	}
	return f, true
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
	switch v.Kind() { //nolint:exhaustive // other kinds have no default; the last case says so
	case reflect.String:
		v.SetString(f.Default)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(f.Default)
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(f.Default, 10, 64)
		v.SetInt(n)
	case reflect.Float64:
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
		fv := v.Field(f.index)
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
