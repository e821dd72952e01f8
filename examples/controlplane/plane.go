package main

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// Plane is six tools over one store: project, container, session, workspace,
// token and schedule.
type Plane struct {
	data    string
	store   *store
	engines *engines
	set     *facade.Set
}

// Open opens the control plane in a directory. box contains what containers run;
// nil is the best sandbox that works here.
func Open(data string, box sandbox.Sandbox) (*Plane, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	s, err := openStore(filepath.Join(data, "plane.db"))
	if err != nil {
		return nil, err
	}
	p := &Plane{data: data, store: s, engines: newEngines(box)}
	p.set = facade.NewSet([]*facade.Tool{
		p.projectTool(), p.containerTool(), p.sessionTool(), p.workspaceTool(), p.tokenTool(), p.scheduleTool(),
	}, &facade.Options{HostPaths: []string{data}}).With(p.guard)
	return p, nil
}

// Close ends the containers and closes the store.
func (p *Plane) Close() error {
	return errors.Join(p.set.Close(), p.engines.close(), p.store.db.Close())
}

// Call serves a call of the holder of a token.
func (p *Plane) Call(ctx context.Context, token, tool string, args []byte) (*facade.Result, error) {
	return p.set.Dispatch(as(ctx, p.check(token)), tool, facade.Call{Args: args})
}

// newID names a record.
func newID(kind string) string { return kind[:1] + "-" + strings.ToLower(rand.Text()[:12]) }
