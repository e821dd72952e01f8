package schema

import (
	"bytes"
	"encoding/json"
)

// node is a schema in a neutral form that profiles rewrite. Unlike a map it
// keeps the order in which a model reads it.
type node struct {
	Type        string // "" allows every type
	Null        bool   // null is allowed too
	Description string
	Format      string
	Encoding    string // contentEncoding
	Enum        []any
	Default     json.RawMessage
	Min, Max    *float64
	MinItems    int
	Items       *node
	Properties  []property
	Required    []string
	Closed      bool  // no other properties
	Values      *node // the schema of other properties
	AnyOf       []*node
}

// property is a named member of an object.
type property struct {
	Name string
	Node *node
}

// MarshalJSON renders n with its keywords in a fixed order: what a value is,
// what it may be, what is in it.
func (n *node) MarshalJSON() ([]byte, error) {
	var m members
	m.add("type", n.typeValue(), n.Type != "")
	m.add("format", n.Format, n.Format != "")
	m.add("contentEncoding", n.Encoding, n.Encoding != "")
	m.add("description", n.Description, n.Description != "")
	m.add("enum", n.Enum, n.Enum != nil)
	m.add("default", n.Default, n.Default != nil)
	m.add("minimum", n.Min, n.Min != nil)
	m.add("maximum", n.Max, n.Max != nil)
	m.add("minItems", n.MinItems, n.MinItems > 0)
	m.add("items", n.Items, n.Items != nil)
	m.add("properties", named(n.Properties), n.Properties != nil)
	m.add("required", n.Required, n.Required != nil)
	m.add("additionalProperties", false, n.Closed)
	m.add("additionalProperties", n.Values, n.Values != nil)
	m.add("anyOf", n.AnyOf, n.AnyOf != nil)
	return m.MarshalJSON()
}

func (n *node) typeValue() any {
	if n.Null {
		return []string{n.Type, "null"}
	}
	return n.Type
}

func named(properties []property) members {
	m := make(members, len(properties))
	for i, p := range properties {
		m[i] = member{p.Name, p.Node}
	}
	return m
}

// members is a JSON object that keeps its order.
type members []member

type member struct {
	key   string
	value any
}

func (m *members) add(key string, value any, present bool) {
	if present {
		*m = append(*m, member{key, value})
	}
}

// MarshalJSON renders the members in their order.
func (m members) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, x := range m {
		if i > 0 {
			out = append(out, ',')
		}
		for j, v := range []any{x.key, x.value} {
			raw, err := encode(v)
			if err != nil {
				return nil, err
			}
			if j == 1 {
				out = append(out, ':')
			}
			out = append(out, raw...)
		}
	}
	return append(out, '}'), nil
}

// encode renders v without the escapes of <, > and & that models read as noise.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
