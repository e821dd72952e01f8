package gitimpl

import (
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
	sides, err := r.sides(ctx, in)
	if err != nil {
		return facade.GitDiffOutput{}, err
	}
	c := r.git("diff").flags(sides.flags...)
	if len(sides.ids) == 0 && !in.Staged {
		c.flags("--ours") // an unmerged file is compared with our version
	}
	return r.diff(ctx, c, diffStyle{
		ids: sides.ids, paths: paths, context: *in.Context, output: in.Output, space: in.IgnoreSpace, maxBytes: in.MaxBytes,
	})
}

// sides are what a diff compares: flags, and ids of commits or trees.
type sides struct {
	flags []lit
	ids   []oid
}

// sides resolves the revisions of in. The side that is not given is the index
// or the work tree.
func (r *repo) sides(ctx context.Context, in facade.GitDiffInput) (sides, error) {
	var s sides
	if in.Staged {
		s.flags = append(s.flags, "--cached")
	}
	from := in.From
	if from == "" && in.To != "" {
		from = "HEAD"
	}
	if from == "" {
		return s, nil
	}
	ids, err := r.resolve(ctx, "from", from)
	if err != nil {
		return s, err
	}
	if in.To != "" {
		to, err := r.resolve(ctx, "to", in.To)
		if err != nil {
			return s, err
		}
		ids = append(ids, to...)
	}
	if in.MergeBase {
		other := oid("HEAD")
		if len(ids) > 1 {
			other = ids[1]
		}
		base, err := r.mergeBase(ctx, ids[0], other)
		if err != nil {
			return s, err
		}
		ids[0] = base
	}
	s.ids = ids
	return s, nil
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
	ids      []oid
	paths    []relPath
	context  int
	output   string
	space    bool
	maxBytes int
}

// diff runs a command of the diff family with the flags that make its output
// the same everywhere, and reads names, counts and patch in one pass.
func (r *repo) diff(ctx context.Context, c *command, style diffStyle) (facade.GitDiffOutput, error) {
	c.flags("-z", "--raw", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty",
		"--submodule=short", "--find-renames", "--no-relative")
	p := diffParser{patchRoom: gitrule.PatchRoom(ctx, style.maxBytes), room: gitrule.NewRoom(ctx, gitrule.HalfRoom)}
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
	err := c.oids(style.ids...).paths(style.paths).stream(ctx, p.parse)
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
