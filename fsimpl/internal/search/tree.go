package search

import (
	"context"
	"io"
	"sync"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
)

// TreeOptions say which files to search and how much to return.
type TreeOptions struct {
	Walk  walk.Options
	Scope Scope
	// MaxMatches and MaxFiles end the search after that many matches or
	// files with matches; 0 means no limit.
	MaxMatches int
	MaxFiles   int
	// Cursor continues an earlier search where it ended. It has no effect in
	// an unordered walk.
	Cursor string
	// Key names the search: a cursor made under another key is refused.
	Key string
}

// FileMatches is a file with some of its matches. A file with very many comes
// several times.
type FileMatches struct {
	Path string
	Part
	Info *walk.Info // when the walk's Stat asks for it
}

// Totals counts the work of a tree search. When it ended early in an ordered
// walk, it covers what was delivered.
type Totals struct {
	Files    int // files with matches
	Matches  int
	Searched int // files searched
	Binary   int // files not searched, or not to their end, because they are not text
	Failed   int // files that could not be read
	// Failure is one of the reasons.
	Failure error
	Walk    walk.Stats
	// Next continues the search; "" when it is complete.
	Next string
}

// outcome is what a worker hands on: a file with matches, or only counts.
type outcome struct {
	file   *FileMatches
	totals Totals // of the files since the outcome before
}

// Tree searches the files below start, or the file start. Yield gets those
// with matches, one at a time, in the order of their paths unless the walk is
// unordered; it returns false to stop.
func Tree(ctx context.Context, fsys afero.Fs, start string, p *Pattern, opt *TreeOptions, yield func(*FileMatches) bool) (Totals, error) {
	if opt == nil {
		opt = &TreeOptions{}
	}
	t := &treeSearch{p: p, opt: opt, yield: yield}
	from, err := decodePlace(opt.Cursor, opt.Key)
	if err != nil {
		return Totals{}, err
	}
	w := opt.Walk
	if !w.Unordered && from.path != "" {
		t.from, w.From = from, from.path
	}
	stats, err := walk.Run(ctx, fsys, start, &w, t.work, t.deliver)
	t.totals.Walk = stats
	return t.totals, err
}

// treeSearch is the state of one call of Tree.
type treeSearch struct {
	p         *Pattern
	opt       *TreeOptions
	yield     func(*FileMatches) bool
	from      place
	searchers sync.Pool // of *Searcher
	totals    Totals
	last      place // the last match delivered
}

// batchFile opens a file of a batch.
type batchFile struct {
	batch *walk.Batch
	entry *walk.Entry
}

// Open implements [Opener].
func (f *batchFile) Open() (io.ReadCloser, error) { return f.batch.Open(f.entry) }

// work searches the files of a batch.
func (t *treeSearch) work(ctx context.Context, b *walk.Batch, emit func(outcome, int) bool) error {
	s, ok := t.searchers.Get().(*Searcher)
	if !ok {
		s = NewSearcher(t.p, &t.opt.Scope)
	}
	defer t.searchers.Put(s)
	var tally Totals
	wanted := true
	file := batchFile{batch: b}
	found := func(part Part) bool { // made once: most files have nothing to pass
		out := outcome{file: &FileMatches{Path: file.entry.Path(), Part: part, Info: file.entry.Info}, totals: tally}
		tally = Totals{}
		wanted = emit(out, out.file.weight())
		return wanted
	}
	for i := range b.Entries {
		file.entry = &b.Entries[i]
		if file.entry.Type != walk.File || !t.limit(s, file.entry) {
			continue
		}
		result, err := s.Search(ctx, &file, found)
		if ctx.Err() != nil || !wanted {
			return nil // the walk knows
		}
		tally.count(result, err)
	}
	if tally.Searched+tally.Binary+tally.Failed > 0 {
		emit(outcome{totals: tally}, 0)
	}
	return nil
}
