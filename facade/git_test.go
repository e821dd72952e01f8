package facade_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// fakeGit answers every action of the git tool with a fixed output.
type fakeGit struct {
	facade.GitTools
	facade.GitExtras
	pull facade.GitPullOutput
}

func (g *fakeGit) Pull(context.Context, facade.GitPullInput) (facade.GitPullOutput, error) {
	return g.pull, facade.Errorf(facade.CodeConflict, "the merge has conflicts")
}

func names(t *facade.Tool) string {
	var out []string
	for _, a := range t.Actions() {
		out = append(out, a.Name)
	}
	return strings.Join(out, " ")
}

func TestGitActions(t *testing.T) {
	const eleven = "status stage unstage commit diff history restore fetch pull push merge_abort"
	const extras = " show blame branches switch stash conflicts remotes"
	if got := names(facade.Git(struct{ facade.GitTools }{})); got != eleven {
		t.Errorf("GitTools: %s", got)
	}
	if got := names(facade.Git(&fakeGit{})); got != eleven+extras {
		t.Errorf("with extras: %s", got)
	}
	if got := names(facade.Git(struct{ facade.GitReader }{})); got != "status diff history" {
		t.Errorf("GitReader: %s", got)
	}
}

func TestGitConflictIsDataBesideTheError(t *testing.T) {
	tool := facade.Git(&fakeGit{pull: facade.GitPullOutput{
		Before: "1111", After: "1111", Operation: "merge",
		Conflicts: []facade.GitConflict{{Path: "a b.txt", Kind: "both_modified", Markers: []facade.GitMarker{{Start: 3, Middle: 5, End: 7}}}},
	}})
	res, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(`{"action":"pull"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if res.Error == nil || res.Error.Code != facade.CodeConflict {
		t.Errorf("error is %v", res.Error)
	}
	for _, want := range []string{"the merge stopped at 1 conflict", "both_modified: a b.txt [lines 3-7]"} {
		if !strings.Contains(res.Text, want) {
			t.Errorf("text lacks %q:\n%s", want, res.Text)
		}
	}
	if data := string(res.JSON()); !strings.Contains(data, `"conflicts":[{"path":"a b.txt"`) {
		t.Errorf("data lacks the conflict: %s", data)
	}
}

func TestGitValidate(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		in    facade.Validator
		field string // "" when valid
	}{
		{facade.GitStageInput{}, "files"},
		{facade.GitStageInput{Files: []string{"a"}, StageAll: true}, "stage_all"},
		{facade.GitStageInput{StageAll: true}, ""},
		{facade.GitUnstageInput{}, "files"},
		{facade.GitUnstageInput{Files: []string{"a"}}, ""},
		{facade.GitCommitInput{Message: " \n"}, "message"},
		{facade.GitCommitInput{Message: "a\x00b"}, "message"},
		{facade.GitCommitInput{Message: "m", Author: "Ada"}, "author"},
		{facade.GitCommitInput{Message: "m", Author: "Ada <a@b>\nx"}, "author"},
		{facade.GitCommitInput{Message: "m", Author: "Ada <a@b>"}, ""},
		{facade.GitCommitInput{Message: "m", Files: []string{"a"}, StageAll: true}, "stage_all"},
		{facade.GitDiffInput{Staged: true, To: "HEAD"}, "to"},
		{facade.GitDiffInput{MergeBase: true}, "from"},
		{facade.GitDiffInput{MergeBase: true, From: "a", Staged: true}, "merge_base"},
		{facade.GitDiffInput{From: "a", To: "b", MergeBase: true}, ""},
		{facade.GitRestoreInput{Files: []string{"a"}, Worktree: &no}, "worktree"},
		{facade.GitRestoreInput{Files: []string{"a"}, Worktree: &yes}, ""},
		{facade.GitFetchInput{FetchAll: true, Branch: "b"}, "branch"},
		{facade.GitPullInput{Rebase: true, Mode: "merge"}, "rebase"},
		{facade.GitShowInput{Path: "a", Files: []string{"a"}}, "files"},
		{facade.GitBlameInput{StartLine: 3, EndLine: 2}, "end_line"},
		{facade.GitSwitchInput{}, "branch"},
		{facade.GitSwitchInput{Detach: true, Branch: "b"}, "detach"},
		{facade.GitSwitchInput{Branch: "b", Ref: "v1"}, "ref"},
		{facade.GitSwitchInput{Branch: "b", Ref: "v1", Create: true}, ""},
		{facade.GitStashInput{Message: "m"}, "message"},
		{facade.GitStashInput{Operation: "pop", Files: []string{"a"}}, "files"},
		{facade.GitStashInput{Operation: "list", IncludeUntracked: true}, "include_untracked"},
	} {
		err := c.in.Validate()
		var field string
		e := &facade.Error{}
		if errors.As(err, &e) {
			field = e.Field
		}
		if field != c.field {
			t.Errorf("%T%+v: field %q (%v), want %q", c.in, c.in, field, err, c.field)
		}
	}
}

func TestGitEffects(t *testing.T) {
	const push = facade.EffectNetwork | facade.EffectWrite
	for _, c := range []struct {
		in   facade.Effector
		want facade.Effect
	}{
		{facade.GitPushInput{}, push},
		{facade.GitPushInput{Force: true}, push | facade.EffectDestructive},
		{facade.GitPushInput{Force: true, DryRun: true}, push},
		{facade.GitStashInput{}, facade.EffectRead | facade.Idempotent},
		{facade.GitStashInput{Operation: "pop"}, push},
		{facade.GitStashInput{Operation: "drop"}, push | facade.EffectDestructive},
	} {
		if got := c.in.Effect(push); got != c.want {
			t.Errorf("%+v: %v, want %v", c.in, got, c.want)
		}
	}
}

// TestGitTexts holds the first line of each output's text, and that a name
// with a line break in it cannot forge another line.
func TestGitTexts(t *testing.T) {
	day := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		out  facade.Presenter
		want string
	}{
		{facade.GitStatusOutput{Head: &facade.GitHead{Branch: "main", Unborn: true}, Clean: true}, "on main without commits, clean"},
		{facade.GitStatusOutput{
			Head: &facade.GitHead{OID: "0123456789abcdef", Branch: "main"}, Upstream: &facade.GitUpstream{Ref: "origin/main", Ahead: 1, Behind: 2},
			Operation: "merge", Counts: facade.GitStatusCounts{Staged: 1, Untracked: 1},
			Entries: []facade.GitStatusEntry{
				{Path: "a\nb", Index: "M", Worktree: ".", Kind: "ordinary"},
				{Path: "n", OrigPath: "o", Index: "R", Worktree: "M", Kind: "renamed"},
				{Path: "u", Index: ".", Worktree: ".", Kind: "untracked"},
			},
		}, "on main at 0123456789, 1 ahead and 2 behind origin/main, merge in progress, 1 staged, 1 untracked\nstaged modified: \"a\\nb\"\nstaged renamed, unstaged modified: o -> n\nuntracked: u"},
		{facade.GitStageOutput{Staged: []string{"a"}, Ignored: []string{"b.o"}}, "staged 1 path\na\nleft out, because ignore rules exclude them: b.o"},
		{facade.GitStageOutput{}, "nothing staged: the index did not change"},
		{facade.GitStageOutput{Missing: []string{"x"}}, "nothing staged; missing: x"},
		{facade.GitDiffOutput{}, "no differences"},
		{facade.GitHistoryOutput{Commits: []facade.GitCommitInfo{{Short: "1234567", Subject: "s\x1b[2J", Author: "A <a@b>", AuthorTime: &day, Refs: []string{"main"}}}}, "1 commit\n1234567 (main) \"s\\x1b[2J\"\n  by A <a@b>, 2026-01-02T03:04:05Z"},
		{facade.GitMergeAbortOutput{Operation: "rebase", Before: "a", After: "b"}, "aborted the rebase; HEAD is b (was a)"},
		{facade.GitPushOutput{DryRun: true, Refs: []facade.GitPushedRef{{Remote: "refs/heads/main", Old: "a", New: "b", Status: "ok"}}}, "dry run, nothing changed: refs/heads/main: ok a..b"},
	} {
		var r facade.Result
		c.out.Present(&r)
		if r.Text != c.want {
			t.Errorf("%T:\n%s\nwant\n%s", c.out, r.Text, c.want)
		}
	}
}
