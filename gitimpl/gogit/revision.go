package gogit

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// resolve turns a revision into a commit: HEAD or @, the name of a ref, or the
// start of an id, followed by any of ~N, ^N and ^{commit}.
func (r *repo) resolve(ctx context.Context, field, rev string) (*object.Commit, error) {
	const longest = 1 << 10
	if rev == "" || len(rev) > longest || strings.ContainsFunc(rev, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return nil, facade.InvalidArgument(field, "'%s' is not a revision", rev)
	}
	base, steps := rev, ""
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		base, steps = rev[:i], rev[i:]
	}
	hash, err := r.named(base)
	if err != nil {
		return nil, err
	}
	if hash.IsZero() {
		return nil, r.unknown(ctx, field, rev)
	}
	c, err := r.peel(hash)
	for c != nil && err == nil && steps != "" {
		c, steps, err = r.step(c, steps)
	}
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, r.unknown(ctx, field, rev)
	}
	return c, nil
}

// named finds what a name without steps stands for; zero for nothing.
func (r *repo) named(name string) (plumbing.Hash, error) {
	if name == "@" {
		name = "HEAD"
	}
	if len(name) == len(plumbing.ZeroHash)*2 && gitrule.IsOID(name) {
		return plumbing.NewHash(name), nil
	}
	for _, rule := range plumbing.RefRevParseRules {
		full := plumbing.ReferenceName(strings.Replace(rule, "%s", name, 1))
		if full.Validate() != nil || rule == "%s" && !strings.HasPrefix(name, "refs/") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			continue // no file of the git directory but HEAD and its kin
		}
		hash, err := r.at(full)
		if err != nil || !hash.IsZero() {
			return hash, err
		}
	}
	return r.abbreviated(name)
}

// abbreviated finds the one object whose id starts with a prefix.
func (r *repo) abbreviated(prefix string) (plumbing.Hash, error) {
	const shortest = 4
	if len(prefix) < shortest || len(prefix) > len(plumbing.ZeroHash)*2 || strings.Trim(prefix, "0123456789abcdef") != "" {
		return plumbing.ZeroHash, nil
	}
	found, err := r.startingWith(prefix)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	commits := slices.DeleteFunc(found, func(h plumbing.Hash) bool {
		_, err := object.GetCommit(r.store, h)
		return err != nil
	})
	if len(commits) != 1 {
		return plumbing.ZeroHash, nil
	}
	return commits[0], nil
}

// startingWith lists the objects whose ids start with a prefix.
func (r *repo) startingWith(prefix string) ([]plumbing.Hash, error) {
	whole, err := hex.DecodeString(prefix[:len(prefix)/2*2])
	if err != nil {
		return nil, nil
	}
	list, err := r.store.HashesWithPrefix(whole)
	if err != nil {
		return nil, broken(err)
	}
	return slices.DeleteFunc(list, func(h plumbing.Hash) bool { return !strings.HasPrefix(h.String(), prefix) }), nil
}

// peel follows tags to the commit they mark; nil when it is something else.
func (r *repo) peel(hash plumbing.Hash) (*object.Commit, error) {
	const deepest = 10
	for range deepest {
		obj, err := object.GetObject(r.store, hash)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, broken(err)
		}
		switch o := obj.(type) {
		case *object.Commit:
			return o, nil
		case *object.Tag:
			hash = o.Target
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// step takes the first of steps and returns the rest.
func (r *repo) step(c *object.Commit, steps string) (*object.Commit, string, error) {
	kind, rest := steps[0], steps[1:]
	for _, peels := range []string{"{commit}", "{}"} {
		if after, ok := strings.CutPrefix(rest, peels); ok && kind == '^' {
			return c, after, nil
		}
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n := 1
	if digits > 0 {
		var err error
		if n, err = strconv.Atoi(rest[:digits]); err != nil {
			return nil, "", nil
		}
	}
	rest = rest[digits:]
	if rest != "" && rest[0] != '~' && rest[0] != '^' {
		return nil, "", nil
	}
	if kind == '^' {
		return r.parent(c, n, rest)
	}
	for range n {
		if len(c.ParentHashes) == 0 {
			return nil, "", nil
		}
		var err error
		if c, err = r.peel(c.ParentHashes[0]); c == nil || err != nil {
			return nil, "", err
		}
	}
	return c, rest, nil
}

// parent returns the n-th parent; 0 is the commit itself.
func (r *repo) parent(c *object.Commit, n int, rest string) (*object.Commit, string, error) {
	if n == 0 {
		return c, rest, nil
	}
	if n > len(c.ParentHashes) {
		return nil, "", nil
	}
	p, err := r.peel(c.ParentHashes[n-1])
	return p, rest, err
}

// unknown reports a revision that names no commit.
func (r *repo) unknown(_ context.Context, field, rev string) error {
	if rev == "HEAD" || rev == "@" {
		return inField(fail(facade.CodeNotFound, gitimpl.ErrUnbornHead, "the current branch has no commits yet"), field)
	}
	e := inField(fail(facade.CodeNotFound, gitimpl.ErrUnknownRevision, "'%s' is no commit of this repository", rev), field)
	if refs, err := r.refs("refs/"); err == nil {
		var names []string
		for name := range refs {
			names = append(names, shown(plumbing.ReferenceName(name).Short()))
		}
		slices.Sort(names)
		if near := facade.Nearest(rev, names); near != "" {
			e.Hint = "did you mean '" + near + "'?"
		}
	}
	return e
}

// short is the shortest unique start of an id, of seven digits at least.
func (r *repo) short(hash plumbing.Hash) (string, error) {
	const shortest = 7
	id := hash.String()
	list, err := r.startingWith(id[:shortest])
	if err != nil {
		return "", err
	}
	n := shortest
	for _, other := range list {
		for other != hash && n < len(id) && strings.HasPrefix(other.String(), id[:n]) {
			n++
		}
	}
	return id[:n], nil
}

// mergeBase returns the best common ancestor of two commits.
func (r *repo) mergeBase(a, b *object.Commit) (*object.Commit, error) {
	bases, err := a.MergeBase(b)
	if err != nil {
		return nil, broken(err)
	}
	if len(bases) == 0 {
		return nil, fail(facade.CodeNotFound, gitimpl.ErrUnknownRevision, "the two commits share no history")
	}
	return bases[0], nil
}

// isAncestor reports whether commit a is in the history of b.
func (r *repo) isAncestor(ctx context.Context, a, b plumbing.Hash) (bool, error) {
	set, err := r.ancestors(ctx, b)
	return set[a], err
}
