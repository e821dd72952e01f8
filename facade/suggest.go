package facade

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate most like name, or "" when none is alike:
// within a third of its length in edits (at least two), or one the start or the
// end of the other, letter case aside. Of equals the first wins. A name of more
// than 256 bytes is like none.
func Nearest(name string, candidates []string) string {
	const longest = 256 // the work grows with the product of both lengths
	if len(name) > longest {
		return ""
	}
	best, bestDistance := "", max(2, utf8.RuneCountInString(name)/3)+1
	lower := strings.ToLower(name)
	for _, c := range candidates {
		if len(c) > longest {
			continue
		}
		lc := strings.ToLower(c)
		d := distance(lower, lc)
		if contains(lower, lc) || contains(lc, lower) {
			d = min(d, 2)
		}
		if d < bestDistance && d < max(utf8.RuneCountInString(c), utf8.RuneCountInString(name)) {
			best, bestDistance = c, d
		}
	}
	return best
}

// synonyms are names that tools elsewhere have for one parameter, as models
// remember them. They explain a mistake and are never taken.
var synonyms = [][]string{
	{"path", "paths", "file", "files", "filename", "dir", "directory", "folder"},
	{"patterns", "pattern", "glob", "globs", "include", "includes"},
	{"pattern", "query", "regex", "search", "keywords_path_name"},
	{"start_line", "offset", "line", "lines"},
	{"content", "text", "contents", "body", "data"},
	{"old_content", "old_text", "old_string", "old_str", "old"},
	{"new_content", "new_text", "new_string", "new_str", "new", "replacement"},
	{"source", "from", "src"},
	{"destination", "to", "dest", "dst", "target"},
	{"command", "cmd"},
	{"code", "script"},
	{"cwd", "workdir", "working_directory"},
	{"message", "msg"},
	// Actions.
	{"list", "ls"},
	{"read", "cat", "view", "open"},
	{"grep", "search", "rg"},
	{"find", "glob"},
	{"create", "mkdir"},
	{"delete", "rm", "remove"},
	{"move", "mv", "rename"},
	{"copy", "cp"},
	{"info", "stat"},
	{"run", "exec", "execute"},
	{"history", "log"},
	{"stage", "add"},
	{"switch", "checkout"},
}

// meant returns the candidate that name was probably meant to be, or "".
func meant(name string, candidates []string) string {
	near := Nearest(name, candidates)
	if word := synonym(name, candidates); word != "" && !strings.EqualFold(near, name) {
		return word
	}
	return near
}

// synonym returns the candidate that is another word for name, "" when none is.
func synonym(name string, candidates []string) string {
	name = strings.ToLower(name)
	for _, group := range synonyms {
		if !slices.Contains(group, name) {
			continue
		}
		for _, word := range group {
			if word != name && slices.Contains(candidates, word) {
				return word
			}
		}
	}
	return ""
}

// contains reports whether part starts whole, or ends it as a word would.
func contains(whole, part string) bool {
	const word = 3 // fewer letters end too many names
	return part != "" && (strings.HasPrefix(whole, part) || len(part) >= word && strings.HasSuffix(whole, part))
}

// distance is the Levenshtein distance in characters.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(y)]
}
