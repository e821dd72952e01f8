package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// contest is an action beside the git command that gives the same answer. ours
// writes the action's result as the command prints it.
type contest struct {
	name string
	ours func(context.Context) (string, error)
	bare []string
}

// commitFormat are the fields of a commit that history returns.
const commitFormat = "--format=%H|%h|%P|%an <%ae>|%aI|%s|%D"

func contests(g *gitimpl.Extended) []contest {
	return []contest{
		{"status", func(ctx context.Context) (string, error) {
			out, err := g.Status(ctx, facade.GitStatusInput{})
			return statusText(out), err
		}, []string{"status", "--porcelain=v1", "--branch"}},
		{"diff", func(ctx context.Context) (string, error) {
			out, err := g.Diff(ctx, facade.GitDiffInput{})
			return out.Patch, err
		}, []string{"diff", "--full-index"}},
		{"diff of commits", func(ctx context.Context) (string, error) {
			out, err := g.Diff(ctx, facade.GitDiffInput{From: "HEAD~5", To: "HEAD"})
			return out.Patch, err
		}, []string{"diff", "--full-index", "HEAD~5", "HEAD"}},
		{"history", func(ctx context.Context) (string, error) {
			return history(g, ctx, facade.GitHistoryInput{})
		}, []string{"log", "-10", commitFormat}},
		{"history of 100 commits", func(ctx context.Context) (string, error) {
			return history(g, ctx, facade.GitHistoryInput{Limit: 100})
		}, []string{"log", "-100", commitFormat}},
		{"history of a file", func(ctx context.Context) (string, error) {
			return history(g, ctx, facade.GitHistoryInput{Files: []string{"d1/f1"}})
		}, []string{"log", "-10", commitFormat, "--", "d1/f1"}},
		{"history by message", func(ctx context.Context) (string, error) {
			return history(g, ctx, facade.GitHistoryInput{Grep: "^Change 3$"})
		}, []string{"log", "-10", commitFormat, "--grep=^Change 3$"}},
		{"show", func(ctx context.Context) (string, error) {
			out, err := g.Show(ctx, facade.GitShowInput{})
			return out.Commit.OID + "\n\n" + out.Diff.Patch, err
		}, []string{"show", "--format=%H", "--full-index"}},
		{"blame", func(ctx context.Context) (string, error) {
			out, err := g.Blame(ctx, facade.GitBlameInput{Path: "d1/f1"})
			return blameText(out), err
		}, []string{"blame", "-s", "-l", "--root", "d1/f1"}},
		{"branches", func(ctx context.Context) (string, error) {
			out, err := g.Branches(ctx, facade.GitBranchesInput{})
			var b strings.Builder
			for _, br := range out.Branches {
				b.WriteString(br.OID + " " + br.Name + " " + br.Subject + "\n")
			}
			return b.String(), err
		}, []string{"for-each-ref", "--sort=-committerdate", "--format=%(objectname) %(refname:short) %(subject)", "refs/heads"}},
	}
}

func history(g *gitimpl.Extended, ctx context.Context, in facade.GitHistoryInput) (string, error) {
	out, err := g.History(ctx, in)
	var b strings.Builder
	for _, c := range out.Commits {
		when := c.AuthorTime.Format("2006-01-02T15:04:05-07:00")
		refs := strings.Replace(strings.Join(c.Refs, ", "), "HEAD, ", "HEAD -> ", 1)
		b.WriteString(strings.Join([]string{c.OID, c.Short, strings.Join(c.Parents, " "), c.Author, when, c.Subject, refs}, "|") + "\n")
	}
	return b.String(), err
}

func statusText(out facade.GitStatusOutput) string {
	var b strings.Builder
	b.WriteString("## " + out.Head.Branch + "\n")
	for _, e := range out.Entries {
		code := strings.ReplaceAll(e.Index+e.Worktree, ".", " ")
		if e.Kind == "untracked" {
			code = "??"
		}
		b.WriteString(code + " " + e.Path + "\n")
	}
	return b.String()
}

// blameText is how git blame -s -l shows lines.
func blameText(out facade.GitBlameOutput) string {
	var b strings.Builder
	ids := map[string]string{"": strings.Repeat("0", 40)} // not committed yet
	for _, c := range out.Commits {
		ids[c.Short] = c.OID
	}
	for _, l := range out.Lines {
		fmt.Fprintf(&b, "%s %*d) %s\n", ids[l.Commit], len(fmt.Sprint(len(out.Lines))), l.Line, l.Content)
	}
	return b.String()
}
