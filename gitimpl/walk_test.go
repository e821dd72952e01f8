package gitimpl_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// porcelain renders a status as git status --porcelain --branch does, without
// quoting names.
func porcelain(o facade.GitStatusOutput) string {
	var b strings.Builder
	for _, e := range o.Entries {
		code := strings.ReplaceAll(e.Index+e.Worktree, ".", " ")
		switch e.Kind {
		case "untracked":
			code = "??"
		case "ignored":
			code = "!!"
		}
		b.WriteString(code + " " + e.Path + "\x00")
		if e.OrigPath != "" {
			b.WriteString(e.OrigPath + "\x00")
		}
	}
	return b.String()
}

// sameAsGit compares what the library says of a repository with plain git.
func (l *lab) sameAsGit(step, dir string, g *gitimpl.Git) {
	l.Helper()
	status := must[facade.GitStatusOutput](l)(g.Status(ctxOf(l), facade.GitStatusInput{}))
	if diff := cmp.Diff(l.git(dir, "status", "--porcelain", "-z"), porcelain(status)); diff != "" {
		l.Errorf("%s: status (-git +library):\n%s", step, diff)
	}
	if head, err := l.tryGit(dir, "rev-parse", "-q", "--verify", "HEAD"); err == nil && strings.TrimSpace(head) != status.Head.OID {
		l.Errorf("%s: HEAD is %s, the library says %s", step, head, status.Head.OID)
	}
	for _, staged := range []bool{false, true} {
		args := []string{"diff", "--full-index"}
		if staged {
			args = append(args, "--cached")
		}
		out := must[facade.GitDiffOutput](l)(g.Diff(ctxOf(l), facade.GitDiffInput{Staged: staged}))
		if diff := cmp.Diff(l.git(dir, args...), out.Patch); diff != "" {
			l.Errorf("%s: diff, staged=%v (-git +library):\n%s", step, staged, diff)
		}
	}
	history := must[facade.GitHistoryOutput](l)(g.History(ctxOf(l), facade.GitHistoryInput{Limit: 50}))
	var b strings.Builder
	for _, c := range history.Commits {
		b.WriteString(c.OID + " " + c.Short + " " + strings.Join(c.Parents, " ") + " " + c.Author + " " + c.Subject + "\n")
	}
	want, _ := l.tryGit(dir, "log", "--format=%H %h %P %an <%ae> %s")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		l.Errorf("%s: history (-git +library):\n%s", step, diff)
	}
}

// TestWalk is a day of work on a clone, checked against plain git at every
// step.
func TestWalk(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	l.git(".", "init", "-q", "--bare", "remote.git")
	l.git(".", "clone", "-q", l.path("remote.git"), "work")
	g := l.open("work", &gitimpl.Options{FileRemotes: true})
	l.sameAsGit("unborn", "work", g)

	l.write("work/README.md", "# Project\n")
	l.write("work/src/main.go", "package main\n\nfunc main() {}\n")
	l.write("work/.gitignore", "*.log\n")
	l.write("work/debug.log", "noise\n")
	l.sameAsGit("untracked", "work", g)

	staged := must[facade.GitStageOutput](t)(g.Stage(ctx, facade.GitStageInput{Files: []string{"README.md", "src", "debug.log"}}))
	want := facade.GitStageOutput{Staged: []string{"README.md", "src/main.go"}, Ignored: []string{"debug.log"}, Missing: []string{}}
	if diff := cmp.Diff(want, staged); diff != "" {
		t.Errorf("stage: %s", diff)
	}
	l.sameAsGit("staged", "work", g)

	un := must[facade.GitUnstageOutput](t)(g.Unstage(ctx, facade.GitUnstageInput{Files: []string{"src/main.go"}}))
	if diff := cmp.Diff([]string{"src/main.go"}, un.Unstaged); diff != "" {
		t.Errorf("unstage: %s", diff)
	}
	l.sameAsGit("unstaged in an unborn repository", "work", g)

	first := must[facade.GitCommitOutput](t)(g.Commit(ctx, facade.GitCommitInput{Message: "First\n\nWith # body", StageAll: true}))
	if first.Subject != "First" || len(first.Files) != 3 || len(first.Parents) != 0 || first.Branch != "main" {
		t.Errorf("first commit: %+v", first)
	}
	if msg := l.git("work", "log", "-1", "--format=%B"); msg != "First\n\nWith # body\n\n" {
		t.Errorf("message is %q", msg)
	}
	l.sameAsGit("committed", "work", g)

	pushed := must[facade.GitPushOutput](t)(g.Push(ctx, facade.GitPushInput{SetUpstream: true}))
	if len(pushed.Refs) != 1 || pushed.Refs[0].Status != "new" || pushed.Upstream != "origin/main" {
		t.Errorf("push: %+v", pushed)
	}
	if got := strings.TrimSpace(l.git("remote.git", "rev-parse", "main")); got != first.OID {
		t.Errorf("the remote has %s", got)
	}
	if got := l.git("work", "rev-parse", "--abbrev-ref", "main@{upstream}"); got != "origin/main\n" {
		t.Errorf("upstream is %q", got)
	}
	l.sameAsGit("pushed", "work", g)
	l.diverge(g)
}

// diverge lets a second clone push first, and meets its change.
func (l *lab) diverge(g *gitimpl.Git) {
	ctx := ctxOf(l)
	l.git(".", "clone", "-q", l.path("remote.git"), "other")
	l.write("other/README.md", "# Their project\n")
	l.git("other", "commit", "-qam", "Theirs")
	l.git("other", "push", "-q")
	l.write("work/README.md", "# Our project\n")
	l.write("work/src/util.go", "package main\n")
	must[facade.GitCommitOutput](l)(g.Commit(ctx, facade.GitCommitInput{Message: "Ours", StageAll: true}))
	l.sameAsGit("diverged", "work", g)

	rejected, err := g.Push(ctx, facade.GitPushInput{})
	wantError(l, err, facade.CodeConflict, gitimpl.ErrRejected)
	if len(rejected.Refs) != 1 || rejected.Refs[0].Status != "rejected" || rejected.Refs[0].Reason != "fetch_first" {
		l.Errorf("rejected push: %+v", rejected)
	}
	fetched := must[facade.GitFetchOutput](l)(g.Fetch(ctx, facade.GitFetchInput{}))
	if len(fetched.Updates) != 1 || fetched.Updates[0].Ref != "refs/remotes/origin/main" || fetched.Updates[0].Kind != "fast_forward" {
		l.Errorf("fetch: %+v", fetched)
	}
	status := must[facade.GitStatusOutput](l)(g.Status(ctx, facade.GitStatusInput{}))
	if diff := cmp.Diff(&facade.GitUpstream{Ref: "origin/main", Ahead: 1, Behind: 1}, status.Upstream); diff != "" {
		l.Errorf("upstream: %s", diff)
	}
	before := strings.TrimSpace(l.git("work", "rev-parse", "HEAD"))
	_, err = g.Pull(ctx, facade.GitPullInput{})
	wantError(l, err, facade.CodeConflict, gitimpl.ErrDiverged)
	l.sameAsGit("refused pull", "work", g)

	for _, mode := range []string{"merge", "rebase"} {
		pulled, err := g.Pull(ctx, facade.GitPullInput{Mode: mode})
		wantError(l, err, facade.CodeConflict, gitimpl.ErrConflict)
		if len(pulled.Conflicts) != 1 || pulled.Conflicts[0].Path != "README.md" || pulled.Conflicts[0].Kind != "both_modified" || pulled.Operation != mode {
			l.Errorf("%s: %+v", mode, pulled)
		}
		if m := []facade.GitMarker{{Start: 1, Middle: 3, End: 5}}; !cmp.Equal(m, pulled.Conflicts[0].Markers) {
			l.Errorf("%s: markers %v", mode, pulled.Conflicts[0].Markers)
		}
		_, err = g.Commit(ctx, facade.GitCommitInput{Message: "x"})
		wantError(l, err, facade.CodeConflict, gitimpl.ErrConflict)
		aborted := must[facade.GitMergeAbortOutput](l)(g.MergeAbort(ctx, facade.GitMergeAbortInput{}))
		if aborted.Operation != mode || aborted.After != before {
			l.Errorf("abort: %+v, HEAD was %s", aborted, before)
		}
		l.sameAsGit("aborted "+mode, "work", g)
	}
	_, err = g.MergeAbort(ctx, facade.GitMergeAbortInput{})
	wantError(l, err, facade.CodeNotFound, gitimpl.ErrNoOperation)
	l.undo(g)
}

// undo discards a change and finds it again, then forces the push.
func (l *lab) undo(g *gitimpl.Git) {
	ctx := ctxOf(l)
	l.write("work/README.md", "# Precious\n")
	restored := must[facade.GitRestoreOutput](l)(g.Restore(ctx, facade.GitRestoreInput{Files: []string{"README.md"}}))
	if !cmp.Equal([]string{"README.md"}, restored.Restored) || len(restored.Backup) != 1 {
		l.Fatalf("restore: %+v", restored)
	}
	if got := l.read("work/README.md"); got != "# Our project\n" {
		l.Errorf("restored file holds %q", got)
	}
	if got := l.git("work", "cat-file", "-p", restored.Backup[0].OID); got != "# Precious\n" {
		l.Errorf("backup holds %q", got)
	}
	l.sameAsGit("restored", "work", g)

	forced := must[facade.GitPushOutput](l)(g.Push(ctx, facade.GitPushInput{Force: true}))
	if forced.Refs[0].Status != "forced" || forced.Refs[0].Old == "" {
		l.Errorf("forced push: %+v", forced)
	}
	l.sameAsGit("forced", "work", g)
	l.git("other", "pull", "-q", "--rebase=false", "--no-edit", "-X", "ours")
	l.git("other", "push", "-q")
	pulled := must[facade.GitPullOutput](l)(g.Pull(ctx, facade.GitPullInput{}))
	if pulled.Before == pulled.After || len(pulled.Files) != 1 {
		l.Errorf("fast-forward: %+v", pulled)
	}
	l.sameAsGit("fast-forwarded", "work", g)
}
