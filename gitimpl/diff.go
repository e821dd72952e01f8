package gitimpl

import (
	"bufio"
	"context"
	"errors"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// Diff implements [facade.GitReader].
func (g *Git) Diff(ctx context.Context, in facade.GitDiffInput) (facade.GitDiffOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	style := diffStyle{paths: paths, context: *in.Context, output: in.Output, space: in.IgnoreSpace, maxBytes: in.MaxBytes}
	revs := diffEnds(in)
	if args, ok := revArgs(revs...); ok && !in.MergeBase {
		style.revs = args
		out, err := r.diff(ctx, r.diffCommand(in.Staged, len(args)), style)
		if err == nil || len(args) == 0 {
			return out, err
		}
		style.revs = nil // resolving them one by one tells what is wrong
	}
	if style.ids, err = r.sides(ctx, revs, in.MergeBase); err != nil {
		return facade.GitDiffOutput{}, err
	}
	return r.diff(ctx, r.diffCommand(in.Staged, len(style.ids)), style)
}

func (r *repo) diffCommand(staged bool, commits int) *command {
	c := r.git("diff")
	switch {
	case staged:
		c.flags("--cached")
	case commits == 0:
		c.flags("--ours") // an unmerged file is compared with our version
	}
	return c
}

// diffEnds are the revisions that a diff compares. The side that is not given
// is the index or the work tree.
func diffEnds(in facade.GitDiffInput) []string {
	switch {
	case in.From == "" && in.To == "":
		return nil
	case in.To == "":
		return []string{in.From}
	}
	return []string{orHead(in.From), in.To}
}

// sides resolves the revisions of a diff.
func (r *repo) sides(ctx context.Context, revs []string, mergeBase bool) ([]oid, error) {
	var ids []oid
	for i, rev := range revs {
		id, err := r.resolve(ctx, [...]string{"from", "to"}[i], rev)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id...)
	}
	if mergeBase {
		other := oid("HEAD")
		if len(ids) > 1 {
			other = ids[1]
		}
		base, err := r.mergeBase(ctx, ids[0], other)
		if err != nil {
			return nil, err
		}
		ids[0] = base
	}
	return ids, nil
}

// mergeBase returns the best common ancestor of two commits.
func (r *repo) mergeBase(ctx context.Context, a, b oid) (oid, error) {
	base, err := r.git("merge-base").oids(a, b).line(ctx)
	if exitedWith1(err) {
		return "", fail(facade.CodeNotFound, ErrUnknownRevision, "the two commits share no history")
	}
	return oid(base), r.explain(err)
}

// diffStyle says what a diff shows, and how much.
type diffStyle struct {
	revs     []revArg // what is compared, as one of these
	ids      []oid
	paths    []relPath
	context  int
	output   string
	space    bool
	maxBytes int
	// before reads what comes before the diff.
	before func(*bufio.Reader) error
}

// diff runs a command of the diff family with the flags that make its output
// the same everywhere, and reads names, counts and patch in one pass.
func (r *repo) diff(ctx context.Context, c *command, style diffStyle) (facade.GitDiffOutput, error) {
	c.flags("-z", "--raw", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty",
		"--submodule=short", "--find-renames", "--no-relative")
	p := diffParser{patchRoom: gitrule.PatchRoom(ctx, style.maxBytes), room: gitrule.NewRoom(ctx, gitrule.HalfRoom)}
	parse := p.parse
	if style.before == nil {
		c.flags("--no-abbrev") // which would hold for the commit's own id too
	} else {
		parse = func(out *bufio.Reader) error {
			if err := style.before(out); err != nil {
				return err
			}
			return p.parse(out)
		}
	}
	switch style.output {
	case "names":
		p.room = gitrule.NewRoom(ctx, gitrule.MostRoom)
	case "stat":
		p.room = gitrule.NewRoom(ctx, gitrule.MostRoom)
		c.flags("--numstat")
	default:
		p.patch = true
		c.flags("--numstat", "--patch", "--full-index", "--src-prefix=a/", "--dst-prefix=b/", "--indent-heuristic").
			number("--unified=", style.context).number("--inter-hunk-context=", 0)
	}
	if style.space {
		c.flags("--ignore-space-change")
	}
	err := c.revs(style.revs).oids(style.ids...).paths(style.paths).stream(ctx, parse)
	if err != nil {
		return facade.GitDiffOutput{}, r.explain(err)
	}
	return p.result(style.output == "names"), nil
}

// changesBetween lists the files that differ between two commits, or between
// the empty tree and one.
func (r *repo) changesBetween(ctx context.Context, from, to oid, m *gitrule.Room) (files []facade.GitFileChange, hidden int, err error) {
	c := r.git("diff-tree", "-r", "-z", "--raw", "--numstat", "--no-abbrev", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--find-renames", "--ignore-submodules=dirty")
	if from == "" {
		c.flags("--root").oids(to)
	} else {
		c.oids(from, to)
	}
	p := diffParser{room: m}
	if err := c.stream(ctx, p.parse); err != nil {
		return nil, 0, r.explain(err)
	}
	out := p.result(false)
	return out.Files, out.Hidden, nil
}

// isNotFound reports a failure because something does not exist.
func isNotFound(err error) bool {
	e, ok := errors.AsType[*facade.Error](err)
	return ok && e.Code == facade.CodeNotFound
}

func encode(p relPath) string { return pathname.Escape(string(p)) }

func encodeAll(list []relPath) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = encode(p)
	}
	return out
}
