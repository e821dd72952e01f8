package edit

import (
	"bytes"
	"strings"
)

// indenter translates the indentation of old text to that of the file's lines
// that it matched.
type indenter struct {
	levels   map[string]string // indentation in old text: in the file
	keys     []string          // of levels, as met
	aligned  map[string]string // whole lines of old text: indentation in the file, where levels are at odds
	from, to string            // one step, in old text and in the file; from may be "" for unknown
	tabs     bool              // the file indents with tabs
	width    int               // blanks of a step in a file that does not
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// newIndenter compares lines of old text with the file's, one by one.
func newIndenter(text []byte, old, file []string) *indenter {
	in := &indenter{levels: map[string]string{}, aligned: map[string]string{}}
	in.tabs, in.width = indentStyle(text)
	for i := range min(len(old), len(file)) {
		if strings.TrimSpace(old[i]) == "" {
			continue
		}
		key, value := indentOf(old[i]), indentOf(file[i])
		in.aligned[old[i]] = value
		if _, ok := in.levels[key]; !ok {
			in.levels[key] = value
			in.keys = append(in.keys, key)
		}
	}
	for _, a := range in.keys {
		for _, b := range in.keys {
			inner, outer := in.levels[b], in.levels[a]
			if len(b) > len(a) && strings.HasPrefix(b, a) && len(inner) > len(outer) && strings.HasPrefix(inner, outer) {
				in.from, in.to = b[len(a):], inner[len(outer):]
			}
		}
	}
	return in
}

// indentStyle tells how a text indents, from its first lines.
func indentStyle(text []byte) (tabs bool, width int) {
	var tabbed, blank int
	width = 8
	for range 2000 {
		if len(text) == 0 {
			break
		}
		end := lineStart(text, 0, 1)
		line := text[:end]
		text = text[end:]
		switch n := len(line) - len(bytes.TrimLeft(line, " ")); {
		case line[0] == '\t':
			tabbed++
		case n > 1 && n < len(line) && line[n] != '\n':
			blank++
			width = min(width, n)
		}
	}
	if blank == 0 {
		width = 4
	}
	return tabbed > blank, width
}

// lines returns lines of new text with the file's indentation.
func (in *indenter) lines(lines []string) []string {
	if in.from == "" {
		in.from, in.to = in.guess(lines)
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := indentOf(line)
		out[i] = in.translate(line, indent) + line[len(indent):]
	}
	return out
}

// guess takes the smallest step of new text for one step of the file.
func (in *indenter) guess(lines []string) (from, to string) {
	for _, line := range lines {
		indent := indentOf(line)
		for _, key := range in.keys {
			if extra, ok := strings.CutPrefix(indent, key); ok && extra != "" && strings.TrimSpace(line) != "" && (from == "" || len(extra) < len(from)) {
				from = extra
			}
		}
	}
	if in.tabs {
		return from, "\t"
	}
	if strings.HasPrefix(from, "\t") {
		return "\t", strings.Repeat(" ", in.width)
	}
	return from, from
}

func (in *indenter) translate(line, indent string) string {
	if value, ok := in.aligned[line]; ok {
		return value
	}
	if value, ok := in.levels[indent]; ok {
		return value
	}
	base, found := "", false
	for _, key := range in.keys {
		if strings.HasPrefix(indent, key) && (!found || len(key) > len(base)) {
			base, found = key, true
		}
	}
	if found {
		return in.levels[base] + in.steps(indent[len(base):])
	}
	// Less than any line of old text: take the steps back.
	for _, key := range in.keys {
		if strings.HasPrefix(key, indent) && (!found || len(key) < len(base)) {
			base, found = key, true
		}
	}
	if found {
		back := in.steps(base[len(indent):])
		if value, ok := strings.CutSuffix(in.levels[base], back); ok {
			return value
		}
	}
	return indent
}

// steps converts indentation beyond a known level.
func (in *indenter) steps(extra string) string {
	n := len(in.from)
	if n == 0 || len(extra)%n != 0 || extra != strings.Repeat(in.from, len(extra)/n) {
		return extra
	}
	return strings.Repeat(in.to, len(extra)/n)
}
