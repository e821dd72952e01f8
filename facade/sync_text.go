package facade

import (
	"fmt"
	"strings"
	"time"
)

// Present implements [Presenter].
func (o SyncStatusOutput) Present(r *Result) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s waiting", o.State, plural(o.PendingChanges, "change"))
	if o.LastSyncTime != nil {
		b.WriteString(", last synchronized " + o.LastSyncTime.UTC().Format(time.RFC3339))
	}
	if o.Progress != nil {
		fmt.Fprintf(&b, "\nfile %d of %d", o.Progress.Current, o.Progress.Total)
		if o.CurrentFile != "" {
			b.WriteString(": " + oneLine(o.CurrentFile))
		}
	}
	if o.Error != "" {
		b.WriteString("\nlast run failed: " + o.Error)
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o SyncTriggerOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(done(o.DryRun, fmt.Sprintf("%s copied, %d deleted, %s",
		plural(len(o.Copied), "file"), len(o.Deleted), plural(len(o.Conflicts), "conflict"))))
	for _, p := range o.Copied {
		b.WriteString("\ncopied " + oneLine(p))
	}
	for _, p := range o.Deleted {
		b.WriteString("\ndeleted " + oneLine(p))
	}
	for _, c := range o.Conflicts {
		fmt.Fprintf(&b, "\nconflict %s: %s", oneLine(c.Path), c.Reason)
	}
	r.Text = b.String()
	if len(o.Conflicts) > 0 {
		r.Notes = append(r.Notes, "files in conflict are left as they are; make both sides alike, or delete the version to give up, and call trigger again")
	}
}

// shortened implements shortener.
func (o SyncTriggerOutput) shortened(items, _ int) any {
	o.Copied, o.Deleted, o.Conflicts = firstOf(o.Copied, items), firstOf(o.Deleted, items), firstOf(o.Conflicts, items)
	return o
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// Present implements [Presenter].
func (o SyncSetAutoOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("automatic synchronization is %s; the state is %s", onOff(o.AutoSync), o.State)
}

// Present implements [Presenter].
func (o SyncConfigOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("auto_sync %s, debounce_ms %d, exclude_patterns: %s",
		onOff(o.Config.AutoSync), o.Config.DebounceMS, orNone(quoted(o.Config.ExcludePatterns)))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
