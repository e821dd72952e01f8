package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Finding is something in a schema that its receiver rejects or loses.
type Finding struct {
	// Pointer is the JSON pointer (RFC 6901) of the schema at fault, "" for the
	// root.
	Pointer string
	// Keyword is the keyword at fault, "" when none is.
	Keyword string
	// Dropped says that the receiver ignores the keyword without a word. Else it
	// refuses the request, with all tools in it.
	Dropped bool
	// Message says what is wrong, in a sentence.
	Message string
}

// String renders the finding on a line.
func (f Finding) String() string {
	at, what := f.Pointer, "rejected"
	if at == "" {
		at = "the root"
	}
	if f.Dropped {
		what = "dropped"
	}
	return fmt.Sprintf("%s: %s: %s", at, what, f.Message)
}

// Lint looks for what the receiver of a profile rejects or loses in the schema
// of a tool's arguments, whoever made it. The findings are in the order of
// their pointers; nil means that none is known, which is not a proof. What the
// receivers do is known from their documentation, their libraries and the
// errors people met.
func Lint(p Profile, raw json.RawMessage) []Finding {
	r, known := p.rules()
	if !known {
		return []Finding{{Message: fmt.Sprintf("there is no profile %q", string(p))}}
	}
	l := &linter{rules: r}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil || d.More() {
		return []Finding{{Message: "the schema is not one JSON value"}}
	}
	object, ok := root.(map[string]any)
	if !ok {
		return []Finding{{Message: "the schema is not an object"}}
	}
	l.root = object
	l.checkRoot(object)
	l.walk("", object)
	if r.whole != nil {
		r.whole(l)
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int { return strings.Compare(a.Pointer, b.Pointer) })
	return l.findings
}

type linter struct {
	rules    rules
	root     map[string]any
	findings []Finding

	// counted over the whole schema
	properties, optional, unions, enums, depth int
}

func (l *linter) rejected(at, keyword, format string, args ...any) {
	l.findings = append(l.findings, Finding{Pointer: at, Keyword: keyword, Message: fmt.Sprintf(format, args...)})
}

func (l *linter) dropped(at, keyword, format string, args ...any) {
	l.findings = append(l.findings, Finding{Pointer: at, Keyword: keyword, Dropped: true, Message: fmt.Sprintf(format, args...)})
}

// checkRoot looks at what holds for the root alone.
func (l *linter) checkRoot(root map[string]any) {
	if t, ok := root["type"].(string); !ok || !strings.EqualFold(t, "object") {
		l.rejected("", "type", "the type of the root must be object")
	}
	for _, k := range slices.Sorted(maps.Keys(root)) {
		switch {
		case slices.Contains(l.rules.notAtRoot, k):
			l.rejected("", k, "%s must not stand at the root", k)
		case l.rules.onlyAtRoot != nil && !slices.Contains(l.rules.onlyAtRoot, k):
			l.rejected("", k, "the root may have %s only, not %s", strings.Join(l.rules.onlyAtRoot, ", "), k)
		}
	}
}

// walk looks at the schema n at a pointer, and at those in it.
func (l *linter) walk(at string, n map[string]any) {
	for _, k := range slices.Sorted(maps.Keys(n)) {
		switch {
		case slices.Contains(l.rules.rejects, k):
			l.rejected(at, k, "%s is not supported", k)
		case l.rules.keeps != nil && !slices.Contains(l.rules.keeps, k) && (at != "" || !slices.Contains(l.rules.keepsAtRoot, k)):
			if l.rules.drops {
				l.dropped(at, k, "%s is ignored", k)
			} else {
				l.rejected(at, k, "%s is not supported", k)
			}
		}
	}
	l.count(at, n)
	if l.rules.node != nil {
		l.rules.node(l, at, n)
	}
	l.each(at, n, l.walk)
}

// each calls fn for the schemas directly in n.
func (l *linter) each(at string, n map[string]any, fn func(at string, n map[string]any)) {
	visit := func(at string, v any) {
		if child, ok := v.(map[string]any); ok {
			fn(at, child)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n)) {
		below := at + "/" + escaped(k)
		switch v := n[k].(type) {
		case map[string]any:
			switch {
			case slices.Contains(mapsOfSchemas, k):
				for _, name := range slices.Sorted(maps.Keys(v)) {
					visit(below+"/"+escaped(name), v[name])
				}
			case slices.Contains(singleSchemas, k) && !slices.Contains(l.rules.verbatim, k):
				visit(below, v)
			}
		case []any:
			if slices.Contains(listsOfSchemas, k) {
				for i := range v {
					visit(below+"/"+strconv.Itoa(i), v[i])
				}
			}
		}
	}
}

// The keywords that hold schemas, of any draft.
var (
	mapsOfSchemas  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	listsOfSchemas = []string{"anyOf", "oneOf", "allOf", "prefixItems", "items"}
	singleSchemas  = []string{
		"items", "additionalProperties", "additionalItems", "unevaluatedItems", "unevaluatedProperties",
		"contains", "propertyNames", "not", "if", "then", "else",
	}
)

// escaped renders a name as a part of a JSON pointer.
func escaped(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// count notes what limits of a whole schema are about.
func (l *linter) count(at string, n map[string]any) {
	properties, required := propertiesOf(n)
	l.properties += len(properties)
	l.optional += len(properties) - len(required)
	l.depth = max(l.depth, strings.Count(at, "/properties/")+strings.Count(at, "/items"))
	if enum, ok := n["enum"].([]any); ok {
		l.enums += len(enum)
	}
	_, several := n["type"].([]any)
	if _, anyOf := n["anyOf"]; anyOf || several {
		l.unions++
	}
}

// propertiesOf returns the names of the properties of n and those of them that are
// required.
func propertiesOf(n map[string]any) (properties, required []string) {
	object, _ := n["properties"].(map[string]any)
	list, _ := n["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		properties = append(properties, name)
		if slices.Contains(list, any(name)) {
			required = append(required, name)
		}
	}
	return properties, required
}
