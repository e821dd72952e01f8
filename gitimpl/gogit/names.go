package gogit

import (
	"strings"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// isGitName reports whether a part of a path is .git in a spelling that some
// file system takes for it: other case, trailing dots and blanks, streams,
// ignorable code points, and the short name.
func isGitName(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		part, _, _ = strings.Cut(part, ":")
		part = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) {
				return -1
			}
			return unicode.ToLower(r)
		}, part)
		part = strings.TrimRight(part, ". ")
		if part == ".git" || part == "git~1" {
			return true
		}
	}
	return false
}

// checkName refuses to write a file of a tree whose name leads elsewhere.
func checkName(name string) error {
	bad := isGitName(name) || strings.ContainsAny(name, "\x00\\") || strings.HasPrefix(name, "/")
	for part := range strings.SplitSeq(name, "/") {
		bad = bad || part == "" || part == "." || part == ".."
	}
	if bad {
		return facade.Errorf(facade.CodeProtectedPath, "the commit has a file '%s', which is never written", shown(name)).WithPath(shown(name))
	}
	return nil
}

// branchRef returns the full name of a branch.
func branchRef(branch string) (plumbing.ReferenceName, error) {
	name := pathname.Unescape(branch)
	if !gitrule.ValidBranch(name) {
		return "", facade.InvalidArgument("branch", "'%s' cannot be the name of a branch", branch).
			WithHint("give the plain name, as 'main': no refspec, no 'refs/heads/', no leading '+' or '-'")
	}
	return plumbing.NewBranchReferenceName(name), nil
}
