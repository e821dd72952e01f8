package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Project is a group of containers, sessions, workspaces and schedules.
type Project struct {
	// Name identifies it.
	Name string `json:"name"`
	// Description is for people.
	Description string `json:"description,omitempty"`
	// Created is when it was made.
	Created time.Time `json:"created"`
}

// names are what projects and schedules may be called: they become names of
// directories and keys.
var names = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

func named(field, name string) error {
	if !names.MatchString(name) {
		return facade.InvalidArgument(field, "'%s' is no name: use up to 63 of a-z, 0-9, - and _, a letter or digit first", name)
	}
	return nil
}

type projectInput struct {
	// Name of the project.
	Name string `json:"name" example:"shop"`
}

func (in *projectInput) target() *string { return &in.Name }

type projectCreateInput struct {
	// Name of the new project.
	Name string `json:"name" example:"shop"`
	// What it is for.
	Description string `json:"description,omitempty"`
}

func (in *projectCreateInput) target() *string { return &in.Name }

// Validate checks the name.
func (in projectCreateInput) Validate() error { return named("name", in.Name) }

type projectOutput struct {
	// Project as it is now.
	Project Project `json:"project"`
}

type projectListInput struct{ inProject }

type projectListOutput struct {
	// Projects the token may see.
	Projects []Project `json:"projects"`
}

type deletedOutput struct {
	// Deleted is the name or id.
	Deleted string `json:"deleted"`
}

func (p *Plane) projectTool() *facade.Tool {
	return facade.New("project", "Manage projects.",
		facade.Bind("create", facade.EffectWrite, "Make a project.", p.createProject),
		facade.Bind("list", facade.EffectRead, "List projects.", p.listProjects),
		facade.Bind("get", facade.EffectRead, "Show a project.", p.getProject),
		facade.Bind("delete", facade.EffectWrite|facade.EffectDestructive, "Delete a project with all it has.", p.deleteProject))
}

func (p *Plane) createProject(_ context.Context, in projectCreateInput) (projectOutput, error) {
	project, err := change(p.store, kindProject, global, in.Name, func(v *Project, fresh bool) error {
		if !fresh {
			return facade.Errorf(facade.CodeAlreadyExists, "there is a project '%s' already", in.Name)
		}
		*v = Project{in.Name, in.Description, time.Now()}
		return os.MkdirAll(p.dir(in.Name), 0o700)
	})
	return projectOutput{project}, err
}

func (p *Plane) listProjects(_ context.Context, in projectListInput) (projectListOutput, error) {
	if in.Project != "" {
		one, err := get[Project](p.store, kindProject, global, in.Project)
		return projectListOutput{[]Project{one}}, err
	}
	all, err := list[Project](p.store, kindProject, global)
	return projectListOutput{all}, err
}

func (p *Plane) getProject(_ context.Context, in projectInput) (projectOutput, error) {
	project, err := get[Project](p.store, kindProject, global, in.Name)
	return projectOutput{project}, err
}

func (p *Plane) deleteProject(_ context.Context, in projectInput) (deletedOutput, error) {
	if err := p.store.remove(kindProject, global, in.Name); err != nil {
		return deletedOutput{}, err
	}
	err := errors.Join(p.engines.drop(in.Name), p.store.forget(in.Name), p.tokensOf(in.Name), os.RemoveAll(p.dir(in.Name)))
	return deletedOutput{in.Name}, err
}

// dir is where a project's workspaces are.
func (p *Plane) dir(project string) string { return filepath.Join(p.data, "projects", project) }
