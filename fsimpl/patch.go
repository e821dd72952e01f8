package fsimpl

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/patch"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Patch implements [facade.FileEditor]. Paths in the patch are relative to the
// current directory.
func (f *Files) Patch(ctx context.Context, in facade.PatchInput) (facade.EditOutput, error) {
	files, err := patch.Parse(in.Patch)
	if err != nil {
		return facade.EditOutput{}, err
	}
	p := &patching{f: f, x: f.begin(string(facade.FilePatch))}
	names, err := p.resolve(ctx, files)
	if err != nil {
		return facade.EditOutput{}, err
	}
	unlock, err := f.lock(ctx, names...)
	if err != nil {
		return facade.EditOutput{}, err
	}
	defer unlock()
	out := facade.EditOutput{Files: []facade.EditedFile{}, DryRun: in.DryRun}
	for i := range files {
		edited, err := p.file(ctx, p.parts[i])
		if err != nil {
			return facade.EditOutput{}, f.failure("patch", p.parts[i].name(), err)
		}
		out.Files = append(out.Files, edited)
	}
	if in.DryRun {
		return out, nil
	}
	if err := p.x.commit(ctx); err != nil {
		return facade.EditOutput{}, f.failure("patch", p.parts[0].name(), err)
	}
	return out, nil
}

// patching is the work on one patch.
type patching struct {
	f     *Files
	x     *tx
	parts []part
}

// part is what the patch does to one file, with resolved names.
type part struct {
	patch.File
	from, to string // "" as in the patch
}

func (p part) name() string {
	if p.to == "" {
		return p.from
	}
	return p.to
}

// resolve finds the files that the patch names, each in one part only, since
// the parts are planned on the files as they are.
func (p *patching) resolve(ctx context.Context, files []patch.File) ([]string, error) {
	var names []string
	for _, file := range files {
		one := part{File: file}
		for _, side := range []struct {
			path string
			name *string
		}{{file.OldPath, &one.from}, {file.NewPath, &one.to}} {
			if side.path == "" {
				continue
			}
			t, err := p.f.changeable(ctx, "patch", side.path, true)
			if err != nil {
				return nil, err
			}
			*side.name = t.name
		}
		for _, name := range slices.Compact([]string{one.from, one.to}) {
			if name == "" {
				continue
			}
			if slices.Contains(names, name) {
				return nil, facade.InvalidArgument("patch", "the patch names '%s' in two places", named(name)).
					WithHint("make it one change of the file, or send two patches")
			}
			names = append(names, name)
		}
		p.parts = append(p.parts, one)
	}
	return names, nil
}

// file plans one part.
func (p *patching) file(ctx context.Context, one part) (facade.EditedFile, error) {
	edited := facade.EditedFile{Path: shown(one.name()), Status: string(one.Status)}
	if one.from != "" && one.to != "" && one.from != one.to {
		edited.OldPath = shown(one.from)
	}
	if one.Status == patch.Created {
		fresh := hashOf([]byte(one.Content()))
		edited.ETag = fresh.etag()
		return edited, p.place(one, fresh, 0)
	}
	old, err := p.f.before(one.from, true)
	if err != nil {
		return edited, err
	}
	if old == nil {
		return edited, p.f.missing(".", one.from)
	}
	plan, err := one.Plan(ctx, old.data, textenc.Detect(old.data), nil)
	if err != nil {
		return edited, err
	}
	data := edit.Apply(old.data, plan.Splices)
	if err := p.f.fits(one.from, data); err != nil {
		return edited, err
	}
	if err := keepsCells(one.from, old.data, data); err != nil && one.Status != patch.Deleted {
		return edited, err
	}
	edited.Matches, edited.Diff = plan.Matches, p.f.diff(one.from, old, data)
	if one.Status == patch.Deleted {
		p.remove(one.from)
		return edited, nil
	}
	fresh := hashOf(data)
	edited.ETag = fresh.etag()
	if one.from == one.to {
		p.x.put(one.to, old, fresh)
		p.x.mode(one.Mode)
		return edited, nil
	}
	if err := p.place(one, fresh, old.info.Mode().Perm()); err != nil {
		return edited, err
	}
	if one.Status == patch.Renamed {
		p.remove(one.from)
	}
	return edited, nil
}

// place adds a file that must not exist yet, with the permissions of the patch,
// else perm, else those of any new file.
func (p *patching) place(one part, data *hashed, perm fs.FileMode) error {
	if _, err := p.f.tree.lstat(one.to); err == nil {
		return facade.Errorf(facade.CodeAlreadyExists, "'%s' exists already", named(one.to)).WithPath(shown(one.to)).
			WithHint("make the patch change the file instead of creating it")
	}
	if _, err := p.x.mkdirs(path.Dir(one.to)); err != nil {
		return err
	}
	p.x.put(one.to, nil, data)
	p.x.mode(cmp.Or(one.Mode, perm))
	return nil
}

func (p *patching) remove(name string) {
	p.x.add(&removeStep{name: name}, facade.Event{Type: facade.EventFileDeleted, Path: shown(name)}, path.Dir(name))
}
