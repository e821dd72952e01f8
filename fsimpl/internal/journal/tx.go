package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// keepAfter is the largest new content that a commit keeps, to show what
// somebody else changed since.
const keepAfter = 1 << 20

// sweepEvery is after how many commits old entries are swept; much new content
// has them swept earlier.
const sweepEvery = 64

// Tx is an operation that has begun. It ends with Commit or Abort.
type Tx struct {
	j    *Journal
	op   Operation
	tree Tree
}

// Begin records an operation before anything changes: it keeps the old content
// of every file whose state before has one, or the way back to it. A content that differs from its
// hash is a stale error: the file changed since the state was read. Content
// above the limit is not kept, and the operation cannot be undone then.
func (j *Journal) Begin(ctx context.Context, session, action string, changes []Change, tree Tree) (*Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	op := Operation{Session: session, Action: action, Time: j.o.Now(), Changes: slices.Clone(changes)}
	for i := range op.Changes {
		c := &op.Changes[i]
		if c.Before.Kind == Regular && c.Before.Size > j.o.MaxFile {
			c.Lost = true
			continue
		}
		if c.Before.Kind != Regular || c.Before.Hash == "" {
			continue
		}
		if err := j.keepBefore(ctx, tree, c); err != nil {
			return nil, err
		}
		c.Reverse = nil // it is kept
	}
	err := j.store.update(session, func(records []record) ([]record, error) {
		op.seq = nextSeq(records)
		return []record{{Kind: recordBegin, Seq: op.seq, Session: name(session), Action: action, Time: op.Time, Changes: wireChanges(op.Changes)}}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("record in the journal: %w", err)
	}
	op.ID = fmt.Sprintf("c%d", op.seq)
	return &Tx{j, op, tree}, nil
}

// MaxFile is the size in bytes above which a file's old content is not kept.
func (j *Journal) MaxFile() int64 { return j.o.MaxFile }

// keep stores the content at path durably unless it is kept already.
func (j *Journal) keep(ctx context.Context, tree Tree, path, hash string) error {
	if j.store.secure(ctx, hash) {
		return nil
	}
	return j.copy(ctx, tree, path, hash, true)
}

// copy stores the content at path.
func (j *Journal) copy(ctx context.Context, tree Tree, path, hash string, durable bool) error {
	r, err := tree.Open(ctx, path)
	if err != nil {
		return err
	}
	got, size, err := j.store.put(ctx, r, "", durable)
	if err = errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("keep the content in the journal: %w", err)
	}
	j.mu.Lock()
	j.added += size
	j.mu.Unlock()
	if got != hash {
		return facade.Errorf(facade.CodeStale, "%s changed while it was read", pathname.Line(path)).WithPath(pathname.Escape(path))
	}
	return nil
}

// keepNew stores the new content of a changed file.
func (j *Journal) keepNew(ctx context.Context, tree Tree, c *Change) error {
	if r, err := j.store.get(c.After.Hash); err == nil {
		return r.Close()
	}
	if c.Content == nil {
		return j.copy(ctx, tree, c.Path, c.After.Hash, false)
	}
	_, size, err := j.store.put(ctx, bytes.NewReader(c.Content), c.After.Hash, false)
	if err != nil {
		return err
	}
	j.mu.Lock()
	j.added += size
	j.mu.Unlock()
	return nil
}

// ID names the operation, as in history.
func (t *Tx) ID() string { return t.op.ID }

// Commit confirms that all changes were made. What was undone before can no
// longer be redone.
func (t *Tx) Commit(ctx context.Context) error {
	for _, c := range t.op.Changes {
		if c.After.Kind == Regular && c.After.Size <= keepAfter && c.After.Hash != "" {
			// Only for showing differences later: a failure loses nothing else.
			_ = t.j.keepNew(ctx, t.tree, &c)
		}
	}
	if err := t.end(recordCommit); err != nil {
		return err
	}
	t.j.mu.Lock()
	t.j.since++
	due := t.j.since >= sweepEvery || t.j.added > t.j.o.MaxBytes/8
	if due {
		t.j.since, t.j.added = 0, 0
	}
	t.j.mu.Unlock()
	if due {
		return t.j.Sweep()
	}
	return nil
}

// Abort says that no change was made, or that all were taken back.
func (t *Tx) Abort() error { return t.end(recordAbort) }

func (t *Tx) end(kind string) error {
	err := t.j.store.update(t.op.Session, func([]record) ([]record, error) {
		return []record{{Kind: kind, Seq: t.op.seq, Time: t.j.o.Now()}}, nil
	})
	if err != nil {
		return fmt.Errorf("record in the journal: %w", err)
	}
	return nil
}

// Recover takes back what operations of the session did that a crash cut
// short, and returns them; one that was complete but for its confirmation is
// confirmed. Paths that somebody changed since are left alone. It must not run
// while an operation of the session is under way.
func (j *Journal) Recover(ctx context.Context, session string, tree Tree) ([]Operation, error) {
	ops, err := j.load(session)
	if err != nil {
		return nil, err
	}
	var done []Operation
	for _, op := range slices.Backward(ops) {
		if !op.open {
			continue
		}
		complete, err := finished(ctx, tree, op)
		if err != nil {
			return done, err
		}
		if complete {
			if err := (&Tx{j: j, op: op}).end(recordCommit); err != nil {
				return done, err
			}
			continue
		}
		for _, c := range slices.Backward(op.Changes) {
			if err := j.takeBack(ctx, tree, c); err != nil {
				return done, fmt.Errorf("recover %s: %w", op.ID, err)
			}
		}
		if err := (&Tx{j: j, op: op}).Abort(); err != nil {
			return done, err
		}
		done = append(done, op)
	}
	return done, nil
}

// finished reports whether every path stands as the operation meant it to.
func finished(ctx context.Context, tree Tree, op Operation) (bool, error) {
	for _, c := range op.Changes {
		now, err := tree.State(ctx, c.Path)
		if err != nil || !now.Same(c.After) {
			return false, err
		}
	}
	return true, nil
}

// takeBack restores one path if it stands as the operation left it.
func (j *Journal) takeBack(ctx context.Context, tree Tree, c Change) error {
	now, err := tree.State(ctx, c.Path)
	if err != nil {
		return err
	}
	if !now.Same(c.After) || now.Same(c.Before) || c.Lost {
		return nil
	}
	return j.revert(ctx, tree, c)
}

// load returns the session's operations, the oldest first.
func (j *Journal) load(session string) ([]Operation, error) {
	var ops []Operation
	err := j.store.update(session, func(records []record) ([]record, error) {
		ops = operations(records)
		return nil, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return ops, nil
}

// content opens kept content.
func (j *Journal) content(hash, path string) (io.ReadCloser, error) {
	r, err := j.store.get(hash)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, facade.Errorf(facade.CodeNotFound, "the journal no longer holds the content of %s", pathname.Line(path)).WithPath(pathname.Escape(path))
	}
	return r, err
}
