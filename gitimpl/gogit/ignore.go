package gogit

import (
	"bufio"
	"bytes"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignores are the ignore rules that hold in a directory: those of the
// repository and of the directories above, the nearest last.
type ignores []gitignore.Pattern

// longestRules is the most bytes of rules that are read from one file.
const longestRules = 1 << 20

// repositoryRules reads .git/info/exclude.
func (r *repo) repositoryRules() ignores { return rules(r.git, "info/exclude", nil) }

// in adds the rules of a directory's own .gitignore.
func (i ignores) in(tree bridge, dir string) ignores {
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	more := rules(tree, path.Join(dir, ".gitignore"), domain)
	if len(more) == 0 {
		return i
	}
	return append(i[:len(i):len(i)], more...)
}

// rules reads a file of rules; one that cannot be read has none, as for git.
func rules(b bridge, name string, domain []string) ignores {
	raw, err := b.readAll(name, longestRules)
	if err != nil {
		return nil
	}
	var list ignores
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, longestRules)
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			list = append(list, gitignore.ParsePattern(line, domain))
		}
	}
	return list
}

// match reports whether the rules exclude a path: the last one that fits says.
func (i ignores) match(name string, dir bool) bool {
	parts := strings.Split(name, "/")
	for n := len(i) - 1; n >= 0; n-- {
		switch i[n].Match(parts, dir) {
		case gitignore.Exclude:
			return true
		case gitignore.Include:
			return false
		case gitignore.NoMatch:
		}
	}
	return false
}

// ignored reports whether rules exclude a path, or a directory above it.
func (r *repo) ignored(name string, dir bool) bool {
	list := r.repositoryRules().in(r.tree, ".")
	parts := strings.Split(name, "/")
	for n := range parts {
		part := strings.Join(parts[:n+1], "/")
		last := n == len(parts)-1
		if list.match(part, dir || !last) {
			return true
		}
		if !last {
			list = list.in(r.tree, part)
		}
	}
	return false
}
