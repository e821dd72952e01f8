package docs

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/regex"
)

// Bounds of a template.
const (
	maxFields  = 100 // with those of nested objects
	maxNested  = 4   // objects in one another
	maxPattern = 500 // bytes of a regular expression
)

// The types of fields.
const (
	kindString  = "string"
	kindNumber  = "number"
	kindInteger = "integer"
	kindBoolean = "boolean"
	kindArray   = "array"
)

// Field is a field of a template.
type Field struct {
	// Name is the field's; one of a nested object has the object's before a dot.
	Name string
	// Type is string, number, integer, boolean or array.
	Type string
	// Description says what is meant; "" when the template does not.
	Description string
	// Enum lists the allowed texts; nil allows all.
	Enum []string
	// Items are the fields of the objects of an array; one without a name when
	// the array holds plain values.
	Items []Field

	labels  []string
	pattern *regexp.Regexp
}

// templateFields reads a template: a JSON Schema with properties, or an example
// object, whose values show the types. An object in it becomes fields with
// dotted names.
func templateFields(template map[string]any) ([]Field, error) {
	r := &templateReader{}
	if properties, ok := template["properties"].(map[string]any); ok {
		r.object("", properties, true, 0)
	} else {
		r.object("", template, false, 0)
	}
	if r.err == nil && len(r.fields) > maxFields {
		r.fail("the template has more than %d fields", maxFields)
	}
	return r.fields, r.err
}

type templateReader struct {
	fields []Field
	err    error
}

func (r *templateReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = facade.InvalidArgument("extraction_template", format, args...).
			WithHint("give an example object such as {\"invoice_no\": \"A-17\", \"total\": 99.5}, or a JSON Schema with properties")
	}
}

func (r *templateReader) object(prefix string, properties map[string]any, schema bool, depth int) {
	if depth > maxNested {
		r.fail("the template nests objects more than %d deep", maxNested)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		value, isObject := properties[name].(map[string]any)
		inner := value
		if schema {
			inner, _ = value["properties"].(map[string]any)
			isObject = inner != nil
		}
		if isObject && len(inner) > 0 {
			r.object(prefix+name+".", inner, schema, depth+1)
			continue
		}
		f := Field{Name: prefix + name, Type: kindString, labels: []string{label(name)}}
		if prefix != "" {
			f.labels = append([]string{label(prefix + name)}, f.labels...)
		}
		if schema {
			r.described(&f, value, depth)
		} else {
			r.exemplified(&f, properties[name], depth)
		}
		r.fields = append(r.fields, f)
	}
}

// exemplified takes the type of an example.
func (r *templateReader) exemplified(f *Field, example any, depth int) {
	switch v := example.(type) {
	case float64, int, json.Number:
		f.Type = kindNumber
	case bool:
		f.Type = kindBoolean
	case []any:
		f.Type = kindArray
		if len(v) == 0 {
			f.Items = []Field{{Type: kindString}}
			return
		}
		if object, ok := v[0].(map[string]any); ok {
			f.Items = r.items(object, false, depth)
			return
		}
		item := Field{}
		item.Type = kindString
		r.exemplified(&item, v[0], depth+1)
		f.Items = []Field{item}
	}
}

func (r *templateReader) items(properties map[string]any, schema bool, depth int) []Field {
	inner := &templateReader{}
	inner.object("", properties, schema, depth+1)
	if r.err == nil {
		r.err = inner.err
	}
	return inner.fields
}

// described takes what a schema says of a property.
func (r *templateReader) described(f *Field, schema map[string]any, depth int) {
	f.Type = schemaType(schema)
	f.Description, _ = schema["description"].(string)
	for _, key := range []string{"title", "x-label"} {
		if s, ok := schema[key].(string); ok {
			f.labels = append(f.labels, label(s))
		}
	}
	for _, s := range texts(schema["aliases"]) {
		f.labels = append(f.labels, label(s))
	}
	f.Enum = texts(schema["enum"])
	pattern, _ := schema["pattern"].(string)
	if format, ok := schema["format"].(string); ok && pattern == "" {
		pattern = formatPatterns(format)
	}
	if pattern != "" {
		if len(pattern) > maxPattern {
			r.fail("the pattern of '%s' is longer than %d bytes", f.Name, maxPattern)
			return
		}
		re, _, err := regex.Compile(pattern)
		if err != nil {
			r.fail("the pattern of '%s' is no usable regular expression: %v", f.Name, err)
			return
		}
		f.pattern = re
	}
	if f.Type == kindArray {
		item, _ := schema["items"].(map[string]any)
		if properties, ok := item["properties"].(map[string]any); ok {
			f.Items = r.items(properties, true, depth)
			return
		}
		f.Items = []Field{{Type: schemaType(item)}}
	}
}

// schemaType is the first type of a schema that is not null.
func schemaType(schema map[string]any) string {
	kinds := texts(schema["type"])
	if s, ok := schema["type"].(string); ok {
		kinds = []string{s}
	}
	for _, k := range kinds {
		switch k {
		case kindNumber, kindInteger, kindBoolean, kindArray:
			return k
		}
	}
	return kindString
}

func texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// formatPatterns finds the formats of JSON Schema that have a look of their own
// in texts.
func formatPatterns(format string) string {
	switch format {
	case "email":
		return `[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`
	case "uri":
		return `https?://[^\s<>"')\]]+`
	case "date":
		return `\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:\d{1,2}(?:st|nd|rd|th)? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)?, )?\d{4}`
	}
	return ""
}

// label makes names comparable: "invoiceNo", "invoice_no" and "Invoice No."
// are one.
func label(s string) string {
	var b strings.Builder
	lower := false
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
			lower = false
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
