package facade

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Tool is a named, ordered list of actions that a model calls with one JSON
// object. It is safe for concurrent use; its methods never change it.
type Tool struct {
	name, doc string
	actions   []Action
	byName    map[string]int
	// fixed says that the tool has one action and calls need not name it.
	fixed bool

	middleware []Middleware
	bus        *Bus
	opts       Options
}

// Options are the limits and habits of tools in a [Set].
type Options struct {
	// OutputBudget is how many bytes of text or JSON a reply may have;
	// 0 means [DefaultOutputBudget].
	OutputBudget int
	// HostPaths are replaced by "<root>" wherever an error's text has them.
	HostPaths []string
	// OnPanic, when not nil, is told of a panic in an implementation and its
	// stack. The call itself ends with [CodeInternal].
	OnPanic func(tool, action string, recovered any, stack []byte)
}

// New returns a tool. It panics when two actions share a name or when one
// parameter name has two types: both are programming errors.
func New(name, doc string, actions ...Action) *Tool {
	t := &Tool{name: name, doc: doc, actions: slices.Clone(actions), byName: map[string]int{}}
	types := map[string]Field{}
	for i, a := range t.actions {
		if _, dup := t.byName[a.Name]; dup || a.Name == "" {
			panic(fmt.Sprintf("facade: tool %q: bad or doubled action name %q", name, a.Name))
		}
		t.byName[a.Name] = i
		for _, f := range planOf(a.In).fields {
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

// Granular returns one tool per action, named "<tool>_<action>".
func (t *Tool) Granular() []*Tool {
	if t.fixed {
		return []*Tool{t}
	}
	out := make([]*Tool, len(t.actions))
	for i, a := range t.actions {
		c := *t.Only(func(b Action) bool { return b.Name == a.Name })
		c.name, c.doc, c.fixed = t.name+"_"+a.Name, a.Doc, true
		out[i] = &c
	}
	return out
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

// Call serves one call of a model. Whatever goes wrong inside, bad arguments,
// a refusal, a failure, even a panic, is in the result. The error is not nil
// only when the context ended; then the result is there all the same.
func (t *Tool) Call(ctx context.Context, call Call) (*Result, error) {
	start := time.Now()
	s := &scope{
		CallInfo: CallInfo{ID: call.ID, Session: call.Session, Tool: t.name},
		emit:     call.Emit, bus: t.bus, budget: t.opts.OutputBudget,
	}
	ctx = context.WithValue(ctx, callKey{}, s)
	res := t.serve(ctx, s, call)
	if e := res.Error; e != nil {
		e.Tool, e.Action = t.name, s.Action
		t.redact(e)
	}
	res.present()
	res.cut()
	finished := Event{Type: EventCallFinished, Duration: time.Since(start)}
	if res.Error != nil {
		finished.Code, finished.Message = res.Error.Code, res.Error.Message
	}
	s.publish(finished)
	if res.Error != nil && ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	return res, nil
}

// serve decodes, validates and runs the call, and packs whatever comes out.
func (t *Tool) serve(ctx context.Context, s *scope, call Call) *Result {
	res := &Result{budget: t.opts.OutputBudget}
	req, notes, run, err := t.request(call, s)
	res.Notes = notes
	if err == nil {
		res.Data, err = t.guarded(ctx, s, req, run)
	}
	if err != nil {
		res.Error = asError(err)
	}
	return res
}

// request finds the action, decodes its input and validates it.
func (t *Tool) request(call Call, s *scope) (*Request, []string, Handler, error) {
	args, bad := parseArgs(call.Args)
	if bad != nil {
		return nil, nil, nil, bad
	}
	a, err := t.action(args)
	if err != nil {
		return nil, nil, nil, err
	}
	s.Action = a.Name
	d := decoder{tool: t, action: a}
	in := a.decode(&d, args)
	if err := d.err(); err != nil {
		return nil, d.notes, nil, err
	}
	if v, ok := in.(Validator); ok {
		if err := v.Validate(); err != nil {
			return nil, d.notes, nil, err
		}
	}
	req := &Request{Call: call, Tool: t.name, Action: a.Name, Effect: a.Effect, Input: in}
	if e, ok := in.(Effector); ok {
		req.Effect = e.Effect(a.Effect)
	}
	return req, d.notes, func(ctx context.Context, req *Request) (any, error) {
		s.publish(Event{Type: EventCallStarted})
		return a.run(ctx, req.Input)
	}, nil
}

// action returns the action that args name.
func (t *Tool) action(args []byte) (*Action, error) {
	valid := "; valid actions: " + strings.Join(t.actionNames(), ", ")
	var raw []byte
	count := 0
	members(args, func(quoted, value []byte) {
		if string(quoted) == `"action"` {
			raw = value
			count++
		}
	})
	switch {
	case count > 1:
		return nil, InvalidArgument("action", "field 'action' is given twice")
	case (raw == nil || raw[0] == 'n') && t.fixed:
		return &t.actions[0], nil
	case raw == nil || raw[0] == 'n':
		return nil, InvalidArgument("action", "field 'action' is required for %s tool%s", t.name, valid)
	case raw[0] != '"':
		return nil, InvalidArgument("action", "field 'action' must be a string, got %s%s", describe(raw), valid)
	}
	name, err := unquote(raw)
	if err != nil {
		return nil, InvalidArgument("action", "field 'action' %w", err)
	}
	if i, ok := t.byName[name]; ok {
		return &t.actions[i], nil
	}
	e := Errorf(CodeUnknownAction, "unknown action '%s' for %s tool%s", name, t.name, valid)
	e.Field = "action"
	if near := Nearest(name, t.actionNames()); near != "" {
		e.Hint = "did you mean '" + near + "'?"
	}
	return nil, e
}

// guarded runs the middlewares and the method behind a panic barrier.
func (t *Tool) guarded(ctx context.Context, s *scope, req *Request, run Handler) (out any, err error) {
	defer func() {
		if r := recover(); r != nil {
			if t.opts.OnPanic != nil {
				t.opts.OnPanic(t.name, s.Action, r, debug.Stack())
			}
			out, err = nil, Errorf(CodeInternal, "the %s action failed unexpectedly; this is a defect of the tool", s.Action).
				WithHint("try another way; repeating the same call will fail again")
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return chain(run, t.middleware)(ctx, req)
}

// redact removes host paths from the texts a model sees.
func (t *Tool) redact(e *Error) {
	for _, p := range t.opts.HostPaths {
		e.Message = strings.ReplaceAll(e.Message, p, "<root>")
		e.Hint = strings.ReplaceAll(e.Hint, p, "<root>")
	}
}
