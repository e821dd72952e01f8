package facade

import (
	"fmt"
	"strings"
	"time"
)

// Present implements [Presenter].
func (o GitStageOutput) Present(r *Result) {
	var b strings.Builder
	if len(o.Missing) > 0 {
		r.Text = "nothing staged; missing: " + quoted(o.Missing)
		return
	}
	pathList(&b, r, "staged", o.Staged, o.Hidden)
	if len(o.Ignored) > 0 {
		b.WriteString("\nleft out, because ignore rules exclude them: " + quoted(o.Ignored))
	}
	if len(o.Unfiltered) > 0 {
		b.WriteString("\nstaged as they are, because filters of a repository are not run: " + quoted(o.Unfiltered))
	}
	r.Text = b.String()
}

// pathList writes "staged 2 paths" and the paths.
func pathList(b *strings.Builder, r *Result, verb string, paths []string, hidden int) {
	if len(paths) == 0 {
		fmt.Fprintf(b, "nothing %s: the index did not change", verb)
		return
	}
	fmt.Fprintf(b, "%s %s", verb, plural(len(paths)+hidden, "path"))
	for _, p := range paths {
		b.WriteString("\n" + oneLine(p))
	}
	hiddenLine(b, r, hidden, "path", "status lists them")
}

// Present implements [Presenter].
func (o GitUnstageOutput) Present(r *Result) {
	var b strings.Builder
	if len(o.Missing) > 0 {
		r.Text = "nothing unstaged; missing: " + quoted(o.Missing)
		return
	}
	pathList(&b, r, "unstaged", o.Unstaged, o.Hidden)
	r.Text = b.String()
}

// Present implements [Presenter].
func (o GitCommitOutput) Present(r *Result) {
	var b strings.Builder
	if o.OID != "" {
		branch := oneLine(o.Branch)
		if branch == "" {
			branch = "detached HEAD"
		}
		fmt.Fprintf(&b, "committed %s on %s: %s", shortOID(o.OID), branch, oneLine(o.Subject))
		changes(&b, o.Files)
		hiddenLine(&b, r, o.Hidden, "file", "show lists them")
	}
	o.Script.write(&b)
	r.Text = strings.TrimLeft(b.String(), "\n")
}

func (s *GitScriptRun) write(b *strings.Builder) {
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\nscript %s ended with exit code %d after %s", s.Name, s.ExitCode, time.Duration(s.DurationMS)*time.Millisecond)
	if s.TimedOut {
		b.WriteString(", at its time limit")
	}
	if len(s.Staged) > 0 {
		b.WriteString("\nthe script staged: " + quoted(s.Staged))
	}
	if s.Output != "" {
		b.WriteString("\n" + strings.TrimRight(s.Output, "\n"))
	}
}

// Present implements [Presenter].
func (o GitRestoreOutput) Present(r *Result) {
	var b strings.Builder
	if len(o.Restored) == 0 {
		r.Text = done(o.DryRun, "nothing to restore: nothing differs")
		return
	}
	b.WriteString(done(o.DryRun, "restored "+plural(len(o.Restored)+o.Hidden, "path")))
	for _, p := range o.Restored {
		b.WriteString("\n" + oneLine(p))
	}
	hiddenLine(&b, r, o.Hidden, "path", "status tells what is left")
	for _, k := range o.Backup {
		fmt.Fprintf(&b, "\nkept %s as blob %s", oneLine(k.Path), k.OID)
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o GitMergeAbortOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("aborted the %s; HEAD is %s", o.Operation, shortOID(o.After))
	if o.Before != o.After {
		r.Text += " (was " + shortOID(o.Before) + ")"
	}
}

// Present implements [Presenter].
func (o GitFetchOutput) Present(r *Result) {
	var b strings.Builder
	if len(o.Updates) == 0 {
		b.WriteString("nothing new")
	} else {
		b.WriteString("updated " + plural(len(o.Updates)+o.Hidden, "ref"))
	}
	updates(&b, o.Updates)
	hiddenLine(&b, r, o.Hidden, "ref", "fetch one branch to see less")
	r.Text = b.String()
}

func updates(b *strings.Builder, list []GitRefUpdate) {
	for _, u := range list {
		fmt.Fprintf(b, "\n%s %s", u.Kind, oneLine(u.Ref))
		switch {
		case u.Old == "":
			b.WriteString(" " + shortOID(u.New))
		case u.New == "":
			b.WriteString(" was " + shortOID(u.Old))
		default:
			fmt.Fprintf(b, " %s..%s", shortOID(u.Old), shortOID(u.New))
		}
	}
}

// Present implements [Presenter].
func (o GitPullOutput) Present(r *Result) {
	var b strings.Builder
	switch {
	case len(o.Conflicts) > 0:
		fmt.Fprintf(&b, "the %s stopped at %s", o.Operation, plural(len(o.Conflicts), "conflict"))
		conflictLines(&b, o.Conflicts)
	case o.Before == o.After:
		b.WriteString("HEAD stays at " + shortOID(o.After))
	default:
		fmt.Fprintf(&b, "HEAD went from %s to %s", shortOID(o.Before), shortOID(o.After))
	}
	changes(&b, o.Files)
	hiddenLine(&b, r, o.Hidden, "file", "diff lists them")
	updates(&b, o.Updates)
	r.Text = b.String()
}

func conflictLines(b *strings.Builder, list []GitConflict) {
	for _, c := range list {
		fmt.Fprintf(b, "\n%s: %s", c.Kind, oneLine(c.Path))
		for _, m := range c.Markers {
			fmt.Fprintf(b, " [lines %d-%d]", m.Start, m.End)
		}
	}
}

// Present implements [Presenter].
func (o GitPushOutput) Present(r *Result) {
	var b strings.Builder
	for _, ref := range o.Refs {
		fmt.Fprintf(&b, "\n%s: %s", oneLine(ref.Remote), ref.Status)
		if ref.Reason != "" {
			fmt.Fprintf(&b, " (%s)", oneLine(ref.Reason))
		}
		if ref.Old != ref.New && ref.New != "" {
			fmt.Fprintf(&b, " %s..%s", shortOID(ref.Old), shortOID(ref.New))
		}
	}
	if o.Upstream != "" {
		b.WriteString("\nupstream is now " + oneLine(o.Upstream))
	}
	if o.RemoteMessages != "" {
		b.WriteString("\nthe remote says:\n" + strings.TrimRight(o.RemoteMessages, "\n"))
	}
	o.Script.write(&b)
	r.Text = done(o.DryRun, strings.TrimLeft(b.String(), "\n"))
}

// Present implements [Presenter].
func (o GitBranchesOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Branches)+o.Hidden, "branch"))
	for _, br := range o.Branches {
		mark := " "
		if !br.Remote && br.Name == o.Current {
			mark = "*"
		}
		fmt.Fprintf(&b, "\n%s %s %s %s", mark, oneLine(br.Name), shortOID(br.OID), oneLine(br.Subject))
		if br.Upstream != nil {
			fmt.Fprintf(&b, " [%s]", br.Upstream)
		}
	}
	hiddenLine(&b, r, o.Hidden, "branch", "narrow it by pattern, or raise limit")
	r.Text = b.String()
}

// Present implements [Presenter].
func (o GitSwitchOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("now %s (was %s)", &o.Head, &o.Before)
	if o.Created {
		r.Text += ", a new branch"
	}
}

// stashDone says what an operation on the stash has done.
var stashDone = map[string]string{
	"push": "changes put aside", "apply": "changes brought back, the entry kept", "pop": "changes brought back", "drop": "entry dropped",
}

// Present implements [Presenter].
func (o GitStashOutput) Present(r *Result) {
	var b strings.Builder
	if done := stashDone[o.done]; done != "" && len(o.Conflicts) == 0 {
		b.WriteString(done + "; ")
	}
	b.WriteString("the stash has " + plural(len(o.Entries), "entry"))
	for _, e := range o.Entries {
		fmt.Fprintf(&b, "\n%d: %s (%s)", e.Entry, oneLine(e.Message), e.Time.Format(time.RFC3339))
	}
	if len(o.Files) > 0 {
		b.WriteString("\nfiles: " + quoted(o.Files))
	}
	conflictLines(&b, o.Conflicts)
	r.Text = b.String()
}

// Present implements [Presenter].
func (o GitConflictsOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Conflicts)+o.Hidden, "conflict"))
	if o.Operation != "" && o.Operation != "none" {
		b.WriteString(", " + o.Operation)
	}
	conflictLines(&b, o.Conflicts)
	hiddenLine(&b, r, o.Hidden, "conflict", "narrow it by files")
	for _, m := range o.Messages {
		b.WriteString("\n" + oneLine(m))
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o GitRemotesOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Remotes), "remote"))
	for _, m := range o.Remotes {
		fmt.Fprintf(&b, "\n%s %s", oneLine(m.Name), oneLine(m.URL))
		if m.PushURL != "" {
			fmt.Fprintf(&b, " (push: %s)", oneLine(m.PushURL))
		}
		if !m.Usable {
			fmt.Fprintf(&b, " (not usable: %s)", oneLine(m.Reason))
		}
	}
	r.Text = b.String()
}
