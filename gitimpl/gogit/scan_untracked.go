package gogit

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/toolfacade/toolfacade/facade"
)

// dir visits what is not tracked in a directory of the work tree.
func (c *scan) dir(ctx context.Context, dir string, rules ignores) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	list, err := c.r.list(dir)
	if err != nil {
		return err
	}
	rules = rules.in(c.r.tree, dir)
	for _, fi := range list {
		name := path.Join(dir, fi.Name())
		if isGitName(fi.Name()) || !c.wanted(name) {
			continue
		}
		if err := c.found(ctx, name, fi, rules); err != nil {
			return err
		}
	}
	return nil
}

// list reads a directory of the work tree, without following links.
func (r *repo) list(dir string) ([]fs.FileInfo, error) {
	list, err := r.tree.ReadDir(dir)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && dir == ".": // an empty MemMapFs has no root
		return nil, nil
	default:
		return nil, fail(facade.CodeOf(err), err, "the directory '%s' cannot be read", shown(dir)).WithPath(shown(dir))
	}
	return list, nil
}

// wanted reports whether name, or something below it, was asked for.
func (c *scan) wanted(name string) bool {
	if covered(name, c.paths) {
		return true
	}
	for _, p := range c.paths {
		if covered(p, []string{name}) {
			return true
		}
	}
	return false
}

func (c *scan) found(ctx context.Context, name string, fi fs.FileInfo, rules ignores) error {
	if _, tracked := c.s.entries[name]; tracked {
		return nil
	}
	if _, tracked := c.s.unmerged[name]; tracked {
		return nil
	}
	isDir := fi.IsDir()
	if rules.match(name, isDir) && !c.dirs[name] {
		if !c.ignored {
			return nil
		}
		return c.each(slashed(name, isDir), '!', fi)
	}
	switch {
	case !isDir:
		if _, ok := c.r.modeOf(fi, 0); !ok || !covered(name, c.paths) {
			return nil
		}
		return c.each(name, '?', fi)
	case c.dirs[name]:
		return c.dir(ctx, name, rules)
	case c.r.isRepository(name):
		return c.each(slashed(name, true), '?', fi)
	case !c.whole && covered(name, c.paths):
		return c.collapsed(ctx, name, fi, rules)
	}
	return c.dir(ctx, name, rules)
}

func slashed(name string, dir bool) string {
	if dir {
		return name + "/"
	}
	return name
}

// isRepository reports a repository in the work tree of another.
func (r *repo) isRepository(dir string) bool {
	_, err := r.tree.Lstat(path.Join(dir, ".git"))
	return err == nil
}

// errFound ends a search.
var errFound = errors.New("found")

// collapsed reports an untracked directory as one entry, if a file in it is
// not ignored, and else those that are.
func (c *scan) collapsed(ctx context.Context, name string, fi fs.FileInfo, rules ignores) error {
	inner := scan{r: c.r, s: c.s, dirs: c.dirs, whole: true, each: func(string, byte, fs.FileInfo) error { return errFound }}
	err := inner.dir(ctx, name, rules)
	switch {
	case errors.Is(err, errFound):
		if err := c.each(slashed(name, true), '?', fi); err != nil || !c.ignored {
			return err
		}
	case err != nil:
		return err
	case !c.ignored:
		return nil
	}
	only := scan{r: c.r, s: c.s, dirs: c.dirs, whole: true, ignored: true, each: func(name string, letter byte, fi fs.FileInfo) error {
		if letter != '!' {
			return nil
		}
		return c.each(name, letter, fi)
	}}
	return only.dir(ctx, name, rules)
}
