package fsimpl

import (
	"context"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
)

// Create implements [facade.FileWriter].
func (f *Files) Create(ctx context.Context, in facade.CreateInput) (facade.CreateOutput, error) {
	targets := make([]target, len(in.Paths))
	names := make([]string, len(in.Paths))
	for i, p := range in.Paths {
		t, err := f.changeable(ctx, "paths", p, true)
		if err != nil {
			return facade.CreateOutput{}, err
		}
		targets[i], names[i] = t, t.name
	}
	unlock, err := f.lock(ctx, names...)
	if err != nil {
		return facade.CreateOutput{}, err
	}
	defer unlock()
	out := facade.CreateOutput{Created: []string{}, Existed: []string{}}
	x := f.begin("create")
	for _, t := range targets {
		info, err := f.tree.stat(t.name)
		switch {
		case err == nil && !info.IsDir():
			return facade.CreateOutput{}, facade.Errorf(facade.CodeAlreadyExists, "'%s' exists already and is a file", named(t.name)).
				WithPath(shown(t.name)).WithHint("choose another name, or move the file first")
		case err == nil:
			if !slices.Contains(out.Existed, shown(t.name)) {
				out.Existed = append(out.Existed, shown(t.name))
			}
			continue
		}
		made, err := x.mkdirs(t.name)
		if err != nil {
			return facade.CreateOutput{}, err
		}
		for _, dir := range made {
			out.Created = append(out.Created, shown(dir))
		}
	}
	if err := x.commit(ctx); err != nil {
		return facade.CreateOutput{}, f.failure("create", names[0], err)
	}
	return out, nil
}
