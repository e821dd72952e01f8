package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
)

// typeset places text on a baseline, a glyph of six points per letter. A letter
// in capitals of Arabic is written from right to left by the caller.
func typeset(x, base float64, s string) []engine.Glyph {
	var out []engine.Glyph
	for _, r := range s {
		g := engine.Glyph{Rune: r, Box: Rect{X0: x, Y0: base - 8, X1: x + 6, Y1: base + 2}, Base: base, Size: 10}
		if r == ' ' {
			g = engine.Glyph{Space: true}
		}
		out = append(out, g)
		x += 6
	}
	return out
}

func texts(ws []Word) []string {
	var out []string
	for _, w := range ws {
		out = append(out, w.Text)
	}
	return out
}

func TestWords(t *testing.T) {
	jump := append(typeset(0, 50, "ab"), typeset(40, 50, "cd")...)
	step := append(typeset(0, 50, "x"), typeset(6, 46, "2")...)
	lam := typeset(0, 50, "\u0643\u0627\u0644\u06cc") // the two in the middle are one ligature
	lam[2].Box, lam[3].Box = lam[1].Box, lam[2].Box
	for name, tt := range map[string]struct {
		glyphs []engine.Glyph
		want   []string
	}{
		"blank":       {typeset(0, 50, "one two"), []string{"one", "two"}},
		"gap":         {jump, []string{"ab", "cd"}},
		"superscript": {step, []string{"x", "2"}},
		"ligature":    {lam, []string{"\u0643\u0644\u0627\u06cc"}},
		"control":     {typeset(0, 50, "a\x01"), []string{"a"}},
		"none":        {nil, nil},
	} {
		if diff := cmp.Diff(tt.want, texts(words(tt.glyphs))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestLineText(t *testing.T) {
	raised := []engine.Glyph{{Rune: '2', Box: Rect{X0: 24, Y0: 40, X1: 28, Y1: 47}, Base: 46, Size: 6}}
	for name, tt := range map[string]struct {
		glyphs []engine.Glyph
		want   string
	}{
		"out of order":  {append(typeset(100, 50, "two"), typeset(0, 50, "one")...), "one two"},
		"superscript":   {append(append(typeset(0, 50, "E=mc"), raised...), typeset(36, 50, "is")...), "E=mc2 is"},
		"right to left": {append(append(typeset(80, 50, "\u05d0\u05d1"), typeset(40, 50, "\u05d2\u05d3")...), typeset(0, 50, "12")...), "\u05d0\u05d1 \u05d2\u05d3 12"},
	} {
		ls := lines(words(tt.glyphs))
		if len(ls) != 1 || ls[0].text() != tt.want {
			t.Errorf("%s: %d lines, the first is %q, want %q", name, len(ls), ls[0].text(), tt.want)
		}
	}
}

func TestJoiningLines(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{"a para-", "graph", "a paragraph"},
		{"the year-", "2024 report", "the year- 2024 report"},
		{"Anglo-", "Saxon", "Anglo- Saxon"},
		{"\u6f22\u5b57", "\u4eee\u540d", "\u6f22\u5b57\u4eee\u540d"},
		{"---", "rule", "--- rule"},
		{"one", "two", "one two"},
	} {
		b := Block{Lines: append(lines(words(typeset(0, 50, tt.first))), lines(words(typeset(0, 62, tt.second)))...)}
		if got := b.Text(); got != tt.want {
			t.Errorf("%q and %q make %q, want %q", tt.first, tt.second, got, tt.want)
		}
	}
}

func TestMarkers(t *testing.T) {
	for s, want := range map[string]bool{
		"•": true, "-": true, "1.": true, "(a)": true, "iv)": true, "[12]": true, "12": false, "2024.": false, "word.": false, "": false, "--": false,
	} {
		if isMarker(s) != want {
			t.Errorf("%q is a marker: %v", s, !want)
		}
	}
}

func TestTurnedRectangles(t *testing.T) {
	for turn := range 4 {
		p := &Page{Width: 300, Height: 500, turn: turn}
		if turn%2 != 0 {
			p.Width, p.Height = 500, 300
		}
		r := Rect{X0: 10, Y0: 20, X1: 40, Y1: 80}
		if got := p.Shown(p.turned(r)); got != r {
			t.Errorf("by %d quarters: %v, want %v", turn, got, r)
		}
	}
}

// FuzzBlocks lays out glyphs anywhere: no text may be lost or doubled.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789"), uint8(3))
	f.Add([]byte(strings.Repeat("\x00\x10\x20\x30\x40\x80\xff", 40)), uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		data = data[:min(len(data), 3000)]
		var glyphs []engine.Glyph
		var rules []engine.Rule
		for i := 0; i+3 < len(data); i += 4 {
			x, y, size := float64(data[i])*2, float64(data[i+1])*3, 4+float64(data[i+2]%20)
			if data[i+3]%5 == 0 {
				rules = append(rules, engine.Rule{Rect: Rect{X0: x, Y0: y, X1: x + 20*float64(data[i+3]%3) + 1, Y1: y + 1 + 20*float64(data[i+3]%2)}, Horizontal: data[i+3]%2 == 0})
				continue
			}
			glyphs = append(glyphs, engine.Glyph{
				Rune: rune('a' + data[i+3]%26), Size: size, Base: y, Turn: int(data[i+3]) % int(step%3+1),
				Box: Rect{X0: x, Y0: y - size, X1: x + size/2, Y1: y + size/4}, Space: data[i+3]%7 == 0,
			})
		}
		p := NewPage(1, 600, 800, glyphs, &engine.Graphics{Rules: rules})
		want := p.Chars()
		for i := range p.Aside {
			want += len(p.Aside[i].Text)
		}
		got := 0
		NewDocument([]*Page{p}, nil).Blocks(func(_ *Page, blocks []Block) bool {
			for i := range blocks {
				got += len(strings.Join(strings.Fields(blocks[i].Marker+blocks[i].Text()), ""))
				if t := blocks[i].Table; t != nil {
					for _, c := range t.Cells {
						got += len(strings.Join(strings.Fields(c.Text), ""))
					}
				}
			}
			return true
		})
		if got != want {
			t.Errorf("%d bytes of text became %d", want, got)
		}
	})
}
