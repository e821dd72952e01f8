package facade

import (
	"fmt"
	"slices"
	"strings"
)

// Tool is a named, ordered list of actions that a model calls with one JSON
// object. It is safe for concurrent use; its methods never change it.
type Tool struct {
	name, doc string
	// facade is the name of the tool that the actions come from: name, but for
	// a granular or a split tool.
	facade  string
	actions []Action
	byName  map[string]int
	// fixed says that the tool has one action and calls need not name it.
	fixed bool

	middleware []Middleware
	bus        *Bus
	opts       Options
	redactor   *strings.Replacer // nil when there is nothing to redact
}

// Options are the limits and habits of tools in a [Set].
type Options struct {
	// OutputBudget is how many bytes of text or JSON a reply may have;
	// 0 means [DefaultOutputBudget].
	OutputBudget int
	// HostPaths are replaced by "<root>" wherever an error's text has them. The
	// root of the file system itself cannot be among them and is ignored.
	HostPaths []string
	// OnPanic, when not nil, is told of a panic in an implementation or a
	// middleware and of its stack. The call itself ends with [CodeInternal].
	OnPanic func(tool, action string, recovered any, stack []byte)
}

// New returns a tool. It panics when two actions share a name, when one
// parameter name has two types, and when a parameter is named "action": all are
// programming errors.
func New(name, doc string, actions ...Action) *Tool {
	t := &Tool{name: name, facade: name, doc: doc, actions: slices.Clone(actions), byName: map[string]int{}}
	types := map[string]Field{}
	for i, a := range t.actions {
		if _, dup := t.byName[a.Name]; dup || a.Name == "" {
			panic(fmt.Sprintf("facade: tool %q: bad or doubled action name %q", name, a.Name))
		}
		t.byName[a.Name] = i
		for _, f := range planOf(a.In).fields {
			if f.Name == "action" {
				panic(fmt.Sprintf("facade: tool %q: %v has a parameter named \"action\"", name, f.GoStruct))
			}
			if other, ok := types[f.Name]; ok && other.Type != f.Type {
				panic(fmt.Sprintf("facade: tool %q: parameter %q is %v in %v and %v in %v",
					name, f.Name, other.Type, other.GoStruct, f.Type, f.GoStruct))
			}
			types[f.Name] = f
		}
	}
	return t
}

// Name is the tool's name for hosts, as "filesystem".
func (t *Tool) Name() string { return t.name }

// Facade is the name of the tool that the actions come from. It is [Tool.Name]
// but for a tool that a view cut: that of "filesystem_read" is "filesystem". Requests,
// events and errors have it, so that a rule holds under either name.
func (t *Tool) Facade() string { return t.facade }

// Doc says in a line or two what the tool is for.
func (t *Tool) Doc() string { return t.doc }

// Actions lists the actions in their order.
func (t *Tool) Actions() []Action { return slices.Clone(t.actions) }

// Fixed reports whether the tool is one action on its own, named
// "<tool>_<action>", whose calls need no "action".
func (t *Tool) Fixed() bool { return t.fixed }

// With returns a copy of t whose calls pass the middlewares, the first
// outermost, inside those it already has.
func (t *Tool) With(mw ...Middleware) *Tool {
	c := *t
	c.middleware = slices.Concat(t.middleware, mw)
	return &c
}

// Only returns a copy of t with the actions that keep accepts, in the same
// order, or nil when there are none.
func (t *Tool) Only(keep func(Action) bool) *Tool {
	c := *t
	c.actions, c.byName = nil, map[string]int{}
	for _, a := range t.actions {
		if keep(a) {
			c.byName[a.Name] = len(c.actions)
			c.actions = append(c.actions, a)
		}
	}
	if len(c.actions) == 0 {
		return nil
	}
	return &c
}

// Granular returns one tool per action, named "<tool>_<action>" after the
// facade.
func (t *Tool) Granular() []*Tool {
	if t.fixed {
		return []*Tool{t}
	}
	out := make([]*Tool, len(t.actions))
	for i := range t.actions {
		out[i] = t.single(i)
	}
	return out
}

// single returns the granular tool of one action.
func (t *Tool) single(i int) *Tool {
	c := *t
	a := t.actions[i]
	c.name, c.doc, c.fixed = t.facade+"_"+a.Name, a.Doc, true
	c.actions, c.byName = []Action{a}, map[string]int{a.Name: 0}
	return &c
}

func (t *Tool) actionNames() []string {
	names := make([]string, len(t.actions))
	for i, a := range t.actions {
		names[i] = a.Name
	}
	return names
}

func (t *Tool) actionsTaking(field string) []string {
	var names []string
	for _, a := range t.actions {
		if _, ok := planOf(a.In).byName[field]; ok {
			names = append(names, a.Name)
		}
	}
	return names
}
