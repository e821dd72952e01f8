package main

import (
	"regexp"
	"strings"
	"unicode"
)

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

var picture = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)

var link = regexp.MustCompile(`\[((?:[^\[\]\\]|\\.)*)\]\([^)\s]*\)`)

// tokens are the words of Markdown, in lower case: runs of letters and digits.
func tokens(s string) []string {
	s = comment.ReplaceAllString(s, " ")
	s = picture.ReplaceAllString(s, " ")
	s = link.ReplaceAllString(s, "$1")
	s = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "ﬁ", "fi", "ﬂ", "fl", "ﬀ", "ff", "ﬃ", "ffi", "ﬄ", "ffl").Replace(s)
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// f1 compares two lists as multisets of runs of n words.
func f1(got, want []string, n int) float64 {
	a, b := grams(got, n), grams(want, n)
	shared, sumA, sumB := 0, 0, 0
	for k, x := range a {
		shared += min(x, b[k])
		sumA += x
	}
	for _, x := range b {
		sumB += x
	}
	if sumA+sumB == 0 {
		return 1
	}
	return 2 * float64(shared) / float64(sumA+sumB)
}

func grams(words []string, n int) map[string]int {
	out := map[string]int{}
	for i := 0; i+n <= len(words); i++ {
		out[strings.Join(words[i:i+n], " ")]++
	}
	return out
}

// headings are the titles of Markdown, as words.
func headings(s string) []string {
	var out []string
	code := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if title, ok := strings.CutPrefix(line, "#"); ok && !code {
			if t := strings.Join(tokens(title), " "); t != "" {
				out = append(out, t)
			}
		}
	}
	return out
}

// headingScore is F1 of headings in their order: two are the same when they
// are at least four fifths alike.
func headingScore(got, want []string) float64 {
	if len(got)+len(want) == 0 {
		return 1
	}
	row := make([]float64, len(want)+1)
	for _, g := range got {
		left := 0.0
		diagonal := 0.0
		for j, w := range want {
			best := max(row[j+1], left)
			if s := alike(g, w); s >= 0.8 {
				best = max(best, diagonal+s)
			}
			diagonal, row[j+1], left = row[j+1], best, best
		}
	}
	return 2 * row[len(want)] / float64(len(got)+len(want))
}

// alike is one minus the edit distance in parts of the longer text.
func alike(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x) == 0 && len(y) == 0 {
		return 1
	}
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
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return 1 - float64(row[len(y)])/float64(max(len(x), len(y)))
}
