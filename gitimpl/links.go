package gitimpl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// A git directory can hold symbolic links, and git follows them: objects that
// lie elsewhere, a log of refs that is somebody's startup file. Those that
// leave the allowed directories make the repository unusable.

// checkLinks inspects the git directory of p. Before a change it looks at the
// trees of refs and their logs too, where git appends through links.
func (g *Git) checkLinks(p *place, write bool) error {
	dirs := []string{p.common, filepath.Join(p.common, "objects"), filepath.Join(p.common, "info")}
	if p.gitDir != p.common {
		dirs = append(dirs, p.gitDir, filepath.Join(p.gitDir, "info"))
	}
	for _, dir := range dirs {
		if err := g.checkEntries(dir); err != nil {
			return err
		}
	}
	if err := g.checkAlternates(filepath.Join(p.common, "objects"), 0); err != nil {
		return err
	}
	if !write {
		return nil
	}
	for _, tree := range []string{"refs", "logs"} {
		for _, dir := range []string{p.common, p.gitDir} {
			if err := g.checkTree(filepath.Join(dir, tree)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEntries looks at the links among the entries of dir.
func (g *Git) checkEntries(dir string) error {
	names, err := linksIn(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(facade.CodeOf(err), err, "the git directory cannot be read")
	}
	for _, name := range names {
		if err := g.checkLink(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// readLinks returns the names of the links in dir.
func readLinks(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// checkLink follows a link as far as it goes; what does not exist yet counts
// by the place where it would be made.
func (g *Git) checkLink(path string) error {
	outside := fail(facade.CodeOutsideRoot, ErrOutsideRoot, "the git directory has a link '%s' that leaves the root", filepath.Base(path))
	const longest = 40
	for range longest {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		parent, err := filepath.EvalSymlinks(filepath.Dir(target))
		if err != nil || !g.contains(parent) {
			return outside
		}
		path = filepath.Join(parent, filepath.Base(target))
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && !g.contains(real) {
		return outside
	}
	return nil
}

// checkTree looks at every link below dir.
func (g *Git) checkTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fail(facade.CodeOf(err), err, "the git directory cannot be read")
		case e.Type()&fs.ModeSymlink != 0:
			return g.checkLink(path)
		}
		return nil
	})
}

// checkAlternates follows the object stores that objects borrows from.
func (g *Git) checkAlternates(objects string, depth int) error {
	const (
		longest = 64 << 10
		deepest = 5 // git's own limit
	)
	raw, err := readRegular(filepath.Join(objects, "info", "alternates"), longest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	refused := fail(facade.CodeOutsideRoot, ErrOutsideRoot, "the repository borrows objects from outside the root").
		WithHint("the host can allow the directory they are in")
	if err != nil || depth > deepest {
		return refused
	}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, `"`) { // a quoted path; rare enough to refuse
			return refused
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(objects, line)
		}
		real, err := filepath.EvalSymlinks(line)
		if err != nil {
			continue // git ignores it too
		}
		if !g.contains(real) {
			return refused
		}
		if err := g.checkAlternates(real, depth+1); err != nil {
			return err
		}
	}
	return nil
}
