package search

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/fsimpl/internal/bytescan"
)

// maxLiterals is how many texts may stand in for a pattern.
const maxLiterals = 16

// literals is a set of texts one of which every match contains.
type literals struct {
	texts []string
	fold  bool // ASCII letters match in both cases; the texts are lower case
}

// required returns the texts that tell most about where re may match, or none.
func required(re *syntax.Regexp) literals {
	switch re.Op {
	case syntax.OpLiteral:
		return literalOf(re)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpCharClass:
		return expandClass(re.Rune)
	case syntax.OpConcat:
		var best literals
		for _, sub := range re.Sub {
			if l := required(sub); l.score() > best.score() {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		return union(re.Sub)
	}
	return literals{}
}

// literalOf returns the text of a literal. When case is ignored only a part
// without letters that fold to characters beyond ASCII is used, so that
// comparing bytes is enough.
func literalOf(re *syntax.Regexp) literals {
	if re.Flags&syntax.FoldCase == 0 {
		text := string(re.Rune)
		if strings.ContainsRune(text, utf8.RuneError) {
			return literals{} // package regexp finds it in invalid bytes too
		}
		return literals{texts: []string{text}}
	}
	best, part := "", []byte{}
	flush := func() {
		if scoreText(string(part), true) > scoreText(best, true) {
			best = string(part)
		}
		part = part[:0]
	}
	for _, c := range re.Rune {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c >= 0x80 || c == 's' || c == 'k' {
			flush()
			continue
		}
		part = append(part, byte(c))
	}
	flush()
	if best == "" {
		return literals{}
	}
	return literals{texts: []string{best}, fold: true}
}

// expandClass returns the members of a small class.
func expandClass(ranges []rune) literals {
	var l literals
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		if int(hi-lo)+1+len(l.texts) > 4 || lo <= utf8.RuneError && utf8.RuneError <= hi {
			return literals{}
		}
		for c := lo; c <= hi; c++ {
			l.texts = append(l.texts, string(c))
		}
	}
	return l
}

// union returns the texts of all alternatives; none when one has none.
func union(subs []*syntax.Regexp) literals {
	var all literals
	for i, sub := range subs {
		l := required(sub)
		if len(l.texts) == 0 || len(all.texts)+len(l.texts) > maxLiterals || i > 0 && l.fold != all.fold {
			return literals{}
		}
		all.texts, all.fold = append(all.texts, l.texts...), l.fold
	}
	return all
}

// score rates the set: the rarer its commonest text, the higher.
func (l literals) score() int {
	if len(l.texts) == 0 {
		return 0
	}
	lowest := scoreText(l.texts[0], l.fold)
	for _, text := range l.texts[1:] {
		lowest = min(lowest, scoreText(text, l.fold))
	}
	return lowest * 4 / (3 + len(l.texts))
}

// common reports whether the texts are in so many lines that they tell too
// little: they have one or two bytes, and none that is rare.
func (l literals) common() bool {
	for _, text := range l.texts {
		if len(text) <= 2 && scoreText(text, l.fold) < 200 {
			return true
		}
	}
	return len(l.texts) > maxLiterals/2
}

// scoreText rates a text by its two rarest bytes, which are what a scan looks
// for, and a little by its length.
func scoreText(text string, fold bool) int {
	first, second := 0, 0
	for i := range len(text) {
		r := bytescan.Rarity(text[i], fold)
		if r > first {
			first, second = r, first
		} else if r > second {
			second = r
		}
	}
	return first + second + min(len(text), 32)
}
