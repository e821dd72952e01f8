package layout

import (
	"slices"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
)

// Page is the content of a page before it is put in order.
type Page struct {
	// Number counts from 1.
	Number        int
	Width, Height float64
	// Words are those in the page's main direction, Aside the others.
	Words, Aside []Word
	// Pictures are worth a block of their own.
	Pictures []engine.Picture
	hs, vs   []stroke
	turn     int
	// recognized is set for a page that was a picture.
	recognized bool
	// header and footer are lines that repeat on other pages.
	header, footer []Line
}

// NewPage collects the words of a page. Hidden text counts only where there is
// no other.
func NewPage(number int, width, height float64, glyphs []engine.Glyph, g *engine.Graphics) *Page {
	p := &Page{Number: number, Width: width, Height: height, turn: mainTurn(glyphs)}
	upright, aside := make([]engine.Glyph, 0, len(glyphs)), []engine.Glyph(nil)
	for _, c := range glyphs {
		if c.Space || c.Turn == p.turn {
			upright = append(upright, p.upright(c))
		}
		if c.Space || c.Turn != p.turn {
			aside = append(aside, c)
		}
	}
	p.Words = visible(words(upright))
	p.Aside = words(aside)
	if p.turn%2 != 0 {
		p.Width, p.Height = p.Height, p.Width
	}
	if g != nil {
		rules := slices.Clone(g.Rules)
		for i := range rules {
			rules[i].Rect = p.turned(rules[i].Rect)
			rules[i].Horizontal = rules[i].Horizontal != (p.turn%2 != 0)
		}
		p.hs, p.vs = strokes(rules)
	}
	return p
}

// FromWords is a page of words that were recognized after it had been turned by
// so many quarters clockwise. Width and height are those as shown.
func FromWords(number int, width, height float64, turn int, ws []Word) *Page {
	p := &Page{Number: number, Width: width, Height: height, Words: ws, turn: (4 - turn) % 4, recognized: true}
	if turn%2 != 0 {
		p.Width, p.Height = height, width
	}
	return p
}

// visible drops hidden words unless there are no others.
func visible(ws []Word) []Word {
	shown := slices.DeleteFunc(slices.Clone(ws), func(w Word) bool { return w.hidden })
	if len(shown) == 0 || len(ws) > 10*len(shown) {
		return ws
	}
	return shown
}

// mainTurn is the direction of most glyphs.
func mainTurn(glyphs []engine.Glyph) int {
	var n [4]int
	for i := range glyphs {
		if g := &glyphs[i]; !g.Space && g.Turn >= 0 {
			n[g.Turn]++
		}
	}
	best := 0
	for t := range n {
		if n[t] > n[best]+n[best]/2 {
			best = t
		}
	}
	return best
}

// turned is where a rectangle is when the page is turned so that its text
// stands upright.
func (p *Page) turned(r Rect) Rect {
	w, h := p.Width, p.Height
	if p.turn%2 != 0 {
		w, h = h, w
	}
	return turnRect(r, p.turn, w, h)
}

// turnRect turns a rectangle of a page of w × h back by quarter turns.
func turnRect(r Rect, turn int, w, h float64) Rect {
	switch turn {
	case 1:
		return Rect{X0: r.Y0, Y0: w - r.X1, X1: r.Y1, Y1: w - r.X0}
	case 2:
		return Rect{X0: w - r.X1, Y0: h - r.Y1, X1: w - r.X0, Y1: h - r.Y0}
	case 3:
		return Rect{X0: h - r.Y1, Y0: r.X0, X1: h - r.Y0, Y1: r.X1}
	}
	return r
}

// Shown is where a rectangle of a block is on the page as shown.
func (p *Page) Shown(r Rect) Rect {
	return turnRect(r, (4-p.turn)%4, p.Width, p.Height)
}

func (p *Page) upright(g engine.Glyph) engine.Glyph {
	switch p.turn {
	case 1:
		g.Box, g.Base = turnRect(g.Box, 1, p.Width, p.Height), p.Width-g.Base
	case 2:
		g.Box, g.Base = turnRect(g.Box, 2, p.Width, p.Height), p.Height-g.Base
	case 3:
		g.Box = turnRect(g.Box, 3, p.Width, p.Height)
	}
	return g
}

// Link sets the addresses of the words inside of links.
func (p *Page) Link(links []engine.Link) {
	for _, l := range links {
		box := l.Rect
		if p.turn != 0 {
			w, h := p.Width, p.Height
			if p.turn%2 != 0 {
				w, h = h, w
			}
			box = turnRect(box, p.turn, w, h)
		}
		for i := range p.Words {
			w := &p.Words[i]
			if box.Contains((w.X0+w.X1)/2, (w.Y0+w.Y1)/2) {
				w.Link = l.URI
			}
		}
	}
}

// Chars counts the bytes of text on the page.
func (p *Page) Chars() int {
	n := 0
	for i := range p.Words {
		n += len(p.Words[i].Text)
	}
	return n
}

// arrange puts the page in reading order.
func (p *Page) arrange() []Block {
	size := p.size()
	used := make([]bool, len(p.Words))
	tables := p.ruled(used)
	var items []item
	for i := range p.Words {
		if !used[i] {
			items = append(items, item{Rect: p.Words[i].Rect, word: &p.Words[i], solid: -1})
		}
	}
	for i, t := range tables {
		items = append(items, item{Rect: t.Box, solid: i})
	}
	for i, pic := range p.Pictures {
		if p.recognized {
			break
		}
		items = append(items, item{Rect: p.turned(pic.Rect), solid: len(tables) + i, picture: true})
	}
	var out []Block
	for _, r := range columns(items, size) {
		out = append(out, p.region(r, tables)...)
	}
	if len(p.Aside) > 0 {
		out = append(out, p.aside())
	}
	for i, pic := range p.Pictures {
		if p.recognized { // the text stands for them
			out = append(out, Block{Kind: PictureBlock, Page: p.Number, Box: p.turned(pic.Rect), Picture: i})
		}
	}
	return out
}

// size is that of most of the page's text.
func (p *Page) size() float64 {
	count := map[float64]int{}
	best := 10.0
	for i := range p.Words {
		w := &p.Words[i]
		if count[w.Size] += len(w.Text); count[w.Size] > count[best] {
			best = w.Size
		}
	}
	return max(best, 4)
}

// region turns one column into blocks, between which its tables and pictures
// stand.
func (p *Page) region(r region, tables []*Table) []Block {
	var ws []Word
	var solids []Block
	for _, it := range r.items {
		switch {
		case it.word != nil:
			ws = append(ws, *it.word)
		case it.solid < len(tables):
			solids = append(solids, Block{Kind: TableBlock, Page: p.Number, Box: it.Rect, Table: tables[it.solid]})
		default:
			solids = append(solids, Block{Kind: PictureBlock, Page: p.Number, Box: it.Rect, Picture: it.solid - len(tables)})
		}
	}
	slices.SortStableFunc(solids, func(a, b Block) int { return compare(a.Box.Y0, b.Box.Y0) })
	ls := lines(ws)
	var out []Block
	for _, s := range solids {
		at := 0
		for at < len(ls) && (ls[at].Y0+ls[at].Y1)/2 < s.Box.Y0+min(s.Box.H()/2, 20) {
			at++
		}
		out = append(out, newFlow(p.Number, ls[:at]).blocks()...)
		out = append(out, s)
		ls = ls[at:]
	}
	return append(out, newFlow(p.Number, ls).blocks()...)
}

// aside is the text in other directions, as it comes.
func (p *Page) aside() Block {
	b := Block{Kind: Paragraph, Page: p.Number, size: p.Aside[0].Size}
	for i := range p.Aside {
		b.Box = b.Box.Union(p.turned(p.Aside[i].Rect))
	}
	ws := slices.Clone(p.Aside)
	b.Lines = []Line{{Rect: b.Box, Words: ws, Size: ws[0].Size, Base: ws[0].Base}}
	for i := range ws {
		b.Lines[0].sum += len(ws[i].Text)
	}
	if margin := 0.1 * p.Width; b.Box.X1 < margin || b.Box.X0 > p.Width-margin {
		b.Kind = Header
	}
	return b
}

// ruled finds the tables that lines surround.
func (p *Page) ruled(used []bool) []*Table {
	var out []*Table
	for _, g := range grids(p.hs, p.vs) {
		if g.box.W() < 20 || g.box.H() < 10 {
			continue
		}
		if t := ruledTable(g, p.Words, used); t != nil {
			t.head(1)
			out = append(out, t)
		}
	}
	return append(out, p.openTables(used)...)
}
