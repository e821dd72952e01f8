// Package gitrule holds what the implementations of the git tool must agree
// on: which names are branches, how messages, dates and cursors are read, who
// waits for whom, and how a reply is kept within its budget.
package gitrule

import (
	"regexp"
	"strconv"
	"strings"
)

// ValidBranch reports whether name can be a branch, by git's rules for refs
// and without what git would take for something else.
func ValidBranch(name string) bool {
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

// IsOID reports whether s is a full id, of SHA-1 or SHA-256.
func IsOID(s string) bool {
	const sha1Len, sha256Len = 40, 64
	return (len(s) == sha1Len || len(s) == sha256Len) && strings.Trim(s, "0123456789abcdef") == ""
}

// SplitMessage separates the first paragraph, in one line, from the rest.
func SplitMessage(message string) (subject, body string) {
	message = strings.Trim(message, "\n")
	head, body, _ := strings.Cut(message, "\n\n")
	return strings.Join(strings.Fields(strings.ReplaceAll(head, "\n", " ")), " "), strings.Trim(body, "\n")
}

// PlausibleDate keeps out what git would silently read as now.
var PlausibleDate = regexp.MustCompile(`^(?i:[-a-z0-9:+./, ]*[0-9][-a-z0-9:+./, ]*|now|today|yesterday|noon|midnight|tea|never|(last|a|an|one|two|three|four|five|six|seven|eight|nine|ten)[ .][a-z .]+|(mon|tues|wednes|thurs|fri|satur|sun)day)$`)

// Position is where a page of history starts.
type Position struct {
	IDs  []string // ids of commits, with ^ before those to leave out
	Skip int
}

// String is the form of a cursor.
func (p Position) String() string { return strconv.Itoa(p.Skip) + "." + strings.Join(p.IDs, ".") }

// ParsePosition reads a cursor. It reports whether cursor is one.
func ParsePosition(cursor string) (Position, bool) {
	parts := strings.Split(cursor, ".")
	skip, err := strconv.Atoi(parts[0])
	if err != nil || skip < 0 || len(parts) < 2 {
		return Position{}, false
	}
	for _, id := range parts[1:] {
		if !IsOID(strings.TrimPrefix(id, "^")) {
			return Position{}, false
		}
	}
	return Position{IDs: parts[1:], Skip: skip}, true
}

// Text makes content fit for JSON.
func Text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// Clip cuts text at a rune, for results.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
