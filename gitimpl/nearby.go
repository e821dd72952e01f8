package gitimpl

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// repositoriesHint names the repositories near the root, for a caller that has
// missed them.
func (g *Git) repositoriesHint() string {
	const most = 10
	var found []string
	level := []string{"."}
	const deepest = 2
	for range deepest {
		var next []string
		for _, dir := range level {
			for _, name := range g.directoriesIn(dir) {
				if _, err := os.Lstat(filepath.Join(g.root, filepath.FromSlash(name), ".git")); err == nil {
					found = append(found, shown([]byte(name)))
				} else {
					next = append(next, name)
				}
			}
		}
		level = next
	}
	if len(found) == 0 {
		return "give the directory of a repository as repo_path; bare repositories are not supported"
	}
	return "give the directory of a repository as repo_path, as: " + strings.Join(found[:min(len(found), most)], ", ")
}

// directoriesIn lists the first directories in dir, from the root.
func (g *Git) directoriesIn(dir string) []string {
	const most = 100
	f, err := os.Open(filepath.Join(g.root, filepath.FromSlash(dir)))
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(most) // as many as there are
	var list []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			list = append(list, path.Join(dir, e.Name()))
		}
	}
	return list
}

// patternHint tells somebody who gave a pattern that names are literal.
func patternHint(name string) string {
	if strings.ContainsAny(name, "*?[") || strings.HasPrefix(name, ":") {
		return "names are taken literally, patterns are not expanded: name files or a directory, or '.' for all"
	}
	return ""
}

// revisionHint tells what to give in the place of something that git would
// take where commits are wanted.
func revisionHint(field, rev string) string {
	if field == "ref" && strings.Contains(rev, "..") {
		return "give one commit; history takes a range as ref, diff takes its ends as from and to"
	}
	if left, right, ok := strings.Cut(rev, "..."); ok {
		return "give from='" + orHead(left) + "', to='" + orHead(right) + "' and merge_base=true"
	}
	if left, right, ok := strings.Cut(rev, ".."); ok {
		return "give from='" + orHead(left) + "' and to='" + orHead(right) + "'"
	}
	if commit, file, ok := strings.Cut(rev, ":"); ok && commit != "" && file != "" {
		return "give the commit '" + commit + "' alone; the file '" + file + "' has a field of its own"
	}
	return "history lists commits"
}

// nearestFile names a tracked file of a commit that somebody may have meant.
func nearestFile(wanted string, all []string) string {
	if near := nearestPath(wanted, all); near != "" && near != wanted {
		return "did you mean '" + near + "'?"
	}
	for _, name := range all {
		if strings.EqualFold(name, wanted) {
			return "did you mean '" + name + "'?"
		}
	}
	if near := facade.Nearest(wanted, all); near != "" {
		return "did you mean '" + near + "'?"
	}
	return ""
}
