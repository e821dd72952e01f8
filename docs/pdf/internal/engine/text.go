package engine

import (
	"encoding/binary"
	"math"
	"strings"
)

// Font is how glyphs look.
type Font struct {
	// Name is that of the typeface.
	Name string
	// Bold, Italic and Mono tell its style.
	Bold, Italic, Mono bool
}

// Glyph is a character with its place.
type Glyph struct {
	// Rune is the character; 0 for one that ends a line or word without being
	// drawn, see Space.
	Rune rune
	// Box is from the start to the end of its advance, and from the font's
	// ascent to its descent.
	Box Rect
	// Base is the y of the baseline.
	Base float64
	// Size is the height of the font in points.
	Size float64
	// Font is nil for what is not drawn.
	Font *Font
	// Turn is the direction in quarter turns clockwise; -1 is askew.
	Turn int
	// Space is set for blanks and for the ends of lines, drawn or not.
	Space bool
	// Hidden is set for text that is not painted, as the one behind a scan.
	Hidden bool
	// Hyphen is set for the hyphen of a word that goes on in the next line.
	Hyphen bool
}

// object is what glyphs of one text object share.
type object struct {
	font   *Font
	size   float64
	turn   int
	hidden bool
}

// Glyphs returns up to most characters in the order of the page's content, and
// whether there are more.
func (p *Page) Glyphs(most int) ([]Glyph, bool) {
	v := p.d.vm
	if p.text == 0 {
		if p.text = v.call("FPDFText_LoadPage", p.handle); p.text == 0 {
			return nil, false
		}
	}
	total := v.n("FPDFText_CountChars", p.text)
	n := min(total, most)
	glyphs := make([]Glyph, 0, max(n, 0))
	var last object
	lastObject := uint32(0)
	for i := range n {
		r := rune(uint32(v.call("FPDFText_GetUnicode", p.text, uint64(i))))
		obj := uint32(v.call("FPDFText_GetTextObject", p.text, uint64(i)))
		if v.err != nil {
			return nil, false
		}
		if obj == 0 || r == ' ' || r == '\r' || r == '\n' || r == '\t' || r == 0xa0 {
			glyphs = append(glyphs, Glyph{Space: true})
			continue
		}
		if obj != lastObject {
			last, lastObject = p.object(obj), obj
		}
		g := Glyph{Rune: r, Font: last.font, Size: last.size, Turn: last.turn, Hidden: last.hidden}
		if r == 2 || r == 0xfffe {
			g.Rune, g.Hyphen = '-', true
		}
		p.place(i, &g)
		glyphs = append(glyphs, g)
	}
	return glyphs, total > n
}

// place finds the box and the baseline of character i.
func (p *Page) place(i int, g *Glyph) {
	v := p.d.vm
	v.call("FPDFText_GetLooseCharBox", p.text, uint64(i), uint64(v.scratch))
	box := v.f32s(4)
	g.Box = p.toShown.rect(box[0], box[1], box[2], box[3])
	v.call("FPDFText_GetCharOrigin", p.text, uint64(i), uint64(v.scratch), uint64(v.scratch)+8)
	b := v.bytes(v.scratch, 16)
	if len(b) != 16 {
		return
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(b))
	y := math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))
	if x, y = p.toShown.apply(x, y); g.Turn == 1 || g.Turn == 3 {
		y = x
	}
	g.Base = y
}

// hiddenMode is the text rendering mode that paints nothing.
const hiddenMode = 3

func (p *Page) object(obj uint32) object {
	v := p.d.vm
	o := object{font: p.d.font(uint32(v.call("FPDFTextObj_GetFont", uint64(obj))))}
	o.hidden = v.n("FPDFTextObj_GetTextRenderMode", uint64(obj)) == hiddenMode
	v.call("FPDFTextObj_GetFontSize", uint64(obj), uint64(v.scratch))
	o.size = v.f32s(1)[0]
	m := identity
	if v.ok("FPDFPageObj_GetMatrix", uint64(obj), uint64(v.scratch)) {
		m = v.f32s(6)
	}
	m = m.then(p.toShown)
	o.size = math.Abs(o.size) * m.scale()
	o.turn = m.turned()
	return o
}

// The flags of a font descriptor.
const (
	flagFixedPitch = 1 << 0
	flagItalic     = 1 << 6
	flagForceBold  = 1 << 18
)

const boldWeight = 600

func (d *Document) font(handle uint32) *Font {
	if f := d.fonts[handle]; f != nil || handle == 0 {
		return f
	}
	v := d.vm
	f := &Font{Name: v.ascii("FPDFFont_GetBaseFontName", uint64(handle))}
	name := strings.ToLower(f.Name)
	flags := v.n("FPDFFont_GetFlags", uint64(handle))
	weight := v.n("FPDFFont_GetWeight", uint64(handle))
	f.Bold = flags > 0 && flags&flagForceBold != 0 || weight >= boldWeight || hasAny(name, "bold", "black", "heavy", "-bd", "cmbx", "sfbx", "ecbx", "lmbx", "nimbusromno9l-medi", "demi")
	f.Italic = flags > 0 && flags&flagItalic != 0 || hasAny(name, "italic", "oblique", "-it", "cmti", "sfti", "ecti", "lmri")
	f.Mono = flags > 0 && flags&flagFixedPitch != 0 || hasAny(name, "courier", "mono", "consol", "menlo", "cmtt", "sftt", "lmtt", "typewriter")
	d.fonts[handle] = f
	return f
}

func hasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
