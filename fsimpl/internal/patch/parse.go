package patch

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// maxFiles bounds the files of a patch.
const maxFiles = 1000

// Parse reads a unified diff of one or more files. Text before the first file,
// as a commit message, is skipped, and so is the fence of a Markdown block that
// models put around it. Errors are invalid_argument for the field
// patch, with the line of the patch, or unsupported_format for a binary one.
func Parse(text string) ([]File, error) {
	p := &parser{lines: strings.SplitAfter(text, "\n")}
	if n := len(p.lines); p.lines[n-1] == "" {
		p.lines = p.lines[:n-1]
	}
	p.unfence()
	seen := map[string]bool{}
	var files []File
	for p.at < len(p.lines) {
		begun, err := p.skip(len(files) > 0)
		if err != nil {
			return nil, err
		}
		if !begun {
			break
		}
		line := p.at + 1
		f, err := p.file()
		if err != nil {
			return nil, err
		}
		if seen[f.Path()] {
			return nil, bad(line, "%s is patched twice; join its hunks", f.Path())
		}
		if seen[f.Path()] = true; len(files) == maxFiles {
			return nil, bad(line, "more than %d files", maxFiles)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, facade.InvalidArgument("patch", "the patch has no file header").
			WithHint("a unified diff starts with '--- a/path' and '+++ b/path', then '@@ -start,count +start,count @@'")
	}
	return files, nil
}

type parser struct {
	lines []string
	at    int
}

// unfence takes off the last line of a Markdown block; the first is skipped as
// text before the patch. A patch itself has no such line: its own start with a
// blank, '+', '-' or '@'.
func (p *parser) unfence() {
	isFence := func(i int) bool { return strings.HasPrefix(p.lines[i], "```") }
	last := len(p.lines) - 1
	for last > 0 && strings.TrimSpace(p.lines[last]) == "" {
		last--
	}
	first := 0
	for first < last && strings.TrimSpace(p.lines[first]) == "" {
		first++
	}
	if first < last && isFence(first) && isFence(last) {
		p.lines = p.lines[:last]
	}
}

// line returns the current line without its end, "" after the last.
func (p *parser) line() string { return p.peek(0) }

func (p *parser) peek(n int) string {
	if p.at+n >= len(p.lines) {
		return ""
	}
	return strings.TrimRight(p.lines[p.at+n], "\r\n")
}

// header reports whether a file's part begins at a line ahead.
func (p *parser) header(n int) bool {
	return strings.HasPrefix(p.peek(n), "diff --git ") ||
		strings.HasPrefix(p.peek(n), "--- ") && strings.HasPrefix(p.peek(n+1), "+++ ")
}

// skip goes to the next file and reports whether there is one. Behind a file
// only what tools write between files may be skipped.
func (p *parser) skip(between bool) (bool, error) {
	for ; p.at < len(p.lines); p.at++ {
		line := p.line()
		switch {
		case p.header(0):
			return true, nil
		case strings.HasPrefix(line, "@@"):
			return false, bad(p.at+1, "a hunk without a file header before it").WithHint("put '--- a/path' and '+++ b/path' before it")
		case strings.HasPrefix(line, "*** "):
			return false, bad(p.at+1, "%q is no unified diff", line).WithHint("use the unified format: '--- a/path', '+++ b/path', '@@ -start,count +start,count @@'")
		case line == "-- " || line == "--":
			p.at = len(p.lines) // the signature that git format-patch adds
			return false, nil
		case !between, line == "", strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "Index: "), strings.HasPrefix(line, "==="), strings.HasPrefix(line, "Only in "):
		default:
			return false, bad(p.at+1, "%.60q belongs to no hunk", line).
				WithHint("every line of a hunk starts with ' ', '-' or '+', and its header counts them")
		}
	}
	return false, nil
}

// file reads the headers and hunks of one file.
func (p *parser) file() (File, error) {
	start := p.at + 1
	var h headers
	if line := p.line(); strings.HasPrefix(line, "diff --git ") {
		h.git = strings.TrimPrefix(line, "diff --git ")
		p.at++
		if err := p.extended(&h); err != nil {
			return File{}, err
		}
	}
	if strings.HasPrefix(p.line(), "--- ") && strings.HasPrefix(p.peek(1), "+++ ") {
		h.old, h.new = p.line()[4:], p.peek(1)[4:]
		p.at += 2
	}
	f, err := h.file(start)
	if err != nil {
		return f, err
	}
	for strings.HasPrefix(p.line(), "@@") {
		hunk, err := p.hunk(f.Path(), len(f.Hunks)+1)
		if err != nil {
			return f, err
		}
		f.Hunks = append(f.Hunks, hunk)
	}
	return f, f.check(start, h.old != "")
}

// check refuses a part that does nothing, or other than its header says.
func (f File) check(line int, named bool) error {
	switch {
	case named && len(f.Hunks) == 0:
		return bad(line, "%s has no hunks", f.Path())
	case f.Status == Modified && f.Mode == 0 && len(f.Hunks) == 0:
		return bad(line, "%s does not change", f.Path())
	case f.Status == Created && (len(f.Hunks) > 1 || len(f.Hunks) == 1 && f.Hunks[0].before() != ""):
		return bad(line, "%s is created, but its hunks expect old lines", f.Path())
	case f.Status == Deleted && len(f.Hunks) > 0 && (len(f.Hunks) > 1 || f.Hunks[0].after() != ""):
		return bad(line, "%s is deleted, but its hunks leave lines", f.Path())
	}
	return nil
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// hunk reads a hunk and holds it to the counts of its header.
func (p *parser) hunk(path string, number int) (Hunk, error) {
	start := p.at + 1
	m := hunkHeader.FindStringSubmatch(p.line())
	if m == nil {
		return Hunk{}, bad(start, "hunk %d of %s has a malformed header %.60q", number, path, p.line()).
			WithHint("write '@@ -start,count +start,count @@', with the line numbers of the old and the new file")
	}
	count := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s) // nine digits at most
		return n
	}
	h := Hunk{Number: number, OldStart: count(m[1]), OldLines: count(m[2]), NewStart: count(m[3]), NewLines: count(m[4])}
	p.at++
	old, added := p.body(&h)
	if old != h.OldLines || added != h.NewLines {
		return h, bad(start, "%s of %s says %d old and %d new lines, but has %d and %d", h, path, h.OldLines, h.NewLines, old, added).
			WithHint("correct the header to @@ -%d,%d +%d,%d @@ or complete the hunk", h.OldStart, old, h.NewStart, added)
	}
	if h.before() == h.after() {
		return h, bad(start, "%s of %s changes nothing", h, path)
	}
	return h, nil
}

// body takes the lines that can belong to the hunk and counts them. A blank
// line is context whose blank an editor has dropped, while the header still
// expects lines.
func (p *parser) body(h *Hunk) (old, added int) {
	for ; p.at < len(p.lines); p.at++ {
		text := p.lines[p.at]
		if !strings.HasSuffix(text, "\n") {
			text += "\n" // the patch's own end, not the file's
		}
		full := old >= h.OldLines && added >= h.NewLines
		op := text[0]
		switch {
		case p.header(0) && strings.HasPrefix(p.peek(2), "@@ -"):
			return old, added
		case full && (p.header(0) || strings.TrimRight(text, "\r\n") == "-- "):
			return old, added
		case (op == '\n' || op == '\r') && !full:
			op, text = ' ', " "+text
		case op == '\\':
			p.unended(h)
			continue
		case op != ' ' && op != '-' && op != '+':
			return old, added
		}
		if op != '+' {
			old++
		}
		if op != '-' {
			added++
		}
		h.Lines = append(h.Lines, Line{op, text[1:]})
	}
	return old, added
}

// unended takes the line end off the last line: "\ No newline at end of file".
// A CR goes too when that note has one: then it is the patch's own line end.
func (p *parser) unended(h *Hunk) {
	if n := len(h.Lines); n > 0 {
		t := strings.TrimSuffix(h.Lines[n-1].Text, "\n")
		if strings.HasSuffix(p.lines[p.at], "\r\n") {
			t = strings.TrimSuffix(t, "\r")
		}
		h.Lines[n-1].Text = t
	}
}
