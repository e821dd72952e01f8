package fsimpl

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// tx is the one path of every change to the tree. Steps are staged first:
// everything that can fail for want of space or permission happens on temporary
// files. Then they are applied in order, each by one rename, and on a failure
// reverted in reverse order, each by one rename again. What is acknowledged is
// durable: contents are synced before the renames, directories after.
type tx struct {
	files  *Files
	tree   *tree
	action string
	steps  []step
	events []facade.Event
	dirs   []string // directories whose names changed
}

// halfDoneError is the error of a transaction that could not be reverted in full.
type halfDoneError struct {
	err  error  // why the transaction failed
	left string // why reverting failed
}

func (e *halfDoneError) Error() string { return e.err.Error() + "; reverting failed too: " + e.left }

func (e *halfDoneError) Unwrap() error { return e.err }

// step is one change of a transaction.
type step interface {
	// stage prepares the change without showing it. several says that the step
	// is not the only one, so that it has to be revertible.
	stage(t *tree, several bool) error
	// apply makes the change visible.
	apply(t *tree) error
	// revert undoes apply.
	revert(t *tree) error
	// cleanup removes what stage and apply left aside. applied says whether the
	// change holds.
	cleanup(t *tree, applied bool) error
}

func (f *Files) begin(action string) *tx { return &tx{files: f, tree: f.tree, action: action} }

// add appends a step that changes names in the given directories, and the
// event that tells of it.
func (x *tx) add(s step, e facade.Event, dirs ...string) {
	x.steps = append(x.steps, s)
	if e.Type != "" {
		x.events = append(x.events, e)
	}
	for _, d := range dirs {
		if !slices.Contains(x.dirs, d) {
			x.dirs = append(x.dirs, d)
		}
	}
}

// commit runs the transaction. After an error nothing has changed, unless the
// error says that reverting failed too.
func (x *tx) commit(ctx context.Context) (err error) {
	staged, applied := 0, 0
	defer func() {
		for i := staged - 1; i >= 0; i-- {
			// A temporary file that cannot be removed now is swept when the tree is
			// opened again; a new directory is not.
			e := x.steps[i].cleanup(x.tree, i < applied)
			if _, ok := x.steps[i].(*mkdirStep); ok && err != nil && e != nil {
				err = &halfDoneError{err: err, left: cause(e)}
			}
		}
	}()
	for _, s := range x.steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		staged++
		if err := s.stage(x.tree, len(x.steps) > 1); err != nil {
			return err
		}
	}
	entry, err := x.record(ctx)
	if err != nil {
		return err
	}
	for _, s := range x.steps {
		if err = s.apply(x.tree); err != nil {
			break
		}
		applied++
	}
	if err == nil {
		err = x.syncDirs()
	}
	if err == nil && entry != nil {
		err = entry.Commit(context.WithoutCancel(ctx))
	}
	if err != nil {
		if e := x.revert(applied); e != nil {
			err = &halfDoneError{err: err, left: cause(e)}
		}
		applied = 0
		if entry != nil {
			err = errors.Join(err, entry.Abort())
		}
		return err
	}
	for _, e := range x.events {
		facade.Emit(ctx, e)
	}
	return nil
}

// revert undoes the applied steps, the last first. A step that cannot be
// undone does not keep the others from it.
func (x *tx) revert(applied int) error {
	var failed error
	for _, s := range slices.Backward(x.steps[:applied]) {
		if e := s.revert(x.tree); e != nil && failed == nil {
			failed = e
		}
	}
	if applied > 0 {
		// The old names are where they were. What a crash leaves is old or new
		// with or without this sync, whose failure has been reported already.
		_ = x.syncDirs()
	}
	return failed
}

// syncDirs makes the names durable. The directory added first comes last: that
// is the one a moved file leaves, whose new name has to be on the disk before.
func (x *tx) syncDirs() error {
	for _, d := range slices.Backward(x.dirs) {
		if err := x.tree.syncDir(d); err != nil {
			return err
		}
	}
	return nil
}

// mkdirs adds a step for each missing directory of name, name included, and
// returns their names, outermost first.
func (x *tx) mkdirs(name string) ([]string, error) {
	var missing []string
	for dir := name; dir != "."; dir = path.Dir(dir) {
		if slices.ContainsFunc(x.steps, func(s step) bool { m, ok := s.(*mkdirStep); return ok && m.name == dir }) {
			break
		}
		info, err := x.tree.stat(dir)
		if err == nil && !info.IsDir() {
			return nil, x.files.failure("create", name, facade.Errorf(facade.CodeNotDirectory, "not a directory"))
		}
		if err == nil {
			break
		}
		if facade.CodeOf(err) != facade.CodeNotFound && facade.CodeOf(err) != facade.CodeNotDirectory {
			return nil, x.files.failure("stat", dir, err)
		}
		missing = append(missing, dir)
	}
	slices.Reverse(missing)
	for _, dir := range missing {
		x.add(&mkdirStep{name: dir},
			facade.Event{Type: facade.EventDirectoryCreated, Path: shown(dir)}, path.Dir(dir))
	}
	return missing, nil
}

// mkdirStep makes one directory. It does so when it is staged, because the
// files of later steps are staged inside.
type mkdirStep struct {
	name string
	made bool
	mode fs.FileMode // permissions it got
}

func (s *mkdirStep) stage(t *tree, _ bool) error {
	err := t.fs.Mkdir(t.at(s.name), 0o777)
	if errors.Is(err, fs.ErrExist) && t.isDir(s.name) {
		return nil // somebody else made it meanwhile
	}
	if s.made = err == nil; !s.made {
		return err
	}
	info, err := t.lstat(s.name)
	if err == nil {
		s.mode = info.Mode().Perm()
	}
	return err
}

func (s *mkdirStep) apply(*tree) error  { return nil }
func (s *mkdirStep) revert(*tree) error { return nil }

func (s *mkdirStep) cleanup(t *tree, applied bool) error {
	if applied || !s.made {
		return nil
	}
	return t.fs.Remove(t.at(s.name))
}

// removeStep deletes a file, link or tree: it is renamed aside, so that the
// deletion can be reverted, and removed in the end.
type removeStep struct {
	name, trash string
	held        afero.File // a directory's lock while it is aside
}

func (s *removeStep) stage(t *tree, _ bool) error {
	if info, err := t.lstat(s.name); err != nil || !info.IsDir() {
		return err
	}
	var err error
	if s.held, err = t.fs.Open(t.at(s.name)); err == nil {
		_, _ = tryLock(s.held)
	}
	return err
}

func (s *removeStep) apply(t *tree) error {
	s.trash = tempName(path.Dir(s.name))
	return t.renameNoReplace(s.name, s.trash)
}

func (s *removeStep) revert(t *tree) error { return t.renameNoReplace(s.trash, s.name) }

func (s *removeStep) cleanup(t *tree, applied bool) error {
	var err error
	if applied {
		err = t.fs.RemoveAll(t.at(s.trash))
	}
	if s.held != nil {
		err = errors.Join(err, s.held.Close())
	}
	return err
}
