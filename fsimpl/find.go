package fsimpl

import (
	"context"
	"encoding/json"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/glob"
	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
	"github.com/toolfacade/toolfacade/internal/regex"
)

// Find implements [facade.FileReader].
func (f *Files) Find(ctx context.Context, in facade.FindInput) (facade.FindOutput, error) {
	in = facade.Defaulted(in)
	start, err := f.startOf(ctx, in.Path)
	if err != nil {
		return facade.FindOutput{}, err
	}
	opt, err := walkOptions("patterns", in.Patterns, in.Exclude, in.CaseSensitive, *in.Recursive, in.IncludeIgnored)
	if err != nil {
		return facade.FindOutput{}, err
	}
	opt.Workers = in.MaxWorkers
	if !*in.UseFastSearch {
		opt.Workers = 1
	}
	keywords, err := pathKeywords(in)
	if err != nil {
		return facade.FindOutput{}, err
	}
	opt.Keep = func(e *walk.Entry) bool { return keywords(f.rooted(e.Path())) }
	p := &finding{f: f, in: in, start: start, room: facade.Budget(ctx) - replyOverhead}
	p.out.Matches = []facade.FoundFile{}
	if len(in.KeywordsFileContent) > 0 {
		opt.Stat = true
		err = p.byContent(ctx, opt)
	} else {
		err = p.byName(ctx, opt)
	}
	return p.out, f.failure("search", start, err)
}

// startOf resolves where a search starts: a directory, or one file.
func (f *Files) startOf(ctx context.Context, p string) (string, error) {
	t, err := f.present(ctx, p)
	if err != nil {
		return "", err
	}
	name, err := f.canonical(t.name, true)
	if err != nil {
		return "", err
	}
	info, err := f.tree.stat(name)
	switch {
	case err != nil:
		return "", f.failure("search", name, err)
	case info.IsDir():
		return name, nil
	case t.slash:
		return "", f.slashed(name)
	}
	return name, regular(name, info)
}

// rooted turns a path of the walker into a name.
func (f *Files) rooted(p string) string { return strings.TrimPrefix(p, f.tree.prefix) }

func walkOptions(field string, patterns, exclude []string, caseSensitive, recursive, includeIgnored bool) (walk.Options, error) {
	fold := &glob.Options{FoldCase: !caseSensitive}
	include, err := glob.Compile(field, patterns, fold)
	if err != nil {
		return walk.Options{}, err
	}
	without, err := glob.Compile("exclude", append(slices.Clone(exclude), tempPattern), fold)
	if err != nil {
		return walk.Options{}, err
	}
	opt := walk.Options{Include: include, Exclude: without, IncludeIgnored: includeIgnored, Git: includeIgnored}
	if !recursive {
		opt.Depth = 1
	}
	return opt, nil
}

// pathKeywords returns the test that a path holds one of the keywords.
func pathKeywords(in facade.FindInput) (func(name string) bool, error) {
	if len(in.KeywordsPathName) == 0 {
		return func(string) bool { return true }, nil
	}
	exprs := make([]string, len(in.KeywordsPathName))
	for i, k := range in.KeywordsPathName {
		if !in.RegexKeywords {
			k = regexp.QuoteMeta(k)
		}
		if _, err := syntax.Parse(k, syntax.Perl); err != nil {
			return nil, facade.InvalidArgument("keywords_path_name", "keyword '%s' is no regular expression: %s", in.KeywordsPathName[i], cause(err)).
				WithHint("leave out regex_keywords to search for plain text")
		}
		exprs[i] = k
	}
	flags := ""
	if !in.CaseSensitive {
		flags = "i"
	}
	re, _, err := regex.Compile(regex.Any(exprs, flags))
	if err != nil {
		return nil, facade.InvalidArgument("keywords_path_name", "the keywords are too large together, with their repetitions written out").
			WithHint("they may come to %d steps: lower the counts in {n,m}, or look for less at once", regex.MaxSteps)
	}
	return re.MatchString, nil
}

// finding fills one page of find.
type finding struct {
	f     *Files
	in    facade.FindInput
	start string
	room  int
	next  string // the cursor behind the last line taken
	out   facade.FindOutput
}

// add takes a match into the page and reports whether it fitted.
func (p *finding) add(m facade.FoundFile) bool {
	raw, err := json.Marshal(m)
	if err != nil || len(p.out.Matches) >= p.in.Limit || len(raw) >= p.room && len(p.out.Matches) > 0 {
		return false
	}
	p.room -= len(raw) + 1
	p.out.Matches = append(p.out.Matches, m)
	p.out.Totals.Files++
	return true
}

// byName lists the entries whose paths match.
func (p *finding) byName(ctx context.Context, opt walk.Options) error {
	after, err := parseCursor(p.in.Cursor, "name")
	if err != nil {
		return err
	}
	opt.From = after.path
	last := ""
	stats, err := p.f.each(ctx, p.start, opt, func(name string, e *walk.Entry, info func() *walk.Info) bool {
		if p.out.Totals.Searched++; after.path != "" && walk.Compare(name, after.path) <= 0 {
			return true
		}
		if !p.add(found(name, e.Type, info())) {
			p.out.NextCursor = position{path: last}.cursor("name")
			return false
		}
		last = name
		return true
	})
	p.out.Ignored = stats.Ignored
	return err
}

func found(name string, t walk.Type, info *walk.Info) facade.FoundFile {
	m := facade.FoundFile{Path: shown(name), Type: entryTypes[t]}
	if info != nil {
		m.Size, m.Modified = info.Size, info.Modified
	}
	return m
}

// byContent lists the files with a line that holds one of the keywords.
func (p *finding) byContent(ctx context.Context, opt walk.Options) error {
	pattern, err := search.Compile("keywords_file_content", p.in.KeywordsFileContent,
		&search.Options{Literal: !p.in.RegexKeywords, FoldCase: !p.in.CaseSensitive})
	if err != nil {
		return err
	}
	key := searchKey("find", p.in)
	totals, err := search.Tree(ctx, p.f.tree.walkable(), p.f.tree.at(p.start), pattern, &search.TreeOptions{
		Walk: opt, Scope: search.Scope{Context: p.in.Context}, Cursor: p.in.Cursor, Key: key,
	}, func(m *search.FileMatches) bool { return p.addContent(m, key) })
	p.out.Ignored, p.out.Totals.Searched = totals.Walk.Ignored, totals.Searched
	return err
}

// addContent takes a file with as many of its lines as fit, and returns false
// when some did not. A file with very many lines comes in several parts.
func (p *finding) addContent(m *search.FileMatches, key string) bool {
	file := found(p.f.rooted(m.Path), walk.File, m.Info)
	last := len(p.out.Matches) - 1
	if last < 0 || p.out.Matches[last].Path != file.Path {
		if !p.add(file) {
			p.out.NextCursor = p.next
			return false
		}
		last++
	}
	for _, l := range m.Matches {
		line := facade.MatchLine{Line: l.Line, Content: l.Content, Match: l.Match, Before: l.Before, After: l.After}
		if p.out.Totals.Lines == 0 {
			line.Before, line.After = nearest(line.Before, line.After, func(before, after []string) bool {
				line.Before, line.After = before, after
				return jsonSize(line) < p.room
			})
		}
		size := jsonSize(line) + 1
		if p.room -= size; p.room < 0 && p.out.Totals.Lines > 0 {
			if len(p.out.Matches[last].Lines) == 0 {
				p.out.Matches = p.out.Matches[:last]
				p.out.Totals.Files--
			}
			p.out.NextCursor = p.next
			return false
		}
		p.out.Matches[last].Lines = append(p.out.Matches[last].Lines, line)
		p.out.Totals.Lines++
		p.next = search.CursorAfter(key, m.Path, l.Line)
	}
	return true
}

func jsonSize(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(raw)
}

// searchKey names a search, so that its cursor is refused by another one.
func searchKey(action string, in any) string {
	switch v := in.(type) {
	case facade.FindInput:
		v.Cursor, v.Limit, v.MaxWorkers, v.UseFastSearch = "", 0, 0, nil
		in = v
	case facade.GrepInput:
		v.Cursor, v.Limit = "", 0
		in = v
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return action
	}
	return action + string(raw)
}
