package docs

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// maxFields bounds a template.
const maxFields = 100

func checkTemplate(template map[string]any) error {
	if len(fieldsOf(template)) > maxFields {
		return facade.InvalidArgument("extraction_template", "the template has more than %d fields", maxFields)
	}
	return nil
}

// wanted is a field of a template.
type wanted struct {
	name   string
	kind   string // string, number, integer, boolean
	labels []string
}

// fieldsOf reads a template: the properties of a JSON Schema, or an example
// object, whose values show the types.
func fieldsOf(template map[string]any) []wanted {
	properties, isSchema := template["properties"].(map[string]any)
	if !isSchema {
		properties = template
	}
	var all []wanted
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		f := wanted{name: name, kind: "string", labels: []string{label(name)}}
		switch v := properties[name].(type) {
		case map[string]any:
			if kind, ok := v["type"].(string); ok {
				f.kind = kind
			}
			for _, key := range []string{"title", "x-label"} {
				if s, ok := v[key].(string); ok && s != "" {
					f.labels = append(f.labels, label(s))
				}
			}
			if aliases, ok := v["aliases"].([]any); ok {
				for _, a := range aliases {
					if s, ok := a.(string); ok {
						f.labels = append(f.labels, label(s))
					}
				}
			}
		case float64, int, json.Number:
			f.kind = "number"
		case bool:
			f.kind = "boolean"
		}
		all = append(all, f)
	}
	return all
}

// label makes names comparable: "invoiceNo", "invoice_no" and "Invoice No."
// are one.
func label(s string) string {
	var b strings.Builder
	lower := false
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
			lower = false
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// found is a value with where it stands.
type found struct {
	text       string
	block      *document.Block
	confidence float64
}

// extract fills the template's fields by rules: labels before a colon, cells
// beside or below a label, and the text below a heading. A value is taken from
// the document as it is, never made up.
func extract(ctx context.Context, doc *document.Document, template map[string]any, out *facade.DocumentReadOutput) {
	candidates := map[string]found{}
	note := func(name string, f found) {
		f.text = strings.TrimSpace(f.text)
		if name = label(name); name == "" || f.text == "" || len(f.text) > 2000 {
			return
		}
		if old, ok := candidates[name]; !ok || f.confidence > old.confidence {
			candidates[name] = f
		}
	}
	tables := newRenderer(doc, formText).tables
	for i := range doc.Blocks {
		if i%256 == 0 && ctx.Err() != nil {
			break
		}
		b := &doc.Blocks[i]
		if t := tables[b.Ref]; t != nil && b.Kind == facade.BlockTable {
			pairs(t, func(name, value string, confidence float64) { note(name, found{value, b, confidence}) })
			continue
		}
		for line := range strings.SplitSeq(b.Text, "\n") {
			if name, value, ok := strings.Cut(line, ":"); ok && len(name) <= 80 {
				note(name, found{value, b, 0.9})
			}
		}
		if b.Kind == facade.BlockHeading && i+1 < len(doc.Blocks) && doc.Blocks[i+1].Kind == facade.BlockParagraph {
			note(b.Text, found{doc.Blocks[i+1].Text, &doc.Blocks[i+1], 0.6})
		}
	}
	settle(fieldsOf(template), candidates, out)
}

// pairs calls note for cells beside their labels in tables of two columns,
// and below them in tables with a header.
func pairs(t *facade.DocumentTable, note func(name, value string, confidence float64)) {
	type at struct{ row, col int }
	grid := map[at]string{}
	for _, c := range t.Cells {
		grid[at{c.Row, c.Col}] = c.Text
	}
	for _, c := range t.Cells {
		if c.Col == 0 && t.Cols == 2 {
			note(strings.TrimSuffix(c.Text, ":"), grid[at{c.Row, 1}], 0.85)
		}
		if c.Row == 0 && t.Rows > 1 {
			note(c.Text, grid[at{1, c.Col}], 0.7)
		}
	}
}

// settle turns candidates into values of the wanted types.
func settle(fields []wanted, candidates map[string]found, out *facade.DocumentReadOutput) {
	out.Extracted = map[string]facade.DocumentField{}
	cited := map[string]bool{}
	for _, f := range fields {
		ok := false
		for _, l := range f.labels {
			c, has := candidates[l]
			if !has {
				continue
			}
			value, fits := typed(c.text, f.kind)
			if !fits {
				continue
			}
			out.Extracted[f.name] = facade.DocumentField{Value: value, Confidence: c.confidence, Blocks: []string{c.block.ID}}
			if ok = true; !cited[c.block.ID] && len(cited) < 20 {
				cited[c.block.ID] = true
				block := c.block.DocumentBlock
				if len(block.Text) > 500 {
					block.Text = block.Text[:cutAt(block.Text, 500, 500)]
				}
				out.Blocks = append(out.Blocks, block)
			}
			break
		}
		if !ok {
			out.Missing = append(out.Missing, f.name)
		}
	}
}

// typed converts text to a type of JSON; a number may have a currency or a
// unit beside it.
func typed(s, kind string) (any, bool) {
	switch kind {
	case "number", "integer":
		n, ok := numberIn(s)
		if kind == "integer" && ok {
			return int64(n), n == float64(int64(n))
		}
		return n, ok
	case "boolean":
		switch strings.ToLower(s) {
		case "true", "yes", "y", "x", "☑":
			return true, true
		case "false", "no", "n", "☐":
			return false, true
		}
		return nil, false
	}
	return s, true
}

// numberIn reads the first number of a text, with marks of thousands.
func numberIn(s string) (float64, bool) {
	start := strings.IndexAny(s, "0123456789")
	if start < 0 {
		return 0, false
	}
	end := start
	for end < len(s) && strings.IndexByte("0123456789.,", s[end]) >= 0 {
		end++
	}
	digits := strings.TrimRight(s[start:end], ".,")
	comma, dot := strings.LastIndexByte(digits, ','), strings.LastIndexByte(digits, '.')
	switch {
	case comma > dot && (dot >= 0 || len(digits)-comma-1 != 3): // 1.234,50 or 12,5
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	default:
		digits = strings.ReplaceAll(digits, ",", "")
	}
	n, err := strconv.ParseFloat(digits, 64)
	if before := strings.TrimRight(s[:start], " $€£"); strings.HasSuffix(before, "-") || strings.HasSuffix(before, "−") {
		n = -n
	}
	return n, err == nil
}
