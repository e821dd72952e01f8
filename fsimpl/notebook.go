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
// from 0 and its kind, and below it what it printed. A file that is no notebook inside is left to be shown
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
		if c.Output != "" {
			cell += fmt.Sprintf("[output of cell %d]\n%s", c.Index, c.Output)
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

// hasCells reports whether a file is a notebook by its name and its content.
func hasCells(name string, raw []byte) bool {
	if !strings.EqualFold(path.Ext(name), ".ipynb") {
		return false
	}
	_, err := edit.Cells(raw)
	return err == nil
}

// keepsCells refuses a change of a notebook's text that leaves none: no program
// could open it any more.
func keepsCells(name string, before, after []byte) error {
	if !hasCells(name, before) {
		return nil
	}
	if err := edit.StaysNotebook(after); err != nil {
		return facade.Errorf(facade.CodeInvalidArgument, "the change would break the notebook '%s': %v", named(name), err).WithPath(shown(name)).
			WithHint("change the cells' sources with edit or replace, which need no JSON; to set the whole file use write")
	}
	return nil
}
