package office

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// style is what a paragraph style says of its paragraphs.
type style struct {
	name    string
	based   string
	outline int // from 1; 0 means none
	num     string
	level   int
}

func sortedTargets(rels map[string]relation, kind string) []string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(rels)) {
		if r := rels[id]; r.kind == kind && !r.external {
			parts = append(parts, r.target)
		}
	}
	return parts
}

func (d *docx) readStyles(x *document.XML) error {
	return x.Each("style", func(e xml.StartElement) error {
		var s style
		id := document.Attr(e, "styleId")
		err := x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "name":
				s.name = strings.ToLower(document.Attr(e, "val"))
			case "basedOn":
				s.based = document.Attr(e, "val")
			case "pPr":
				var p paragraph
				err := d.paragraphProperties(x, &p)
				s.outline, s.num, s.level = p.outline, p.num, p.level
				return err
			}
			return nil
		})
		d.styles[id] = s
		return err
	})
}

// inherit completes a paragraph's properties by its style and those it is
// based on.
func (d *docx) inherit(p *paragraph) {
	id := p.style
	for range 10 { // a chain of styles may be a circle
		s, ok := d.styles[id]
		if !ok {
			s.name = strings.ToLower(id)
		}
		if p.kind == "" {
			p.kind, p.level1 = kindOf(s.name)
		}
		if p.outline == 0 {
			p.outline = s.outline
		}
		if p.num == "" && s.num != "" {
			p.num = s.num
			p.level = max(p.level, s.level)
		}
		if id = s.based; id == "" {
			break
		}
	}
	if p.kind == "" && p.outline > 0 {
		p.kind, p.level1 = facade.BlockHeading, p.outline
	}
}

// kindOf knows the built-in styles by name.
func kindOf(name string) (facade.BlockKind, int) {
	var level int
	switch {
	case name == "title":
		return facade.BlockHeading, 1
	case name == "subtitle":
		return facade.BlockHeading, 2
	case strings.Contains(name, "caption"):
		return facade.BlockCaption, 0
	case name == "quote" || name == "intense quote" || name == "block text":
		return facade.BlockQuote, 0
	case strings.Contains(name, "code") || strings.Contains(name, "preformatted") || name == "macro text":
		return facade.BlockCode, 0
	}
	if n, err := fmt.Sscanf(strings.ReplaceAll(name, " ", ""), "heading%d", &level); n == 1 && err == nil && level > 0 {
		return facade.BlockHeading, min(level, 9)
	}
	return "", 0
}

// numbering counts list items.
type numbering struct {
	abstract map[string]map[int]level // abstract id to levels
	nums     map[string]string        // num id to abstract id
	starts   map[string]map[int]int   // overrides of a num
	counts   map[string]map[int]int   // by abstract id, the last number
	begun    map[string]bool          // nums whose overrides are applied
}

type level struct {
	format string
	text   string
	start  int
}

func (n *numbering) read(x *document.XML) error {
	n.abstract, n.nums = map[string]map[int]level{}, map[string]string{}
	n.starts, n.counts, n.begun = map[string]map[int]int{}, map[string]map[int]int{}, map[string]bool{}
	return x.Children(func(xml.StartElement) error {
		return x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "abstractNum":
				levels, err := readLevels(x)
				n.abstract[document.Attr(e, "abstractNumId")] = levels
				return err
			case "num":
				return n.readNum(x, document.Attr(e, "numId"))
			}
			return nil
		})
	})
}

func readLevels(x *document.XML) (map[int]level, error) {
	levels := map[int]level{}
	err := x.Children(func(e xml.StartElement) error {
		if e.Name.Local != "lvl" {
			return nil
		}
		l := level{start: 1, format: "decimal"}
		at := document.AttrInt(e, "ilvl", 0)
		err := x.Children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "start":
				l.start = document.AttrInt(e, "val", 1)
			case "numFmt":
				l.format = document.Attr(e, "val")
			case "lvlText":
				l.text = document.Attr(e, "val")
			}
			return nil
		})
		levels[at] = l
		return err
	})
	return levels, err
}

func (n *numbering) readNum(x *document.XML, id string) error {
	return x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "abstractNumId":
			n.nums[id] = document.Attr(e, "val")
		case "lvlOverride":
			at := document.AttrInt(e, "ilvl", 0)
			return x.Children(func(e xml.StartElement) error {
				if e.Name.Local == "startOverride" {
					if n.starts[id] == nil {
						n.starts[id] = map[int]int{}
					}
					n.starts[id][at] = document.AttrInt(e, "val", 1)
				}
				return nil
			})
		}
		return nil
	})
}

// next returns the marker of the next item of a list, "" for none.
func (n *numbering) next(num string, at int) string {
	abstract := n.nums[num]
	levels := n.abstract[abstract]
	l, ok := levels[at]
	if !ok || l.format == "bullet" {
		return "-"
	}
	if l.format == "none" {
		return ""
	}
	counts := n.counts[abstract]
	if counts == nil {
		counts = map[int]int{}
		n.counts[abstract] = counts
	}
	if start, ok := n.starts[num][at]; ok && !n.begun[num] {
		counts[at] = start - 1
		n.begun[num] = true
	} else if _, ok := counts[at]; !ok {
		counts[at] = l.start - 1
	}
	counts[at]++
	for deeper := range counts {
		if deeper > at {
			delete(counts, deeper)
		}
	}
	return marker(levels, counts, l)
}

// marker fills the numbers into a level's pattern, as "%1.%2".
func marker(levels map[int]level, counts map[int]int, l level) string {
	text := l.text
	for i := range 9 {
		place := fmt.Sprintf("%%%d", i+1)
		if strings.Contains(text, place) {
			c, ok := counts[i]
			if !ok {
				c = levels[i].start
			}
			text = strings.ReplaceAll(text, place, number(c, levels[i].format))
		}
	}
	return strings.TrimSpace(text)
}

func number(n int, format string) string {
	switch format {
	case "lowerLetter", "upperLetter":
		if n < 1 {
			return "0"
		}
		s := strings.Repeat(string(rune('a'+(n-1)%26)), min((n-1)/26+1, 8))
		if format == "upperLetter" {
			s = strings.ToUpper(s)
		}
		return s
	case "lowerRoman", "upperRoman":
		s := roman(n)
		if format == "lowerRoman" {
			s = strings.ToLower(s)
		}
		return s
	}
	return fmt.Sprint(n)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return fmt.Sprint(n)
	}
	var b strings.Builder
	for _, d := range []struct {
		n int
		s string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.n; n -= d.n {
			b.WriteString(d.s)
		}
	}
	return b.String()
}
