package facade

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The compact text forms of the filesystem tool's outputs: a line that says
// what happened, then one line per item. Names that could forge a line, by a
// newline in them, are quoted.

// oneLine quotes a name that holds control characters.
func oneLine(name string) string {
	for _, r := range name {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' {
			return strconv.Quote(name)
		}
	}
	return name
}

func plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	count := strconv.FormatInt(int64(n), 10)
	if strings.HasSuffix(noun, "y") {
		return count + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	if strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "ss") {
		return count + " " + noun + "es"
	}
	return count + " " + noun + "s"
}

// hidden tells, in the first line, of entries that ignore rules kept out of it.
func hidden(b *strings.Builder, ignored int) {
	if ignored > 0 {
		fmt.Fprintf(b, "; %s hidden by ignore rules, include_ignored=true shows them", plural(ignored, "entry"))
	}
}

// more tells of the next call.
func more(b *strings.Builder, r *Result, cursor string) {
	if cursor != "" {
		r.Truncated = true
		fmt.Fprintf(b, "\n[more: repeat the call with cursor=%q]", cursor)
	}
}

// Present implements [Presenter].
func (o ListOutput) Present(r *Result) {
	var b strings.Builder
	b.Grow(128 + 64*len(o.Entries))
	fmt.Fprintf(&b, "%s in %s", plural(len(o.Entries), "entry"), oneLine(o.Path))
	if o.Total != nil && *o.Total > len(o.Entries) {
		fmt.Fprintf(&b, " (%d in all)", *o.Total)
	}
	hidden(&b, o.Ignored)
	var buf [len(time.RFC3339)]byte
	for _, e := range o.Entries {
		name := oneLine(e.Path)
		switch e.Type {
		case TypeDirectory:
			fmt.Fprintf(&b, "\n%s/", name)
		case TypeFile:
			b.WriteString("\n" + name + "  " + plural(e.Size, "byte") + "  ")
			b.Write(e.Modified.UTC().AppendFormat(buf[:0], time.RFC3339))
		case TypeSymlink, TypeOther:
			fmt.Fprintf(&b, "\n%s  (%s)", name, e.Type)
		}
	}
	more(&b, r, o.NextCursor)
	r.Text = b.String()
}

// Present implements [Presenter].
func (o FindOutput) Present(r *Result) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s found among %d searched", plural(o.Totals.Files, "entry"), o.Totals.Searched)
	hidden(&b, o.Ignored)
	for _, m := range o.Matches {
		b.WriteString("\n" + oneLine(m.Path))
		if m.Type == TypeDirectory {
			b.WriteByte('/')
		}
		for _, l := range m.Lines {
			matchLines(&b, "  ", l.Line, l.Before, l.Content, l.After)
		}
	}
	more(&b, r, o.NextCursor)
	r.Text = b.String()
}

// matchLines writes a match with its context, as "12:text" and "11-text".
func matchLines(b *strings.Builder, prefix string, line int64, before []string, content string, after []string) {
	for i, s := range before {
		fmt.Fprintf(b, "\n%s%d-%s", prefix, line-int64(len(before))+int64(i), s)
	}
	fmt.Fprintf(b, "\n%s%d:%s", prefix, line, content)
	for i, s := range after {
		fmt.Fprintf(b, "\n%s%d-%s", prefix, line+int64(i)+1, s)
	}
}

// Present implements [Presenter].
func (o GrepOutput) Present(r *Result) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", plural(o.Totals.Matches, "matching line"), plural(o.Totals.Files, "file"))
	hidden(&b, o.Ignored)
	last := ""
	for _, m := range o.Matches {
		switch {
		case m.Count > 0:
			fmt.Fprintf(&b, "\n%s: %d", oneLine(m.Path), m.Count)
		case m.Line == 0:
			b.WriteString("\n" + oneLine(m.Path))
		default:
			if m.Path != last {
				b.WriteString("\n" + oneLine(m.Path))
				last = m.Path
			}
			matchLines(&b, "  ", m.Line, m.Before, m.Content, m.After)
		}
	}
	if o.SkippedBinary > 0 {
		fmt.Fprintf(&b, "\n[%s skipped: not text]", plural(o.SkippedBinary, "file"))
	}
	more(&b, r, o.NextCursor)
	r.Text = b.String()
}

// Present implements [Presenter].
func (o ReadOutput) Present(r *Result) {
	o.attach(r)
	var b strings.Builder
	size := 0
	for _, f := range o.Files {
		size += len(f.Content) + 200
	}
	b.Grow(size)
	if len(o.Files) > 1 {
		b.WriteString(o.summary() + "\n\n")
	}
	for i, f := range o.Files {
		if i > 0 {
			b.WriteString("\n\n")
		}
		if f.Error != nil {
			fmt.Fprintf(&b, "%s: %s", oneLine(f.Path), f.Error.Text())
			continue
		}
		b.WriteString(f.heading())
		if f.Content != "" {
			b.WriteByte('\n')
			b.WriteString(f.Content)
		}
		if f.Next != nil {
			r.Truncated = true
			fmt.Fprintf(&b, "\n[more: read again with %s]", f.Next)
		}
	}
	r.Text = b.String()
}

// summary is one line about several files.
func (o ReadOutput) summary() string {
	failed := 0
	for _, f := range o.Files {
		if f.Error != nil {
			failed++
		}
	}
	text := fmt.Sprintf("read %d of %s", len(o.Files)-failed, plural(len(o.Files), "file"))
	if failed > 0 {
		text += fmt.Sprintf("; %d failed, see error", failed)
	}
	return text
}

// heading is one line about a file's window.
func (f FileContent) heading() string {
	var b strings.Builder
	b.WriteString(oneLine(f.Path))
	switch {
	case f.StartLine > 0 && f.Lines != nil:
		fmt.Fprintf(&b, " lines %d-%d of %d", f.StartLine, f.EndLine, *f.Lines)
	case f.StartLine > 0:
		fmt.Fprintf(&b, " lines %d-%d", f.StartLine, f.EndLine)
	}
	fmt.Fprintf(&b, " (%s", plural(f.Size, "byte"))
	for _, s := range []string{f.Encoding, f.LineEnding, f.MIME} {
		if s != "" {
			b.WriteString(", " + s)
		}
	}
	if f.ETag != "" {
		b.WriteString(", etag " + f.ETag)
	}
	return b.String() + ")"
}

// String renders the arguments as name=value pairs.
func (n *ReadNext) String() string {
	if n.OffsetType != "" {
		return fmt.Sprintf("path=%q start_offset_inclusive=%d offset_type=%s", n.Path, n.StartOffsetInclusive, n.OffsetType)
	}
	return fmt.Sprintf("path=%q start_line=%d", n.Path, n.StartLine)
}

// Present implements [Presenter].
func (o InfoOutput) Present(r *Result) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is a %s of %s, mode %s, modified %s",
		oneLine(o.Path), o.Type, plural(o.Size, "byte"), o.Mode, o.Modified.UTC().Format(time.RFC3339))
	if o.Target != "" {
		b.WriteString(", pointing to " + oneLine(o.Target))
	}
	if o.MIME != "" {
		fmt.Fprintf(&b, ", %s", o.MIME)
	}
	if o.Encoding != "" {
		fmt.Fprintf(&b, ", %s", o.Encoding)
	}
	if o.Lines != nil {
		b.WriteString(", " + plural(*o.Lines, "line"))
	}
	if o.ETag != "" {
		b.WriteString(", etag " + o.ETag)
	}
	r.Text = b.String()
}

// Present implements [Presenter].
func (o CdOutput) Present(r *Result) {
	r.Text = fmt.Sprintf("current directory is %s (was %s)", oneLine(o.Current), oneLine(o.Previous))
}

// Present implements [Presenter].
func (o PwdOutput) Present(r *Result) {
	r.Text = "current directory is " + oneLine(o.Current)
}

// Present implements [Presenter].
func (o RootsOutput) Present(r *Result) {
	var b strings.Builder
	b.WriteString(plural(len(o.Roots), "root"))
	for _, root := range o.Roots {
		access := "read-only"
		if root.Writable {
			access = "writable"
		}
		fmt.Fprintf(&b, "\n%s (%s)", oneLine(root.Name), access)
	}
	r.Text = b.String()
}
