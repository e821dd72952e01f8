package fsimpl

import (
	"context"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
)

func parent(name string) string { return path.Dir(name) }

// recorded is a step that the journal can take back. changes describes it after
// it is staged and before it is applied, in the order in which it happens.
type recorded interface {
	changes(ctx context.Context, f *Files) ([]journal.Change, error)
}

// record begins the journal's entry of a transaction. A transaction without an
// action is the journal's own and has none.
func (x *tx) record(ctx context.Context) (*journal.Tx, error) {
	if x.action == "" || x.files.journal == nil {
		return nil, nil //nolint:nilnil // no entry is an answer here
	}
	var all []journal.Change
	for _, s := range x.steps {
		r, ok := s.(recorded)
		if !ok {
			continue
		}
		changes, err := r.changes(ctx, x.files)
		if err != nil {
			return nil, err
		}
		all = append(all, changes...)
	}
	if len(all) == 0 {
		return nil, nil //nolint:nilnil // nothing changes
	}
	for i := range all {
		all[i].Lost = all[i].Before.Kind == journal.Regular && all[i].Before.Hash == ""
	}
	return x.files.journal.Begin(ctx, facade.Info(ctx).Session, x.action, all, journaled{x.files})
}

func (s *mkdirStep) changes(context.Context, *Files) ([]journal.Change, error) { //nolint:unparam // an interface asks for it
	if !s.made {
		return nil, nil
	}
	return []journal.Change{{
		Path: s.name, Before: journal.State{Kind: journal.Absent}, After: journal.State{Kind: journal.Directory, Mode: s.mode},
	}}, nil
}

func (s *putStep) changes(ctx context.Context, f *Files) ([]journal.Change, error) {
	before := journal.State{Kind: journal.Absent}
	switch {
	case s.old != nil && s.oldHash != nil && s.old.Size() <= f.journal.MaxFile(): // a change since is found when the content is kept
		before = journal.State{Kind: journal.Regular, Mode: s.old.Mode().Perm(), Size: s.old.Size(), Hash: hex.EncodeToString(s.oldHash())}
	case s.old != nil:
		var err error
		if before, err = f.stateOf(ctx, s.name, s.old); err != nil {
			return nil, err
		}
	}
	after := journal.State{Kind: journal.Regular, Size: s.size, Hash: hex.EncodeToString(s.sum), Mode: before.Mode}
	if s.old == nil || s.mode != 0 {
		info, err := f.tree.lstat(s.temp)
		if err != nil {
			return nil, err
		}
		after.Mode = info.Mode().Perm()
	}
	change := journal.Change{Path: s.name, Before: before, After: after}
	if s.reverse != nil {
		change.Reverse = s.reverse()
	}
	if s.data != nil {
		change.Content = s.data.data
	}
	return []journal.Change{change}, nil
}

func (s *removeStep) changes(ctx context.Context, f *Files) ([]journal.Change, error) {
	return removal(ctx, f, s.name)
}

func (s *displaceStep) changes(ctx context.Context, f *Files) ([]journal.Change, error) {
	return removal(ctx, f, s.name)
}

// removal describes that a file, link or tree goes. What cannot be brought back
// is left out: a FIFO, a device, a link out of the root.
func removal(ctx context.Context, f *Files, name string) ([]journal.Change, error) {
	var list []journal.Change
	add := func(name string, info fs.FileInfo) error {
		if !info.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
			return nil
		}
		state, err := f.stateOf(ctx, name, info)
		if err != nil || state.Kind == journal.Symlink && state.Target == "" {
			return err
		}
		list = append(list, journal.Change{Path: name, Before: state, After: journal.State{Kind: journal.Absent}})
		return nil
	}
	info, err := f.tree.lstat(name)
	if err == nil {
		err = add(name, info)
	}
	if err == nil && info.IsDir() {
		err = f.tree.walk(name, add)
	}
	slices.Reverse(list) // the journal wants what is in a directory deleted before the directory
	return list, err
}

// state describes the file that is replaced, for the journal.
func (r *replaced) state(ctx context.Context, f *Files, name string) (journal.State, error) {
	if r.info == nil {
		return journal.State{Kind: journal.Absent}, nil
	}
	return f.stateOf(ctx, name, r.info)
}

func (s *moveStep) changes(ctx context.Context, f *Files) ([]journal.Change, error) {
	info, err := f.tree.lstat(s.from)
	if err != nil {
		return nil, err
	}
	before, err := s.over.state(ctx, f, s.to)
	if err != nil {
		return nil, err
	}
	state, err := f.stateOf(ctx, s.from, info)
	return []journal.Change{{Path: s.to, From: s.from, Before: before, After: state}}, err
}

func (s *copyStep) changes(ctx context.Context, f *Files) ([]journal.Change, error) {
	info, err := f.tree.lstat(s.temp)
	if err != nil {
		return nil, err
	}
	before, err := s.over.state(ctx, f, s.to)
	if err != nil {
		return nil, err
	}
	var list []journal.Change
	add := func(name string, info fs.FileInfo) error {
		state, err := f.stateOf(ctx, name, info)
		list = append(list, journal.Change{Path: s.to + name[len(s.temp):], Before: before, After: state})
		before = journal.State{Kind: journal.Absent}
		return err
	}
	if err := add(s.temp, info); err != nil || !info.IsDir() {
		return list, err
	}
	return list, f.tree.walk(s.temp, add)
}
