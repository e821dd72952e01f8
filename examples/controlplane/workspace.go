package main

import (
	"context"
	"os"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Workspace is a directory of a project.
type Workspace struct {
	// Name of the directory: that of its session.
	Name string `json:"name"`
	// Modified is when something was last put into it or taken out.
	Modified time.Time `json:"modified"`
}

type workspaceListInput struct{ inProject }

type workspaceListOutput struct {
	// Workspaces by name.
	Workspaces []Workspace `json:"workspaces"`
}

type workspaceInput struct {
	inProject
	// Name of the workspace.
	Name string `json:"name" example:"s-abc"`
}

func (p *Plane) workspaceTool() *facade.Tool {
	return facade.New("workspace", "The directories of a project's sessions.",
		facade.Bind("list", facade.EffectRead, "List workspaces.", p.listWorkspaces),
		facade.Bind("delete", facade.EffectWrite|facade.EffectDestructive, "Delete a workspace with its files.", p.deleteWorkspace))
}

func (p *Plane) listWorkspaces(_ context.Context, in workspaceListInput) (workspaceListOutput, error) {
	out := workspaceListOutput{Workspaces: []Workspace{}}
	if err := p.within(in.Project); err != nil {
		return out, err
	}
	entries, err := os.ReadDir(p.dir(in.Project))
	if err != nil {
		return out, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it is gone
		}
		out.Workspaces = append(out.Workspaces, Workspace{e.Name(), info.ModTime()})
	}
	return out, nil
}

func (p *Plane) deleteWorkspace(_ context.Context, in workspaceInput) (deletedOutput, error) {
	if err := p.within(in.Project); err != nil {
		return deletedOutput{}, err
	}
	if s, err := get[session](p.store, kindSession, in.Project, in.Name); err == nil && s.Status == active {
		return deletedOutput{}, facade.Errorf(facade.CodeConflict, "session '%s' works there", in.Name).WithHint("end the session first")
	}
	root, err := os.OpenRoot(p.dir(in.Project)) // a name must not lead elsewhere
	if err != nil {
		return deletedOutput{}, err
	}
	defer func() { _ = root.Close() }()
	if err := named("name", in.Name); err != nil {
		return deletedOutput{}, err
	}
	if info, err := root.Lstat(in.Name); err != nil || !info.IsDir() {
		return deletedOutput{}, facade.Errorf(facade.CodeNotFound, "there is no workspace '%s'", in.Name)
	}
	return deletedOutput{in.Name}, root.RemoveAll(in.Name)
}
