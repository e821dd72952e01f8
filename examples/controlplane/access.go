package main

import (
	"context"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
)

// Access is what a token may do.
type Access string

// The accesses; each holds those before it.
const (
	Read  Access = "read"
	Write Access = "write"
	Admin Access = "admin"
)

var ranks = map[Access]int{Read: 1, Write: 2, Admin: 3}

// needed is the access that each action asks for. An action that is missing
// here is refused.
var needed = map[string]Access{
	"project.create": Admin, "project.list": Read, "project.get": Read, "project.delete": Admin,
	"container.start": Write, "container.stop": Write, "container.logs": Read, "container.exec": Write,
	"session.spawn": Write, "session.message": Write, "session.get": Read, "session.list": Read,
	"session.end": Write, "session.events": Read, "session.cleanup": Admin,
	"workspace.list": Read, "workspace.delete": Write,
	"token.create": Admin, "token.list": Admin, "token.revoke": Admin,
	"schedule.create": Write, "schedule.list": Read, "schedule.get": Read, "schedule.update": Write,
	"schedule.delete": Write, "schedule.trigger": Write,
}

// caller is who makes a call: a token that was checked.
type caller struct {
	Access  Access
	Project string // the only project; "" for all, and what is global
}

type callerKey struct{}

func as(ctx context.Context, c caller) context.Context { return context.WithValue(ctx, callerKey{}, c) }

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// targeted is an input that acts on a project.
type targeted interface{ target() *string }

// inProject is the parameter that says on which project to act.
type inProject struct {
	// Project to act on; a token of one project need not give it.
	Project string `json:"project,omitempty" example:"shop"`
}

func (p *inProject) target() *string { return &p.Project }

// guard checks the caller's access and target before every action.
func (p *Plane) guard(next facade.Handler) facade.Handler {
	return func(ctx context.Context, req *facade.Request) (any, error) {
		c, call := callerOf(ctx), req.Tool+"."+req.Action
		need, ok := needed[call]
		if !ok || ranks[c.Access] < ranks[need] {
			return nil, facade.Errorf(facade.CodeDenied, "%s needs %s access, this token has %s", call, need, c.describe()).
				WithHint("ask a person for a token with more rights")
		}
		in, ok := req.Input.(targeted)
		if !ok {
			if c.Project != "" {
				return nil, c.outside(call, "")
			}
			return next(ctx, req)
		}
		project := in.target()
		if c.Project != "" && *project == "" {
			*project = c.Project
		}
		if c.Project != "" && *project != c.Project {
			return nil, c.outside(call, *project)
		}
		return next(ctx, req)
	}
}

func (c caller) describe() string {
	if c.Access == "" {
		return "none"
	}
	return string(c.Access)
}

// outside refuses what is not of the token's project.
func (c caller) outside(call, project string) *facade.Error {
	what := "everything"
	if project != "" {
		what = "project '" + project + "'"
	}
	return facade.Errorf(facade.CodeDenied, "%s on %s: this token is for project '%s' only", call, what, c.Project)
}

// within checks that a project is given and exists.
func (p *Plane) within(project string) error {
	if project == "" {
		return facade.InvalidArgument("project", "field 'project' is required")
	}
	if _, err := get[Project](p.store, kindProject, global, project); err != nil {
		return fmt.Errorf("project: %w", err)
	}
	return nil
}
