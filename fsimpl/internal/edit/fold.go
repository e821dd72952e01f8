package edit

import (
	"context"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded is a text without some differences, and where its offsets are in the
// original: anchors stand where the distance between the two changes.
type folded struct {
	text    []byte
	anchors []anchor
}

type anchor struct{ folded, original int }

// offset maps an offset of the folded text to the original.
func (f *folded) offset(at int) int {
	i := sort.Search(len(f.anchors), func(i int) bool { return f.anchors[i].folded > at })
	if i == 0 {
		return at
	}
	a := f.anchors[i-1]
	return a.original + at - a.folded
}

func (f *folded) anchor(original int) {
	f.anchors = append(f.anchors, anchor{len(f.text), original})
}

// foldBlanks drops blanks before line ends and the text's end.
func foldBlanks(text []byte) *folded {
	f := &folded{text: make([]byte, 0, len(text))}
	for at := 0; at < len(text); {
		end := lineStart(text, at, 1)
		content := end
		if text[end-1] == '\n' {
			content--
		}
		keep := content
		for keep > at && (text[keep-1] == ' ' || text[keep-1] == '\t') {
			keep--
		}
		f.text = append(f.text, text[at:keep]...)
		if keep < content {
			f.anchor(content)
		}
		f.text = append(f.text, text[content:end]...)
		at = end
	}
	return f
}

// foldPunctuation writes quotes, dashes, blanks and the ellipsis in ASCII.
func foldPunctuation(text []byte) *folded {
	f := &folded{text: make([]byte, 0, len(text))}
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf {
			f.text = append(f.text, text[at])
			at++
			continue
		}
		r, n := utf8.DecodeRune(text[at:])
		if s := plain(r); s != "" {
			f.text = append(f.text, s...)
			at += n
			f.anchor(at)
			continue
		}
		f.text = append(f.text, text[at:at+n]...)
		at += n
	}
	return f
}

// plain returns the ASCII form of a punctuation character, "" for others.
func plain(r rune) string {
	switch r {
	case '\u2018', '\u2019', '\u201A', '\u201B', '\u2032', '\u02BC':
		return "'"
	case '\u201C', '\u201D', '\u201E', '\u201F', '\u2033', '\u00AB', '\u00BB':
		return `"`
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\uFE58', '\uFF0D':
		return "-"
	case '\u2026':
		return "..."
	case '\u00A0', '\u202F', '\u3000', '\u205F':
		return " "
	}
	if r >= '\u2000' && r <= '\u200A' && unicode.IsSpace(r) {
		return " "
	}
	return ""
}

// trailingBlanks matches text whose blanks at line ends differ.
func (m *matcher) trailingBlanks(ctx context.Context) ([]candidate, error) {
	f := foldBlanks(m.text)
	fold := func(s string) string { return string(foldBlanks([]byte(s)).text) }
	old := fold(m.old)
	// Blanks dropped at the very end of old text stood before a line end.
	atEnd := strings.TrimRight(m.old, " \t") != m.old
	return m.folded(ctx, f, old, fold, func(_, end int) bool {
		return !atEnd || end == len(f.text) || f.text[end] == '\n'
	})
}

// punctuation matches text whose quotes, dashes and the like differ; then
// whole lines that differ in indentation too.
func (m *matcher) punctuation(ctx context.Context) ([]candidate, error) {
	f := foldPunctuation(m.text)
	fold := func(s string) string { return string(foldPunctuation([]byte(s)).text) }
	old := fold(m.old)
	found, err := m.folded(ctx, f, old, fold, func(int, int) bool { return true })
	if err != nil || len(found) > 0 {
		return found, err
	}
	return m.lines(ctx, f, old)
}

// folded finds the folded old text in the folded text. Lines that old and new
// text share stay as they are in the file.
func (m *matcher) folded(ctx context.Context, f *folded, old string, fold func(string) string, ok func(start, end int) bool) ([]candidate, error) {
	if strings.TrimSpace(old) == "" {
		return nil, nil
	}
	starts, err := occurrences(ctx, f.text, old, m.o.MaxMatches)
	if err != nil {
		return nil, err
	}
	before, after := strings.SplitAfter(m.old, "\n"), strings.SplitAfter(m.new, "\n")
	prefix, suffix := narrowLines(before, after)
	head := len(fold(strings.Join(before[:prefix], "")))
	tail := len(fold(strings.Join(before[len(before)-suffix:], "")))
	middleOld := strings.Join(before[prefix:len(before)-suffix], "")
	middleNew := strings.Join(after[prefix:len(after)-suffix], "")
	if !strings.Contains(middleOld, "\n") { // one line: keep what it shares, too
		p, s := narrow(middleOld, middleNew)
		head += len(fold(middleOld[:p]))
		tail += len(fold(middleOld[len(middleOld)-s:]))
		middleNew = middleNew[p : len(middleNew)-s]
	}
	var found []candidate
	for _, at := range starts {
		end := at + len(old)
		s := Span{f.offset(at + head), f.offset(end - tail), middleNew}
		if ok(at, end) && m.boundary(f.offset(at)) && m.boundary(s.Start) && m.boundary(s.End) && s.Start <= s.End {
			found = append(found, candidate{f.offset(at), []Span{s}})
		}
	}
	return found, nil
}

// boundary reports whether a character of the text starts at an offset.
func (m *matcher) boundary(at int) bool {
	return at == len(m.text) || utf8.RuneStart(m.text[at])
}
