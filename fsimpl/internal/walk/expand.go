package walk

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/toolfacade/toolfacade/fsimpl/internal/glob"
	"github.com/toolfacade/toolfacade/fsimpl/internal/ignore"
)

// listLimit is how many entries of a directory an unordered walk holds.
const listLimit = 1 << 14

// dirTask is a directory to read.
type dirTask struct {
	dir   string // the path of the directory it is in, "" or ends in "/"
	name  string // "" for the start
	depth int    // levels below the start
	from  string // see Options.From, relative to this directory
	rules *ignore.Chain
}

// piece is a part of a directory: a batch of its entries or a directory in it.
type piece struct {
	batch *Batch
	dir   *dirTask
}

// scope is what all directories of a walk share.
type scope struct {
	opt    *Options
	tree   tree
	prefix string // of every Entry.Dir: "" or ends in "/"
	top    string // the start relative to the root, "" or ends in "/"
	rules  ruleReader
	spare  sync.Pool // of *Batch
}

// expander turns directories into pieces; each worker has its own.
type expander struct {
	*scope
	list listing
	path []byte // of the entry looked at, relative to the root
	base int    // length of the directory's part of path

	task   *dirTask
	at     string // precedes the names in the paths of the entries
	rel    string // the directory, relative to the start, "" for itself
	dir    directory
	names  string // of all entries listed
	entry  Entry  // looked at
	full   bool   // rules or patterns ask for path
	pieces []piece
	stats  Stats
	loaded bool // the rules of this directory are in the task
}

// enter makes a directory the one to expand.
func (x *expander) enter(t *dirTask) {
	x.task, x.pieces, x.stats, x.loaded = t, x.pieces[:0], Stats{}, false
	x.at, x.rel = x.prefix, ""
	if t.name != "" {
		x.at = t.dir + t.name + "/"
		x.rel = x.at[len(x.prefix) : len(x.at)-1]
	}
	x.path = append(append(x.path[:0], x.top...), x.at[len(x.prefix):]...)
	x.base = len(x.path)
}

// expand reads a directory. The first batch of the result has it open; flush
// takes what a directory with more than listLimit entries yields before its
// end and returns false to stop. The pieces are valid until the next call.
func (x *expander) expand(t *dirTask, flush func([]piece) bool) ([]piece, Stats) {
	x.enter(t)
	dir, err := x.tree.dir(x.rel)
	switch {
	case errors.Is(err, errMount):
		x.stats.Mounts++
		return nil, x.stats
	case err != nil:
		x.stats.fail(err)
		return nil, x.stats
	}
	x.dir = dir
	x.readAll(flush)
	if first := x.firstBatch(); first != nil {
		first.dir = dir
	} else {
		_ = dir.close() // only read from
	}
	return x.pieces, x.stats
}

func (x *expander) firstBatch() *Batch {
	for _, p := range x.pieces {
		if p.batch != nil {
			return p.batch
		}
	}
	return nil
}

// readAll lists the directory and fills pieces.
func (x *expander) readAll(flush func([]piece) bool) {
	for {
		x.list.reset()
		err := x.readSome()
		if err != nil && !errors.Is(err, io.EOF) {
			x.stats.fail(err)
		}
		x.loadRules(err != nil)
		x.classify()
		if err != nil {
			return
		}
		if !flush(x.pieces) {
			x.pieces = x.pieces[:0]
			return
		}
		x.pieces = x.pieces[:0]
	}
}

// readSome fills the list; io.EOF says that the directory is complete.
func (x *expander) readSome() error {
	for {
		if err := x.dir.read(&x.list); err != nil {
			return err
		}
		if x.opt.Unordered && len(x.list.items) >= listLimit {
			return nil
		}
	}
}

// loadRules adds the directory's own ignore rules to the task's. When the list
// is not complete, the files may come later and are tried blindly.
func (x *expander) loadRules(complete bool) {
	if x.loaded || x.opt.IncludeIgnored {
		return
	}
	x.loaded = true
	hasRules, hasGit := !complete, !complete
	for i := range x.list.items {
		switch name := x.list.name(i); {
		case name[0] != '.':
		case string(name) == ignoreName:
			hasRules = true
		case string(name) == gitName:
			hasGit = true
		}
	}
	dir := strings.TrimSuffix(string(x.path[:x.base]), "/")
	if hasGit {
		if _, err := x.dir.stat(gitName); err == nil {
			root, _ := split(x.prefix)
			x.task.rules = x.rules.repository(path.Join(root, dir), dir)
		}
	}
	if hasRules {
		if f, err := x.dir.open(ignoreName); err == nil {
			x.task.rules = x.task.rules.Push(readRules(f), dir)
		}
	}
}

// classify turns the list into pieces.
func (x *expander) classify() {
	if !x.opt.Unordered {
		x.skipBefore()
	}
	items := x.list.items
	if !x.opt.Unordered {
		slices.SortFunc(items, func(a, b item) int {
			return bytes.Compare(x.list.names[a.start:a.end], x.list.names[b.start:b.end])
		})
	}
	x.names = string(x.list.names)
	x.full = x.task.rules != nil || !x.opt.Exclude.Empty() || !x.opt.Include.Empty()
	var batch *Batch
	e := &x.entry
	for i := range items {
		*e = Entry{Dir: x.at, Name: x.names[items[i].start:items[i].end], Type: items[i].typ}
		from, keep, below := x.after(e.Name)
		if !keep && !below || !x.look(e, items[i].known) {
			continue
		}
		if keep && x.wanted(e) {
			x.describe(e)
			if batch == nil || len(batch.Entries) == batchSize {
				batch = x.newBatch()
			}
			batch.Entries = append(batch.Entries, *e)
			x.stats.Visited++
		}
		if e.Type == Directory && x.descends() {
			x.pieces = append(x.pieces, piece{dir: x.child(e, from)})
			if !x.opt.Unordered {
				batch = nil // what follows comes after the directory's content
			}
		}
	}
}

// skipBefore drops the names before Options.From, which need no sorting.
func (x *expander) skipBefore() {
	if x.task.from == "" {
		return
	}
	first, _, _ := strings.Cut(x.task.from, "/")
	x.list.items = slices.DeleteFunc(x.list.items, func(i item) bool {
		return string(x.list.names[i.start:i.end]) < first
	})
}

// newBatch adds an empty batch to the pieces: one that is done with if there
// is any.
func (x *expander) newBatch() *Batch {
	b, ok := x.spare.Get().(*Batch)
	switch {
	case ok:
	case x.opt.Unordered:
		b = &Batch{Entries: make([]Entry, 0, batchSize)}
	default:
		b = &Batch{}
	}
	b.tree, b.rel = x.tree, x.rel
	x.pieces = append(x.pieces, piece{batch: b})
	return b
}

// recycle takes back a batch that is done with, unless it is of an ordered
// walk, where its entries wait for their delivery.
func (s *scope) recycle(b *Batch) {
	if s.opt.Unordered {
		clear(b.Entries)
		*b = Batch{Entries: b.Entries[:0]}
		s.spare.Put(b)
	}
}

// after applies Options.From to a name: whether the entry itself and whether
// what is below it are still to come, and the From of the latter.
func (x *expander) after(name string) (from string, keep, below bool) {
	if x.task.from == "" {
		return "", true, true
	}
	first, rest, deeper := strings.Cut(x.task.from, "/")
	switch c := strings.Compare(name, first); {
	case c < 0:
		return "", false, false
	case c > 0:
		return "", true, true
	case deeper:
		return rest, false, true
	}
	return "", true, true
}

// look completes an entry and reports whether rules and patterns let it be
// seen.
func (x *expander) look(e *Entry, known bool) bool {
	if e.Name == gitName && !x.opt.Git {
		return false
	}
	if !known {
		if info, err := x.dir.stat(e.Name); err == nil {
			e.Type = typeOf(info.Mode)
		}
	}
	if !x.full {
		return true
	}
	x.path = append(x.path[:x.base], e.Name...)
	isDir := e.Type == Directory
	if !x.opt.Exclude.Empty() && x.matches(x.opt.Exclude, isDir) {
		return false
	}
	if x.task.rules == nil || !x.task.rules.Ignored(x.path, x.base, isDir) {
		return true
	}
	if x.wanted(e) || isDir && x.descends() {
		x.stats.Ignored++ // and not hidden by the patterns anyway
	}
	return false
}

// describe fills in what Options.Stat asks for.
func (x *expander) describe(e *Entry) {
	if !x.opt.Stat {
		return
	}
	if info, err := x.dir.stat(e.Name); err == nil {
		e.Info = info
	}
}

// wanted reports whether the entry looked at is handed over.
func (x *expander) wanted(e *Entry) bool {
	return (x.opt.Include.Empty() || x.matches(x.opt.Include, e.Type == Directory)) &&
		(x.opt.Keep == nil || x.opt.Keep(e))
}

func (x *expander) matches(set *glob.Set, isDir bool) bool {
	full := string(x.path)
	return set.Match(full[len(x.top):], isDir) || x.top != "" && set.Match(full, isDir)
}

// descends reports whether the directory looked at may hold wanted entries.
func (x *expander) descends() bool {
	if x.opt.Depth > 0 && x.task.depth+1 >= x.opt.Depth {
		return false
	}
	if x.opt.Include.Empty() {
		return true
	}
	full := string(x.path)
	return x.opt.Include.MayMatchBelow(full[len(x.top):]) || x.top != "" && x.opt.Include.MayMatchBelow(full)
}

func (x *expander) child(e *Entry, from string) *dirTask {
	return &dirTask{dir: e.Dir, name: e.Name, depth: x.task.depth + 1, from: from, rules: x.task.rules}
}
