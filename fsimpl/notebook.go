package fsimpl

import (
	"fmt"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
)

// isNotebook reports whether a file is read as cells: a Jupyter notebook, asked
// for as text and without a window of lines.
func (r *reading) isNotebook() bool {
	return strings.EqualFold(path.Ext(r.name), ".ipynb") && r.whole && r.det.Encoding.Name() == "utf-8" && !r.windowed()
}

// windowed reports whether the call asks for a range.
func (r *reading) windowed() bool {
	return r.in.StartLine != 0 || r.in.EndLine != 0 || r.in.StartOffsetInclusive != 0 || *r.in.EndOffsetInclusive != -1
}

// notebook shows the cells of a notebook, each under a heading with its number
// from 0 and its kind. A file that is no notebook inside is left to be shown
// as the JSON or text that it is.
func (r *reading) notebook() bool {
	cells, err := edit.Cells(r.head)
	if err != nil {
		return false
	}
	var b strings.Builder
	for _, c := range cells {
		cell := fmt.Sprintf("[cell %d, %s]\n%s", c.Index, c.Type, c.Source)
		if !strings.HasSuffix(cell, "\n") {
			cell += "\n"
		}
		if b.Len()+len(cell) > r.most || jsonLen(b.String())+jsonLen(cell) > r.room {
			// The rest is reached through the notebook's JSON, by lines.
			r.out.Next = &facade.ReadNext{Path: shown(r.name), StartLine: 1}
			break
		}
		b.WriteString(cell)
	}
	r.out.Content = b.String()
	lines := r.det.Lines
	r.out.Lines = &lines
	return true
}
