package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The functions here are what the dialects of receivers are made of.

// each calls fn for n and for every schema in it, the inner ones first. at is
// the path of a schema, "" for n.
func (n *node) each(at string, fn func(at string, n *node) error) error {
	inner := slices.Clone(n.Properties)
	inner = append(inner, property{"[]", n.Items}, property{"{}", n.Values})
	for _, p := range inner {
		if p.Node == nil {
			continue
		}
		if err := p.Node.each(strings.TrimPrefix(at+"."+p.Name, "."), fn); err != nil {
			return err
		}
	}
	return fn(at, n)
}

// typed fails for a schema that allows values of any type.
func typed(at string, n *node) error {
	if n.Type == "" {
		return fmt.Errorf("%s may be of any type, which the profile cannot say", at)
	}
	return nil
}

// textual turns an object with members of any name, which a dialect cannot
// say, into a string. The decoder takes the JSON text of an object as one.
func textual(n *node) {
	if n.Type != "object" || n.Properties != nil {
		return
	}
	n.Type, n.Values = "string", nil
	n.say("The JSON text of an object.")
}

// say adds a sentence to the description.
func (n *node) say(sentence string) {
	n.Description = strings.TrimSpace(n.Description + " " + sentence)
}

// sayDefault moves the default into the description.
func (n *node) sayDefault() {
	if n.Default == nil {
		return
	}
	value := string(n.Default)
	if text := ""; json.Unmarshal(n.Default, &text) == nil {
		value = inWords(text)
	}
	n.say("Default " + value + ".")
	n.Default = nil
}

// sayRange moves the range of a number into the description.
func (n *node) sayRange() {
	switch {
	case n.Min != nil && n.Max != nil:
		n.say("From " + number(*n.Min) + " to " + number(*n.Max) + ".")
	case n.Min != nil:
		n.say("At least " + number(*n.Min) + ".")
	case n.Max != nil:
		n.say("At most " + number(*n.Max) + ".")
	}
	n.Min, n.Max = nil, nil
}

// sayMinItems moves the least length of an array into the description.
func (n *node) sayMinItems() {
	switch {
	case n.MinItems == 1:
		n.say("Not empty.")
	case n.MinItems > 1:
		n.say("At least " + strconv.Itoa(n.MinItems) + " items.")
	}
	n.MinItems = 0
}
