package facade

import (
	"fmt"
	"slices"
)

// shortener is implemented by the outputs of changes, which cannot be paged:
// the change has happened when its reply turns out to be too long.
type shortener interface {
	// shortened returns the output with at most so many items in each list and
	// so many bytes of each diff.
	shortened(items, bytes int) any
}

// shorter are the sizes that are tried, one after the other.
var shorter = [...]struct{ items, bytes int }{{500, 8 << 10}, {200, 2 << 10}, {50, 400}, {5, 0}}

// shorten makes the output of a change fit into the budget.
func (r *Result) shorten() {
	d, ok := r.Data.(shortener)
	if !ok || r.fits() {
		return
	}
	notes := slices.Clip(r.Notes)
	r.Truncated = true
	for _, s := range shorter {
		r.Data = d.shortened(s.items, s.bytes)
		r.Notes = append(notes, fmt.Sprintf(
			"the reply was too long: of each list the first %d are shown, of each diff %d bytes; read, list and info tell the rest", s.items, s.bytes))
		if r.fits() {
			return
		}
	}
}

// fits reports whether both forms are within the budget.
func (r *Result) fits() bool {
	raw, err := r.structured()
	c := *r
	c.Notes, c.Parts = slices.Clip(r.Notes), slices.Clip(r.Parts)
	c.present()
	return err != nil || len(raw) <= r.limit() && len(c.FullText()) <= r.limit()
}

func firstOf[T any](items []T, most int) []T { return items[:min(len(items), most)] }

// cutText shortens a diff at a line end.
func cutText(diff string, most int) string {
	if len(diff) <= most {
		return diff
	}
	diff = clip(diff, most)
	for diff != "" && diff[len(diff)-1] != '\n' {
		diff = diff[:len(diff)-1]
	}
	if diff == "" {
		return ""
	}
	return diff + "[cut]\n"
}

func (o CreateOutput) shortened(items, _ int) any {
	o.Created, o.Existed = firstOf(o.Created, items), firstOf(o.Existed, items)
	return o
}

func (o WriteOutput) shortened(_, bytes int) any {
	o.Diff = cutText(o.Diff, bytes)
	return o
}

func (o DeleteOutput) shortened(items, _ int) any {
	o.Deleted = firstOf(o.Deleted, items)
	return o
}

func (o ModifyOutput) shortened(_, bytes int) any {
	o.Diff = cutText(o.Diff, bytes)
	return o
}

func (o ReplaceOutput) shortened(items, bytes int) any {
	o.Lines, o.Diff = firstOf(o.Lines, items), cutText(o.Diff, bytes)
	return o
}

func (o EditOutput) shortened(items, bytes int) any {
	o.Files = slices.Clone(firstOf(o.Files, items))
	for i := range o.Files {
		f := &o.Files[i]
		f.Diff = cutText(f.Diff, bytes)
		f.Matches = slices.Clone(firstOf(f.Matches, items))
		for k := range f.Matches {
			f.Matches[k].Lines = firstOf(f.Matches[k].Lines, items)
		}
	}
	return o
}

func (o UndoOutput) shortened(items, bytes int) any {
	o.Reverted = slices.Clone(firstOf(o.Reverted, items))
	for i := range o.Reverted {
		c := &o.Reverted[i]
		c.Paths, c.Diff = firstOf(c.Paths, items), cutText(c.Diff, bytes)
	}
	return o
}

func (o HistoryOutput) shortened(items, _ int) any {
	o.Changes = slices.Clone(firstOf(o.Changes, items))
	for i := range o.Changes {
		o.Changes[i].Paths = firstOf(o.Changes[i].Paths, items)
	}
	return o
}
