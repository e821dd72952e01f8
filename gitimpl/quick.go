package gitimpl

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Starting a process takes as long as many an answer of git. What plain files
// say, HEAD and the refs that mostly are one line each, is read here; anything
// unusual about them is left to git.

// quickHead returns the current branch, "" when detached, and its commit; no
// commit means that git has to be asked.
func (r *repo) quickHead() (branch string, id oid) {
	text := readLine(filepath.Join(r.gitDir, "HEAD"))
	name, ok := strings.CutPrefix(text, "ref: refs/heads/")
	switch {
	case ok && gitrule.ValidBranch(name):
		return name, r.quickRef("refs/heads/" + name)
	case gitrule.IsOID(text):
		return "", oid(text)
	}
	return "", ""
}

// readLine returns the one line that a file holds, or "".
func readLine(path string) string {
	const longest = 1 << 10
	raw, err := readRegular(path, longest)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(raw), "\n")
}

// quickRef returns what a ref points to; "" when it does not exist, or has to
// be left to git.
func (r *repo) quickRef(name string) oid {
	if text := readLine(filepath.Join(r.common, filepath.FromSlash(name))); text != "" {
		if !gitrule.IsOID(text) {
			return ""
		}
		return oid(text)
	}
	return r.packedRef(name)
}

// packedRef looks a ref up in the file of packed refs.
func (r *repo) packedRef(name string) oid {
	const longest = 1 << 20
	raw, err := readRegular(filepath.Join(r.common, "packed-refs"), longest)
	if err != nil {
		return ""
	}
	at := bytes.Index(raw, []byte(" "+name+"\n"))
	if at < 0 {
		return ""
	}
	id := string(raw[bytes.LastIndexByte(raw[:at], '\n')+1 : at])
	if !gitrule.IsOID(id) {
		return ""
	}
	return oid(id)
}

// quickBranch finds the commit of a branch by its short name, unless something
// else of that name comes first for git.
func (r *repo) quickBranch(name string) oid {
	if !gitrule.ValidBranch(name) || gitrule.IsOID(name) {
		return ""
	}
	for _, other := range []string{name, "refs/" + name, "refs/tags/" + name} {
		for _, dir := range slices.Compact([]string{r.gitDir, r.common}) {
			if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(other))); err == nil {
				return ""
			}
		}
		if r.packedRef(other) != "" {
			return ""
		}
	}
	for _, prefix := range []string{"refs/heads/", "refs/remotes/"} {
		if id := r.quickRef(prefix + name); id != "" {
			return id
		}
	}
	return ""
}

// quickStart finds the commit of HEAD or a branch.
func (r *repo) quickStart(ref string) oid {
	if ref != "HEAD" {
		return r.quickBranch(ref)
	}
	_, id := r.quickHead()
	return id
}

// revArg is a revision that git may resolve in the command that uses it: a
// name or an id of harmless characters with steps behind, which can be neither
// an option nor a range nor a search.
type revArg string

var plainRevision = regexp.MustCompile(`^(?:@|[A-Za-z0-9_][A-Za-z0-9_./-]{0,200})(?:[~^][0-9]{0,6}){0,8}$`)

// steppedRevision is a plain revision that git takes for a commit anyway: HEAD,
// and what is some steps from somewhere.
var steppedRevision = regexp.MustCompile(`^(?:@|HEAD)$|[~^][0-9]{0,6}$`)

// revArgs returns revisions as arguments, if all of them are plain.
func revArgs(revs ...string) ([]revArg, bool) {
	out := make([]revArg, len(revs))
	for i, rev := range revs {
		if !plainRevision.MatchString(rev) || strings.Contains(rev, "..") {
			return nil, false
		}
		if !steppedRevision.MatchString(rev) {
			rev += "^{commit}"
		}
		out[i] = revArg(rev)
	}
	return out, true
}
