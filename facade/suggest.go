package facade

import (
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
