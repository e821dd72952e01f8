package gogit

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/regex"
)

// History implements [facade.GitReader].
func (g *Git) History(ctx context.Context, in facade.GitHistoryInput) (facade.GitHistoryOutput, error) {
	in = facade.Defaulted(in)
	out := facade.GitHistoryOutput{Commits: []facade.GitCommitInfo{}}
	if in.Oneline {
		out.Terse()
	}
	r, err := g.open(ctx, in.RepoPath, false)
	if err != nil {
		return out, err
	}
	defer r.close()
	f, err := r.filter(in)
	if err != nil {
		return facade.GitHistoryOutput{}, err
	}
	from, err := r.start(ctx, in)
	if errors.Is(err, gitimpl.ErrUnbornHead) && (in.Ref == "" || in.Ref == "HEAD") {
		return out, nil
	}
	if err != nil {
		return facade.GitHistoryOutput{}, err
	}
	if err := r.page(ctx, from, f, in, &out); err != nil {
		return facade.GitHistoryOutput{}, err
	}
	return out, nil
}

// page walks from a position and fills out.
func (r *repo) page(ctx context.Context, from gitrule.Position, f *filter, in facade.GitHistoryInput, out *facade.GitHistoryOutput) error {
	w, err := r.walkFrom(ctx, from)
	if err != nil {
		return err
	}
	names, err := r.decorations()
	if err != nil {
		return err
	}
	room := gitrule.NewRoom(ctx, gitrule.MostRoom)
	for skip := from.Skip; ; {
		c, err := w.next(ctx)
		if err != nil || c == nil {
			return err
		}
		touched, err := f.touches(w, c)
		if err != nil {
			return err
		}
		if !touched || !f.matches(c) {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		info, err := r.info(c, names, in.Oneline)
		if err != nil {
			return err
		}
		if len(out.Commits) == in.Limit || !room.Take(info) && len(out.Commits) > 0 {
			out.NextCursor = gitrule.Position{IDs: from.IDs, Skip: from.Skip + len(out.Commits)}.String()
			return nil
		}
		out.Commits = append(out.Commits, info)
	}
}

func (r *repo) walkFrom(ctx context.Context, from gitrule.Position) (*walk, error) {
	var without []plumbing.Hash
	for _, id := range from.IDs {
		if id, ok := strings.CutPrefix(id, "^"); ok {
			without = append(without, plumbing.NewHash(id))
		}
	}
	known, err := r.ancestors(ctx, without...)
	if err != nil {
		return nil, err
	}
	w := newWalk(r.store, known)
	for _, id := range from.IDs {
		if !strings.HasPrefix(id, "^") {
			w.push(plumbing.NewHash(id))
		}
	}
	return w, nil
}

// start resolves where the history begins: a cursor, a commit, "a..b" for what
// b has and a has not, or "a...b" for what only one of them has.
func (r *repo) start(ctx context.Context, in facade.GitHistoryInput) (gitrule.Position, error) {
	if in.Cursor != "" {
		p, ok := gitrule.ParsePosition(in.Cursor)
		if !ok {
			return p, facade.InvalidArgument("cursor", "the cursor is not one that history returned")
		}
		return p, nil
	}
	left, right, symmetric := strings.Cut(in.Ref, "...")
	ranged := symmetric
	if !symmetric {
		left, right, ranged = strings.Cut(in.Ref, "..")
	}
	a, err := r.resolve(ctx, "ref", orHead(left))
	if err != nil || !ranged {
		if err != nil {
			return gitrule.Position{}, err
		}
		return gitrule.Position{IDs: []string{a.Hash.String()}}, nil
	}
	b, err := r.resolve(ctx, "ref", orHead(right))
	switch {
	case err != nil:
		return gitrule.Position{}, err
	case !symmetric:
		return gitrule.Position{IDs: []string{"^" + a.Hash.String(), b.Hash.String()}}, nil
	}
	p := gitrule.Position{IDs: []string{a.Hash.String(), b.Hash.String()}}
	bases, err := a.MergeBase(b)
	for _, base := range bases {
		p.IDs = append(p.IDs, "^"+base.Hash.String())
	}
	return p, or(ctx, err)
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

// filter decides which commits are listed.
type filter struct {
	message, author *regexp.Regexp
	since, until    time.Time
	paths           []string
}

func (r *repo) filter(in facade.GitHistoryInput) (*filter, error) {
	f := &filter{}
	var err error
	if f.paths, err = r.pathList("files", in.Files); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		field, text string
		to          **regexp.Regexp
	}{{"grep", in.Grep, &f.message}, {"author", in.Author, &f.author}} {
		if p.text == "" {
			continue
		}
		if *p.to, _, err = regex.Compile("(?m)" + p.text); err != nil {
			return nil, facade.InvalidArgument(p.field, "field '%s' is not a regular expression: %v", p.field, err)
		}
	}
	now := time.Now()
	if in.Since != "" {
		if f.since, err = date("since", in.Since, now); err != nil {
			return nil, err
		}
	}
	if in.Until != "" {
		f.until, err = date("until", in.Until, now)
	}
	return f, err
}

func (f *filter) matches(c *object.Commit) bool {
	when := c.Committer.When
	return (f.message == nil || f.message.MatchString(c.Message)) &&
		(f.author == nil || f.author.MatchString(person(c.Author))) &&
		(f.since.IsZero() || when.After(f.since)) && (f.until.IsZero() || !when.After(f.until))
}

// touches reports whether a commit changes one of the paths, and lets the walk
// go on. As git does, it follows only the parent that has the same files, if
// there is one.
func (f *filter) touches(w *walk, c *object.Commit) (bool, error) {
	if len(f.paths) == 0 || slices.Contains(f.paths, ".") {
		w.pushParents(c)
		return true, w.err
	}
	mine, err := f.state(c)
	if err != nil {
		return false, err
	}
	for _, hash := range c.ParentHashes {
		p, err := object.GetCommit(w.store, hash)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return false, broken(err)
		}
		theirs, err := f.state(p)
		if err != nil {
			return false, err
		}
		if mine == theirs {
			w.push(hash)
			return false, w.err
		}
	}
	w.pushParents(c)
	return mine != strings.Repeat(nothing, len(f.paths)), w.err
}

// nothing is the state of a path that a commit does not have.
const nothing = "-;"

// state identifies what a commit has at the paths.
func (f *filter) state(c *object.Commit) (string, error) {
	tree, err := c.Tree()
	if err != nil {
		return "", broken(err)
	}
	var b strings.Builder
	for _, p := range f.paths {
		e, err := tree.FindEntry(p)
		switch {
		case err == nil:
			b.WriteString(e.Mode.String() + e.Hash.String() + ";")
		case errors.Is(err, object.ErrEntryNotFound), errors.Is(err, object.ErrDirectoryNotFound), errors.Is(err, plumbing.ErrObjectNotFound):
			b.WriteString(nothing)
		default:
			return "", broken(err)
		}
	}
	return b.String(), nil
}

// person is "Name <email>".
func person(s object.Signature) string {
	return gitrule.Text([]byte(s.Name + " <" + s.Email + ">"))
}
