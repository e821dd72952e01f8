package gogit

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Status implements [facade.GitReader].
func (g *Git) Status(ctx context.Context, in facade.GitStatusInput) (facade.GitStatusOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitStatusOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("paths", in.Paths)
	if err != nil {
		return facade.GitStatusOutput{}, err
	}
	head, err := r.head()
	if err != nil {
		return facade.GitStatusOutput{}, err
	}
	list, err := r.statusEntries(ctx, head, paths, in)
	if err != nil {
		return facade.GitStatusOutput{}, err
	}
	out := facade.GitStatusOutput{Operation: r.operation(), Entries: []facade.GitStatusEntry{}}
	if in.Short {
		out.Terse()
	}
	if *in.ShowBranch {
		out.Head = &head.GitHead
		if out.Upstream, err = r.upstream(ctx, head.Branch, head.hash); err != nil {
			return facade.GitStatusOutput{}, err
		}
	}
	room := gitrule.NewRoom(ctx, gitrule.MostRoom)
	for _, e := range list {
		gitrule.Count(&out.Counts, e)
		if out.Hidden > 0 || in.Limit > 0 && len(out.Entries) >= in.Limit || !room.Take(e) {
			out.Hidden++
			continue
		}
		out.Entries = append(out.Entries, e)
	}
	out.Clean = len(list) == out.Counts.Ignored
	return out, nil
}

// statusEntries lists changed files by name, then untracked and ignored ones.
func (r *repo) statusEntries(ctx context.Context, head head, paths []string, in facade.GitStatusInput) ([]facade.GitStatusEntry, error) {
	s, err := r.staging()
	if err != nil {
		return nil, err
	}
	committed, err := r.filesOf(ctx, head.hash)
	if err != nil {
		return nil, err
	}
	tracked := stagedEntries(s, committed, paths)
	var loose []facade.GitStatusEntry
	c := scan{r: r, s: s, paths: paths, whole: in.Untracked == "all", ignored: in.Ignored, trackedOnly: in.Untracked == "no" && !in.Ignored}
	c.each = func(name string, letter byte, _ fs.FileInfo) error {
		switch letter {
		case '?', '!':
			kind := map[byte]string{'?': "untracked", '!': "ignored"}[letter]
			if letter == '!' || in.Untracked != "no" {
				loose = append(loose, facade.GitStatusEntry{Path: shown(name), Index: ".", Worktree: ".", Kind: kind})
			}
		default:
			e := tracked[name]
			if e == nil {
				e = &facade.GitStatusEntry{Path: shown(name), Index: ".", Kind: "ordinary"}
				tracked[name] = e
			}
			e.Worktree = string(letter)
		}
		return nil
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	out := make([]facade.GitStatusEntry, 0, len(tracked)+len(loose))
	for _, e := range tracked {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b facade.GitStatusEntry) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(loose, func(a, b facade.GitStatusEntry) int {
		if c := strings.Compare(b.Kind, a.Kind); c != 0 { // untracked before ignored
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return append(out, loose...), nil
}

// stagedEntries compares the index with HEAD. A file that has only moved is
// one entry.
func stagedEntries(s *staging, committed files, paths []string) map[string]*facade.GitStatusEntry {
	list := map[string]*facade.GitStatusEntry{}
	staged := s.tree()
	gone := map[blob]string{}
	for _, name := range staged.changed(committed) {
		if _, conflict := s.unmerged[name]; conflict || !covered(name, paths) {
			continue
		}
		now, is := staged[name]
		old, was := committed[name]
		e := &facade.GitStatusEntry{Path: shown(name), Worktree: ".", Kind: "ordinary", Submodule: now.mode == filemode.Submodule}
		switch {
		case !is:
			e.Index = "D"
			gone[old] = name
		case !was:
			e.Index = "A"
		case isLink(old.mode) != isLink(now.mode):
			e.Index = "T"
		default:
			e.Index = "M"
		}
		list[name] = e
	}
	for name, e := range list {
		const same = 100
		from, ok := gone[staged[name]]
		if e.Index != "A" || !ok {
			continue
		}
		delete(gone, staged[name])
		delete(list, from)
		e.Index, e.Kind, e.OrigPath, e.Similarity = "R", "renamed", shown(from), same
	}
	for name, versions := range s.unmerged {
		if covered(name, paths) {
			list[name] = unmergedEntry(name, versions)
		}
	}
	return list
}

// unmergedEntry tells what both sides did to a file, as git status does.
func unmergedEntry(name string, versions []*index.Entry) *facade.GitStatusEntry {
	e := &facade.GitStatusEntry{Path: shown(name), Kind: "unmerged"}
	stages := 0
	for _, v := range versions {
		stages |= 1 << (v.Stage - 1)
	}
	letters := map[int]string{1: "DD", 2: "AU", 3: "UD", 4: "UA", 5: "DU", 6: "AA", 7: "UU"}[stages]
	e.Index, e.Worktree = letters[:1], letters[1:]
	return e
}
