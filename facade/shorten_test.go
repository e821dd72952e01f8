package facade

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A change that happened is told as such, however long its reply would be.
func TestLongRepliesOfChangesAreShortened(t *testing.T) {
	var paths []string
	var lines []int64
	for i := range 20_000 {
		paths = append(paths, fmt.Sprintf("some/directory/with/a/name/%06d", i))
		lines = append(lines, int64(1_000_000+i))
	}
	diff := strings.Repeat("+\x1b\"a line\"\n", 8000)
	edited := EditedFile{Path: "f", Status: "modified", Diff: diff, ETag: "e", Matches: []EditMatch{{Strategy: "exact", Lines: lines}}}
	for _, out := range []any{
		CreateOutput{Created: paths, Existed: paths},
		DeleteOutput{Deleted: paths},
		WriteOutput{Path: "f", ETag: "e", Diff: diff},
		ModifyOutput{Path: "f", ETag: "e", Diff: diff},
		ReplaceOutput{Path: "f", ETag: "e", Diff: diff, Lines: lines, Count: len(lines)},
		EditOutput{Files: []EditedFile{edited, edited, edited}},
		UndoOutput{Reverted: []Reverted{{ID: "c1", Action: "delete", Paths: paths, Diff: diff}}},
		HistoryOutput{Changes: []JournalEntry{{ID: "c1", Action: "delete", Paths: paths}}},
	} {
		t.Run(fmt.Sprintf("%T", out), func(t *testing.T) {
			tool := New("filesystem", "Test.", Bind("go", EffectWrite, "Go.", func(context.Context, struct{}) (any, error) { return out, nil }))
			r, err := tool.Call(t.Context(), Call{Args: json.RawMessage(`{"action":"go"}`)})
			if err != nil {
				t.Fatal(err)
			}
			raw, failure := r.Structured()
			if failure != nil || !r.Truncated || len(r.Notes) != 1 {
				t.Errorf("failure %v, truncated %v, notes %q", failure, r.Truncated, r.Notes)
			}
			if len(raw) > DefaultOutputBudget || len(r.FullText()) > DefaultOutputBudget {
				t.Errorf("%d bytes of JSON, %d of text", len(raw), len(r.FullText()))
			}
			if strings.Contains(r.Text, "[cut: ") {
				t.Error("the text was cut as the last resort")
			}
		})
	}
}

func TestShortRepliesStay(t *testing.T) {
	out := EditOutput{Files: []EditedFile{{Path: "f", Status: "modified", Diff: "+a\n", ETag: "e"}}}
	r := &Result{Data: out}
	r.shorten()
	if got, ok := r.Data.(EditOutput); !ok || got.Files[0].Diff != "+a\n" || r.Truncated || r.Notes != nil {
		t.Errorf("shortened without need: %+v", r)
	}
}
