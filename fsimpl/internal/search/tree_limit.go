package search

import "github.com/toolfacade/toolfacade/fsimpl/internal/walk"

// limit sets what to search for in a file; false means nothing.
func (t *treeSearch) limit(s *Searcher, e *walk.Entry) bool {
	s.scope = t.opt.Scope
	if s.scope.Detect == nil {
		s.scope.Detect = DetectEncoding
	}
	if n := t.opt.MaxMatches + 1; t.opt.MaxMatches > 0 && (s.scope.MaxMatches == 0 || s.scope.MaxMatches > n) {
		s.scope.MaxMatches = n // one more tells that the search is not complete
	}
	if t.from.path == "" || e.Path() != t.from.path {
		return true
	}
	s.scope.AfterLine = t.from.line
	return t.from.line != WholeFile
}

// weight is about the size of the result in memory, in bytes.
func (f *FileMatches) weight() int {
	const perMatch = 128
	n := perMatch + len(f.Path)
	for i := range f.Matches {
		m := &f.Matches[i]
		n += perMatch + len(m.Content)
		for _, line := range m.Before {
			n += len(line)
		}
		for _, line := range m.After {
			n += len(line)
		}
	}
	return n
}

// count adds a file that was searched.
func (t *Totals) count(r Result, err error) {
	switch {
	case err != nil:
		t.Failed++
		if t.Failure == nil {
			t.Failure = err
		}
	case r.Binary:
		t.Binary++
	default:
		t.Searched++
	}
}

// deliver passes on an outcome as far as the limits allow.
func (t *treeSearch) deliver(o outcome) bool {
	t.totals.Searched += o.totals.Searched
	t.totals.Binary += o.totals.Binary
	t.totals.Failed += o.totals.Failed
	if t.totals.Failure == nil {
		t.totals.Failure = o.totals.Failure
	}
	if o.file == nil {
		return true
	}
	f := o.file
	another := f.Path != t.last.path
	if another && t.opt.MaxFiles > 0 && t.totals.Files == t.opt.MaxFiles {
		return t.end()
	}
	room := f.Count
	if t.opt.MaxMatches > 0 {
		room = t.opt.MaxMatches - t.totals.Matches
	}
	if room == 0 {
		return t.end()
	}
	cut := f.Count > room
	if cut {
		f.Count = room
		f.Matches = f.Matches[:min(room, len(f.Matches))]
	}
	if another {
		t.totals.Files++
	}
	t.totals.Matches += f.Count
	t.last = place{path: f.Path, line: WholeFile}
	if t.opt.Scope.Mode == Lines && t.opt.MaxFiles == 0 {
		t.last.line = f.Matches[len(f.Matches)-1].Line
	}
	more := t.yield(f)
	if cut {
		return t.end()
	}
	if !more && !t.opt.Walk.Unordered {
		t.end()
	}
	return more
}

// end sets the cursor and returns false.
func (t *treeSearch) end() bool {
	if !t.opt.Walk.Unordered {
		t.totals.Next = t.last.encode(t.opt.Key)
	}
	return false
}
