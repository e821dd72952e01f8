package gogit

import (
	"context"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/utils/diff"
	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Blame implements [facade.GitInspector]. Without ref the file must be as HEAD
// has it.
func (x *Extended) Blame(ctx context.Context, in facade.GitBlameInput) (facade.GitBlameOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	defer r.close()
	name, err := r.path("path", in.Path)
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	c, err := r.resolve(ctx, "ref", orHead(in.Ref))
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	s, err := r.staging()
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	committed, err := r.filesOf(ctx, c.Hash)
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	if _, ok := committed[name]; !ok {
		return facade.GitBlameOutput{}, r.pathError(ctx, s, "path", []string{name})
	}
	if same, _, err := r.holds(s, name, committed); in.Ref == "" && (err != nil || !same) {
		if err != nil {
			return facade.GitBlameOutput{}, err
		}
		return facade.GitBlameOutput{}, facade.Errorf(facade.CodeUnsupported, "'%s' has uncommitted changes, whose lines cannot be told apart", shown(name)).
			WithHint("give ref=HEAD for the lines as they were committed")
	}
	return r.blame(ctx, c, name, in)
}

func (r *repo) blame(ctx context.Context, c *object.Commit, name string, in facade.GitBlameInput) (facade.GitBlameOutput, error) {
	out := facade.GitBlameOutput{Path: shown(name), Lines: []facade.GitBlameLine{}, Commits: []facade.GitBlameCommit{}}
	res, err := git.Blame(c, name)
	if err != nil {
		return out, or(ctx, err)
	}
	content, err := contentAt(c, name)
	if err != nil {
		return out, or(ctx, err)
	}
	end := len(res.Lines)
	if in.EndLine > 0 {
		end = min(end, in.EndLine)
	}
	if in.StartLine > len(res.Lines) {
		return out, facade.InvalidArgument("start_line", "the file has no line %d", in.StartLine)
	}
	room := gitrule.NewRoom(ctx, gitrule.MostRoom)
	origins := map[plumbing.Hash]*origin{}
	for n := in.StartLine; n <= end; n++ {
		l := res.Lines[n-1]
		from, seen := origins[l.Hash]
		if !seen {
			if from, err = r.origin(l.Hash, name, content); err != nil {
				return out, err
			}
			origins[l.Hash] = from
		}
		line := facade.GitBlameLine{Line: n, Commit: from.info.Short, OrigLine: from.lines[n], Content: strings.TrimSuffix(l.Text, "\r")}
		if !seen && !room.Take(from.info) || !room.Take(line) {
			out.NextLine = n
			return out, nil
		}
		if !seen {
			out.Commits = append(out.Commits, from.info)
		}
		out.Lines = append(out.Lines, line)
	}
	return out, nil
}

// origin is a commit that lines come from, and the numbers that they had in it,
// by their numbers now.
type origin struct {
	info  facade.GitBlameCommit
	lines map[int]int
}

func (r *repo) origin(hash plumbing.Hash, name, now string) (*origin, error) {
	c, err := object.GetCommit(r.store, hash)
	if err != nil {
		return nil, broken(err)
	}
	const short = 12
	id := hash.String()
	o := &origin{info: facade.GitBlameCommit{Short: id[:short], OID: id, Author: person(c.Author), AuthorTime: c.Author.When.UTC()}, lines: map[int]int{}}
	o.info.Subject, _ = gitrule.SplitMessage(gitrule.Text([]byte(c.Message)))
	then, err := contentAt(c, name)
	if err != nil {
		return nil, broken(err)
	}
	from, to := 1, 1
	for _, d := range diff.Do(then, now) {
		n := strings.Count(d.Text, "\n")
		if !strings.HasSuffix(d.Text, "\n") {
			n++
		}
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			from += n
		case diffmatchpatch.DiffInsert:
			to += n
		case diffmatchpatch.DiffEqual:
			for range n {
				o.lines[to] = from
				from, to = from+1, to+1
			}
		}
	}
	return o, nil
}

func contentAt(c *object.Commit, name string) (string, error) {
	f, err := c.File(name)
	if err != nil {
		return "", err
	}
	return f.Contents()
}
