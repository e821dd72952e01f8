package layout

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a block is.
type Kind int

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	ListItem
	Code
	TableBlock
	PictureBlock
	Header
	Footer
)

// Block is one part of a page.
type Block struct {
	Kind Kind
	// Page counts from 1.
	Page int
	Box  Rect
	// More is where the rest is, when the block goes on in another column or on
	// another page.
	More []Place
	// Lines are the text.
	Lines []Line
	// Level is the depth of a heading or list item, from 1.
	Level int
	// Marker precedes a list item.
	Marker string
	Table  *Table
	// Picture is an index into the page's pictures.
	Picture int

	size float64
	bold bool
	left float64
}

// Place is a part of a page.
type Place struct {
	Page int
	Box  Rect
}

var (
	bullet  = regexp.MustCompile(`^[•◦▪●○■□–—‣⁃►▶➢➤✓✔☐☑☒❖◆◇▸\x{F0B7}\x{F0A7}\x{2212}*·-]$`)
	ordinal = regexp.MustCompile(`^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,4}\])$`)
)

// isMarker reports whether text is what a list item begins with.
func isMarker(s string) bool { return bullet.MatchString(s) || ordinal.MatchString(s) }

// flow turns the lines of one column into blocks.
type flow struct {
	page    int
	lines   []Line
	pitches map[float64]float64 // usual distance of lines, by size
	x0, x1  float64
	out     []Block
}

func newFlow(page int, ls []Line) *flow {
	f := &flow{page: page, lines: ls, pitches: map[float64]float64{}, x0: math.Inf(1), x1: math.Inf(-1)}
	pitches := map[float64][]float64{}
	for i := range ls {
		f.x0, f.x1 = min(f.x0, ls[i].X0), max(f.x1, ls[i].X1)
		if i > 0 && math.Abs(ls[i].Size-ls[i-1].Size) < 0.5 {
			if p := ls[i].Base - ls[i-1].Base; p > 0.5*ls[i].Size && p < 2.5*ls[i].Size {
				key := half(ls[i].Size)
				pitches[key] = append(pitches[key], p)
			}
		}
	}
	for size, all := range pitches {
		f.pitches[size] = lowMedian(all)
	}
	return f
}

// half rounds a size to half points.
func half(size float64) float64 { return math.Round(size*2) / 2 }

// lowMedian is the first third of numbers: most lines of a column follow one
// another within a paragraph.
func lowMedian(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	return xs[len(xs)/3]
}

// blocks returns the paragraphs, items and tables of the column.
func (f *flow) blocks() []Block {
	tables := tableRuns(f.lines)
	for i := 0; i < len(f.lines); {
		if r, ok := tables[i]; ok {
			f.out = append(f.out, Block{Kind: TableBlock, Page: f.page, Box: r.table.Box, Table: r.table})
			i = r.to
			continue
		}
		f.line(i)
		i++
	}
	return f.out
}

// line adds a line to the block before it or begins another.
func (f *flow) line(i int) {
	l := &f.lines[i]
	if n := len(f.out); n > 0 && i > 0 {
		if b := &f.out[n-1]; len(b.Lines) > 0 && !f.breaks(b, &f.lines[i-1], l) {
			b.Lines = append(b.Lines, *l)
			b.Box = b.Box.Union(l.Rect)
			b.bold = b.bold && l.bold
			return
		}
	}
	b := Block{Kind: Paragraph, Page: f.page, Box: l.Rect, Lines: []Line{*l}, size: l.Size, bold: l.bold, left: l.X0}
	if mono(l) {
		b.Kind = Code
	} else if m := l.Words[0].Text; len(l.Words) > 1 && isMarker(m) {
		b.Kind = ListItem
		b.Marker = m
	}
	f.out = append(f.out, b)
}

// breaks reports whether a line begins a new block.
func (f *flow) breaks(b *Block, above, l *Line) bool {
	size := max(min(l.Size, above.Size), 1)
	pitch := l.Base - above.Base
	usual := max(f.pitches[half(l.Size)], size)
	if n := len(b.Lines); n > 1 {
		usual = max(size, min(usual, b.Lines[n-1].Base-b.Lines[n-2].Base))
	}
	switch {
	case mono(l) != (b.Kind == Code):
		return true
	case pitch <= 0, pitch > 1.22*usual && pitch > 1.3*size, pitch > 2.2*size:
		return b.Kind != Code || pitch > 3.5*size || pitch <= 0
	case b.Kind == Code:
		return false
	case math.Abs(l.Size-above.Size) > 0.07*size, l.bold != above.bold && (above.bold && b.bold || l.bold && l.sum > 3):
		return true
	case len(l.Words) > 1 && isMarker(l.Words[0].Text) && (b.Kind != ListItem || l.X0 < b.left+3*size):
		return true
	}
	return f.ends(b, above, l, size)
}

// ends reports whether a paragraph ends by its shape: indentation of the next,
// or a short last line.
func (f *flow) ends(b *Block, above, l *Line, size float64) bool {
	width := f.x1 - f.x0
	if l.rtl {
		return above.X0 > f.x0+0.3*width && endsSentence(above.text())
	}
	indent := l.X0 - above.X0
	if b.Kind == ListItem {
		return l.X0 < b.left-0.5*size
	}
	if indent > 0.9*size && indent < 6*size && math.Abs(above.X0-f.x0) < 0.5*size && width > 15*size {
		return true
	}
	rest := f.x1 - above.X1
	centered := math.Abs((above.X0+above.X1)-(l.X0+l.X1)) < size
	if rest > 0.45*width && !centered && f.fits(above, l) {
		return true
	}
	return rest > 0.12*width && endsSentence(above.text()) && startsUpper(l.Words[0].Text)
}

// fits reports whether the first word of l had room in the line above, so that
// the line was ended on purpose.
func (f *flow) fits(above, l *Line) bool {
	return above.X1+l.Words[0].W()+l.Size < f.x1
}

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"')]”’»`))
	return strings.ContainsRune(".!?:;。؟", r)
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
}

// mono reports whether a line is set in a typewriter's letters.
func mono(l *Line) bool {
	n := 0
	for i := range l.Words {
		if w := &l.Words[i]; w.Font != nil && w.Font.Mono {
			n += len(w.Text)
		}
	}
	return n*10 >= l.sum*9
}

// Text is what the block says, its lines joined; in code they stay apart.
func (b *Block) Text() string {
	var out strings.Builder
	b.Each(func(text string, _ *Word) { out.WriteString(text) })
	return strings.TrimSpace(out.String())
}

// Each calls fn for the pieces of the text: words, and the blanks between them
// with the word before.
func (b *Block) Each(fn func(text string, w *Word)) {
	var last *Word
	for i := range b.Lines {
		l := &b.Lines[i]
		for j := range l.Words {
			w := &l.Words[j]
			if b.Marker != "" && i == 0 && j == 0 {
				continue
			}
			text := w.Text
			switch {
			case last == nil:
			case j > 0 && !l.joined(j):
				fn(" ", last)
			case j == 0 && b.Kind == Code:
				fn("\n"+indent(b, l), last)
			case j == 0 && !broken(last, w) && !unspaced(last.Text, w.Text):
				fn(" ", last)
			}
			if j == len(l.Words)-1 && i+1 < len(b.Lines) && b.Kind != Code && broken(w, &b.Lines[i+1].Words[0]) {
				text = trimHyphen(text)
			}
			fn(text, w)
			last = w
		}
	}
}

// broken reports whether a word was divided at the end of a line.
func broken(w, next *Word) bool {
	if trimHyphen(w.Text) == w.Text {
		return false
	}
	if w.hyphen {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(trimHyphen(w.Text))
	after, _ := utf8.DecodeRuneInString(next.Text)
	return unicode.IsLetter(before) && unicode.IsLower(after)
}

// unspaced reports whether lines are joined without a blank, as those of
// Chinese and Japanese are.
func unspaced(a, b string) bool {
	before, _ := utf8.DecodeLastRuneInString(a)
	after, _ := utf8.DecodeRuneInString(b)
	return ideographic(before) && ideographic(after)
}

func ideographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

// trimHyphen drops the hyphen at the end of a divided word.
func trimHyphen(s string) string {
	t := strings.TrimRight(s, "-\u00ad\u2010")
	if t == "" || len(s)-len(t) > 3 {
		return s
	}
	return t
}

// indent is the blanks before a line of code.
func indent(b *Block, l *Line) string {
	n := int(math.Round((l.X0 - b.Box.X0) / max(0.6*l.Size, 1)))
	return strings.Repeat(" ", min(max(n, 0), 80))
}
