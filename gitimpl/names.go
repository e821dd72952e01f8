package gitimpl

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
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
		return "", e
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

// validBranch reports whether name can be a branch, by git's rules for refs
// and without what git would take for something else.
func validBranch(name string) bool {
	const longest = 240
	switch {
	case name == "" || name == "@" || name == "HEAD" || len(name) > longest:
		return false
	case strings.HasPrefix(name, "-") || strings.HasPrefix(name, "+"):
		return false
	case strings.HasSuffix(name, ".") || strings.Contains(name, "..") || strings.Contains(name, "@{"):
		return false
	case strings.ContainsAny(name, " ~^:?*[\\\x7f"):
		return false
	}
	for i := range len(name) {
		if name[i] < ' ' {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// branchRef returns the full name of a branch.
func branchRef(branch string) (refName, error) {
	name := pathname.Unescape(branch)
	if !validBranch(name) {
		return "", facade.InvalidArgument("branch", "'%s' cannot be the name of a branch", branch).
			WithHint("give the plain name, as 'main': no refspec, no 'refs/heads/', no leading '+' or '-'")
	}
	return refName("refs/heads/" + name), nil
}

// short is the branch's name without refs/heads/.
func (n refName) short() string {
	return pathname.Escape(strings.TrimPrefix(strings.TrimPrefix(string(n), "refs/heads/"), "refs/remotes/"))
}

// clip cuts text at a rune, for results.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}

// utf8Text makes content fit for JSON.
func utf8Text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// decode is the name that a result's path stands for.
func decode(text string) string { return pathname.Unescape(text) }
