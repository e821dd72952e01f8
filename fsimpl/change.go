package fsimpl

import (
	"context"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// changed is what a change of one existing file came to.
type changed struct {
	path, diff, etag string
	plan             edit.Plan
}

// planner plans the change of a file's content.
type planner func(raw []byte, d textenc.Detection) (edit.Plan, error)

// change applies a plan to one existing file, on the condition that it still
// has the etag ifMatch, if that is not empty. When it has another one, the
// result says what the change would do now.
func (f *Files) change(
	ctx context.Context, action facade.FileAction, p, ifMatch string, dryRun bool, plan planner,
) (changed, error) {
	t, err := f.changing(ctx, "path", p, true)
	if err != nil {
		return changed{}, err
	}
	if t.slash {
		return changed{}, f.slashed(t.name)
	}
	unlock, err := f.lock(ctx, t.name)
	if err != nil {
		return changed{}, err
	}
	defer unlock()
	old, err := f.before(t.name, true)
	if err != nil {
		return changed{}, err
	}
	if old == nil {
		return changed{}, f.missing(".", t.name)
	}
	staleErr := stale(ifMatch, t.name, old)
	out := changed{path: shown(t.name)}
	out.plan, err = plan(old.data, textenc.Detect(old.data))
	if staleErr != nil {
		if err == nil {
			out.diff = f.diff(t.name, old, edit.Apply(old.data, out.plan.Splices))
		}
		return changed{path: out.path, diff: out.diff}, staleErr
	}
	if err != nil {
		return changed{}, f.failure("change", t.name, err)
	}
	data := edit.Apply(old.data, out.plan.Splices)
	if err := f.fits(t.name, data); err != nil {
		return changed{}, err
	}
	if err := keepsCells(t.name, old.data, data); err != nil {
		return changed{}, err
	}
	fresh := hashOf(data)
	out.diff, out.etag = f.diff(t.name, old, data), fresh.etag()
	if dryRun || len(out.plan.Splices) == 0 {
		return out, nil
	}
	if err := f.putOne(ctx, action, t.name, old, fresh); err != nil {
		return changed{}, err
	}
	return out, nil
}

// Modify implements [facade.FileWriter].
func (f *Files) Modify(ctx context.Context, in facade.ModifyInput) (facade.ModifyOutput, error) {
	if err := in.Validate(); err != nil {
		return facade.ModifyOutput{}, err
	}
	in = facade.Defaulted(in)
	r := edit.Range{
		Start: in.StartOffsetInclusive, End: *in.EndOffsetInclusive,
		New: in.NewContent, Bytes: in.OffsetType == "byte",
	}
	c, err := f.change(ctx, facade.FileModify, in.Path, in.IfMatch, in.DryRun,
		func(raw []byte, d textenc.Detection) (edit.Plan, error) { return edit.ReplaceRange(raw, d, r, nil) })
	return facade.ModifyOutput{Path: c.path, Diff: c.diff, ETag: c.etag, DryRun: in.DryRun && err == nil}, err
}

// Replace implements [facade.FileWriter].
func (f *Files) Replace(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error) {
	if err := in.Validate(); err != nil {
		return facade.ReplaceOutput{}, err
	}
	if l, err := f.large(ctx, in); err != nil {
		return facade.ReplaceOutput{}, err
	} else if l != nil {
		return l.run(ctx)
	}
	s := edit.Substitution{
		Old: in.OldContent, New: in.NewContent,
		Regex: in.IsRegex, All: in.ReplaceAll, Expected: in.ExpectedCount,
	}
	c, err := f.change(ctx, facade.FileReplace, in.Path, in.IfMatch, in.DryRun,
		func(raw []byte, d textenc.Detection) (edit.Plan, error) {
			if hasCells(in.Path, raw) {
				return edit.ReplaceNotebook(ctx, raw, d, s, nil)
			}
			return edit.Replace(ctx, raw, d, s, nil)
		})
	out := facade.ReplaceOutput{Path: c.path, Diff: c.diff, ETag: c.etag, DryRun: in.DryRun && err == nil}
	if err != nil {
		return out, err
	}
	out.Count, out.Lines = c.plan.Count, []int64{}
	for _, m := range c.plan.Matches {
		out.Strategy = m.Strategy
		out.Lines = append(out.Lines, m.Lines...)
	}
	return out, nil
}
