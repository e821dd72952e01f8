package fssync

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolfacade/toolfacade/facade"
)

const (
	maxPatterns   = 1000
	maxPatternLen = 1024
	// maxBraces bounds the alternatives of a pattern, which multiply.
	maxBraces = 8
	// tempPrefix starts the names of files on their way, on either side.
	tempPrefix = ".fssync-"
)

// versionControl protects what version control runs programs from.
func versionControl(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		switch strings.ToLower(strings.TrimRight(part, ". ")) {
		case ".git", ".hg", ".svn", ".bzr", ".jj", "git~1":
			return true
		}
	}
	return false
}

// checkPatterns refuses patterns that are malformed or would take for ever.
func checkPatterns(patterns []string) error {
	if len(patterns) > maxPatterns {
		return facade.InvalidArgument("exclude_patterns", "there are %d patterns, at most %d are allowed", len(patterns), maxPatterns)
	}
	for _, p := range patterns {
		switch {
		case p == "":
			return facade.InvalidArgument("exclude_patterns", "a pattern is empty")
		case len(p) > maxPatternLen || strings.Count(p, "{") > maxBraces:
			return facade.InvalidArgument("exclude_patterns", "the pattern %.60q is too long or has too many alternatives", p)
		case !doublestar.ValidatePattern(p):
			return facade.InvalidArgument("exclude_patterns", "the pattern %q is malformed", p).
				WithHint("use *, ?, [abc], {a,b} and **; quote a character as [*]")
		}
	}
	return nil
}

// excluded reports whether a pattern covers the path or a directory above it. A
// pattern without '/' fits a name at any depth.
func excluded(patterns []string, name string) bool {
	for _, p := range patterns {
		p = strings.Trim(strings.TrimPrefix(p, "./"), "/")
		for at := name; at != "."; at = path.Dir(at) {
			subject := at
			if !strings.Contains(p, "/") {
				subject = path.Base(at)
			}
			if ok, err := doublestar.Match(p, subject); ok && err == nil {
				return true
			}
		}
	}
	return false
}
