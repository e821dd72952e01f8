package fsimpl

import (
	"errors"
	"io/fs"
	"path"

	"github.com/spf13/afero"
)

// moveStep renames a file, link or tree.
type moveStep struct {
	from, to string
	made     []string // directories made for it, outermost first
	over     replaced
}

func (s *moveStep) stage(t *tree, _ bool) error {
	for _, dir := range s.made { // a crash must not leave the file in a directory that is nowhere
		if err := t.syncDir(path.Dir(dir)); err != nil {
			return err
		}
	}
	return s.over.stage(t, s.to)
}

func (s *moveStep) apply(t *tree) error { return s.over.rename(t, s.from, s.to) }

func (s *moveStep) revert(t *tree) error {
	return errors.Join(t.renameNoReplace(s.to, s.from), s.over.restore(t, s.to))
}

func (s *moveStep) cleanup(t *tree, _ bool) error { return s.over.cleanup(t) }

// replaced is a regular file that another one takes the place of, in one
// rename, so that one of both is there at any time. The zero value is no file,
// and then nothing may be in the place.
type replaced struct {
	info   fs.FileInfo
	backup string // a copy, in case the step has to be reverted
}

func (r *replaced) stage(t *tree, name string) (err error) {
	if r.info != nil {
		r.backup, err = t.copyAside(name, r.info)
	}
	return err
}

func (r *replaced) rename(t *tree, from, to string) error {
	if r.info != nil {
		return t.rename(from, to)
	}
	return t.renameNoReplace(from, to)
}

func (r *replaced) restore(t *tree, name string) error {
	if r.info == nil {
		return nil
	}
	return t.renameNoReplace(r.backup, name)
}

func (r *replaced) cleanup(t *tree) error {
	if r.backup == "" {
		return nil
	}
	return t.fs.Remove(t.at(r.backup))
}

// displaceStep makes room for a tree or link that comes into the place of
// another, which no rename does at once: the old one is moved into a directory
// that keeps its name. A sweep after a crash moves it back if nothing has come
// into its place.
type displaceStep struct {
	name, aside string
	held        afero.File // the lock that keeps sweeps away
	stuck       bool       // reverting failed
}

func (s *displaceStep) kept() string { return path.Join(s.aside, path.Base(s.name)) }

func (s *displaceStep) stage(t *tree, _ bool) error {
	for {
		s.aside = asideName(path.Dir(s.name))
		if err := t.fs.Mkdir(t.at(s.aside), 0o700); err != nil {
			return err
		}
		var err error
		if s.held, err = t.fs.Open(t.at(s.aside)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil && t.claim(s.held, s.aside) {
			return t.syncDir(path.Dir(s.name)) // the refuge has to outlive a crash
		}
		if s.held != nil {
			_ = s.held.Close() // a sweep has removed it, or is about to
		}
	}
}

func (s *displaceStep) apply(t *tree) error { return t.renameNoReplace(s.name, s.kept()) }

func (s *displaceStep) revert(t *tree) error {
	err := t.renameNoReplace(s.kept(), s.name)
	s.stuck = err != nil
	return err
}

func (s *displaceStep) cleanup(t *tree, applied bool) error {
	var err error
	switch {
	case s.stuck: // left to the next sweep, which tries again
	case applied:
		err = t.fs.RemoveAll(t.at(s.aside))
	default:
		err = t.fs.Remove(t.at(s.aside))
	}
	if s.held != nil {
		err = errors.Join(err, s.held.Close())
	}
	return err
}
