package facade

import (
	"fmt"
	"strings"
	"time"
)

// The compact text forms of what the git tool reads; git_write_text.go has
// those of what it changes.

// shortOID is enough of an id for a person.
func shortOID(oid string) string {
	const enough = 10
	if len(oid) > enough {
		return oid[:enough]
	}
	return oid
}

// hiddenLine tells of items left out.
func hiddenLine(b *strings.Builder, r *Result, n int, noun, advice string) {
	if n > 0 {
		r.Truncated = true
		fmt.Fprintf(b, "\n[%s not shown; %s]", plural(n, noun), advice)
	}
}

// Present implements [Presenter].
func (o GitStatusOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(o.headline())
	for _, e := range o.Entries {
		b.WriteString("\n" + e.line(o.short))
	}
	hiddenLine(&b, r, o.Hidden, "entry", "narrow it by paths, or raise limit")
	r.Text = b.String()
}

func (o GitStatusOutput) headline() string {
	var parts []string
	if o.Head != nil {
		parts = append(parts, o.Head.String())
	}
	if u := o.Upstream; u != nil {
		parts = append(parts, u.String())
	}
	if o.Operation != "" && o.Operation != "none" {
		parts = append(parts, o.Operation+" in progress")
	}
	if o.Clean {
		parts = append(parts, "clean")
	}
	c := o.Counts
	for _, n := range []struct {
		n    int
		what string
	}{{c.Staged, "staged"}, {c.Unstaged, "unstaged"}, {c.Unmerged, "unmerged"}, {c.Untracked, "untracked"}, {c.Ignored, "ignored"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.what))
		}
	}
	return strings.Join(parts, ", ")
}

// String tells branch and commit, as "on main at 1234567890".
func (h *GitHead) String() string {
	switch {
	case h.Detached:
		return "detached at " + shortOID(h.OID)
	case h.Unborn:
		return "on " + oneLine(h.Branch) + " without commits"
	}
	return "on " + oneLine(h.Branch) + " at " + shortOID(h.OID)
}

// String tells the distance, as "1 ahead and 2 behind origin/main".
func (u *GitUpstream) String() string {
	ref := oneLine(u.Ref)
	switch {
	case u.Gone:
		return "upstream " + ref + " is gone"
	case u.Ahead > 0 && u.Behind > 0:
		return fmt.Sprintf("%d ahead and %d behind %s", u.Ahead, u.Behind, ref)
	case u.Ahead > 0:
		return fmt.Sprintf("%d ahead of %s", u.Ahead, ref)
	case u.Behind > 0:
		return fmt.Sprintf("%d behind %s", u.Behind, ref)
	}
	return "up to date with " + ref
}

// statusWords are the meanings of the letters of a status entry.
var statusWords = map[string]string{
	"M": "modified", "T": "type changed", "A": "added", "D": "deleted",
	"R": "renamed", "C": "copied", "U": "unmerged",
}

func (e GitStatusEntry) line(short bool) string {
	name := oneLine(e.Path)
	if e.OrigPath != "" {
		name = oneLine(e.OrigPath) + " -> " + name
	}
	if short {
		return e.code() + " " + name
	}
	var states []string
	if e.Kind == "untracked" || e.Kind == "ignored" || e.Kind == "unmerged" {
		states = append(states, e.Kind)
	} else {
		if w, ok := statusWords[e.Index]; ok {
			states = append(states, "staged "+w)
		}
		if w, ok := statusWords[e.Worktree]; ok {
			states = append(states, "unstaged "+w)
		}
	}
	return strings.Join(states, ", ") + ": " + name
}

// code is the two-letter code of git status --short.
func (e GitStatusEntry) code() string {
	switch e.Kind {
	case "untracked":
		return "??"
	case "ignored":
		return "!!"
	}
	return strings.ReplaceAll(e.Index+e.Worktree, ".", " ")
}

// Present implements [Presenter].
func (o GitDiffOutput) Present(r *Result) {
	var b strings.Builder
	o.write(&b, r)
	r.Text = b.String()
}

func (o GitDiffOutput) write(b *strings.Builder, r *Result) {
	if o.Totals.Files == 0 {
		b.WriteString("no differences")
		return
	}
	b.WriteString(plural(o.Totals.Files, "file") + " changed")
	if o.Totals.Additions+o.Totals.Deletions > 0 { // names come without counts
		fmt.Fprintf(b, ", %d added, %d deleted", o.Totals.Additions, o.Totals.Deletions)
	}
	changes(b, o.Files)
	hiddenLine(b, r, o.Hidden, "file", "narrow it by files")
	if o.Patch != "" {
		b.WriteString("\n\n" + strings.TrimRight(o.Patch, "\n"))
	}
	if len(o.Rest) > 0 {
		r.Truncated = true
		fmt.Fprintf(b, "\n[the patch is cut; repeat the call with files=%q, or with output=stat]", o.Rest)
	}
}

// changes writes a line per changed file.
func changes(b *strings.Builder, files []GitFileChange) {
	for _, f := range files {
		b.WriteString("\n" + f.Status + " ")
		if f.OldPath != "" {
			b.WriteString(oneLine(f.OldPath) + " -> ")
		}
		b.WriteString(oneLine(f.Path))
		switch {
		case f.Binary:
			b.WriteString(" (binary)")
		case f.Additions > 0 || f.Deletions > 0:
			fmt.Fprintf(b, " +%d -%d", f.Additions, f.Deletions)
		}
	}
}

// Present implements [Presenter].
func (o GitHistoryOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Commits), "commit"))
	for _, c := range o.Commits {
		c.write(&b, o.oneline)
	}
	more(&b, r, o.NextCursor)
	r.Text = b.String()
}

func (c GitCommitInfo) write(b *strings.Builder, oneline bool) {
	b.WriteString("\n" + c.Short + " ")
	if len(c.Refs) > 0 {
		b.WriteString("(" + quoted(c.Refs) + ") ")
	}
	b.WriteString(oneLine(c.Subject))
	if oneline {
		return
	}
	if c.AuthorTime != nil {
		fmt.Fprintf(b, "\n  by %s, %s", oneLine(c.Author), c.AuthorTime.Format(time.RFC3339))
	}
	if len(c.Parents) > 1 {
		b.WriteString("\n  merge of")
		for _, p := range c.Parents {
			b.WriteString(" " + shortOID(p))
		}
	}
	for line := range strings.Lines(c.Body) {
		b.WriteString("\n  " + strings.TrimRight(line, "\r\n"))
	}
}

// Present implements [Presenter].
func (o GitShowOutput) Present(r *Result) {
	var b strings.Builder
	if f := o.File; f != nil {
		fmt.Fprintf(&b, "%s at %s (%d bytes)", oneLine(f.Path), o.Commit.Short, f.Size)
		switch {
		case f.Binary:
			b.WriteString(", not text")
		default:
			b.WriteString("\n" + f.Content)
		}
		if f.Truncated {
			r.Truncated = true
			b.WriteString("\n[cut; raise max_bytes for more]")
		}
		r.Text = b.String()
		return
	}
	b.WriteString("commit " + o.Commit.OID)
	o.Commit.write(&b, false)
	if o.Diff != nil {
		b.WriteString("\n\n")
		o.Diff.write(&b, r)
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o GitBlameOutput) Present(r *Result) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s from %s", plural(len(o.Lines), "line"), oneLine(o.Path), plural(len(o.Commits), "commit"))
	for _, c := range o.Commits {
		fmt.Fprintf(&b, "\n%s %s, %s: %s", c.Short, oneLine(c.Author), c.AuthorTime.Format(time.DateOnly), oneLine(c.Subject))
	}
	for _, l := range o.Lines {
		commit := l.Commit
		if commit == "" {
			commit = "uncommitted"
		}
		fmt.Fprintf(&b, "\n%d %s: %s", l.Line, commit, l.Content)
	}
	if o.NextLine > 0 {
		r.Truncated = true
		fmt.Fprintf(&b, "\n[more: repeat the call with start_line=%d]", o.NextLine)
	}
	r.Text = b.String()
}
