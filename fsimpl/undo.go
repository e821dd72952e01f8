package fsimpl

import (
	"context"
	"errors"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
)

var _ facade.FileJournal = (*Files)(nil)

// Undo implements [facade.FileJournal].
func (f *Files) Undo(ctx context.Context, in facade.UndoInput) (facade.UndoOutput, error) {
	return f.revert(ctx, "undo", in, f.journal.PlanUndo)
}

// Redo implements [facade.FileJournal].
func (f *Files) Redo(ctx context.Context, in facade.UndoInput) (facade.UndoOutput, error) {
	out, err := f.revert(ctx, "redo", in, f.journal.PlanRedo)
	out.Repeated = true
	return out, err
}

func (f *Files) revert(
	ctx context.Context, verb string, in facade.UndoInput, plan func(session string, steps int, path string) (*journal.Plan, error),
) (facade.UndoOutput, error) {
	in = facade.Defaulted(in)
	below, err := f.journalPath(ctx, in.Path)
	if err != nil {
		return facade.UndoOutput{}, err
	}
	if f.opts.ReadOnly {
		return facade.UndoOutput{}, facade.Errorf(facade.CodeDenied, "this root is read-only").WithHint("nothing can be changed here")
	}
	p, err := plan(facade.Info(ctx).Session, in.Steps, below)
	if err != nil {
		return facade.UndoOutput{}, f.journalFailure(verb, err)
	}
	out := facade.UndoOutput{Reverted: []facade.Reverted{}}
	paths := p.Paths()
	if len(paths) == 0 {
		return out, nil
	}
	for _, name := range paths {
		if err := f.guard(name); err != nil {
			return out, err
		}
	}
	unlock, err := f.lock(ctx, paths...)
	if err != nil {
		return out, err
	}
	defer unlock()
	reverted, err := p.Run(ctx, journaled{f})
	for _, r := range reverted {
		out.Reverted = append(out.Reverted, facade.Reverted{
			ID: r.Operation.ID, Action: r.Operation.Action, Paths: shownAll(r.Operation.Paths()), Diff: r.Diff,
		})
	}
	return out, f.failure(verb, paths[0], err)
}

// journalFailure words an error of the journal itself, which lies at no path of
// the tree.
func (f *Files) journalFailure(op string, err error) error {
	if _, ok := errors.AsType[*facade.Error](err); ok || err == nil {
		return f.failure(op, ".", err)
	}
	e := facade.Errorf(facade.CodeIO, "the journal of changes cannot be read: %s", cause(err))
	e.Err = err
	return e.WithHint("try again; if it fails again the host has to look after the journal's directory")
}

// journalPath resolves the path that narrows undo and history; "" for all.
func (f *Files) journalPath(ctx context.Context, p string) (string, error) {
	if p == "" {
		return "", nil
	}
	t, err := f.resolve(ctx, "path", p)
	return t.name, err
}

func shownAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = shown(n)
	}
	return out
}

// History implements [facade.FileJournal].
func (f *Files) History(ctx context.Context, in facade.HistoryInput) (facade.HistoryOutput, error) {
	in = facade.Defaulted(in)
	below, err := f.journalPath(ctx, in.Path)
	if err != nil {
		return facade.HistoryOutput{}, err
	}
	ops, err := f.journal.History(facade.Info(ctx).Session, below, in.Limit)
	out := facade.HistoryOutput{Changes: []facade.JournalEntry{}}
	for _, op := range ops {
		out.Changes = append(out.Changes, facade.JournalEntry{
			ID: op.ID, Time: op.Time, Action: op.Action, Paths: shownAll(op.Paths()), Undone: op.Undone,
		})
	}
	return out, f.journalFailure("read the history of", err)
}
