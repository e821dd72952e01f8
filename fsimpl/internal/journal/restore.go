package journal

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/toolfacade/toolfacade/fsimpl/internal/diff"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

const (
	maxDiff     = 32 << 10 // bytes of the diffs of one operation
	maxDiffFile = 4 << 20  // bytes of a file that is compared
)

// revert takes a change back, or, after a failure, leaves it as it is.
func (j *Journal) revert(ctx context.Context, tree Tree, c Change) error {
	if err := j.keepCurrent(ctx, tree, c.Path, c.After); err != nil {
		return err
	}
	if c.From != "" {
		if err := tree.Move(ctx, c.Path, c.From); err != nil {
			return err
		}
		if c.Before.Same(State{}) {
			return nil
		}
	}
	err := j.restore(ctx, tree, c.Path, c.Before)
	if err != nil && c.From != "" {
		err = errors.Join(err, tree.Move(context.WithoutCancel(ctx), c.From, c.Path))
	}
	return err
}

// perform makes a change again, or, after a failure, leaves all as it is.
func (j *Journal) perform(ctx context.Context, tree Tree, c Change) error {
	if err := j.keepCurrent(ctx, tree, c.Path, c.Before); err != nil {
		return err
	}
	if c.From == "" {
		return j.restore(ctx, tree, c.Path, c.After)
	}
	if c.Before.Same(State{}) {
		return tree.Move(ctx, c.From, c.Path)
	}
	if err := j.restore(ctx, tree, c.Path, State{Kind: Absent}); err != nil {
		return err
	}
	err := tree.Move(ctx, c.From, c.Path)
	if err != nil {
		err = errors.Join(err, j.restore(context.WithoutCancel(ctx), tree, c.Path, c.Before))
	}
	return err
}

// keepCurrent keeps the content that is about to go, so that the way back is
// open.
func (j *Journal) keepCurrent(ctx context.Context, tree Tree, path string, s State) error {
	if s.Kind != Regular || s.Hash == "" || s.Size > j.o.MaxFile {
		return nil
	}
	now, err := tree.State(ctx, path)
	if err != nil || !now.Same(s) {
		return err // nothing there that the journal would know
	}
	return j.keep(ctx, tree, path, s.Hash)
}

// restore asks the tree for a state, with the content it needs.
func (j *Journal) restore(ctx context.Context, tree Tree, path string, s State) error {
	now, err := tree.State(ctx, path)
	if err != nil || now.Same(s) {
		return err
	}
	if s.Kind != Regular {
		return tree.Restore(ctx, path, s, nil)
	}
	r, err := j.former(ctx, tree, path, s, now)
	if err != nil {
		return err
	}
	return errors.Join(tree.Restore(ctx, path, s, r), r.Close())
}

// preview shows what a change of content or kind will do, "" when there is
// nothing to show.
func (j *Journal) preview(ctx context.Context, tree Tree, c Change) string {
	now, err := tree.State(ctx, c.Path)
	if err != nil || now.Same(c.After) {
		return ""
	}
	before, ok := j.text(ctx, tree, c.Path, now, true)
	after, ok2 := j.text(ctx, tree, c.Path, c.After, false)
	if !ok || !ok2 {
		return fmt.Sprintf("%s: %s to %s\n", pathname.Line(c.Path), describe(now), describe(c.After))
	}
	oldName, newName := c.Path, c.Path
	if now.Kind != Regular {
		oldName = ""
	}
	if c.After.Kind != Regular {
		newName = ""
	}
	text := diff.Content(oldName, newName, before, after, &diff.Options{MaxBytes: maxDiff / 2}).Text
	if text == "" && now.Mode != c.After.Mode {
		return fmt.Sprintf("%s: mode %v to %v\n", pathname.Line(c.Path), now.Mode, c.After.Mode)
	}
	return text
}

// changedSince shows what somebody changed at a path since the journal saw it.
func (j *Journal) changedSince(ctx context.Context, tree Tree, path string, expected State) string {
	now, err := tree.State(ctx, path)
	if err != nil {
		return ""
	}
	before, ok := j.text(ctx, tree, path, expected, false)
	after, ok2 := j.text(ctx, tree, path, now, true)
	if !ok || !ok2 {
		return fmt.Sprintf("%s: %s to %s\n", pathname.Line(path), describe(expected), describe(now))
	}
	return diff.Content(path, path, before, after, &diff.Options{MaxBytes: maxDiff / 2}).Text
}

// text returns the content of a state, from the tree or from what is kept; ok
// is false when it is not a file's, too large or not kept.
func (j *Journal) text(ctx context.Context, tree Tree, path string, s State, current bool) ([]byte, bool) {
	if s.Same(State{}) {
		return nil, true
	}
	if s.Kind != Regular || s.Size > maxDiffFile {
		return nil, false
	}
	open := func() (io.ReadCloser, error) { return j.store.get(s.Hash) }
	if current {
		open = func() (io.ReadCloser, error) { return tree.Open(ctx, path) }
	}
	r, err := open()
	if err != nil {
		return nil, false
	}
	b, err := io.ReadAll(io.LimitReader(r, maxDiffFile+1))
	if errors.Join(err, r.Close()) != nil || len(b) > maxDiffFile {
		return nil, false
	}
	return b, true
}

func describe(s State) string {
	switch s.Kind {
	case Regular:
		return fmt.Sprintf("file of %d bytes", s.Size)
	case Directory:
		return "directory"
	case Symlink:
		return "symbolic link to " + s.Target
	case Absent:
	}
	return "nothing"
}
