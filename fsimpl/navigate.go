package fsimpl

import (
	"context"

	"github.com/toolfacade/toolfacade/facade"
)

// current returns the session's current directory.
func (f *Files) current(ctx context.Context) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if dir, ok := f.cwd[facade.Info(ctx).Session]; ok {
		return dir
	}
	return "."
}

// WorkingDir is the directory that relative paths of the call are meant from,
// relative to the root: where cd led its session.
func (f *Files) WorkingDir(ctx context.Context) string { return f.current(ctx) }

// Cd implements [facade.FileNavigator].
func (f *Files) Cd(ctx context.Context, in facade.CdInput) (facade.CdOutput, error) {
	t, err := f.present(ctx, in.Path)
	if err != nil {
		return facade.CdOutput{}, err
	}
	name, err := f.canonical(t.name, true)
	if err != nil {
		return facade.CdOutput{}, err
	}
	info, err := f.tree.stat(name)
	if err != nil {
		return facade.CdOutput{}, f.failure("enter", name, err)
	}
	if !info.IsDir() {
		return facade.CdOutput{}, facade.Errorf(facade.CodeNotDirectory, "'%s' is not a directory", named(name)).
			WithPath(shown(name)).WithHint("use read for a file")
	}
	out := facade.CdOutput{Previous: shown(f.current(ctx)), Current: shown(name)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cwd[facade.Info(ctx).Session] = name
	return out, nil
}

// Pwd implements [facade.FileNavigator].
func (f *Files) Pwd(ctx context.Context, _ facade.PwdInput) (facade.PwdOutput, error) {
	return facade.PwdOutput{Current: shown(f.current(ctx)), Start: "."}, nil
}

// Roots implements [facade.FileNavigator].
func (f *Files) Roots(context.Context, facade.RootsInput) (facade.RootsOutput, error) {
	return facade.RootsOutput{Roots: []facade.Root{{Name: ".", Writable: !f.opts.ReadOnly}}}, nil
}
