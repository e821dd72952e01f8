package edit

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	inlineAlike = 2.0 / 3 // less is no help
	inlineLine  = 4 << 10 // bytes of a line that are searched
)

// passage is a part of a line like an old text of one line.
type passage struct {
	line       int64
	text       string
	similarity float64 // 0 to 1
}

// closestPassage returns the part of a line that is most like an old text of
// one line, shorter than the lines around it.
func closestPassage(ctx context.Context, text []byte, old string) (passage, bool) {
	old = strings.TrimSpace(old)
	if old == "" || len(old) > maxLine || strings.Contains(old, "\n") {
		return passage{}, false
	}
	var best passage
	for _, l := range linesWith(ctx, text, profileOf([]byte(old))) {
		if ctx.Err() != nil {
			return passage{}, false
		}
		from, to, distance := approximately(l.text, old)
		if s := 1 - float64(distance)/float64(len(old)); s > best.similarity {
			best = passage{l.number, strings.ToValidUTF8(string(l.text[from:to]), "\uFFFD"), s}
		}
	}
	return best, best.similarity >= inlineAlike
}

type scoredLine struct {
	number int64
	text   []byte
	shared int
}

// linesWith returns the lines that share most pairs of characters with p.
func linesWith(ctx context.Context, text []byte, p profile) []scoredLine {
	var best []scoredLine
	number := int64(0)
	for at := 0; at < len(text) && number < maxProfiled; {
		if number++; number%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		end := lineStart(text, at, 1)
		line := bytes.TrimRight(text[at:end], "\n")
		line = line[:min(len(line), inlineLine)]
		at = end
		shared := p.sharedWith(profileOf(line))
		i, _ := slices.BinarySearchFunc(best, shared, func(l scoredLine, s int) int {
			if l.shared >= s {
				return -1
			}
			return 1
		})
		if i < finalists {
			best = slices.Insert(best, i, scoredLine{number, line, shared})
			best = best[:min(len(best), finalists)]
		}
	}
	return best
}

// approximately returns the part of a line that takes the fewest changes of
// bytes to become old (Sellers' algorithm), whole characters only.
func approximately(line []byte, old string) (from, to, distance int) {
	type cell struct{ cost, from int }
	column := make([]cell, len(old)+1) // for the line up to a byte
	for i := range column {
		column[i].cost = i
	}
	distance = len(old)
	for j, c := range line {
		diagonal := column[0]
		column[0] = cell{0, j + 1}
		for i := range len(old) {
			best := diagonal
			if old[i] != c {
				best.cost++
			}
			if left := column[i+1]; left.cost+1 < best.cost {
				best = cell{left.cost + 1, left.from}
			}
			if up := column[i]; up.cost+1 < best.cost {
				best = cell{up.cost + 1, up.from}
			}
			diagonal, column[i+1] = column[i+1], best
		}
		if last := column[len(old)]; last.cost < distance || last.cost == distance && last.from == from {
			from, to, distance = last.from, j+1, last.cost
		}
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	return from, to, distance
}
