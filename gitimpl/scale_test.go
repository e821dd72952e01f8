package gitimpl_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// TestManyFiles works in a repository of many files, 100,000 in a full run:
// every count is right and every reply keeps within its budget.
func TestManyFiles(t *testing.T) {
	n := 3000
	if full() {
		n = 100_000
	}
	l := newLab(t)
	l.repo("r", "a", "1\n")
	for i := range n {
		l.write(fmt.Sprintf("r/d%d/file %d", i%200, i), fmt.Sprint(i))
	}
	tool := facade.Git(l.open("r", nil).Extended())
	call := func(args string) *facade.Result {
		t.Helper()
		res, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(args)})
		if err != nil || res.Error != nil {
			t.Fatalf("%s: %v %v", args, err, res.Error)
		}
		if size := len(res.JSON()); size > facade.DefaultOutputBudget {
			t.Errorf("%s: the reply has %d bytes", args, size)
		}
		return res
	}
	status := call(`{"action":"status","untracked":"all"}`).Data.(facade.GitStatusOutput)
	if status.Counts.Untracked != n || len(status.Entries)+status.Hidden != n || status.Hidden == 0 {
		t.Errorf("%d untracked, %d shown, %d hidden", status.Counts.Untracked, len(status.Entries), status.Hidden)
	}
	staged := call(`{"action":"stage","stage_all":true}`).Data.(facade.GitStageOutput)
	if len(staged.Staged)+staged.Hidden != n {
		t.Errorf("staged %d, hidden %d", len(staged.Staged), staged.Hidden)
	}
	unstaged := call(`{"action":"unstage","unstage_all":true}`).Data.(facade.GitUnstageOutput)
	if len(unstaged.Unstaged)+unstaged.Hidden != n {
		t.Errorf("unstaged %d, hidden %d", len(unstaged.Unstaged), unstaged.Hidden)
	}
	made := call(`{"action":"commit","message":"all","stage_all":true}`).Data.(facade.GitCommitOutput)
	if len(made.Files)+made.Hidden != n {
		t.Errorf("committed %d, hidden %d", len(made.Files), made.Hidden)
	}
	shown := call(`{"action":"show","output":"stat"}`).Data.(facade.GitShowOutput)
	if shown.Diff.Totals.Files != n || shown.Diff.Totals.Additions != n {
		t.Errorf("totals are %+v", shown.Diff.Totals)
	}
	for i := range n {
		l.write(fmt.Sprintf("r/d%d/file %d", i%200, i), "changed\n")
	}
	diff := call(`{"action":"diff"}`)
	if out := diff.Data.(facade.GitDiffOutput); out.Totals.Files != n || !diff.Truncated || len(out.Rest) == 0 {
		t.Errorf("totals are %+v", out.Totals)
	}
	restored := call(`{"action":"restore","files":["."]}`).Data.(facade.GitRestoreOutput)
	if len(restored.Restored)+restored.Hidden != n {
		t.Errorf("restored %d, hidden %d", len(restored.Restored), restored.Hidden)
	}
	if got := strings.TrimSpace(l.git("r", "status", "--porcelain")); got != "" {
		t.Errorf("after restoring: %.200s", got)
	}
}
