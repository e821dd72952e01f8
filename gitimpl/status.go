package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

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
	// Only what git itself would find by looking at files: submodules have
	// configuration of their own, so git is kept from running in them.
	c := r.git("status", "--porcelain=v2", "-z", "--ignore-submodules=dirty", "--no-column")
	c.flags(untrackedFlags[in.Untracked])
	if *in.ShowBranch {
		c.flags("--branch", "--ahead-behind")
	}
	if in.Ignored {
		c.flags("--ignored")
	}
	s := statusParser{room: gitrule.NewRoom(ctx, gitrule.MostRoom), limit: in.Limit}
	s.out.Entries = []facade.GitStatusEntry{}
	if err := c.paths(paths).stream(ctx, s.parse); err != nil {
		return facade.GitStatusOutput{}, r.explain(err)
	}
	s.out.Operation = r.operation()
	s.out.Clean = s.total == s.out.Counts.Ignored
	if u := s.out.Upstream; u != nil {
		u.Gone = !s.distance
	}
	if in.Short {
		s.out.Terse()
	}
	return s.out, nil
}

var untrackedFlags = map[string]lit{
	"no": "--untracked-files=no", "normal": "--untracked-files=normal", "all": "--untracked-files=all",
}

// statusParser reads git's porcelain format, version 2, as it streams in.
// Entries above the limit are counted only.
type statusParser struct {
	out      facade.GitStatusOutput
	room     *gitrule.Room
	limit    int
	total    int
	distance bool // ahead and behind were given
}

func (s *statusParser) parse(r *bufio.Reader) error {
	for {
		item, err := field(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(item) < 2 || item[1] != ' ' {
			return errField
		}
		switch item[0] {
		case '#':
			s.header(string(item[2:]))
		case '?', '!':
			e := facade.GitStatusEntry{Path: shown(item[2:]), Index: ".", Worktree: ".", Kind: "untracked"}
			if item[0] == '!' {
				e.Kind = "ignored"
			}
			s.add(e)
		default:
			if err := s.changed(item, r); err != nil {
				return err
			}
		}
	}
}

// header reads "branch.oid 1234…" and its kin.
func (s *statusParser) header(text string) {
	if s.out.Head == nil {
		s.out.Head = &facade.GitHead{}
	}
	key, value, _ := strings.Cut(text, " ")
	switch key {
	case "branch.oid":
		s.out.Head.Unborn = value == "(initial)"
		if !s.out.Head.Unborn {
			s.out.Head.OID = value
		}
	case "branch.head":
		s.out.Head.Detached = value == "(detached)"
		if !s.out.Head.Detached {
			s.out.Head.Branch = shown([]byte(value))
		}
	case "branch.upstream":
		s.out.Upstream = &facade.GitUpstream{Ref: shown([]byte(value))}
	case "branch.ab":
		ahead, behind, _ := strings.Cut(value, " ")
		if s.out.Upstream != nil {
			s.out.Upstream.Ahead, _ = strconv.Atoi(strings.TrimPrefix(ahead, "+"))
			s.out.Upstream.Behind, _ = strconv.Atoi(strings.TrimPrefix(behind, "-"))
			s.distance = true
		}
	}
}

// changed reads an entry of a tracked file. The number of fields before the
// path depends on its kind.
func (s *statusParser) changed(item []byte, r *bufio.Reader) error {
	kinds := map[byte]struct {
		kind   string
		fields int
	}{'1': {"ordinary", 9}, '2': {"renamed", 10}, 'u': {"unmerged", 11}}
	k, ok := kinds[item[0]]
	if !ok {
		return errField
	}
	f := bytes.SplitN(item, []byte(" "), k.fields)
	if len(f) != k.fields || len(f[1]) != 2 {
		return errField
	}
	e := facade.GitStatusEntry{
		Path: shown(f[k.fields-1]), Index: string(f[1][:1]), Worktree: string(f[1][1:]), Kind: k.kind,
		Submodule: len(f[2]) > 0 && f[2][0] == 'S',
	}
	if k.kind == "renamed" {
		score := f[k.fields-2]
		if len(score) > 0 && score[0] == 'C' {
			e.Kind = "copied"
		}
		e.Similarity, _ = strconv.Atoi(strings.TrimLeft(string(score), "RC"))
		from, err := field(r)
		if err != nil {
			return errField
		}
		e.OrigPath = shown(from)
	}
	s.add(e)
	return nil
}

// add counts an entry and keeps it if there is room.
func (s *statusParser) add(e facade.GitStatusEntry) {
	s.total++
	gitrule.Count(&s.out.Counts, e)
	if s.out.Hidden > 0 || s.limit > 0 && len(s.out.Entries) >= s.limit || !s.room.Take(e) {
		s.out.Hidden++
		return
	}
	s.out.Entries = append(s.out.Entries, e)
}
