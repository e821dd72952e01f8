package layout

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Title is an entry of the document's outline.
type Title struct {
	Text        string
	Level, Page int
}

// Document is all pages of a document.
type Document struct {
	pages  []*Page
	titles map[string]Title
}

// NewDocument puts pages together.
func NewDocument(pages []*Page, outline []Title) *Document {
	d := &Document{pages: pages, titles: map[string]Title{}}
	for _, t := range outline {
		d.titles[fold(t.Text)] = t
	}
	return d
}

// fold is text without what differs between an outline and a page.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// Blocks puts the whole document in reading order, page by page; yield gets
// the blocks of each page and may stop.
func (d *Document) Blocks(yield func(p *Page, blocks []Block) bool) {
	d.furniture()
	byPage := make([][]Block, len(d.pages))
	for i, p := range d.pages {
		byPage[i] = p.blocks()
	}
	d.headings(byPage)
	joinParts(byPage)
	for i, p := range d.pages {
		levels(byPage[i])
		if !yield(p, byPage[i]) {
			return
		}
	}
}

// blocks is the body of the page between its header and footer.
func (p *Page) blocks() []Block {
	var out []Block
	for _, l := range p.header {
		out = append(out, Block{Kind: Header, Page: p.Number, Box: l.Rect, Lines: []Line{l}})
	}
	out = append(out, p.arrange()...)
	for _, l := range p.footer {
		out = append(out, Block{Kind: Footer, Page: p.Number, Box: l.Rect, Lines: []Line{l}})
	}
	return out
}

// The parts of a page's height where headers and footers are, and how many
// lines of it are looked at.
const (
	marginBand  = 0.12
	marginLines = 4
)

var pageNumber = regexp.MustCompile(`(?i)^\W*(?:page|seite|p\.?)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/|von)\s*\d{1,4})?\W*$`)

// furniture moves the lines that repeat at the top and the bottom of pages out
// of their bodies.
func (d *Document) furniture() {
	counts := map[string]int{}
	type margin struct{ top, bottom []Line }
	margins := make([]margin, len(d.pages))
	for i, p := range d.pages {
		margins[i].top, margins[i].bottom = p.margins()
		seen := map[string]bool{}
		for _, l := range append(slices.Clone(margins[i].top), margins[i].bottom...) {
			if key := repeated(&l); !seen[key] {
				seen[key] = true
				counts[key]++
			}
		}
	}
	enough := 2
	if len(d.pages) > 4 {
		enough = 3
	}
	is := func(l *Line) bool {
		text := l.text()
		return counts[repeated(l)] >= enough || len(d.pages) > 1 && pageNumber.MatchString(text)
	}
	for i, p := range d.pages {
		p.header, p.footer = nil, nil
		for _, l := range margins[i].top {
			if !is(&l) {
				break
			}
			p.header = append(p.header, l)
		}
		for _, l := range margins[i].bottom {
			if !is(&l) {
				break
			}
			p.footer = append(p.footer, l)
		}
		slices.Reverse(p.footer)
		p.drop(p.header)
		p.drop(p.footer)
	}
}

// margins lists the first lines from the top and from the bottom.
func (p *Page) margins() (top, bottom []Line) {
	var high, low []Word
	for _, w := range p.Words {
		switch y := (w.Y0 + w.Y1) / 2; {
		case y < marginBand*p.Height:
			high = append(high, w)
		case y > (1-marginBand)*p.Height:
			low = append(low, w)
		}
	}
	top, bottom = lines(high), lines(low)
	slices.Reverse(bottom)
	return top[:min(len(top), marginLines)], bottom[:min(len(bottom), marginLines)]
}

// repeated is what header lines of several pages have in common: their text
// without numbers, and the side of the page.
func repeated(l *Line) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '#'
		}
		return unicode.ToLower(r)
	}, l.text())
}

// drop removes the words of lines from the body.
func (p *Page) drop(ls []Line) {
	if len(ls) == 0 {
		return
	}
	gone := map[Rect]bool{}
	for i := range ls {
		for _, w := range ls[i].Words {
			gone[w.Rect] = true
		}
	}
	p.Words = slices.DeleteFunc(p.Words, func(w Word) bool { return gone[w.Rect] })
}

// joinParts joins paragraphs that go on in the next column or on the next page.
func joinParts(byPage [][]Block) {
	var last *Block
	for i := range byPage {
		kept := byPage[i][:0]
		for j := range byPage[i] {
			b := byPage[i][j]
			if last != nil && continues(last, &b) {
				last.Lines = append(last.Lines, b.Lines...)
				last.More = append(last.More, Place{b.Page, b.Box})
				continue
			}
			kept = append(kept, b)
			switch b.Kind {
			case Paragraph, ListItem:
				last = &kept[len(kept)-1]
			case Heading, Code, TableBlock:
				last = nil
			case PictureBlock, Header, Footer: // text flows around them
			}
		}
		byPage[i] = kept
	}
}

// continues reports whether b is the rest of a, which is in another column or
// on another page.
func continues(a, b *Block) bool {
	if b.Kind != Paragraph || len(a.Lines) == 0 || len(a.Lines) > 2000 || a.Page == b.Page && b.Box.Y0 >= a.Box.Y0 {
		return false
	}
	end, start := a.Lines[len(a.Lines)-1], b.Lines[0]
	if math.Abs(end.Size-start.Size) > 0.3 || endsSentence(end.text()) || end.rtl != start.rtl {
		return false
	}
	first := []rune(start.Words[0].Text)
	return unicode.IsLower(first[0]) || end.Words[len(end.Words)-1].hyphen
}

// levels sets the depth of list items by their indentation.
func levels(blocks []Block) {
	var lefts []float64
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != ListItem {
			if b.Kind != PictureBlock {
				lefts = lefts[:0]
			}
			continue
		}
		for len(lefts) > 0 && b.left < lefts[len(lefts)-1]-0.5*b.size {
			lefts = lefts[:len(lefts)-1]
		}
		if len(lefts) == 0 || b.left > lefts[len(lefts)-1]+0.5*b.size {
			lefts = append(lefts, b.left)
		}
		b.Level = min(len(lefts), 6)
	}
}
