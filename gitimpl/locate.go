package gitimpl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// place is where a repository is. All paths are absolute and without symbolic
// links, inside the root or an extra root.
type place struct {
	top    string // work tree
	gitDir string // HEAD, index and what else belongs to this work tree
	common string // objects, refs and configuration
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// contains reports whether git may use path, which has no symbolic links.
func (g *Git) contains(path string) bool {
	if within(g.root, path) {
		return true
	}
	for _, dir := range g.opts.ExtraRoots {
		if within(dir, path) {
			return true
		}
	}
	return false
}

// locate finds the repository that repoPath is in, and checks every directory
// that git would follow on its own: a .git file, the common directory, links
// and alternates.
func (g *Git) locate(repoPath string) (*place, error) {
	dir, err := g.directory(repoPath)
	if err != nil {
		return nil, err
	}
	for {
		p, err := g.placeAt(dir)
		if err != nil {
			return nil, atRepo(err, repoPath)
		}
		if p != nil {
			return p, nil
		}
		if dir == g.root || !within(g.root, filepath.Dir(dir)) {
			return nil, atRepo(g.noRepository(repoPath), repoPath)
		}
		dir = filepath.Dir(dir)
	}
}

// noRepository reports a directory that is in no repository with files.
func (g *Git) noRepository(repoPath string) error {
	message := "'%s' is not in a git repository"
	if dir, err := g.directory(repoPath); err == nil && isGitDir(&place{gitDir: dir, common: dir}) {
		message = "'%s' is a bare repository, which has no files to work on"
	}
	return fail(facade.CodeNotFound, ErrNotRepository, message, repoPath).WithHint("%s", g.repositoriesHint())
}

func atRepo(err error, repoPath string) error {
	if e, ok := errors.AsType[*facade.Error](err); ok {
		e.Field, e.Path = "repo_path", repoPath
	}
	return err
}

// directory resolves repoPath to a directory inside the root.
func (g *Git) directory(repoPath string) (string, error) {
	name := pathname.Unescape(repoPath)
	if strings.ContainsRune(name, 0) {
		return "", facade.InvalidArgument("repo_path", "field 'repo_path' holds a NUL character")
	}
	local := filepath.FromSlash(strings.TrimLeft(name, "/"))
	if local == "" {
		local = "."
	}
	outside := fail(facade.CodeOutsideRoot, ErrOutsideRoot, "'%s' is outside the root", repoPath)
	if local = filepath.Clean(local); !filepath.IsLocal(local) {
		return "", atRepo(outside, repoPath)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(g.root, local))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", atRepo(fail(facade.CodeNotFound, ErrNotRepository, "'%s' does not exist", repoPath).WithHint("%s", g.repositoriesHint()), repoPath)
	case err != nil:
		return "", atRepo(fail(facade.CodeOf(err), err, "'%s' cannot be resolved", repoPath), repoPath)
	case !within(g.root, real):
		return "", atRepo(outside, repoPath)
	}
	if fi, err := os.Stat(real); err != nil || !fi.IsDir() {
		return "", atRepo(fail(facade.CodeNotDirectory, ErrNotRepository, "'%s' is not a directory", repoPath), repoPath)
	}
	return real, nil
}

// placeAt returns the repository whose work tree dir is the top of, or nil.
func (g *Git) placeAt(dir string) (*place, error) {
	dotGit := filepath.Join(dir, ".git")
	fi, err := os.Lstat(dotGit)
	if err != nil {
		return nil, nil
	}
	p := &place{top: dir, gitDir: dotGit}
	if !fi.IsDir() { // dir has no links, so a directory in it is where it seems to be
		target := dotGit
		if fi.Mode().IsRegular() {
			if target, err = pointer(dotGit, "gitdir: "); err != nil {
				return nil, err
			}
		}
		if p.gitDir, err = g.resolve(target, "the git directory"); err != nil {
			return nil, err
		}
	}
	p.common = p.gitDir
	link := filepath.Join(p.gitDir, "commondir")
	if _, err := os.Lstat(link); err == nil {
		target, err := pointer(link, "")
		if err != nil {
			return nil, err
		}
		if p.common, err = g.resolve(target, "the common git directory"); err != nil {
			return nil, err
		}
	}
	if !isGitDir(p) {
		return nil, nil
	}
	return p, g.checkOwners(p)
}

// resolve follows links and checks where they end.
func (g *Git) resolve(path, what string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fail(facade.CodeNotFound, ErrNotRepository, "%s does not exist", what)
	}
	if !g.contains(real) {
		return "", fail(facade.CodeOutsideRoot, ErrOutsideRoot, "%s is outside the root", what).
			WithHint("the host can allow the directory it is in")
	}
	return real, nil
}

// isGitDir applies git's own test.
func isGitDir(p *place) bool {
	for _, path := range []string{filepath.Join(p.gitDir, "HEAD"), filepath.Join(p.common, "objects"), filepath.Join(p.common, "refs")} {
		if _, err := os.Lstat(path); err != nil {
			return false
		}
	}
	return true
}

// pointer reads a path from a one-line file; a relative one starts at the
// file's directory.
func pointer(file, prefix string) (string, error) {
	const longest = 8 << 10
	raw, err := readRegular(file, longest)
	if err != nil {
		return "", fail(facade.CodeNotFound, ErrNotRepository, "a file that points to the git directory cannot be read")
	}
	line := strings.TrimRight(string(raw), "\r\n")
	target, ok := strings.CutPrefix(line, prefix)
	if !ok || target == "" || strings.ContainsAny(target, "\n\x00") {
		return "", fail(facade.CodeNotFound, ErrNotRepository, "a file that points to the git directory is malformed")
	}
	target = filepath.FromSlash(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	return target, nil
}
