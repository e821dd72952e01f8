package schema

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens the definitions take of a model's context:
// names, descriptions and input schemas, each as compact JSON. It counts as the
// o200k encoding of OpenAI does, within a tenth for schemas in English and mostly nearer;
// tokenizers of other providers count up to a third more. Output schemas and
// annotations are not counted, as providers do not show them to models.
func Tokens(defs ...Def) int {
	var total float64
	for _, d := range defs {
		text, err := encode(members{{"name", d.Name}, {"description", d.Description}, {"parameters", d.Input}})
		if err != nil {
			text = d.Input // not JSON: an estimate all the same
		}
		total += tokens(string(text))
	}
	return int(total + 0.5)
}

// tokens estimates the tokens of a text. It cuts the text into pieces as the
// encoding does, words, numbers and runs of punctuation, each of which is one
// token when it is short or common; how many a longer piece has on average is a
// figure measured on schemas.
func tokens(text string) float64 {
	var total float64
	for text != "" {
		n := wordLength(text)
		switch first, _ := utf8.DecodeRuneInString(text); {
		case n > 0:
			total += wordTokens(text[:n])
		case unicode.IsDigit(first):
			n = min(3, run(text, unicode.IsDigit))
			total++
		default:
			n = punctuationLength(text)
			total += punctuationTokens(text[:n])
		}
		text = text[n:]
	}
	return total
}

// wordLength returns the length of the word that text starts with, together
// with one character before it that is neither letter nor digit; 0 for none. A
// capital within a word starts another one.
func wordLength(text string) int {
	first, lead := utf8.DecodeRuneInString(text)
	if unicode.IsLetter(first) {
		lead = 0
	} else if unicode.IsDigit(first) || first == '\n' || first == '\r' {
		return 0
	}
	capitals := run(text[lead:], unicode.IsUpper)
	rest := run(text[lead+capitals:], func(r rune) bool { return unicode.IsLetter(r) && !unicode.IsUpper(r) })
	if capitals+rest == 0 {
		return 0
	}
	return lead + capitals + rest
}

// punctuationLength returns the length of a run that is neither letters nor
// digits. The last character before a word belongs to the word only when it
// stands alone.
func punctuationLength(text string) int {
	return max(1, run(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' || r == utf8.RuneError
	}),
		run(text, unicode.IsSpace), spaced(text))
}

// spaced is the length of punctuation with one space before it.
func spaced(text string) int {
	rest, ok := strings.CutPrefix(text, " ")
	if !ok {
		return 0
	}
	return 1 + run(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) })
}

// run returns how many bytes at the start of text hold characters that fit.
func run(text string, fits func(rune) bool) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !fits(r) }); n >= 0 {
		return n
	}
	return len(text)
}

// The figures: words up to commonWord characters are one token, and each
// further character adds longer; letters outside ASCII take foreign tokens
// each; punctuation is one token for every punctuationRun characters, but for
// the end of a value, which is two.
const (
	commonWord     = 8
	longer         = 0.08
	foreign        = 0.6
	punctuationRun = 4
)

func wordTokens(word string) float64 {
	letters := utf8.RuneCountInString(word)
	if letters < len(word) {
		return max(1, foreign*float64(letters))
	}
	return 1 + longer*float64(max(0, letters-commonWord))
}

func punctuationTokens(run string) float64 {
	if len(run) == 4 && (strings.HasPrefix(run, `"}`) || strings.HasPrefix(run, `"]`)) {
		return 2
	}
	return float64((len(run) + punctuationRun - 1) / punctuationRun)
}
