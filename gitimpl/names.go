package gitimpl

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// path turns a path of the caller into one from the top of the work tree. One
// that starts with '/' is from the root.
func (r *repo) path(field, text string) (relPath, error) {
	name := pathname.Unescape(text)
	if strings.ContainsRune(name, 0) {
		return "", facade.InvalidArgument(field, "a path holds a NUL character")
	}
	if name == "" {
		return "", facade.InvalidArgument(field, "a path is empty").WithHint("'.' stands for the whole work tree")
	}
	if strings.HasPrefix(name, "/") {
		rel, err := filepath.Rel(r.top, filepath.Join(r.g.root, filepath.FromSlash(path.Clean(name))))
		if err != nil {
			rel = ".."
		}
		name = filepath.ToSlash(rel)
	}
	name = path.Clean(name)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		e := fail(facade.CodeOutsideRoot, ErrOutsideRoot, "'%s' is outside the repository", text).WithPath(text)
		e.Field = field
		return "", e.WithHint("paths are relative to the top of the repository; one that starts with '/' is from the root of this tool")
	}
	if first, _, _ := strings.Cut(name, "/"); first == ".git" {
		e := facade.Errorf(facade.CodeProtectedPath, "'%s' belongs to git itself", text).WithPath(text)
		e.Field = field
		return "", e.WithHint("no action takes files of the git directory; name files of the work tree")
	}
	return relPath(name), nil
}

func (r *repo) pathList(field string, texts []string) ([]relPath, error) {
	out := make([]relPath, len(texts))
	for i, text := range texts {
		p, err := r.path(field, text)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// shown is how a result writes a path of git.
func shown(name []byte) string { return pathname.Escape(string(name)) }

// branchRef returns the full name of a branch.
func branchRef(branch string) (refName, error) {
	name := pathname.Unescape(branch)
	if !gitrule.ValidBranch(name) {
		return "", facade.InvalidArgument("branch", "'%s' cannot be the name of a branch", branch).
			WithHint("give the plain name, as 'main': no refspec, no 'refs/heads/', no leading '+' or '-'")
	}
	return refName("refs/heads/" + name), nil
}

// short is the branch's name without refs/heads/.
func (n refName) short() string {
	return pathname.Escape(strings.TrimPrefix(strings.TrimPrefix(string(n), "refs/heads/"), "refs/remotes/"))
}

// decode is the name that a result's path stands for.
func decode(text string) string { return pathname.Unescape(text) }
