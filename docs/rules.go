package docs

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// How sure the rules are.
const (
	sureLabel   = 0.9  // a label before a colon
	sureBeside  = 0.85 // the cell beside a label, in a table of two columns
	surePattern = 0.8  // what a pattern finds
	sureColumn  = 0.8  // the rows of a table with these columns
	sureBelow   = 0.7  // the cell below a label
	sureCell    = 0.65 // the cell beside a label, in a wider table
	sureHeading = 0.6  // the text below a heading
	sureCut     = 0.5  // more than the value, it seems
)

// maxValue bounds a value, in bytes.
const maxValue = 2000

// found is a value with where it stands.
type found struct {
	text       string
	block      string
	confidence float64
}

// rules finds values without a model: labels before a colon or a gap, cells
// beside or below a label, columns of tables, patterns, and the text below a
// heading. A value is taken from the document as it is, never made up.
type rules struct {
	doc    *document.Document
	tables map[string]*facade.DocumentTable
	labels map[string][]found // the surest first
}

func newRules(ctx context.Context, doc *document.Document) *rules {
	r := &rules{doc: doc, tables: newRenderer(doc, formText).tables, labels: map[string][]found{}}
	for i := range doc.Blocks {
		if i%256 == 0 && ctx.Err() != nil {
			break
		}
		r.block(i)
	}
	for _, all := range r.labels {
		slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.confidence, a.confidence) })
	}
	return r
}

// maxLabeled bounds the values that are kept for one label.
const maxLabeled = 20

func (r *rules) note(name, value, block string, confidence float64) {
	name, value = label(name), strings.TrimSpace(value)
	if name == "" || len(name) > 80 || value == "" || len(value) > maxValue || len(r.labels[name]) >= maxLabeled {
		return
	}
	r.labels[name] = append(r.labels[name], found{value, block, confidence})
}

// gap parts the columns of a line.
var gap = regexp.MustCompile(`\t+|\s{3,}`)

// another finds a label inside of a value, where a line has several: a
// capitalized word, with small ones after it, before a colon.
var another = regexp.MustCompile(`\s(\p{Lu}\p{L}*\.?(?: \p{Ll}+){0,2}(?: \([^)]*\))?):\s`)

// line notes the labels of a line with their values.
func (r *rules) line(line, block string) {
	parts := gap.Split(line, -1)
	for n, part := range parts {
		name, value, ok := strings.Cut(part, ":")
		switch {
		case !ok || strings.HasPrefix(value, "//"): // no label, or an address
			if n+1 < len(parts) && !strings.Contains(parts[n+1], ":") {
				r.note(part, parts[n+1], block, sureCell)
			}
		case strings.TrimSpace(value) == "" && n+1 < len(parts):
			r.note(name, parts[n+1], block, sureLabel)
		default:
			r.labeled(name, value, block)
		}
	}
	if name, value, ok := strings.Cut(line, ":"); ok && len(parts) > 1 {
		r.note(name, value, block, sureCell)
	}
}

// labeled notes a value, which ends where another label begins.
func (r *rules) labeled(name, value, block string) {
	for range maxLabeled {
		at := another.FindStringSubmatchIndex(value)
		if at == nil {
			r.note(name, value, block, sureLabel)
			return
		}
		r.note(name, value[:at[2]], block, sureBeside)
		r.note(name, value, block, sureCut)
		name, value = value[at[2]:at[3]], value[at[3]+1:]
	}
}

func (r *rules) block(i int) {
	b := &r.doc.Blocks[i]
	if t := r.tables[b.Ref]; t != nil && b.Kind == facade.BlockTable {
		r.table(t, b.ID)
		return
	}
	for line := range strings.SplitSeq(b.Text, "\n") {
		r.line(line, b.ID)
	}
	if i+1 < len(r.doc.Blocks) {
		next := &r.doc.Blocks[i+1]
		labeled := b.Kind == facade.BlockHeading || strings.HasSuffix(b.Text, ":") && !strings.Contains(b.Text, "\n")
		if labeled && next.Kind == facade.BlockParagraph {
			r.note(b.Text, next.Text, next.ID, sureHeading)
		}
	}
}

// table notes cells beside their labels and below them.
func (r *rules) table(t *facade.DocumentTable, block string) {
	grid := gridOf(t)
	for _, c := range t.Cells {
		name := strings.TrimSuffix(strings.TrimSpace(c.Text), ":")
		beside := grid[place{c.Row, c.Col + max(c.ColSpan, 1)}]
		switch {
		case c.Col == 0 && t.Cols == 2:
			r.note(name, beside, block, sureBeside)
		case strings.HasSuffix(c.Text, ":"):
			r.note(name, beside, block, sureBeside)
		case c.Col%2 == 0:
			r.note(name, beside, block, sureCell)
		}
		if c.Row == 0 && t.Rows > 1 {
			r.note(name, grid[place{1, c.Col}], block, sureBelow)
		}
		if n, v, ok := strings.Cut(c.Text, ":"); ok {
			r.note(n, v, block, sureBeside)
		}
	}
}

type place struct{ row, col int }

func gridOf(t *facade.DocumentTable) map[place]string {
	grid := map[place]string{}
	for _, c := range t.Cells {
		grid[place{c.Row, c.Col}] = c.Text
	}
	return grid
}

// find returns the value of a field, with the blocks that hold it.
func (r *rules) find(f Field) (facade.DocumentField, bool) {
	if f.Type == kindArray {
		return r.column(f)
	}
	for _, l := range f.labels {
		for _, c := range r.labels[l] {
			if f.pattern != nil {
				if c.text = match(f.pattern, c.text); c.text == "" {
					continue
				}
			}
			if value, ok := f.typed(c.text); ok {
				return facade.DocumentField{Value: value, Confidence: c.confidence, Blocks: []string{c.block}}, true
			}
		}
	}
	if f.pattern != nil {
		return r.byPattern(f)
	}
	return facade.DocumentField{}, false
}

// byPattern takes what a pattern finds first.
func (r *rules) byPattern(f Field) (facade.DocumentField, bool) {
	try := func(text, block string) (facade.DocumentField, bool) {
		value, ok := f.typed(match(f.pattern, text))
		return facade.DocumentField{Value: value, Confidence: surePattern, Blocks: []string{block}}, ok
	}
	for i := range r.doc.Blocks {
		b := &r.doc.Blocks[i]
		if field, ok := try(b.Text, b.ID); ok {
			return field, true
		}
		if t := r.tables[b.Ref]; t != nil {
			for _, c := range t.Cells {
				if field, ok := try(c.Text, b.ID); ok {
					return field, true
				}
			}
		}
	}
	return facade.DocumentField{}, false
}

// match returns the first group of a pattern, or all of the match; "" without
// one.
func match(re *regexp.Regexp, text string) string {
	m := re.FindStringSubmatch(text)
	switch {
	case m == nil:
		return ""
	case len(m) > 1 && m[1] != "":
		return m[1]
	}
	return m[0]
}
