package docs

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Terms cuts text into what is compared in a search: runs of letters and
// digits in lower case without accents; each ideograph is a term of its own.
func Terms(s string) []string {
	var terms []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			terms = append(terms, b.String())
			b.Reset()
		}
	}
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			flush()
			terms = append(terms, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
	return terms
}

// maxQueryTerms bounds the terms of a query; more are left out.
const maxQueryTerms = 64

// ParseQuery cuts a query into its terms, each once, and the phrases in double
// quotes, whose terms have to follow one another.
func ParseQuery(s string) (terms []string, phrases [][]string) {
	for i, part := range strings.Split(s, `"`) {
		words := Terms(part)
		terms = append(terms, words...)
		if i%2 == 1 && len(words) > 1 {
			phrases = append(phrases, words)
		}
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return terms[:min(len(terms), maxQueryTerms)], phrases[:min(len(phrases), maxQueryTerms)]
}

// Snippet returns about 240 bytes of text around the place where most of the
// terms are near each other.
func Snippet(text string, terms []string) string {
	const width = 240
	if len(text) <= width {
		return text
	}
	lower := strings.ToLower(text)
	best, most := 0, -1
	for _, t := range terms {
		at := strings.Index(lower, t)
		if at < 0 || at > len(text) {
			continue
		}
		start := max(at-width/4, 0)
		near := lower[start:min(start+width, len(lower))]
		n := 0
		for _, other := range terms {
			if strings.Contains(near, other) {
				n++
			}
		}
		if n > most {
			best, most = start, n
		}
	}
	return excerpt(text, min(best, len(text)), width)
}

// excerpt cuts at blanks and marks what is left out.
func excerpt(text string, start, width int) string {
	end := min(start+width, len(text))
	if at := strings.IndexAny(text[start:end], " \n"); start > 0 && at >= 0 {
		start += at + 1
	}
	if at := strings.LastIndexAny(text[start:end], " \n"); end < len(text) && at > 0 {
		end = start + at
	}
	out := strings.ToValidUTF8(text[start:end], "")
	if start > 0 {
		out = "…" + out
	}
	if end < len(text) {
		out += "…"
	}
	return out
}
