package edit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// ReplaceNotebook is [Replace] on the sources of a notebook's cells: old text is
// what a reader of the cells sees, and what goes in is escaped as JSON needs it.
// Lines count from 1 within their cell. When no cell has a match the JSON around
// the cells is searched, so that metadata can be changed too.
//
// Content that is no notebook is an unsupported_format error; so is what the
// change would leave.
func ReplaceNotebook(ctx context.Context, raw []byte, d textenc.Detection, s Substitution, o *Options) (Plan, error) {
	cells, err := Cells(raw)
	if err != nil {
		return Plan{}, err
	}
	opts := o.withDefaults()
	if err := s.check(opts); err != nil {
		return Plan{}, err
	}
	plan, err := replaceCells(ctx, raw, cells, s, opts)
	if err != nil || plan.Count > 0 {
		return plan, err
	}
	if plan, err = Replace(ctx, raw, d, s, o); err != nil {
		return Plan{}, err
	}
	return plan, StaysNotebook(Apply(raw, plan.Splices))
}

func replaceCells(ctx context.Context, raw []byte, cells []Cell, s Substitution, o Options) (Plan, error) {
	all := s
	all.All, all.Expected = true, 0
	var plan Plan
	var lines []int64
	match := facade.EditMatch{Strategy: Exact, Confidence: 1}
	for _, c := range cells {
		source := []byte(c.Source)
		p, err := Replace(ctx, source, textenc.Detect(source), all, &o)
		if code := facade.CodeOf(err); code == facade.CodeNoMatch || code == facade.CodeBinaryContent {
			continue
		}
		if err != nil {
			return Plan{}, fmt.Errorf("cell %d: %w", c.Index, err)
		}
		match.Strategy = p.Matches[0].Strategy
		plan.Splices = append(plan.Splices, c.splice(raw, string(Apply(source, p.Splices))))
		plan.Count += p.Count
		lines = append(lines, p.Matches[0].Lines...)
	}
	if plan.Count == 0 {
		return Plan{}, nil
	}
	if err := s.verifyLines(plan.Count, func() []int64 { return lines }); err != nil {
		return Plan{}, err
	}
	match.Lines = lines
	plan.Matches = []facade.EditMatch{match}
	return plan, nil
}

// StaysNotebook returns an unsupported_format error for content that is no
// notebook, or has something behind it.
func StaysNotebook(raw []byte) error {
	_, err := Cells(raw)
	if err == nil && !json.Valid(bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))) {
		err = facade.Errorf(facade.CodeUnsupportedFormat, "not a notebook: the JSON is not valid")
	}
	return err
}
