package host

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/schema"
)

// Tool is a tool of a set in one dialect, for hosts that call a tool by the
// object they were given.
type Tool struct {
	schema.Def
	tool *facade.Tool
}

// Tools renders every tool of set in the profile's dialect; it fails when the
// dialect cannot say one of them, as [schema.Render] does.
func Tools(set *facade.Set, p schema.Profile) ([]Tool, error) {
	return Each(set, p, func(t Tool) (Tool, error) { return t, nil })
}

// Each is [Tools] with a host's own form of each tool. It fails with the first
// error.
func Each[T any](set *facade.Set, p schema.Profile, form func(Tool) (T, error)) ([]T, error) {
	var list []T
	for _, t := range set.Tools() {
		def, err := schema.Render(t, p)
		if err != nil {
			return nil, err
		}
		x, err := form(Tool{def, t})
		if err != nil {
			return nil, fmt.Errorf("host: tool %q: %w", t.Name(), err)
		}
		list = append(list, x)
	}
	return list, nil
}

// Members returns the members of the input schema. Their values are raw JSON:
// encoded again, the properties keep their order.
func (t Tool) Members() (map[string]any, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(t.Input, &raw); err != nil {
		return nil, err
	}
	members := make(map[string]any, len(raw))
	for k, v := range raw {
		members[k] = v
	}
	return members, nil
}

// Map returns the input schema as maps and lists, for hosts that look into it;
// nil for a tool without one. The properties lose their order.
func (t Tool) Map() (map[string]any, error) {
	if t.Input == nil {
		return nil, nil
	}
	var m map[string]any
	err := json.Unmarshal(t.Input, &m)
	return m, err
}

// Call serves a call to the tool; c.Name is not looked at. The error is the
// context's cause, when that ended the call.
func (t Tool) Call(ctx context.Context, c Call, shows Media) (Reply, error) {
	res, err := t.tool.Call(ctx, c.facade(ctx))
	if err != nil {
		return Reply{}, err
	}
	return NewReply(res, shows), nil
}

// Call is a model's call as a host has it.
type Call struct {
	// ID is the host's name of the call, copied into events; it may be empty.
	ID string
	// Name is the tool's.
	Name string
	// Args is the JSON object of the arguments.
	Args json.RawMessage
}

func (c Call) facade(ctx context.Context) facade.Call {
	return facade.Call{ID: c.ID, Session: facade.Info(ctx).Session, Args: c.Args}
}

// Dispatch serves a call to the tool of set that c names, for hosts whose loop
// is the caller's. The error is the context's cause, when that ended the call;
// an unknown name is a failed reply.
func Dispatch(ctx context.Context, set *facade.Set, c Call, shows Media) (Reply, error) {
	res, err := set.Dispatch(ctx, c.Name, c.facade(ctx))
	if err != nil {
		return Reply{}, err
	}
	return NewReply(res, shows), nil
}
