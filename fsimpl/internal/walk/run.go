package walk

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/spf13/afero"
)

// Work is done on a batch by one of the workers. It hands on results with
// their size in bytes, which bounds what an ordered walk holds back; emit
// returns false when no more are wanted. An error ends the walk.
type Work[R any] func(ctx context.Context, b *Batch, emit func(r R, bytes int) bool) error

// Run walks the tree at start, which may be a file. Work runs on several
// goroutines; deliver gets its results on one at a time, and in the order of
// the walk unless that is unordered. When deliver returns false the walk ends
// without an error. All goroutines have ended when Run returns. An error is
// that of the start, of work, or of ctx; directories below the start that
// cannot be read are only counted.
func Run[R any](ctx context.Context, fsys afero.Fs, start string, opt *Options, work Work[R], deliver func(R) bool) (Stats, error) {
	if opt == nil {
		opt = &Options{}
	}
	if err := ctx.Err(); err != nil {
		return Stats{}, err
	}
	start = path.Clean(start)
	parent := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &engine[R]{parent: parent, ctx: ctx, cancel: cancel, work: work, deliver: deliver, unordered: opt.Unordered}
	e.cond = sync.NewCond(&e.mu)
	first := &slot[R]{}
	t, err := newTree(fsys, start)
	switch {
	case err == nil:
		defer func() { _ = t.close() }() // nothing was written
		e.scope = newScope(fsys, start, opt, t)
		first.dir = e.startTask(start)
	case notDirectory(err):
		if first.batch, err = fileBatch(fsys, start); err != nil {
			return Stats{}, err
		}
		e.stats.Visited = 1
		e.scope = newScope(fsys, start, opt, first.batch.tree)
	default:
		return Stats{}, err
	}
	return e.run(first, opt.workers())
}

func newScope(fsys afero.Fs, start string, opt *Options, t tree) *scope {
	s := &scope{opt: opt, tree: t, rules: ruleReader{fsys: fsys, global: opt.Global}}
	_, top := split(start)
	if top != "" {
		s.top, s.prefix = top+"/", start+"/"
	} else if start == "/" {
		s.prefix = "/"
	}
	return s
}

// startTask is the task of the walk's start.
func (s *scope) startTask(start string) *dirTask {
	t := &dirTask{}
	if !s.opt.IncludeIgnored {
		t.rules = s.rules.above(start)
	}
	if from, ok := strings.CutPrefix(s.opt.From, s.prefix); ok && !s.opt.Unordered {
		t.from = from
	}
	return t
}

// Each hands over the entries one by one, in order unless opt says otherwise,
// until yield returns false. An entry is valid until yield returns.
func Each(ctx context.Context, fsys afero.Fs, start string, opt *Options, yield func(*Entry) bool) (Stats, error) {
	visited := 0
	stats, err := EachBatch(ctx, fsys, start, opt, func(b *Batch) bool {
		for i := range b.Entries {
			visited++
			if !yield(&b.Entries[i]) {
				return false
			}
		}
		return true
	})
	stats.Visited = visited
	return stats, err
}

// EachBatch is [Each] for a caller that wants a description of some entries
// only, by [Batch.Stat]. The batches come on one goroutine, in order unless opt
// says otherwise, and are valid until yield returns.
func EachBatch(ctx context.Context, fsys afero.Fs, start string, opt *Options, yield func(*Batch) bool) (Stats, error) {
	pass := func(_ context.Context, b *Batch, emit func(*Batch, int) bool) error {
		emit(b, 0)
		return nil
	}
	return Run(ctx, fsys, start, opt, pass, func(b *Batch) bool {
		// The worker that has made the batch may be closing its directory.
		own := Batch{Entries: b.Entries, tree: b.tree, rel: b.rel}
		defer own.close()
		return yield(&own)
	})
}
