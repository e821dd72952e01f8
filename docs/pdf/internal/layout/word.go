// Package layout turns glyphs with places into what a reader sees: words,
// lines, columns in reading order, paragraphs, headings, lists, tables, and what
// repeats around them on every page.
package layout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
)

// Rect is a rectangle on a page.
type Rect = engine.Rect

// Word is a run of glyphs without blanks.
type Word struct {
	Rect
	// Base is the y of the baseline, Size the height of the font.
	Base, Size float64
	// Font is how it looks; nil for recognized text.
	Font *engine.Font
	// Text is what it says.
	Text string
	// Link is where it leads.
	Link string
	// Confidence is from 0 to 1 for recognized text, else 0.
	Confidence float64
	hyphen     bool // it goes on in the next line
	glued      bool // no blank before it
	hidden     bool
}

func (w *Word) bold() bool { return w.Font != nil && w.Font.Bold }

// The parts of a font's size that tell words apart.
const (
	wordGap  = 0.3 // a wider gap ends a word
	glueGap  = 0.12
	baseStep = 0.25 // a larger step of the baseline ends a word
)

// splitter collects glyphs into words.
type splitter struct {
	words []Word
	text  []rune
	cur   Word
	prev  engine.Glyph
	blank bool
}

// words builds the words of upright glyphs, in the order of the content.
func words(glyphs []engine.Glyph) []Word {
	var s splitter
	for i := range glyphs {
		g := &glyphs[i]
		switch {
		case g.Space:
			s.flush()
			s.blank = true
		case g.Rune == 0 || unicode.IsControl(g.Rune):
		default:
			s.add(g)
		}
	}
	s.flush()
	return s.words
}

func (s *splitter) add(g *engine.Glyph) {
	if len(s.text) > 0 && s.apart(g) {
		s.flush()
	}
	if len(s.text) == 0 {
		s.cur = Word{Rect: g.Box, Base: g.Base, Size: g.Size, Font: g.Font, hidden: g.Hidden}
		s.cur.glued = !s.blank && len(s.words) > 0
	}
	s.text = append(s.text, g.Rune)
	if n := len(s.text); n > 1 && g.Box == s.prev.Box && rightward(g.Rune) {
		// The letters of a ligature come in the order of the page.
		s.text[n-1], s.text[n-2] = s.text[n-2], s.text[n-1]
	}
	s.cur.Rect = s.cur.Union(g.Box)
	s.cur.hyphen = g.Hyphen
	s.prev, s.blank = *g, false
}

// apart reports whether a glyph begins a word of its own.
func (s *splitter) apart(g *engine.Glyph) bool {
	gap := max(g.Box.X0-s.prev.Box.X1, s.prev.Box.X0-g.Box.X1)
	size := max(min(g.Size, s.prev.Size), 1)
	base := g.Base - s.prev.Base
	return gap > wordGap*size || base > baseStep*size || base < -baseStep*size || g.Font != s.prev.Font && styleOf(g.Font) != styleOf(s.prev.Font)
}

func styleOf(f *engine.Font) [2]bool {
	if f == nil {
		return [2]bool{}
	}
	return [2]bool{f.Bold, f.Italic}
}

func (s *splitter) flush() {
	if len(s.text) > 0 {
		s.cur.Text = string(s.text)
		s.words = append(s.words, s.cur)
		s.text = s.text[:0]
	}
}

// rtl reports whether text is written from right to left.
func rtl(s string) bool {
	for _, r := range s {
		if rightward(r) {
			return true
		}
		if unicode.IsLetter(r) {
			return false
		}
	}
	return false
}

// rightward reports whether a letter belongs to a script that is written from
// right to left.
func rightward(r rune) bool {
	return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
}

// Line is words on one baseline, in reading order.
type Line struct {
	Rect
	Words []Word
	// Size is that of most of its characters.
	Size float64
	// Base is the y of the baseline of most.
	Base float64
	rtl  bool
	sum  int // characters
	bold bool
}

// newLine orders the words of a line.
func newLine(ws []Word) Line {
	l := Line{Words: ws}
	slices.SortStableFunc(ws, func(a, b Word) int { return compare(a.X0, b.X0) })
	sizes := map[float64]int{}
	right, bold, most := 0, 0, 0
	for i := range ws {
		w := &ws[i]
		l.Rect = l.Union(w.Rect)
		n := len(w.Text)
		l.sum += n
		if sizes[w.Size] += n; sizes[w.Size] > most {
			most, l.Size, l.Base = sizes[w.Size], w.Size, w.Base
		}
		if w.bold() {
			bold += n
		}
		if rtl(w.Text) {
			right += n
		}
	}
	l.bold = bold*10 >= l.sum*9
	if l.rtl = right*2 > l.sum; l.rtl {
		rightToLeft(ws)
	}
	return l
}

// rightToLeft reverses words, but not the runs that read from left to right.
func rightToLeft(ws []Word) {
	slices.Reverse(ws)
	for i := 0; i < len(ws); {
		j := i
		for j < len(ws) && !rtl(ws[j].Text) {
			j++
		}
		slices.Reverse(ws[i:j])
		i = max(j, i+1)
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// joined reports whether word i of the line follows the one before without a
// blank.
func (l *Line) joined(i int) bool {
	if i == 0 || !l.Words[i].glued {
		return false
	}
	a, b := &l.Words[i-1], &l.Words[i]
	gap := max(b.X0-a.X1, a.X0-b.X1)
	return gap < glueGap*max(a.Size, b.Size)
}

// text is what the line says.
func (l *Line) text() string {
	var b strings.Builder
	for i := range l.Words {
		if i > 0 && !l.joined(i) {
			b.WriteByte(' ')
		}
		b.WriteString(l.Words[i].Text)
	}
	return b.String()
}
