package fsimpl

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

var _ facade.FileEditor = (*Files)(nil)

// Edit implements [facade.FileEditor]. In a notebook, text is found in the
// sources of the cells, as read shows them.
func (f *Files) Edit(ctx context.Context, in facade.EditInput) (facade.EditOutput, error) {
	in = facade.Defaulted(in)
	names, order, err := f.editNames(ctx, in)
	if err != nil {
		return facade.EditOutput{}, err
	}
	unlock, err := f.lock(ctx, order...)
	if err != nil {
		return facade.EditOutput{}, err
	}
	defer unlock()
	drafts := map[string]*draft{}
	for _, name := range order {
		if drafts[name], err = f.draft(name); err != nil {
			return facade.EditOutput{}, err
		}
	}
	t := edit.ToleranceOf(in)
	for i, e := range in.Edits {
		t.FieldPrefix = fmt.Sprintf("edits[%d].", i)
		if err := drafts[names[i]].edit(ctx, e, t); err != nil {
			return facade.EditOutput{}, nameEdit(f.failure("edit", names[i], err), i, len(in.Edits), names[i])
		}
	}
	out := facade.EditOutput{Files: []facade.EditedFile{}, DryRun: in.DryRun}
	x := f.begin(string(facade.FileEdit))
	for _, name := range order {
		d := drafts[name]
		if err := f.fits(name, d.data); err != nil {
			return facade.EditOutput{}, err
		}
		fresh := hashOf(d.data)
		out.Files = append(out.Files, facade.EditedFile{
			Path: shown(name), Status: "modified", Diff: f.diff(name, d.old, d.data), ETag: fresh.etag(), Matches: d.matches,
		})
		if !bytes.Equal(d.data, d.old.data) {
			x.put(name, d.old, fresh)
		}
	}
	if in.DryRun || len(x.steps) == 0 {
		return out, nil
	}
	if err := x.commit(ctx); err != nil {
		return facade.EditOutput{}, f.failure("edit", order[0], err)
	}
	return out, nil
}

// nameEdit says which one of several edits failed, and that the others did not
// happen either.
func nameEdit(err error, i, of int, name string) error {
	e, ok := errors.AsType[*facade.Error](err)
	if !ok || of == 1 {
		return err
	}
	c := *e
	c.Message = fmt.Sprintf("edits[%d] of '%s': %s; none of the edits was applied", i, named(name), e.Message)
	return &c
}

// editNames resolves the file of each edit, and lists the files in the order in
// which they first occur.
func (f *Files) editNames(ctx context.Context, in facade.EditInput) (names, order []string, err error) {
	seen := map[string]bool{}
	for i, e := range in.Edits {
		p, field := e.Path, fmt.Sprintf("edits[%d].path", i)
		if p == "" {
			p = in.Path
		}
		if p == "" {
			return nil, nil, facade.InvalidArgument(field, "%s is missing, and there is no path beside edits", field).
				WithHint("give every edit a path, or one path for all")
		}
		t, err := f.changing(ctx, field, p, true)
		if err != nil {
			return nil, nil, err
		}
		if t.slash {
			return nil, nil, f.slashed(t.name)
		}
		names = append(names, t.name)
		if !seen[t.name] {
			seen[t.name] = true
			order = append(order, t.name)
		}
	}
	return names, order, nil
}

// draft is an existing file with the edits so far.
type draft struct {
	old      *original
	data     []byte
	doc      *edit.Document // nil for a notebook
	matches  []facade.EditMatch
	notebook bool
}

// draft reads a file that is about to be edited.
func (f *Files) draft(name string) (*draft, error) {
	old, err := f.before(name, true)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, f.missing(".", name)
	}
	d := &draft{old: old, data: old.data}
	if d.notebook = hasCells(name, old.data); !d.notebook {
		d.doc = edit.NewDocument(old.data, textenc.Detect(old.data), nil)
	}
	return d, nil
}

func (d *draft) edit(ctx context.Context, e facade.TextEdit, t edit.Tolerance) error {
	if d.notebook {
		plan, _, err := edit.Notebook(ctx, d.data, e, t, nil)
		if err != nil {
			return err
		}
		d.data = edit.Apply(d.data, plan.Splices)
		d.matches = append(d.matches, plan.Matches...)
		return nil
	}
	match, err := d.doc.Edit(ctx, e, t)
	if err != nil {
		return err
	}
	d.data = d.doc.Bytes()
	d.matches = append(d.matches, match)
	return nil
}
