package fsimpl

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Delete implements [facade.FileWriter]. A symbolic link is deleted itself.
func (f *Files) Delete(ctx context.Context, in facade.DeleteInput) (facade.DeleteOutput, error) {
	names := make([]string, 0, len(in.Paths))
	slashes := make([]bool, 0, len(in.Paths))
	for _, p := range in.Paths {
		t, err := f.changing(ctx, "paths", p, false)
		if err != nil {
			return facade.DeleteOutput{}, err
		}
		names = append(names, t.name)
		slashes = append(slashes, t.slash)
	}
	unlock, err := f.lock(ctx, names...)
	if err != nil {
		return facade.DeleteOutput{}, err
	}
	defer unlock()
	out := facade.DeleteOutput{Deleted: make([]string, 0, len(names)), DryRun: in.DryRun}
	x := f.begin("delete")
	for i, name := range names {
		if within(name, names[:i]) {
			continue
		}
		if err := f.deletable(x, name, slashes[i], in.Recursive); err != nil {
			return facade.DeleteOutput{}, err
		}
		out.Deleted = append(out.Deleted, shown(name))
	}
	if in.DryRun {
		return out, nil
	}
	if err := x.commit(ctx); err != nil {
		return facade.DeleteOutput{}, f.failure("delete", names[0], err)
	}
	return out, nil
}

// within reports whether name is one of others or below one of them.
func within(name string, others []string) bool {
	for _, o := range others {
		if name == o || strings.HasPrefix(name, o+"/") {
			return true
		}
	}
	return false
}

// deletable checks one path and adds its removal.
func (f *Files) deletable(x *tx, name string, slash, recursive bool) error {
	info, err := f.tree.lstat(name)
	if err != nil {
		return f.failure("delete", name, err)
	}
	event := facade.Event{Type: facade.EventFileDeleted, Path: shown(name)}
	switch {
	case info.IsDir():
		event.Type = facade.EventDirectoryDeleted
		if err := f.deletableDir(name, recursive); err != nil {
			return err
		}
	case slash:
		return facade.Errorf(facade.CodeNotDirectory, "'%s' is not a directory", named(name)).WithPath(shown(name)).
			WithHint("leave out the slash at the end")
	}
	x.add(&removeStep{name: name}, event, path.Dir(name))
	return nil
}

func (f *Files) deletableDir(name string, recursive bool) error {
	empty, err := f.tree.isEmpty(name)
	if err != nil {
		return f.failure("list", name, err)
	}
	if empty {
		return nil
	}
	if !recursive {
		return facade.Errorf(facade.CodeNotEmpty, "the directory '%s' is not empty", named(name)).WithPath(shown(name)).
			WithHint("set recursive to delete what is in it too")
	}
	return f.failure("list", name, f.tree.walk(name, func(below string, _ fs.FileInfo) error { return f.guard(below) }))
}

// isEmpty reports whether a directory has no entries.
func (t *tree) isEmpty(name string) (bool, error) {
	d, err := t.fs.Open(t.at(name))
	if err != nil {
		return false, err
	}
	defer d.Close()
	names, err := d.Readdirnames(1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return len(names) == 0, err
}

// walk calls fn for everything below a directory, parents first. Links are
// not followed.
func (t *tree) walk(dir string, fn func(name string, info fs.FileInfo) error) error {
	d, err := t.fs.Open(t.at(dir))
	if err != nil {
		return err
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, n := range names {
		name := path.Join(dir, n)
		info, err := t.lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = fn(name, info)
		}
		if err == nil && info.IsDir() {
			err = t.walk(name, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
