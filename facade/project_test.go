package facade_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
)

// projects is an implementation of somebody's own tool: plain Go methods.
type projects struct {
	names []string
}

// projectAction is an action of the project tool.
type projectAction string

const (
	projectCreate projectAction = "create"
	projectList   projectAction = "list"
	projectGet    projectAction = "get"
	projectDelete projectAction = "delete"
)

type createInput struct {
	// Name of the new project.
	Name string `json:"name" example:"website"`
}

type listInput struct {
	// Most projects to return.
	Limit int `json:"limit,omitempty" default:"20" min:"1" max:"100"`
}

type listOutput struct {
	Names []string `json:"names"`
}

// Present makes the output a facade.Presenter.
func (o listOutput) Present(r *facade.Result) {
	r.Text = fmt.Sprintf("%d projects", len(o.Names))
	for _, n := range o.Names {
		r.Text += "\n" + n
	}
}

type nameInput struct {
	// Name of the project.
	Name string `json:"name" example:"website"`
}

type project struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
}

func (p *projects) Create(_ context.Context, in createInput) (project, error) {
	if slices.Contains(p.names, in.Name) {
		return project{}, facade.Errorf(facade.CodeAlreadyExists, "project '%s' exists", in.Name).
			WithHint("use get, or another name")
	}
	p.names = append(p.names, in.Name)
	return project{in.Name, len(p.names)}, nil
}

func (p *projects) List(_ context.Context, in listInput) (listOutput, error) {
	in = facade.Defaulted(in)
	return listOutput{p.names[:min(in.Limit, len(p.names))]}, nil
}

func (p *projects) Get(_ context.Context, in nameInput) (project, error) {
	i := slices.Index(p.names, in.Name)
	if i < 0 {
		e := facade.Errorf(facade.CodeNotFound, "no project '%s'", in.Name)
		if near := facade.Nearest(in.Name, p.names); near != "" {
			e = e.WithHint("did you mean '%s'?", near)
		}
		return project{}, e
	}
	return project{in.Name, i + 1}, nil
}

func (p *projects) Delete(ctx context.Context, in nameInput) (project, error) {
	gone, err := p.Get(ctx, in)
	if err != nil {
		return project{}, err
	}
	p.names = slices.Delete(p.names, gone.Number-1, gone.Number)
	return gone, nil
}

// projectTool ties the methods to the names a model uses.
func projectTool(p *projects) *facade.Tool {
	return facade.New("project", "Manage projects.",
		facade.Bind(projectCreate, facade.EffectWrite, "Create a project.", p.Create),
		facade.Bind(projectList, facade.EffectRead|facade.Idempotent, "List projects.", p.List),
		facade.Bind(projectGet, facade.EffectRead|facade.Idempotent, "Get one project.", p.Get),
		facade.Bind(projectDelete, facade.EffectWrite|facade.EffectDestructive, "Delete a project.", p.Delete),
	)
}
