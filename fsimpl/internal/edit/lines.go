package edit

import (
	"bytes"
	"context"
	"strings"
)

// maxCandidates bounds the places that are compared line by line.
const maxCandidates = 100_000

// indentation matches whole lines whose indentation differs, and whose blanks
// at line ends do where that is allowed.
func (m *matcher) indentation(ctx context.Context) ([]candidate, error) {
	return m.lines(ctx, &folded{text: m.text}, m.old)
}

// lines finds blocks of whole lines of the folded text that are those of old
// but for the blanks around each.
func (m *matcher) lines(ctx context.Context, f *folded, old string) ([]candidate, error) {
	wanted, ended := splitLines(old)
	key := -1
	for i, line := range wanted {
		wanted[i] = m.trim(line)
		if key < 0 || len(wanted[i]) > len(wanted[key]) {
			key = i
		}
	}
	if key < 0 || wanted[key] == "" {
		return nil, nil
	}
	var found []candidate
	next := 0
	for tried, at := 0, 0; tried < maxCandidates; tried++ {
		if tried%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := bytes.Index(f.text[at:], []byte(wanted[key]))
		if n < 0 {
			break
		}
		at += n
		if starts := m.block(f.text, at, wanted, key); starts != nil && starts[0] >= next {
			found = append(found, m.reindented(f, starts, ended))
			next = starts[len(starts)-1]
		}
		at = lineStart(f.text, at, 1)
	}
	return found, nil
}

func (m *matcher) trim(line string) string {
	if m.t.Whitespace {
		return strings.Trim(line, " \t")
	}
	return strings.TrimLeft(line, " \t")
}

// block returns the offsets of the lines that match, and of the line after
// them, when the line around at is the one wanted[key].
func (m *matcher) block(text []byte, at int, wanted []string, key int) []int {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	for range key {
		if start == 0 {
			return nil
		}
		start = bytes.LastIndexByte(text[:start-1], '\n') + 1
	}
	starts := make([]int, 0, len(wanted)+1)
	for _, w := range wanted {
		if start == len(text) && len(starts) > 0 {
			return nil
		}
		end := lineStart(text, start, 1)
		if m.trim(strings.TrimSuffix(string(text[start:end]), "\n")) != w {
			return nil
		}
		starts = append(starts, start)
		start = end
	}
	return append(starts, start)
}

// reindented is the candidate that puts new text in the place of whole lines.
func (m *matcher) reindented(f *folded, starts []int, ended bool) candidate {
	n := len(starts) - 1
	file := make([]string, n)
	for i := range n {
		file[i] = strings.TrimSuffix(string(m.text[f.offset(starts[i]):f.offset(starts[i+1])]), "\n")
	}
	from, to := f.offset(starts[0]), f.offset(starts[n])
	closed := to > from && m.text[to-1] == '\n'
	if closed && !ended {
		to--
	}
	return candidate{from, []Span{{from, to, m.newBlock(file, ended && !closed)}}}
}

// newBlock returns new text for a block of the file's lines: lines that old
// and new text share stay as they are in the file, others are re-indented.
// open drops the last line's end, which the file does not have.
func (m *matcher) newBlock(file []string, open bool) string {
	before, _ := splitLines(m.old)
	after, ended := splitLines(m.new)
	prefix, suffix := narrowLines(before, after)
	lines := append([]string{}, file[:prefix]...)
	middle := after[prefix : len(after)-suffix]
	if m.t.KeepIndent {
		middle = newIndenter(m.text, before, file).lines(middle)
	}
	lines = append(lines, middle...)
	lines = append(lines, file[len(file)-suffix:]...)
	text := strings.Join(lines, "\n")
	if ended && !open {
		text += "\n"
	}
	return text
}
