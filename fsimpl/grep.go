package fsimpl

import (
	"context"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
)

var _ facade.FileSearcher = (*Files)(nil)

// Grep implements [facade.FileSearcher].
func (f *Files) Grep(ctx context.Context, in facade.GrepInput) (facade.GrepOutput, error) {
	in = facade.Defaulted(in)
	start, err := f.startOf(ctx, in.Path)
	if err != nil {
		return facade.GrepOutput{}, err
	}
	opt, err := walkOptions("patterns", in.Patterns, in.Exclude, in.CaseSensitive, *in.Recursive, in.IncludeIgnored)
	if err != nil {
		return facade.GrepOutput{}, err
	}
	pattern, err := search.Compile("pattern", []string{in.Pattern},
		&search.Options{Literal: in.Literal, FoldCase: !in.CaseSensitive, Multiline: in.Multiline})
	if err != nil {
		return facade.GrepOutput{}, err
	}
	p := &grepping{f: f, in: in, key: searchKey("grep", in), room: facade.Budget(ctx) - replyOverhead}
	p.out.Matches = []facade.GrepMatch{}
	totals, err := search.Tree(ctx, f.tree.walkable(), f.tree.at(start), pattern, &search.TreeOptions{
		Walk: opt, Scope: search.Scope{Mode: grepModes[in.Output], Context: in.Context}, Cursor: in.Cursor, Key: p.key,
	}, p.add)
	p.out.Ignored, p.out.SkippedBinary = totals.Walk.Ignored, totals.Binary
	return p.out, f.failure("search", start, err)
}

var grepModes = map[string]search.Mode{"lines": search.Lines, "files": search.Files, "count": search.Count}

// grepping fills one page of grep.
type grepping struct {
	f    *Files
	in   facade.GrepInput
	key  string
	room int
	last string // the file of the last match taken
	next string // the cursor behind it
	out  facade.GrepOutput
}

// add takes the matches of a file, or of a part of one, as far as they fit,
// and returns false when some did not.
func (p *grepping) add(m *search.FileMatches) bool {
	name := shown(p.f.rooted(m.Path))
	if p.in.Output != "lines" {
		return p.addFile(name, m)
	}
	for _, l := range m.Matches {
		match := facade.GrepMatch{
			Path: name, Line: l.Line, Column: l.Column, Content: l.Content, Match: l.Match, Before: l.Before, After: l.After,
		}
		if len(p.out.Matches) == 0 {
			match.Before, match.After = nearest(match.Before, match.After, func(before, after []string) bool {
				match.Before, match.After = before, after
				return jsonSize(match) < p.room
			})
		}
		if !p.fits(match) {
			return false
		}
		p.out.Matches = append(p.out.Matches, match)
		p.out.Totals.Matches++
		if p.last != m.Path {
			p.out.Totals.Files++
		}
		p.last, p.next = m.Path, search.CursorAfter(p.key, m.Path, l.Line)
	}
	return true
}

// nearest leaves out the context that is farthest from a match until the rest
// fits.
func nearest(before, after []string, fits func(before, after []string) bool) (b, a []string) {
	for !fits(before, after) && len(before)+len(after) > 0 {
		if len(before) >= len(after) {
			before = before[1:]
		} else {
			after = after[:len(after)-1]
		}
	}
	return before, after
}

// addFile takes a file without its lines. Its count may come in parts.
func (p *grepping) addFile(name string, m *search.FileMatches) bool {
	match := facade.GrepMatch{Path: name}
	if p.in.Output == "count" {
		match.Count = m.Count
	}
	if n := len(p.out.Matches) - 1; n >= 0 && p.last == m.Path {
		p.out.Matches[n].Count += match.Count
	} else if p.fits(match) {
		p.out.Matches = append(p.out.Matches, match)
		p.out.Totals.Files++
	} else {
		return false
	}
	p.out.Totals.Matches += m.Count
	p.last, p.next = m.Path, search.CursorAfter(p.key, m.Path, search.WholeFile)
	return true
}

// fits accounts for a match, or ends the page before it.
func (p *grepping) fits(m facade.GrepMatch) bool {
	p.room -= jsonSize(m) + 1
	if len(p.out.Matches) < p.in.Limit && (p.room >= 0 || len(p.out.Matches) == 0) {
		return true
	}
	p.out.NextCursor = p.next
	return false
}
