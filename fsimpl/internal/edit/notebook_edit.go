package edit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Notebook is [Document.Edit] on the sources of a notebook's cells: old
// text is what a reader of the cells sees, not its JSON form. The match must
// be in one cell, unless the edit is for all; line numbers count from 1 within
// the cell. It returns the cells changed.
func Notebook(ctx context.Context, raw []byte, e facade.TextEdit, t Tolerance, o *Options) (Plan, []int, error) {
	cells, err := Cells(raw)
	if err != nil {
		return Plan{}, nil, err
	}
	found, err := editCells(ctx, cells, e, t, o.withDefaults())
	if err != nil {
		return Plan{}, nil, err
	}
	plan := Plan{Matches: []facade.EditMatch{found[0].match}}
	plan.Matches[0].Lines = nil
	var changed []int
	for _, f := range found {
		plan.Splices = append(plan.Splices, cells[f.cell].splice(raw, f.source))
		plan.Count += len(f.match.Lines)
		plan.Matches[0].Lines = append(plan.Matches[0].Lines, f.match.Lines...)
		changed = append(changed, f.cell)
	}
	return plan, changed, nil
}

type cellEdit struct {
	cell   int
	source string
	match  facade.EditMatch
}

// editCells tries each cell and keeps those found by the strictest strategy.
func editCells(ctx context.Context, cells []Cell, e facade.TextEdit, t Tolerance, o Options) ([]cellEdit, error) {
	order := []string{Exact, LineEnding, TrailingBlanks, Indentation, Punctuation, Similar}
	var found []cellEdit
	var failure error
	for _, c := range cells {
		text := []byte(c.Source)
		doc := NewDocument(text, textenc.Detect(text), &o)
		match, err := doc.Edit(ctx, e, t)
		switch {
		case facade.CodeOf(err) == facade.CodeNoMatch, facade.CodeOf(err) == facade.CodeBinaryContent:
			failure = err
		case err != nil:
			return nil, fmt.Errorf("cell %d: %w", c.Index, err)
		default:
			rank := slices.Index(order, match.Strategy)
			if len(found) > 0 && rank < slices.Index(order, found[0].match.Strategy) {
				found = nil
			}
			if len(found) == 0 || match.Strategy == found[0].match.Strategy {
				found = append(found, cellEdit{c.Index, string(doc.Bytes()), match})
			}
		}
	}
	switch {
	case len(found) == 0 && failure == nil:
		return nil, facade.Errorf(facade.CodeNoMatch, "the notebook has no cells")
	case len(found) == 0 && len(cells) > 1:
		fail := facade.Errorf(facade.CodeNoMatch, "old_text does not occur in any cell's source")
		fail.Field = t.FieldPrefix + "old_text"
		return nil, fail.WithHint("read the notebook and copy the text from one cell")
	case len(found) == 0:
		return nil, failure
	case len(found) > 1 && !e.ReplaceAll:
		fail := facade.Errorf(facade.CodeAmbiguousMatch, "old_text occurs in %d cells: %v", len(found), indexes(found))
		fail.Field = t.FieldPrefix + "old_text"
		return nil, fail.WithHint("make old_text longer, or set replace_all=true")
	}
	return found, nil
}

func indexes(found []cellEdit) []int {
	out := make([]int, len(found))
	for i, f := range found {
		out[i] = f.cell
	}
	return out
}

// splice writes a source in the form the cell has: a string, or a list of
// lines with the blanks between them.
func (c Cell) splice(raw []byte, source string) Splice {
	value := raw[c.start:c.end]
	s := Splice{Start: int64(c.start), End: int64(c.end)}
	if value[0] == '"' {
		s.New = quote(source)
		return s
	}
	var tokens []json.RawMessage
	// It was read as a list of strings before, so this cannot fail.
	_ = json.Unmarshal(value, &tokens)
	lines := strings.SplitAfter(source, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	elements := keepTokens(tokens, lines)
	if len(elements) == 0 {
		s.New = []byte("[]")
		return s
	}
	open, between, last := c.spacing(raw, tokens)
	s.New = slices.Concat([]byte("["), open, bytes.Join(elements, append([]byte(","), between...)), last, []byte("]"))
	return s
}

// keepTokens writes lines as JSON strings; those that stay keep their form.
func keepTokens(tokens []json.RawMessage, lines []string) [][]byte {
	old := make([]string, len(tokens))
	for i, t := range tokens {
		// The list was read as strings before, so this cannot fail.
		_ = json.Unmarshal(t, &old[i])
	}
	prefix, suffix := narrowLines(old, lines)
	out := make([][]byte, len(lines))
	for i, line := range lines {
		switch {
		case i < prefix:
			out[i] = tokens[i]
		case i >= len(lines)-suffix:
			out[i] = tokens[len(tokens)-len(lines)+i]
		default:
			out[i] = quote(line)
		}
	}
	return out
}

// spacing returns the blanks after the bracket, between lines and before the
// closing bracket.
func (c Cell) spacing(raw []byte, tokens []json.RawMessage) (open, between, last []byte) {
	value := raw[c.start:c.end]
	blanks := func(b []byte) []byte { return b[:len(b)-len(bytes.TrimLeft(b, " \t\r\n"))] }
	if len(tokens) == 0 {
		start := bytes.LastIndexByte(raw[:c.start], '\n') + 1
		indent := blanks(raw[start:c.start])
		if start == 0 {
			return nil, nil, nil
		}
		return slices.Concat([]byte("\n"), indent, []byte(" ")), slices.Concat([]byte("\n"), indent, []byte(" ")), slices.Concat([]byte("\n"), indent)
	}
	open = blanks(value[1:])
	last = value[len(bytes.TrimRight(value[:len(value)-1], " \t\r\n")) : len(value)-1]
	between = open
	if len(tokens) > 1 {
		rest := value[1+len(open)+len(tokens[0]):]
		between = blanks(rest[bytes.IndexByte(rest, ',')+1:])
	}
	return open, between, last
}

// quote writes a JSON string as notebooks do: only what must be is escaped.
func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes, and a bytes.Buffer takes all of it.
	_ = enc.Encode(text)
	return bytes.TrimRight(b.Bytes(), "\n")
}
