package docs

import (
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// maxItems bounds the values of an array.
const maxItems = 1000

// column fills an array: objects from the rows of the table whose header has
// most of their fields, plain values from the column with the field's label or
// from the list below it.
func (r *rules) column(f Field) (facade.DocumentField, bool) {
	best, most := facade.DocumentField{}, 0
	for i := range r.doc.Blocks {
		b := &r.doc.Blocks[i]
		t := r.tables[b.Ref]
		if t == nil || t.Rows < 2 {
			continue
		}
		columns, n := columnsFor(f, t)
		if n <= most || 2*n < len(f.Items) {
			continue
		}
		if items := rowsWith(f, t, columns); len(items) > 0 {
			most = n
			best = facade.DocumentField{Value: items, Confidence: sureColumn * float64(n) / float64(len(f.Items)), Blocks: []string{b.ID}}
		}
	}
	if most > 0 {
		return best, true
	}
	return r.list(f)
}

// columnsFor finds the column of each item's field by the first row.
func columnsFor(f Field, t *facade.DocumentTable) (columns []int, n int) {
	headers := map[string]int{}
	for _, c := range t.Cells {
		if c.Row == 0 {
			headers[label(c.Text)] = c.Col
		}
	}
	for _, item := range f.Items {
		labels := item.labels
		if item.Name == "" {
			labels = f.labels
		}
		at := -1
		for _, l := range labels {
			if col, ok := headers[l]; ok {
				at = col
				n++
				break
			}
		}
		columns = append(columns, at)
	}
	return columns, n
}

// rowsWith reads the rows that have a value of the wanted types.
func rowsWith(f Field, t *facade.DocumentTable, columns []int) []any {
	grid := gridOf(t)
	var items []any
	for row := 1; row < t.Rows && len(items) < maxItems; row++ {
		object := map[string]any{}
		for i, item := range f.Items {
			if columns[i] < 0 {
				continue
			}
			if value, ok := item.typed(strings.TrimSpace(grid[place{row, columns[i]}])); ok {
				object[item.Name] = value
			}
		}
		switch value, plain := object[""]; {
		case len(object) == 0:
		case plain:
			items = append(items, value)
		default:
			items = append(items, object)
		}
	}
	return items
}

// list takes the items of the list below a heading, or what stands between
// commas behind a label.
func (r *rules) list(f Field) (facade.DocumentField, bool) {
	if len(f.Items) != 1 || f.Items[0].Name != "" {
		return facade.DocumentField{}, false
	}
	for i := range r.doc.Blocks {
		if !slices.Contains(f.labels, label(r.doc.Blocks[i].Text)) {
			continue
		}
		field := facade.DocumentField{Confidence: sureHeading}
		var items []any
		for _, b := range r.doc.Blocks[i+1:] {
			if b.Kind != facade.BlockListItem || len(items) >= maxItems {
				break
			}
			if value, ok := f.Items[0].typed(b.Text); ok {
				items = append(items, value)
				field.Blocks = append(field.Blocks, b.ID)
			}
		}
		if field.Value = items; len(items) > 0 {
			return field, true
		}
	}
	for _, l := range f.labels {
		for _, c := range r.labels[l] {
			var items []any
			for part := range strings.SplitSeq(strings.ReplaceAll(c.text, ";", ","), ",") {
				if value, ok := f.Items[0].typed(strings.TrimSpace(part)); ok {
					items = append(items, value)
				}
			}
			if len(items) > 0 {
				return facade.DocumentField{Value: items, Confidence: c.confidence, Blocks: []string{c.block}}, true
			}
		}
	}
	return facade.DocumentField{}, false
}
