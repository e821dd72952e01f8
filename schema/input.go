package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolfacade/toolfacade/facade"
)

// input returns the neutral form of the arguments of t.
func input(t *facade.Tool) (*node, error) {
	actions := t.Actions()
	root := &node{Type: "object", Properties: []property{}, Closed: true}
	if !t.Fixed() {
		root.Properties = append(root.Properties, property{"action", actionNode(actions)})
		root.Required = []string{"action"}
	}
	params := parameters(actions)
	for _, p := range params {
		n, err := p.node(actions)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", p.name, err)
		}
		root.Properties = append(root.Properties, property{p.name, n})
		if p.requiredBy(actions) {
			root.Required = append(root.Required, p.name)
		}
	}
	return root, nil
}

// actionNode is the enum of the actions, with the line of each.
func actionNode(actions []facade.Action) *node {
	n := &node{Type: "string"}
	lines := make([]string, len(actions))
	for i, a := range actions {
		n.Enum = append(n.Enum, a.Name)
		lines[i] = a.Name + ": " + a.Doc
	}
	n.Description = strings.Join(lines, "\n")
	return n
}

// parameter is a field that one or more actions take. It has one type in all
// of them: [facade.New] sees to that.
type parameter struct {
	name    string
	actions []string       // that take it
	fields  []facade.Field // as each of them takes it
}

// parameters lists the parameters of the actions in the order of first use.
func parameters(actions []facade.Action) []*parameter {
	var list []*parameter
	byName := map[string]*parameter{}
	for _, a := range actions {
		for _, f := range a.Fields() {
			p := byName[f.Name]
			if p == nil {
				p = &parameter{name: f.Name}
				byName[f.Name] = p
				list = append(list, p)
			}
			p.actions = append(p.actions, a.Name)
			p.fields = append(p.fields, f)
		}
	}
	return list
}

// requiredBy reports whether each of the actions needs p.
func (p *parameter) requiredBy(actions []facade.Action) bool {
	needs := func(f facade.Field) bool { return f.Required }
	return len(p.actions) == len(actions) && !slices.ContainsFunc(p.fields, func(f facade.Field) bool { return !needs(f) })
}

// node renders p once for all actions that take it. Keywords hold for each of
// them; what differs is in the description.
func (p *parameter) node(actions []facade.Action) (*node, error) {
	n, err := valueNode(p.fields[0].Type)
	if err != nil {
		return nil, err
	}
	merged := p.merged()
	if err := constrain(n, merged); err != nil {
		return nil, err
	}
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.Name
	}
	uses := make([]use, len(p.fields))
	for i, f := range p.fields {
		uses[i] = use{action: p.actions[i], text: describe(f.GoStruct, f.GoName), extra: differences(f, merged)}
		uses[i].required = f.Required && !p.requiredBy(actions)
	}
	n.Description = describeUses(uses, names)
	return n, nil
}

// merged returns the constraints that every value of p meets, whichever action
// takes it: the union of the enums, the widest range. A default that is not
// the same everywhere is none.
func (p *parameter) merged() facade.Field {
	m := p.fields[0]
	for _, f := range p.fields[1:] {
		m.Min = widest(m.Min, f.Min, func(a, b float64) bool { return a < b })
		m.Max = widest(m.Max, f.Max, func(a, b float64) bool { return a > b })
		m.MinItems = min(m.MinItems, f.MinItems)
		if f.Default != m.Default {
			m.Default = ""
		}
		m.Enum = union(m.Enum, f.Enum)
	}
	return m
}

// widest returns the bound that lets more pass; nil lets everything pass.
func widest(a, b *float64, wider func(a, b float64) bool) *float64 {
	switch {
	case a == nil || b == nil:
		return nil
	case wider(*b, *a):
		return b
	}
	return a
}

// union joins two enums; none of them lets everything pass.
func union(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	joined := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(joined, v) {
			joined = append(joined, v)
		}
	}
	return joined
}

// differences says in words which constraints f has beyond the merged ones.
func differences(f, merged facade.Field) string {
	var words []string
	if d := f.Default; d != merged.Default && d != "" && d != "0" && d != "false" {
		words = append(words, "default "+inWords(d))
	}
	if !slices.Equal(f.Enum, merged.Enum) && len(f.Enum) > 0 {
		words = append(words, "one of "+strings.Join(f.Enum, ", "))
	}
	if f.Min != nil && (merged.Min == nil || *f.Min != *merged.Min) {
		words = append(words, "at least "+number(*f.Min))
	}
	if f.Max != nil && (merged.Max == nil || *f.Max != *merged.Max) {
		words = append(words, "at most "+number(*f.Max))
	}
	switch f.MinItems {
	case merged.MinItems:
	case 1:
		words = append(words, "not empty")
	default:
		words = append(words, "at least "+strconv.Itoa(f.MinItems)+" items")
	}
	return strings.Join(words, ", ")
}

// inWords quotes a text without letters and digits, which would read as
// punctuation.
func inWords(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return text
	}
	return strconv.Quote(text)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// valueNode returns the schema of the values that the decoder makes t from.
func valueNode(t reflect.Type) (*node, error) {
	if err := checkType(t, nil); err != nil {
		return nil, err
	}
	switch {
	case t.Kind() == reflect.Struct && !opaque(t):
		return objectNode(t)
	case t.Kind() == reflect.Slice && t != reflect.TypeFor[json.RawMessage]():
		items, err := valueNode(t.Elem())
		return &node{Type: "array", Items: items}, err
	case t.Kind() == reflect.Map && t.Elem().Kind() != reflect.Interface:
		values, err := valueNode(t.Elem())
		return &node{Type: "object", Values: values}, err
	}
	return typeNode(t)
}

// objectNode returns the schema of a struct inside the arguments.
func objectNode(t reflect.Type) (*node, error) {
	n := &node{Type: "object", Properties: []property{}, Closed: true}
	for _, f := range facade.Fields(t) {
		child, err := valueNode(f.Type)
		if err == nil {
			err = constrain(child, f)
		}
		if err != nil {
			return nil, fmt.Errorf("%v.%s: %w", t, f.GoName, err)
		}
		child.Description = describe(f.GoStruct, f.GoName)
		n.Properties = append(n.Properties, property{f.Name, child})
		if f.Required {
			n.Required = append(n.Required, f.Name)
		}
	}
	return n, nil
}

// constrain sets the keywords that say what the tags of f say.
func constrain(n *node, f facade.Field) error {
	n.Min, n.Max, n.MinItems = f.Min, f.Max, f.MinItems
	enum := n
	if n.Items != nil {
		enum = n.Items
	}
	for _, v := range f.Enum {
		enum.Enum = append(enum.Enum, v)
	}
	if f.Default == "" || f.Default == "false" {
		return nil // absent means false anyway: the keyword would only cost tokens
	}
	n.Default = json.RawMessage(f.Default)
	if f.Type.Kind() == reflect.String {
		var err error
		n.Default, err = encode(f.Default)
		return err
	}
	if !json.Valid(n.Default) {
		return fmt.Errorf("default %q is not JSON", f.Default)
	}
	return nil
}
