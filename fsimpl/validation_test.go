package fsimpl_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// judge is a validator made of a function.
type judge func(ctx context.Context, c facade.WriteCandidate) ([]facade.Finding, error)

func (judge) Name() string { return "judge" }

func (judge) Accepts(p string) bool { return !strings.HasSuffix(p, ".skip") }

func (j judge) ValidateWrite(ctx context.Context, c facade.WriteCandidate) ([]facade.Finding, error) {
	return j(ctx, c)
}

// TestValidatorOutcomes writes whatever a validator does, and reports it in
// data and text.
func TestValidatorOutcomes(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	for _, c := range []struct {
		name, path string
		judge      judge
		want       facade.ValidationStatus
		says       string
	}{
		{"passes", "f", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) { return nil, nil }, facade.ValidationPassed, "validation passed"},
		{"warns", "f", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) {
			return []facade.Finding{{Severity: "warning", Message: "odd"}}, nil
		}, facade.ValidationPassed, "judge: warning: odd"},
		{"fails", "f", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) {
			return []facade.Finding{{Severity: "error", Line: 2, Message: "bad"}}, nil
		}, facade.ValidationFailed, "judge: error: line 2: bad"},
		{"cannot", "f", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) {
			return nil, errors.New("no answer")
		}, facade.ValidationUnavailable, "could not judge: no answer"},
		{"panics", "f", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) { panic("oops") }, facade.ValidationUnavailable, "oops"},
		{"waits for its end", "f", func(ctx context.Context, _ facade.WriteCandidate) ([]facade.Finding, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, facade.ValidationUnavailable, "could not judge: context deadline exceeded"},
		{"hangs", "f", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) {
			<-stuck
			return nil, nil
		}, facade.ValidationUnavailable, "could not judge: context deadline exceeded"},
		{"is not asked", "f.skip", func(context.Context, facade.WriteCandidate) ([]facade.Finding, error) { panic("asked") }, facade.ValidationSkipped, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			files, err := fsimpl.Open(dir, &fsimpl.Options{Validators: []facade.WriteValidator{c.judge}, ValidatorTimeout: 50 * time.Millisecond})
			check(t, err)
			defer func() { check(t, files.Close()) }()
			res := call(t, facade.Files(files), args(facade.FileWrite, "path", c.path, "content", "new"))
			var out facade.WriteOutput
			check(t, json.Unmarshal(res.JSON(), &out))
			if out.Validation == nil || out.Validation.Status != c.want || !strings.Contains(res.Text, c.says) {
				t.Errorf("%+v, %s; want %s and %q", out.Validation, res.Text, c.want, c.says)
			}
			if data, err := os.ReadFile(filepath.Join(dir, c.path)); err != nil || string(data) != "new" {
				t.Errorf("the file holds %q, %v", data, err)
			}
		})
	}
}

// TestCandidate tells a validator the session, the old content and what an
// append comes to.
func TestCandidate(t *testing.T) {
	var got []facade.WriteCandidate
	dir := t.TempDir()
	files, err := fsimpl.Open(dir, &fsimpl.Options{Validators: []facade.WriteValidator{
		judge(func(_ context.Context, c facade.WriteCandidate) ([]facade.Finding, error) {
			got = append(got, c)
			return nil, nil
		}),
	}})
	check(t, err)
	defer func() { check(t, files.Close()) }()
	tool := facade.Files(files)
	for _, c := range []facade.Call{
		{Session: "host", Args: args(facade.FileWrite, "path", "d/f", "content", "one\n")},
		{Session: "host", Args: args(facade.FileWrite, "path", "d/f", "content", "two\n", "append", true, "session_id", "own")},
		{Session: "host", Args: args(facade.FileWrite, "path", "d/f", "content", "x", "validate_with_llm", false)},
	} {
		res, err := tool.Call(t.Context(), c)
		check(t, err)
		if res.Error != nil {
			t.Fatal(res.Text)
		}
	}
	want := []facade.WriteCandidate{
		{Path: "d/f", Content: "one\n", Session: "host"},
		{Path: "d/f", Content: "one\ntwo\n", Previous: "one\n", Session: "own"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
