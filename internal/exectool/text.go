package exectool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// room is what a reply needs besides the output.
const room = 4 << 10

// fit shortens the outputs until the reply keeps its budget as JSON and as
// text.
func fit(ctx context.Context, out facade.PythonRunOutput) facade.PythonRunOutput {
	var used int
	out.Results, used = fitResults(ctx, out.Results)
	budget := facade.Budget(ctx) - room - used
	for most := max(len(out.Stdout), len(out.Stderr)); most > 64 && size(out.Stdout)+size(out.Stderr) > budget; most = most * 3 / 4 {
		out.Stdout, out.Stderr = middle(out.Stdout, most), middle(out.Stderr, most)
		out.Truncated = true
	}
	return out
}

// fitResults leaves out the values that would take more than a third of a reply,
// and returns how much the others take of it.
func fitResults(ctx context.Context, results []facade.RichResult) ([]facade.RichResult, int) {
	out, used := slices.Clone(results), 0
	for i, r := range out {
		n := size(string(r.Data)) // as text and as JSON
		if used+n > facade.Budget(ctx)/3 {
			n, out[i].Data = 0, nil
		}
		used += n + size(r.MIME) + size(r.Path) + resultRoom
	}
	return out, used
}

// resultRoom is what a result needs besides its texts.
const resultRoom = 48

// size is the length of s in JSON.
func size(s string) int {
	raw, err := json.Marshal(s)
	if err != nil {
		return len(s)
	}
	return len(raw)
}

// middle leaves out the middle of s so that about n bytes are left.
func middle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := n/2, len(s)-n/2
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… left out …]\n%s", s[:head], s[tail:])
}

func text(p []byte) string { return strings.ToValidUTF8(string(p), "\uFFFD") }
