package facade

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// done prefixes what happened, or would have.
func done(dryRun bool, what string) string {
	if dryRun {
		return "dry run, nothing changed: " + what
	}
	return what
}

func withDiff(headline, diff string) string {
	if diff == "" {
		return headline
	}
	return headline + "\n" + strings.TrimRight(diff, "\n")
}

func quoted(paths []string) string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = oneLine(p)
	}
	return strings.Join(out, ", ")
}

// Present implements [Presenter].
func (o CreateOutput) Present(r *Result) {
	r.Text = "created " + quoted(o.Created)
	switch {
	case len(o.Created) == 0:
		r.Text = "nothing to create; already there: " + quoted(o.Existed)
	case len(o.Existed) > 0:
		r.Text += "; already there: " + quoted(o.Existed)
	}
}

// Present implements [Presenter].
func (o WriteOutput) Present(r *Result) {
	if o.ETag == "" { // beside an error: the change that made the write stale
		r.Text = strings.TrimRight(o.Diff, "\n")
		return
	}
	verb := "wrote"
	if o.Created {
		verb = "created"
	}
	line := done(o.DryRun, fmt.Sprintf("%s %s, %s, etag %s", verb, oneLine(o.Path), plural(o.Bytes, "byte"), o.ETag))
	if v := o.Validation; v != nil && v.Status != ValidationSkipped {
		line += ", validation " + string(v.Status)
		for _, f := range v.Findings {
			line += fmt.Sprintf("\n%s: %s: ", f.Validator, f.Severity)
			if f.Line > 0 {
				line += fmt.Sprintf("line %d: ", f.Line)
			}
			line += f.Message
		}
	}
	r.Text = withDiff(line, o.Diff)
}

// Present implements [Presenter].
func (o DeleteOutput) Present(r *Result) {
	r.Text = done(o.DryRun, "deleted "+quoted(o.Deleted))
}

// Present implements [Presenter].
func (o ModifyOutput) Present(r *Result) {
	r.Text = changed(o.DryRun, "modified "+oneLine(o.Path), o.ETag, o.Diff)
}

// changed is the text of one changed file, or, without an etag, the diff that
// goes with an error.
func changed(dryRun bool, what, etag, diff string) string {
	if etag == "" {
		return strings.TrimRight(diff, "\n")
	}
	return withDiff(done(dryRun, what+", etag "+etag), diff)
}

// Present implements [Presenter].
func (o ReplaceOutput) Present(r *Result) {
	what := fmt.Sprintf("replaced %s in %s (%s)", plural(o.Count, "match"), oneLine(o.Path), o.Strategy)
	r.Text = changed(o.DryRun, what, o.ETag, o.Diff)
}

// atLines names lines, as "line 5" and "lines 5, 9".
func atLines(lines []int64) string {
	text := "line "
	if len(lines) != 1 {
		text = "lines "
	}
	for i, n := range lines {
		if i > 0 {
			text += ", "
		}
		text += strconv.FormatInt(n, 10)
	}
	return text
}

// Present implements [Presenter].
func (o EditOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(done(o.DryRun, "changed "+plural(len(o.Files), "file")))
	for _, f := range o.Files {
		fmt.Fprintf(&b, "\n%s %s", f.Status, oneLine(f.Path))
		if f.OldPath != "" {
			fmt.Fprintf(&b, " (was %s)", oneLine(f.OldPath))
		}
		if f.ETag != "" {
			b.WriteString(", etag " + f.ETag)
		}
		for _, m := range f.Matches {
			if m.Strategy != "exact" {
				fmt.Fprintf(&b, "\nmatched by %s (confidence %.2f) at %s", m.Strategy, m.Confidence, atLines(m.Lines))
			}
		}
		if f.Diff != "" {
			b.WriteString("\n" + strings.TrimRight(f.Diff, "\n"))
		}
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o MoveOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("moved %s to %s", oneLine(o.Source), oneLine(o.Destination))
	if o.Overwritten {
		r.Text += ", replacing what was there"
	}
}

// Present implements [Presenter].
func (o CopyOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("copied %s to %s: %s, %s",
		oneLine(o.Source), oneLine(o.Destination), plural(o.Files, "file"), plural(o.Bytes, "byte"))
	if o.Overwritten {
		r.Text += ", replacing what was there"
	}
}

// Present implements [Presenter].
func (o UndoOutput) Present(r *Result) {
	var b strings.Builder
	verb := "reverted"
	if o.Repeated {
		verb = "repeated"
	}
	switch {
	case len(o.Reverted) == 0 && r.Error != nil:
	case len(o.Reverted) == 0:
		b.WriteString("nothing to do: the journal has no such change")
	case r.Error != nil: // what is in the way of the change
		b.WriteString("nothing was " + verb + "; what changed since:")
	default:
		b.WriteString(verb + " " + plural(len(o.Reverted), "change"))
	}
	for _, c := range o.Reverted {
		b.WriteString("\n" + withDiff(fmt.Sprintf("%s %s: %s", c.ID, c.Action, quoted(c.Paths)), c.Diff))
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o HistoryOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Changes), "change"))
	for _, c := range o.Changes {
		fmt.Fprintf(&b, "\n%s %s %s: %s", c.ID, c.Time.UTC().Format(time.RFC3339), c.Action, quoted(c.Paths))
		if c.Undone {
			b.WriteString(" (undone)")
		}
	}
	r.Text = b.String()
}
