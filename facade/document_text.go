package facade

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Present implements [Presenter].
func (o DocumentReadOutput) Present(r *Result) {
	o.attach(r)
	var b strings.Builder
	b.WriteString(o.heading())
	switch {
	case o.Content != "":
		b.WriteString("\n" + strings.TrimRight(o.Content, "\n"))
	default:
		for _, block := range o.Blocks {
			block.line(&b)
			o.rows(&b, block.Ref)
		}
	}
	o.fields(&b)
	for _, w := range o.Warnings {
		fmt.Fprintf(&b, "\n[warning %s: %s", w.Code, w.Message)
		if w.Page > 0 {
			fmt.Fprintf(&b, " (page %d)", w.Page)
		}
		b.WriteString("]")
	}
	more(&b, r, o.NextCursor)
	r.Text = b.String()
}

// heading is one line about the document.
func (o DocumentReadOutput) heading() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s", oneLine(o.Source.Path), o.Source.Format, plural(o.Source.Size, "byte"))
	if n := o.Meta.PageCount; n > 0 {
		fmt.Fprintf(&b, ", %s", plural(n, "page"))
		if len(o.Pages) < n {
			fmt.Fprintf(&b, " of which %d read", len(o.Pages))
		}
	}
	if o.Meta.Title != "" {
		fmt.Fprintf(&b, ", %q", o.Meta.Title)
	}
	return b.String() + ")"
}

// rows writes the cells of a table below its block, a row on each line.
func (o DocumentReadOutput) rows(b *strings.Builder, id string) {
	for _, t := range o.Tables {
		if t.ID != id {
			continue
		}
		row := -1
		for _, c := range t.Cells {
			if c.Row != row {
				row = c.Row
				fmt.Fprintf(b, "\n%d:", row)
			}
			fmt.Fprintf(b, " | %s", oneLine(c.Text))
		}
	}
}

// line writes the block on a line of its own, with its id and place.
func (d DocumentBlock) line(b *strings.Builder) {
	fmt.Fprintf(b, "\n[%s %s", d.ID, d.Kind)
	if d.Level > 0 {
		fmt.Fprintf(b, " %d", d.Level)
	}
	if len(d.Prov) > 0 {
		if place := d.Prov[0].String(); place != "" {
			b.WriteString(", " + place)
		}
	}
	b.WriteString("] " + d.Text)
}

// String says where, as "page 3".
func (p DocumentPlace) String() string {
	var at []string
	if p.Part != "" {
		at = append(at, oneLine(p.Part))
	}
	if p.Sheet != "" {
		at = append(at, "sheet "+oneLine(p.Sheet))
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"page", p.Page}, {"slide", p.Slide}, {"line", p.Line}} {
		if n.n > 0 {
			at = append(at, fmt.Sprintf("%s %d", n.name, n.n))
		}
	}
	return strings.Join(at, " ")
}

// fields writes what a template extracted, in the order of the names.
func (o DocumentReadOutput) fields(b *strings.Builder) {
	names := make([]string, 0, len(o.Extracted))
	for name := range o.Extracted {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := o.Extracted[name]
		fmt.Fprintf(b, "\nextracted %s = %s (confidence %.2f, %s)", oneLine(name), compact(f.Value), f.Confidence, orNone(strings.Join(f.Blocks, " ")))
	}
	if len(o.Missing) > 0 {
		b.WriteString("\nnot found: " + quoted(o.Missing))
	}
}

// Present implements [Presenter].
func (o DocumentIndexOutput) Present(r *Result) {
	o.attach(r)
	var b strings.Builder
	for i, d := range o.Backends {
		if i > 0 {
			b.WriteString("\n")
		}
		if d.Error != nil {
			fmt.Fprintf(&b, "%s: %s", d.Backend, d.Error.Text())
			continue
		}
		fmt.Fprintf(&b, "%s: %s indexed in %s, %d unchanged, %d skipped, %s",
			d.Backend, plural(d.Documents, "document"), plural(d.Chunks, "chunk"), d.Unchanged, len(d.Skipped), millis(d.DurationMS))
		if d.Removed > 0 {
			fmt.Fprintf(&b, "; %s that no longer exist removed", plural(d.Removed, "document"))
		}
		for _, s := range d.Skipped {
			fmt.Fprintf(&b, "\nskipped %s: %s", oneLine(s.Path), s.Reason)
		}
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o DocumentSearchOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Hits), "hit"))
	switch {
	case len(o.Hits) > 0:
	case o.Indexed == 0:
		b.WriteString(": nothing is indexed yet; call index with a file, a directory or a glob first")
	default:
		fmt.Fprintf(&b, " among %s; try other words or a wider filter, or index more", plural(o.Indexed, "indexed document"))
	}
	for _, h := range o.Hits {
		b.WriteString("\n" + oneLine(h.Path))
		if h.Page > 0 {
			fmt.Fprintf(&b, " page %d", h.Page)
		}
		if h.Block != "" {
			b.WriteString(" block " + h.Block)
		}
		if h.Heading != "" {
			b.WriteString(", " + oneLine(h.Heading))
		}
		b.WriteString(": " + strings.Join(strings.Fields(h.Snippet), " "))
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o DocumentReadImageOutput) Present(r *Result) {
	o.attach(r)
	if o.Format == "" {
		return // it was no image: the error says so
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %d × %d pixels", oneLine(o.Path), o.Format, o.Width, o.Height)
	if len(o.Engines) > 0 {
		b.WriteString(", read by " + strings.Join(o.Engines, ", "))
	}
	block(&b, "[text]", o.Text)
	block(&b, "[description]", o.Description)
	if c := o.Chart; c != nil {
		fmt.Fprintf(&b, "\n[%s chart %q, %d series]", c.Type, c.Title, len(c.Series))
		for _, s := range c.Series {
			points := make([]string, len(s.Points))
			for i, p := range s.Points {
				points[i] = fmt.Sprintf("%s %v", oneLine(p.Label), p.Value)
			}
			fmt.Fprintf(&b, "\n%s: %s", oneLine(s.Name), strings.Join(points, ", "))
		}
	}
	r.Text = b.String()
}

// compact renders an extracted value as JSON.
func compact(v any) string {
	var b bytes.Buffer
	if err := encodeJSON(&b, v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}
