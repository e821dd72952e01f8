package edit

import (
	"context"
	"fmt"
	"strings"
)

const (
	maxShown     = 8   // differing lines in a diagnosis
	maxShownLine = 160 // characters of each
)

// Diagnose explains why old text does not occur in a text with LF line ends:
// the closest block, or the closest part of a line, how alike it is, and the
// lines that differ, with blanks made visible.
func Diagnose(ctx context.Context, text []byte, old string) string {
	best, ok := closest(ctx, text, old)
	if p, found := closestPassage(ctx, text, old); found && p.similarity > best.similarity && p.similarity < 1 {
		return fmt.Sprintf("the closest text, in line %d, is %d %% alike (→ is a tab, · a blank):\nfile %5d: %s\nold  %5d: %s",
			p.line, int(p.similarity*100), p.line, visible(p.text), 1, visible(old))
	}
	if !ok {
		return "read the file again and copy the text to replace from it"
	}
	wanted, _ := splitLines(old)
	var b strings.Builder
	place := fmt.Sprintf("line %d", best.line)
	if len(best.lines) > 1 {
		place = fmt.Sprintf("lines %d-%d", best.line, best.line+int64(len(best.lines))-1)
	}
	fmt.Fprintf(&b, "the closest block, %s, is %d %% alike", place, int(best.similarity*100))
	switch {
	case sameBut(wanted, best.lines, strings.Fields):
		b.WriteString(" and differs only in whitespace")
	case sameBut(wanted, best.lines, func(s string) []string { return strings.Fields(strings.ToLower(s)) }):
		b.WriteString(" and differs only in case and whitespace")
	}
	b.WriteString(" (→ is a tab, · a blank):")
	shown := 0
	for i, line := range best.lines {
		if wanted[i] == line { // a block has at most as many lines as old text
			continue
		}
		if shown == maxShown {
			b.WriteString("\n… and more lines differ")
			break
		}
		shown++
		fmt.Fprintf(&b, "\nfile %5d: %s\nold  %5d: %s", best.line+int64(i), visible(line), i+1, visible(wanted[i]))
	}
	return b.String()
}

// sameBut reports whether two blocks are the same under a view of each line.
func sameBut(a, b []string, parts func(string) []string) bool {
	x, y := parts(strings.Join(a, "\n")), parts(strings.Join(b, "\n"))
	return strings.Join(x, " ") == strings.Join(y, " ")
}

// visible shows tabs and blanks, and cuts a long line.
func visible(line string) string {
	var b strings.Builder
	n := 0
	for _, r := range line {
		if n++; n > maxShownLine {
			b.WriteRune('…')
			break
		}
		switch r {
		case '\t':
			r = '→'
		case ' ':
			r = '·'
		case '\r':
			b.WriteString(`\r`)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
