package access

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

// navigator knows the current directory of a tool's sessions and keeps it in
// place while calls that were decided about run.
type navigator struct {
	pwd  *facade.Tool
	args json.RawMessage

	mu    sync.Mutex
	gates map[string]*gate // by session, those in use
}

// gate is shared by the calls of a session, but for a cd.
type gate struct {
	sync.RWMutex
	users int
}

// navigators returns one for each tool that has a current directory.
func navigators(set *facade.Set) (map[string]*navigator, error) {
	moves := map[string]bool{}
	all := map[string]*navigator{}
	for _, t := range set.Tools() {
		for _, a := range t.Actions() {
			switch {
			case a.In == reflect.TypeFor[facade.CdInput]():
				moves[t.Facade()] = true
			case a.In == reflect.TypeFor[facade.PwdInput]() && a.Out == reflect.TypeFor[facade.PwdOutput]():
				// A tool of its own: no middleware, no subscriber hears of it.
				all[t.Facade()] = &navigator{
					pwd:   facade.New(t.Facade(), "", a),
					args:  fmt.Appendf(nil, `{"action":%q}`, a.Name),
					gates: map[string]*gate{},
				}
			}
		}
	}
	for tool := range moves {
		if all[tool] == nil {
			return nil, fmt.Errorf("access: tool %q has cd and no pwd, so the policy cannot tell what relative paths mean; "+
				"make the policy for the set before actions are taken out", tool)
		}
	}
	return all, nil
}

// current returns the current directory of a session; "." for a tool without.
func (n *navigator) current(ctx context.Context, session string) (string, error) {
	if n == nil {
		return ".", nil
	}
	res, err := n.pwd.Call(ctx, facade.Call{Session: session, Args: n.args})
	if err != nil {
		return "", err
	}
	if res.Error != nil {
		return "", res.Error
	}
	return res.Data.(facade.PwdOutput).Current, nil
}

func changesDir(req *facade.Request) bool {
	_, ok := req.Input.(*facade.CdInput)
	return ok
}

// within runs a call that was decided about in dir, and no cd beside it.
func (n *navigator) within(ctx context.Context, req *facade.Request, dir string, next facade.Handler) (any, error) {
	g := n.enter(req.Call.Session)
	defer n.leave(req.Call.Session, g)
	if changesDir(req) {
		g.Lock()
		defer g.Unlock()
	} else {
		g.RLock()
		defer g.RUnlock()
	}
	if now, err := n.current(ctx, req.Call.Session); err != nil || now != dir {
		return nil, facade.Errorf(facade.CodeBusy, "the current directory changed while the call was decided about").
			WithHint("repeat the call")
	}
	return next(ctx, req)
}

func (n *navigator) enter(session string) *gate {
	n.mu.Lock()
	defer n.mu.Unlock()
	g := n.gates[session]
	if g == nil {
		g = &gate{}
		n.gates[session] = g
	}
	g.users++
	return g
}

func (n *navigator) leave(session string, g *gate) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if g.users--; g.users == 0 {
		delete(n.gates, session)
	}
}
