package facade

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Set is a group of tools that share events, limits and middlewares: what a
// host registers. It is safe for concurrent use.
type Set struct {
	tools  []*Tool
	shared *shared
}

// shared is what every view of a set has in common.
type shared struct {
	bus     Bus
	opts    Options
	once    sync.Once
	closers []io.Closer
	err     error
}

// NewSet groups tools. nil options mean the defaults. It panics when two tools
// share a name.
func NewSet(tools []*Tool, opts *Options) *Set {
	sh := &shared{}
	if opts != nil {
		sh.opts = *opts
	}
	redactor := newRedactor(sh.opts.HostPaths)
	s := &Set{shared: sh}
	for _, t := range tools {
		c := *t
		c.bus, c.opts, c.redactor = &sh.bus, sh.opts, redactor
		s.add(&c)
	}
	return s
}

func (s *Set) add(t *Tool) {
	if s.Tool(t.name) != nil {
		panic(fmt.Sprintf("facade: two tools are named %q", t.name))
	}
	s.tools = append(s.tools, t)
}

// Tools lists the tools in their order. A call to one of them publishes its
// events to the set's subscribers.
func (s *Set) Tools() []*Tool { return slices.Clone(s.tools) }

// Tool returns the tool of that name, or nil.
func (s *Set) Tool(name string) *Tool {
	for _, t := range s.tools {
		if t.name == name {
			return t
		}
	}
	return nil
}

// With returns a set whose calls pass the middlewares, the first outermost,
// inside those the tools already have. It shares events with s.
func (s *Set) With(mw ...Middleware) *Set {
	return s.mapped(func(t *Tool) []*Tool { return []*Tool{t.With(mw...)} })
}

func (s *Set) mapped(f func(*Tool) []*Tool) *Set {
	c := &Set{shared: s.shared}
	for _, t := range s.tools {
		for _, cut := range f(t) {
			c.add(cut)
		}
	}
	return c
}

// View is a transformation of each tool of a set; see [ReadOnly], [Allow],
// [Deny], [SplitReadWrite] and [Granular]. Returning no tool drops it.
type View func(*Tool) []*Tool

// View returns a set with fewer or differently cut tools. It shares events
// with s. It panics when two tools of the new set share a name.
func (s *Set) View(views ...View) *Set {
	for _, v := range views {
		s = s.mapped(v)
	}
	return s
}

// ReadOnly keeps the actions that only observe.
func ReadOnly(t *Tool) []*Tool {
	return only(t, func(a Action) bool { return a.Effect.ReadOnly() })
}

// Granular gives every action a tool of its own, named "<tool>_<action>".
func Granular(t *Tool) []*Tool { return t.Granular() }

// SplitReadWrite cuts a tool in two where it has actions of both kinds:
// "<tool>_query" has those that only observe, "<tool>_change" the others. A
// host that asks its user before a change can then let every call of the first
// pass, by its annotations alone.
func SplitReadWrite(t *Tool) []*Tool {
	observes := func(a Action) bool { return a.Effect.ReadOnly() }
	changes := func(a Action) bool { return !observes(a) }
	query, change := t.Only(observes), t.Only(changes)
	if query == nil || change == nil {
		return []*Tool{t}
	}
	query.name, query.doc = t.facade+"_query", t.doc+" These actions only observe."
	change.name, change.doc = t.facade+"_change", t.doc+" These actions change or run something."
	return []*Tool{query, change}
}

// Name is an action under a name of the host's choice; see [Named].
type Name struct {
	// Tool is the new name, as "read_file".
	Tool string
	// Call is the tool and the action, as "filesystem.read".
	Call string
}

// Named gives each of the listed actions a tool of its own under the given name,
// and drops the others. An action may have several names. Calls, policies and
// events know the tools by their own names still.
func Named(names ...Name) View {
	return func(t *Tool) []*Tool {
		var out []*Tool
		for _, n := range names {
			facade, action, _ := strings.Cut(n.Call, ".")
			if i, ok := t.byName[action]; ok && facade == t.facade {
				c := t.single(i)
				c.name = n.Tool
				out = append(out, c)
			}
		}
		return out
	}
}

// Allow keeps the named tools and actions: "git" keeps every action of git,
// "git.status" that one.
func Allow(names ...string) View {
	return func(t *Tool) []*Tool {
		return only(t, func(a Action) bool { return listed(names, t, a) })
	}
}

// Deny drops the named tools and actions, named as in [Allow]. A view sees one
// tool at a time, so a name that fits nothing, as a misspelt one, drops nothing
// and is not noticed: look at the actions of [Set.Tools], or deny by a policy of
// package access, which refuses such names.
func Deny(names ...string) View {
	return func(t *Tool) []*Tool {
		return only(t, func(a Action) bool { return !listed(names, t, a) })
	}
}

func listed(names []string, t *Tool, a Action) bool {
	return slices.Contains(names, t.facade) || slices.Contains(names, t.facade+"."+a.Name)
}

func only(t *Tool, keep func(Action) bool) []*Tool {
	if t = t.Only(keep); t == nil {
		return nil
	}
	return []*Tool{t}
}

// Dispatch serves a call to the tool of that name. A facade's name and the
// granular name "<tool>_<action>" both work, whichever the set shows; a name
// that the set shows comes first. It is the whole adapter for a host that runs its own loop. An unknown name is a result,
// as the model chose it; the error is that of [Tool.Call].
func (s *Set) Dispatch(ctx context.Context, name string, call Call) (*Result, error) {
	if t := s.find(name); t != nil {
		return t.Call(ctx, call)
	}
	start := time.Now()
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.name
	}
	name = printable(name)
	e := Errorf(CodeUnknownAction, "unknown tool '%s'; valid tools: %s", name, strings.Join(names, ", "))
	e.Tool = name
	if near := Nearest(name, names); near != "" {
		e.Hint = "did you mean '" + near + "'?"
	}
	r := &Result{Error: e, budget: s.shared.opts.OutputBudget}
	r.present()
	r.cut()
	sc := scope{CallInfo: CallInfo{ID: call.ID, Session: call.Session, Tool: name}, emit: call.Emit, bus: &s.shared.bus}
	sc.finish(r, start)
	return r, nil
}

// find resolves facade and granular names alike.
func (s *Set) find(name string) *Tool {
	if t := s.Tool(name); t != nil {
		return t
	}
	for _, t := range s.tools {
		action, ok := strings.CutPrefix(name, t.facade+"_")
		if !ok || t.fixed {
			continue
		}
		if i, ok := t.byName[action]; ok {
			return t.single(i)
		}
	}
	return s.gathered(name)
}

// gathered joins the tools cut from one facade again, for a call by the
// facade's name to a granular or a split set. Each action keeps the middlewares
// that its tool has.
func (s *Set) gathered(name string) *Tool {
	var joined *Tool
	for _, t := range s.tools {
		if t.facade != name {
			continue
		}
		if joined == nil {
			c := *t
			c.name, c.fixed, c.actions, c.byName, c.middleware = name, false, nil, map[string]int{}, nil
			joined = &c
		}
		for _, a := range t.actions {
			if _, twice := joined.byName[a.Name]; twice {
				continue // under another name
			}
			a.middleware = slices.Concat(t.middleware, a.middleware)
			joined.byName[a.Name] = len(joined.actions)
			joined.actions = append(joined.actions, a)
		}
	}
	return joined
}

// Subscribe calls fn for each event of the given types, or of every type when
// none is given; see [Bus.Subscribe].
func (s *Set) Subscribe(fn func(Event), types ...EventType) (cancel func()) {
	return s.shared.bus.Subscribe(fn, types...)
}

// OnClose makes [Set.Close] close c too, the last added first. Whoever builds
// a set from implementations that hold resources hands them over with it,
// before the set is used.
func (s *Set) OnClose(c io.Closer) { s.shared.closers = append(s.shared.closers, c) }

// Close releases what the tools hold, then ends the subscriptions once their
// events are delivered. It returns the errors of all closers, joined, and the
// same again when repeated. The set and every view of it must not be used
// afterwards. A subscriber must not call it: it would wait for itself.
func (s *Set) Close() error {
	s.shared.once.Do(func() {
		var errs []error
		for _, c := range slices.Backward(s.shared.closers) {
			errs = append(errs, c.Close())
		}
		s.shared.bus.Close()
		s.shared.err = errors.Join(errs...)
	})
	return s.shared.err
}
