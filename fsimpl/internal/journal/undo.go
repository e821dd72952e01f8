package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// Reverted is an operation that was undone or redone, with what that changed.
type Reverted struct {
	Operation Operation
	Diff      string // unified; "" when there is nothing to show
}

// Plan is an undo or redo that was looked up but not done. The caller locks
// its paths, runs it and unlocks them.
type Plan struct {
	j    *Journal
	ops  []Operation
	redo bool
}

// PlanUndo looks up the last operations of a session that can be undone, at
// most steps of them, the latest first; with a path only those that touch it or
// something below it. The whole of such an operation is undone.
func (j *Journal) PlanUndo(session string, steps int, path string) (*Plan, error) {
	ops, err := j.load(session)
	if err != nil {
		return nil, err
	}
	slices.Reverse(ops)
	return &Plan{j, pick(ops, steps, path, func(op Operation) bool { return !op.Undone }), false}, nil
}

// PlanRedo looks up the operations that undo reverted last, in the order to
// redo them.
func (j *Journal) PlanRedo(session string, steps int, path string) (*Plan, error) {
	ops, err := j.load(session)
	if err != nil {
		return nil, err
	}
	return &Plan{j, pick(ops, steps, path, func(op Operation) bool { return op.Undone }), true}, nil
}

// History returns the session's operations that can be undone or redone, the
// latest first; with a path those that touch it or something below it.
func (j *Journal) History(session, path string, limit int) ([]Operation, error) {
	ops, err := j.load(session)
	if err != nil {
		return nil, err
	}
	slices.Reverse(ops)
	return pick(ops, limit, path, func(Operation) bool { return true }), nil
}

func pick(ops []Operation, limit int, path string, want func(Operation) bool) []Operation {
	var out []Operation
	for _, op := range ops {
		if len(out) < limit && !op.open && want(op) && op.touches(path) {
			out = append(out, op)
		}
	}
	return out
}

func (o Operation) touches(path string) bool {
	return path == "" || path == "." || slices.ContainsFunc(o.Paths(), func(p string) bool { return within(p, path) })
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/')
}

// Operations lists what the plan reverts, in order.
func (p *Plan) Operations() []Operation { return p.ops }

// Paths lists, sorted and each once, the paths that the plan may change.
func (p *Plan) Paths() []string {
	var paths []string
	for _, op := range p.ops {
		paths = append(paths, op.Paths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Run checks that every path stands as the journal left it, then reverts the
// operations: all of them, or, after a failure, none. Where somebody changed a
// path since, it is a stale error, and the one Reverted beside it shows what
// they changed.
func (p *Plan) Run(ctx context.Context, tree Tree) ([]Reverted, error) {
	changes := make([][]Change, len(p.ops))
	for i, op := range p.ops {
		changes[i] = p.direct(op)
	}
	now := &lookahead{tree: tree, states: map[string]State{}}
	for i, op := range p.ops {
		for _, c := range changes[i] {
			if r, err := p.check(ctx, tree, now, op, c); err != nil {
				return r, err
			}
		}
	}
	var out []Reverted
	var done []Change
	for i, op := range p.ops {
		var diffs strings.Builder
		for _, c := range changes[i] {
			text, err := p.apply(ctx, tree, c, diffs.Len() < maxDiff)
			if err != nil {
				return nil, p.rollback(ctx, tree, done, op, err)
			}
			diffs.WriteString(text)
			done = append(done, c)
		}
		op.Undone = !p.redo
		out = append(out, Reverted{op, diffs.String()})
	}
	if err := p.mark(); err != nil {
		return nil, p.rollback(ctx, tree, done, p.ops[len(p.ops)-1], err)
	}
	return out, nil
}

// direct turns an operation into changes to make now: Before is what must
// stand there and After what comes.
func (p *Plan) direct(op Operation) []Change {
	if p.redo {
		return op.Changes
	}
	out := make([]Change, 0, len(op.Changes))
	for _, c := range slices.Backward(op.Changes) {
		out = append(out, inverse(c))
	}
	return out
}

// inverse swaps the states. A move back has From and Path as they were: the
// caller knows its direction by After, which is what Path had before.
func inverse(c Change) Change {
	c.Before, c.After = c.After, c.Before
	return c
}

// check compares a path with what the journal expects there, as it will stand
// when the changes before it are made.
func (p *Plan) check(ctx context.Context, tree Tree, now *lookahead, op Operation, c Change) ([]Reverted, error) {
	if c.Lost && !p.redo {
		return nil, facade.Errorf(facade.CodeTooLarge, "%s cannot be undone: the old content of %s, %d bytes, was too large to keep", op.ID, pathname.Line(c.Path), c.After.Size).
			WithPath(pathname.Escape(c.Path)).WithHint("the file has to be restored from elsewhere; with a path, undo reverts changes of other files")
	}
	current, err := now.state(ctx, c.Path)
	if err != nil {
		return nil, err
	}
	expected, same := c.Before, current.Same(c.Before)
	if c.From == "" {
		same = same || current.Same(c.After) // an earlier attempt came that far
	} else if same && !p.redo {
		var from State
		if from, err = now.state(ctx, c.From); err != nil {
			return nil, err
		}
		same = from.Same(State{})
	} else if same {
		var from State
		if from, err = now.state(ctx, c.From); err != nil {
			return nil, err
		}
		same, expected = from.Same(c.After), c.After
	}
	if !same {
		return p.stale(ctx, tree, op, c, expected)
	}
	now.change(c, p.redo)
	return nil, p.available(c)
}

// available makes sure that content to restore is still kept.
func (p *Plan) available(c Change) error {
	if c.From != "" && p.redo || c.After.Kind != Regular || c.After.Hash == "" || c.Before.Hash == c.After.Hash {
		return nil
	}
	r, _, err := p.j.kept(c.Path, c.After, c.Before)
	if err != nil {
		return err
	}
	return r.Close()
}

// stale reports a path that somebody changed since.
func (p *Plan) stale(ctx context.Context, tree Tree, op Operation, c Change, expected State) ([]Reverted, error) {
	verb := "undone"
	if p.redo {
		verb = "redone"
	}
	err := facade.Errorf(facade.CodeStale, "%s (%s) cannot be %s: %s changed since", op.ID, op.Action, verb, pathname.Line(c.Path)).
		WithPath(pathname.Escape(c.Path)).WithHint("look at the change; write the file yourself, or revert the other change first")
	return []Reverted{{op, p.j.changedSince(ctx, tree, c.Path, expected)}}, err
}

// apply makes one change and returns its diff.
func (p *Plan) apply(ctx context.Context, tree Tree, c Change, show bool) (string, error) {
	text := ""
	if show {
		text = p.preview(ctx, tree, c)
	}
	if p.redo {
		return text, p.j.perform(ctx, tree, c)
	}
	return text, p.j.revert(ctx, tree, inverse(c))
}

// preview shows what a change will do, "" when there is nothing to show.
func (p *Plan) preview(ctx context.Context, tree Tree, c Change) string {
	switch {
	case c.From == "":
		return p.j.preview(ctx, tree, c)
	case p.redo:
		return fmt.Sprintf("renamed %s to %s\n", pathname.Line(c.From), pathname.Line(c.Path))
	}
	return fmt.Sprintf("renamed %s to %s\n", pathname.Line(c.Path), pathname.Line(c.From))
}

// rollback takes back what was done of a plan that failed.
func (p *Plan) rollback(ctx context.Context, tree Tree, done []Change, op Operation, cause error) error {
	ctx = context.WithoutCancel(ctx)
	for _, c := range slices.Backward(done) {
		var err error
		if p.redo {
			err = p.j.revert(ctx, tree, c)
		} else {
			err = p.j.perform(ctx, tree, inverse(c))
		}
		if err != nil {
			cause = errors.Join(cause, fmt.Errorf("take back %s: %w", pathname.Line(c.Path), err))
		}
	}
	return fmt.Errorf("%s: %w", op.ID, cause)
}

// mark records what was undone or redone.
func (p *Plan) mark() error {
	kind := recordUndo
	if p.redo {
		kind = recordRedo
	}
	if len(p.ops) == 0 {
		return nil
	}
	return p.j.store.update(p.ops[0].Session, func([]record) ([]record, error) {
		var out []record
		for _, op := range p.ops {
			out = append(out, record{Kind: kind, Seq: op.seq, Time: p.j.o.Now()})
		}
		return out, nil
	})
}

// lookahead tells how paths will stand after changes that are only planned.
type lookahead struct {
	tree   Tree
	states map[string]State
	moves  []move
}

type move struct{ from, to string }

func (l *lookahead) state(ctx context.Context, path string) (State, error) {
	if s, ok := l.states[path]; ok {
		return s, nil
	}
	for _, m := range slices.Backward(l.moves) {
		switch {
		case within(path, m.to):
			path = m.from + strings.TrimPrefix(path, m.to)
		case within(path, m.from):
			return State{Kind: Absent}, nil
		}
	}
	return l.tree.State(ctx, path)
}

// change takes a planned change as made.
func (l *lookahead) change(c Change, redo bool) {
	if c.From == "" {
		l.states[c.Path] = c.After
		return
	}
	m, moved := move{c.Path, c.From}, c.Before
	if redo {
		m, moved = move{c.From, c.Path}, c.After
	}
	for path, s := range l.states {
		if within(path, m.from) {
			delete(l.states, path)
			l.states[m.to+strings.TrimPrefix(path, m.from)] = s
		}
	}
	l.moves = append(l.moves, m)
	l.states[m.to], l.states[m.from] = moved, State{Kind: Absent}
	if !redo {
		l.states[c.Path] = c.After
	}
}
