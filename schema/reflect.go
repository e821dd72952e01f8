package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/toolfacade/toolfacade/facade"
)

var (
	timeType        = reflect.TypeFor[time.Time]()
	errorType       = reflect.TypeFor[facade.Error]()
	marshalerType   = reflect.TypeFor[json.Marshaler]()
	textType        = reflect.TypeFor[encoding.TextMarshaler]()
	schemaMakerType = reflect.TypeFor[interface{ JSONSchema() *jsonschema.Schema }]()
)

// typeNode returns the schema of the values that encoding/json makes of t.
// Constraints in struct tags of other packages' schemas are not looked at: the
// result may accept more than t ever yields, never less.
func typeNode(t reflect.Type) (*node, error) {
	if err := checkType(t, nil); err != nil {
		return nil, err
	}
	r := jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, AllowAdditionalProperties: true,
		LookupComment: describe, Mapper: mapped,
	}
	return converted(r.ReflectFromType(t), t), nil
}

// opaque reports whether the members of t are not what JSON shows of it.
func opaque(t reflect.Type) bool {
	return t == timeType || t == errorType || implements(t, marshalerType) ||
		implements(t, textType) || implements(t, schemaMakerType)
}

func implements(t, iface reflect.Type) bool {
	return t.Implements(iface) || reflect.PointerTo(t).Implements(iface)
}

// mapped gives the schema of types that render themselves; nil leaves a type
// to the reflector. Every call returns a new schema, as the reflector writes
// into it.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch {
	case t == timeType, implements(t, schemaMakerType):
		return nil
	case t == errorType:
		r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: true, LookupComment: describe}
		return r.ReflectFromType(reflect.TypeFor[errorObject]())
	case implements(t, marshalerType):
		return &jsonschema.Schema{}
	case implements(t, textType):
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}

// checkType refuses what the reflector cannot survive: a type that contains
// itself overflows its stack, and a kind that JSON lacks makes it panic.
func checkType(t reflect.Type, within []reflect.Type) error {
	if slices.Contains(within, t) {
		return fmt.Errorf("%v contains itself", t)
	}
	if opaque(t) {
		return nil
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return checkType(t.Elem(), within)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
				continue
			}
			if err := checkType(f.Type, within); err != nil {
				return err
			}
		}
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		return fmt.Errorf("JSON has no form for %v", t)
	}
	return nil
}

// converted turns the reflector's schema of t into a node. t is needed beside
// it because a nil slice, map or pointer is null in JSON, of which the
// reflector knows nothing.
func converted(s *jsonschema.Schema, t reflect.Type) *node {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == errorType:
		t = reflect.TypeFor[errorObject]()
	case opaque(t):
		t = reflect.TypeFor[any]() // its Go form says nothing about its JSON
	}
	n := &node{
		Type: s.Type, Format: s.Format, Encoding: s.ContentEncoding,
		Description: s.Description, Enum: s.Enum, Required: s.Required,
	}
	if s.Properties != nil {
		n.Properties = []property{}
		for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
			n.Properties = append(n.Properties, property{pair.Key, convertedField(pair.Value, t, pair.Key)})
		}
	}
	if s.Items != nil {
		n.Items = convertedElem(s.Items, t)
	}
	if s.AdditionalProperties != nil && t.Kind() == reflect.Map {
		n.Values = convertedElem(s.AdditionalProperties, t)
	}
	for _, alternative := range slices.Concat(s.AnyOf, s.OneOf) {
		n.AnyOf = append(n.AnyOf, converted(alternative, t))
	}
	return n
}

// convertedElem converts the schema of the elements of t.
func convertedElem(s *jsonschema.Schema, t reflect.Type) *node {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return nullable(converted(s, t.Elem()), t.Elem())
	}
	return converted(s, reflect.TypeFor[any]())
}

// convertedField converts the schema of the member of struct t that JSON calls
// name.
func convertedField(s *jsonschema.Schema, t reflect.Type, name string) *node {
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			tag, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag != name && (tag != "" || f.Name != name) {
				continue
			}
			n := converted(s, f.Type)
			if !strings.Contains(opts, "omit") {
				n = nullable(n, f.Type)
			}
			return n
		}
	}
	return converted(s, reflect.TypeFor[any]())
}

// nullable lets n be null too when values of t can be nil.
func nullable(n *node, t reflect.Type) *node {
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		n.Null = true
	}
	return n
}
