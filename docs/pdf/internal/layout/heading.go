package layout

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// What a heading is at most.
const (
	maxHeadingLines = 4
	maxHeadingChars = 200
)

// look is what headings of one level have in common.
type look struct {
	size float64
	bold bool
	face string
}

var numbered = regexp.MustCompile(`^(?:(?:Chapter|Section|Part|Appendix|Kapitel)\s+)?(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\pL`)

// headings tells headings from paragraphs by how they differ from the body
// text, by the outline, and gives them levels: by outline, by number, by look.
func (d *Document) headings(byPage [][]Block) {
	st := styleOfBody(byPage)
	var found []*Block
	for _, blocks := range byPage {
		for i := range blocks {
			b := &blocks[i]
			if (b.Kind == Paragraph || b.Kind == ListItem) && d.isHeading(st, blocks, i) {
				found = append(found, b)
			}
		}
	}
	var sizes []float64
	for _, b := range found {
		b.Kind = Heading
		sizes = append(sizes, half(b.size))
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	ranks := sizes[:0]
	for _, s := range sizes {
		if n := len(ranks); n == 0 || s < 0.93*ranks[n-1] {
			ranks = append(ranks, s)
		}
	}
	for _, b := range found {
		b.Level = d.level(b, ranks)
		if b.Marker != "" && unicode.IsDigit(rune(b.Marker[0])) {
			b.Marker = "" // it is the number of the section
		}
	}
}

func (d *Document) level(b *Block, ranks []float64) int {
	text := b.Text()
	if t, ok := d.titles[fold(text)]; ok {
		return min(t.Level, 6)
	}
	if m := numbered.FindStringSubmatch(text); m != nil {
		return min(2+strings.Count(m[1], "."), 6)
	}
	level := 1
	for _, s := range ranks {
		if half(b.size) < 0.93*s {
			level++
		}
	}
	return min(level, 6)
}

func lookOf(b *Block) look {
	l := lookOfWord(&b.Lines[0].Words[0])
	l.size, l.bold = half(b.size), b.bold
	return l
}

func lookOfWord(w *Word) look {
	l := look{size: half(w.Size), bold: w.bold()}
	if w.Font != nil {
		l.face = w.Font.Name
	}
	return l
}

// body is how most of the text looks.
type body struct {
	look
	share map[string]float64 // of characters, by typeface
}

func styleOfBody(byPage [][]Block) body {
	st := body{share: map[string]float64{}}
	chars := map[look]int{}
	total := 0.0
	count := func(l look, n int) {
		st.share[l.face] += float64(n)
		total += float64(n)
		if chars[l] += n; chars[l] > chars[st.look] {
			st.look = l
		}
	}
	for _, blocks := range byPage {
		for i := range blocks {
			b := &blocks[i]
			if b.Kind == TableBlock {
				for _, c := range b.Table.Cells {
					count(lookOfWord(&c.lines[0]), len(c.Text))
				}
			}
			if b.Kind == Paragraph || b.Kind == ListItem {
				n := 0
				for j := range b.Lines {
					n += b.Lines[j].sum
				}
				count(lookOf(b), n)
			}
		}
	}
	for face := range st.share {
		st.share[face] /= total
	}
	return st
}

// isHeading reports whether a paragraph stands out from the body as headings
// do.
func (d *Document) isHeading(st body, blocks []Block, i int) bool {
	b := &blocks[i]
	text := b.Text()
	if len(b.Lines) > maxHeadingLines || len(text) > maxHeadingChars || !lettered(text) || isCaption(text) {
		return false
	}
	if _, ok := d.titles[fold(b.Marker+text)]; ok && len(fold(text)) > 2 {
		return b.size >= 0.95*st.size || b.bold
	}
	larger := b.size >= 1.12*st.size
	numeral := b.Kind == ListItem && ordinal.MatchString(b.Marker)
	if b.Kind == ListItem && (!numeral || i > 0 && blocks[i-1].Kind == ListItem || i+1 < len(blocks) && blocks[i+1].Kind == ListItem) {
		return false
	}
	ended := endsSentence(text) && !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "?")
	if strings.HasSuffix(text, ",") || ended && !(larger && b.size >= 1.3*st.size) && !numbered.MatchString(text) {
		return false
	}
	if larger {
		return len(b.Lines) <= 3
	}
	if b.size < 0.92*st.size || len(b.Lines) > 2 || len(text) > 120 || !followed(blocks, i) {
		return false
	}
	return b.bold && !st.bold || d.distinct(st, b)
}

// distinct reports whether all of a line is in a typeface that little else is
// in, as an italic heading.
func (d *Document) distinct(st body, b *Block) bool {
	face := lookOf(b).face
	if len(b.Lines) > 1 || face == "" || face == st.face || st.share[face] > 0.06 || b.size < 0.98*st.size {
		return false
	}
	for i := range b.Lines[0].Words {
		if f := b.Lines[0].Words[i].Font; f == nil || f.Name != face {
			return false
		}
	}
	return startsUpper(b.Text()) && !strings.HasSuffix(b.Text(), ":")
}

// followed reports whether text comes after a block on its page: words that
// stand out at the end of a page or before a table are labels.
func followed(blocks []Block, i int) bool {
	if i+1 >= len(blocks) {
		return false
	}
	switch blocks[i+1].Kind {
	case Paragraph, ListItem, Code, Heading, TableBlock, PictureBlock:
		return true
	case Header, Footer:
	}
	return false
}

var caption = regexp.MustCompile(`^(?:Fig(?:ure|\.)?|Table|Tab\.|Abb(?:ildung|\.)?|Tabelle)\s*\d`)

func isCaption(s string) bool { return caption.MatchString(s) }

// lettered reports whether text is mostly letters.
func lettered(s string) bool {
	letters, others := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsSpace(r):
			others++
		}
	}
	return letters > 2 && letters >= others
}
