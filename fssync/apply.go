package fssync

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/spf13/afero"
)

// errMoved reports a file that changed while it was synchronized. It is left
// alone; the next run compares anew.
var errMoved = errors.New("it changed meanwhile; synchronize again")

// apply makes one change.
func (st step) apply(ctx context.Context) error {
	if st.sum == "" {
		return st.remove(ctx)
	}
	dir := path.Dir(st.path)
	if err := st.to.fs.MkdirAll(st.to.at(dir), 0o777); err != nil {
		return fmt.Errorf("%s: %w", st.to.name, err)
	}
	temp := path.Join(dir, tempPrefix+rand.Text())
	if err := st.stage(ctx, temp); err != nil {
		return errors.Join(err, st.discard(temp))
	}
	now, err := st.to.current(ctx, st.path)
	if err == nil && now != st.old {
		err = errMoved
	}
	if err == nil {
		if err = st.to.fs.Rename(st.to.at(temp), st.to.at(st.path)); err == nil {
			st.to.syncDir(dir)
			delete(st.to.known, st.path)
			return nil
		}
	}
	return errors.Join(err, st.discard(temp))
}

// stage writes the new content beside its place, durably.
func (st step) stage(ctx context.Context, temp string) error {
	info, err := lstat(st.from.fs, st.from.at(st.path))
	if errors.Is(err, fs.ErrNotExist) {
		return errMoved
	}
	if err != nil {
		return fmt.Errorf("%s: %w", st.from.name, err)
	}
	if !info.Mode().IsRegular() {
		return errMoved
	}
	f, err := st.to.fs.OpenFile(st.to.at(temp), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%s: %w", st.to.name, err)
	}
	sum, err := st.from.read(ctx, st.path, f)
	if err == nil && sum != st.sum || errors.Is(err, fs.ErrNotExist) {
		err = errMoved
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	// Mode and time are what the file system makes of them.
	_ = st.to.fs.Chmod(st.to.at(temp), info.Mode().Perm())
	_ = st.to.fs.Chtimes(st.to.at(temp), info.ModTime(), info.ModTime())
	return nil
}

func (st step) discard(temp string) error {
	err := st.to.fs.Remove(st.to.at(temp))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// remove deletes a file that the other side has deleted, and the directories
// that are empty now and that the other side does not have.
func (st step) remove(ctx context.Context) error {
	now, err := st.to.current(ctx, st.path)
	switch {
	case err != nil:
		return err
	case now == "":
		return nil
	case now != st.old:
		return errMoved
	}
	if there, err := st.from.current(ctx, st.path); err != nil || there != "" {
		return errors.Join(err, errMoved)
	}
	if err := st.to.fs.Remove(st.to.at(st.path)); err != nil {
		return fmt.Errorf("%s: %w", st.to.name, err)
	}
	delete(st.to.known, st.path)
	for dir := path.Dir(st.path); dir != "."; dir = path.Dir(dir) {
		if _, err := lstat(st.from.fs, st.from.at(dir)); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if empty, err := afero.IsEmpty(st.to.fs, st.to.at(dir)); err != nil || !empty {
			break
		}
		if st.to.fs.Remove(st.to.at(dir)) != nil {
			break // somebody has put something there
		}
	}
	return nil
}
