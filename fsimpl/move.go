package fsimpl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/toolfacade/toolfacade/facade"
)

// Move implements [facade.FileMover]. A symbolic link is moved itself.
func (f *Files) Move(ctx context.Context, in facade.MoveInput) (facade.MoveOutput, error) {
	m, err := f.relocation(ctx, in, false)
	if err != nil {
		return facade.MoveOutput{}, err
	}
	defer m.unlock()
	x := f.begin("move")
	x.dirs = []string{path.Dir(m.from)}
	if err := m.prepare(x); err != nil {
		return facade.MoveOutput{}, err
	}
	created, deleted := facade.EventFileCreated, facade.EventFileDeleted
	if m.info.IsDir() {
		created, deleted = facade.EventDirectoryCreated, facade.EventDirectoryDeleted
		if err := f.tree.walk(m.from, func(name string, _ fs.FileInfo) error { return f.guard(name) }); err != nil {
			return facade.MoveOutput{}, f.failure("move", m.from, err)
		}
	}
	x.add(&moveStep{from: m.from, to: m.to, made: m.made, over: m.over},
		facade.Event{Type: created, Path: shown(m.to), OldPath: shown(m.from)}, path.Dir(m.to))
	x.events = append(x.events, facade.Event{Type: deleted, Path: shown(m.from)})
	if err := x.commit(ctx); err != nil {
		return facade.MoveOutput{}, f.failure("move", m.from, err)
	}
	return facade.MoveOutput{Source: shown(m.from), Destination: shown(m.to), Overwritten: m.replaced}, nil
}

// Copy implements [facade.FileMover]. A copy has the permissions of its
// source and belongs to whoever runs this process. The source is followed where
// it is a symbolic link; links inside a copied directory are copied as they
// are, and refused where they lead out of the root from their new place.
func (f *Files) Copy(ctx context.Context, in facade.CopyInput) (facade.CopyOutput, error) {
	m, err := f.relocation(ctx, facade.MoveInput(in), true)
	if err != nil {
		return facade.CopyOutput{}, err
	}
	defer m.unlock()
	x := f.begin("copy")
	if err := m.prepare(x); err != nil {
		return facade.CopyOutput{}, err
	}
	s := &copyStep{ctx: ctx, files: f, from: m.from, to: m.to, info: m.info, over: m.over}
	created := facade.EventFileCreated
	if m.info.IsDir() {
		created = facade.EventDirectoryCreated
	}
	x.add(s, facade.Event{Type: created, Path: shown(m.to)}, path.Dir(m.to))
	if err := x.commit(ctx); err != nil {
		return facade.CopyOutput{}, f.failure("copy", m.from, err)
	}
	return facade.CopyOutput{
		Source: shown(m.from), Destination: shown(m.to), Overwritten: m.replaced, Files: s.count, Bytes: s.bytes,
	}, nil
}

// relocation is what move and copy have in common.
type relocation struct {
	f        *Files
	in       facade.MoveInput
	from, to string
	info     fs.FileInfo
	replaced bool
	over     replaced
	made     []string // parents of the destination that it lacked
	unlock   func()
}

func (f *Files) relocation(ctx context.Context, in facade.MoveInput, follow bool) (*relocation, error) {
	from, err := f.changing(ctx, "source", in.Source, follow)
	if err != nil {
		return nil, err
	}
	if from.name == "." {
		return nil, facade.Errorf(facade.CodePermissionDenied, "the root itself cannot be copied").
			WithPath(".").WithHint("name a file or directory below the root")
	}
	to, err := f.changeable(ctx, "destination", in.Destination, false)
	if err != nil {
		return nil, err
	}
	m := &relocation{f: f, in: in, from: from.name, to: to.name}
	if within(m.to, []string{m.from}) || within(m.from, []string{m.to}) {
		return nil, facade.InvalidArgument("destination", "'%s' and '%s' are the same or inside each other", named(m.from), named(m.to))
	}
	if m.unlock, err = f.lock(ctx, m.from, m.to); err != nil {
		return nil, err
	}
	if m.info, err = f.tree.lstat(m.from); err == nil && from.slash && !m.info.IsDir() {
		err = facade.Errorf(facade.CodeNotDirectory, "'%s' is not a directory", named(m.from)).WithHint("leave out the slash at the end")
	}
	if err != nil {
		m.unlock()
		return nil, f.failure("open", m.from, err)
	}
	if to.slash && !m.info.IsDir() {
		m.unlock()
		return nil, m.intoDirectory()
	}
	return m, nil
}

// intoDirectory is the error for a file whose destination ends with a slash.
func (m *relocation) intoDirectory() error {
	return facade.Errorf(facade.CodeInvalidArgument, "the destination '%s/' is a directory; name the file", named(m.to)).WithPath(shown(m.to)).
		WithHint("use destination='%s', or leave out the slash at the end", named(path.Join(m.to, path.Base(m.from))))
}

// prepare makes room for the destination: its parents, and the removal of
// what is there, if the call allows it.
func (m *relocation) prepare(x *tx) error {
	there, err := m.f.tree.lstat(m.to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.made, err = x.mkdirs(path.Dir(m.to))
		return err
	case err != nil:
		return m.f.failure("open", m.to, err)
	case !m.in.Overwrite:
		hint := "set overwrite to replace it, or choose another name"
		if there.IsDir() {
			hint = fmt.Sprintf("to put it into that directory use destination='%s'", named(path.Join(m.to, path.Base(m.from))))
		}
		return facade.Errorf(facade.CodeAlreadyExists, "'%s' exists already", named(m.to)).WithPath(shown(m.to)).WithHint("%s", hint)
	case there.IsDir() != m.info.IsDir():
		return facade.Errorf(facade.CodeAlreadyExists, "'%s' exists already and is of another kind: a file cannot replace a directory, nor the other way round", named(m.to)).
			WithPath(shown(m.to)).WithHint("delete it first, or choose another name")
	}
	m.replaced = true
	if there.Mode().IsRegular() && m.info.Mode().IsRegular() {
		m.over.info = there
		return nil
	}
	if there.IsDir() {
		if err := m.f.deletableDir(m.to, true); err != nil {
			return err
		}
	}
	x.add(&displaceStep{name: m.to}, facade.Event{}, path.Dir(m.to))
	return nil
}
