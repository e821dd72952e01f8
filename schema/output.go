package schema

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/toolfacade/toolfacade/facade"
)

// errorObject is the form in which [facade.Error] renders itself.
type errorObject struct {
	Code         string `json:"code" description:"What went wrong, for programs."`
	Message      string `json:"message" description:"What went wrong, in a sentence."`
	Tool         string `json:"tool" description:"The tool that failed."`
	Action       string `json:"action" description:"The action that failed."`
	Field        string `json:"field,omitempty" description:"The argument at fault."`
	Path         string `json:"path,omitempty" description:"The path at fault, relative to the root."`
	Hint         string `json:"hint,omitempty" description:"The next right call."`
	Retryable    bool   `json:"retryable" description:"The same call may succeed later."`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty" description:"How long to wait before the same call."`
	HTTPStatus   int    `json:"http_status" description:"The HTTP status of the code."`
}

// beside are the members of [facade.Result.JSON] beside those of the data.
type beside struct {
	Notes     []string      `json:"notes,omitempty" description:"What was adjusted on the way, as coerced arguments."`
	Truncated bool          `json:"truncated,omitempty" description:"Output was cut; the result names the next call."`
	Error     *facade.Error `json:"error,omitempty" description:"Why the call failed; absent on success."`
}

// variant is a shape that a member of the result has in some actions.
type variant struct {
	shape []byte // its schema without description
	node  *node
	uses  []use
}

// member of the result of some actions.
type resultMember struct {
	name     string
	variants []*variant
}

// output returns the schema of every result of t. Nothing is required in it:
// which members there are depends on the action and on whether it succeeded.
func output(t *facade.Tool) (*node, error) {
	var list []*resultMember
	byName := map[string]*resultMember{}
	collect := func(action string, out reflect.Type) error {
		n, err := typeNode(out)
		if err != nil {
			return err
		}
		if n.Type != "object" {
			return fmt.Errorf("%v is not an object in JSON", out)
		}
		for _, p := range n.Properties {
			m := byName[p.Name]
			if m == nil {
				m = &resultMember{name: p.Name}
				byName[p.Name] = m
				list = append(list, m)
			}
			if err := m.add(action, p.Node); err != nil {
				return err
			}
		}
		return nil
	}
	var names []string
	for _, a := range t.Actions() {
		names = append(names, a.Name)
		if err := collect(a.Name, a.Out); err != nil {
			return nil, fmt.Errorf("output of %s: %w", a.Name, err)
		}
	}
	for _, name := range names {
		if err := collect(name, reflect.TypeFor[beside]()); err != nil {
			return nil, err
		}
	}
	root := &node{Type: "object", Properties: []property{}}
	for _, m := range list {
		root.Properties = append(root.Properties, property{m.name, m.node(names)})
	}
	return root, nil
}

// add notes that an action's result has the member in the shape of n.
func (m *resultMember) add(action string, n *node) error {
	u := use{action: action, text: n.Description}
	n.Description = ""
	shape, err := encode(n)
	if err != nil {
		return err
	}
	for _, v := range m.variants {
		if bytes.Equal(v.shape, shape) {
			v.uses = append(v.uses, u)
			return nil
		}
	}
	m.variants = append(m.variants, &variant{shape: shape, node: n, uses: []use{u}})
	return nil
}

// node renders the member, with a choice of shapes where actions differ.
func (m *resultMember) node(actions []string) *node {
	for _, v := range m.variants {
		v.node.Description = describeUses(v.uses, actions)
	}
	if len(m.variants) == 1 {
		return m.variants[0].node
	}
	choice := &node{}
	for _, v := range m.variants {
		choice.AnyOf = append(choice.AnyOf, v.node)
	}
	return choice
}
