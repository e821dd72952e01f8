package facadetest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// documentCursorRules are about replies that end before the document does.
func documentCursorRules() []documentRule {
	return []documentRule{
		{
			Name:        "cursor/exact",
			Explanation: "Whatever max_chars, the replies together are the document, in its order, no word lost or doubled; none is longer than asked for.",
			Run: func(d *documentTest) {
				d.seed("r.md", "# Grüße aus 東京\n\n"+strings.Repeat("Ein Satz mit *Wörtern* und 日本語のテキスト darin.\n\n- ein Punkt\n- noch einer\n\n", 12))
				whole := squeezed(d.read("r.md").Content)
				for _, most := range []int{1, 7, 40, 333} {
					var got strings.Builder
					n := d.each("r.md", func(out facade.DocumentReadOutput) {
						if c := utf8.RuneCountInString(out.Content); c > most || c == 0 {
							d.Errorf("a reply with max_chars=%d has %d characters", most, c)
						}
						got.WriteString(out.Content)
					}, "max_chars", most)
					if squeezed(got.String()) != whole {
						d.Errorf("with max_chars=%d the %d replies are not the document", most, n)
					}
				}
			},
		},
		{
			Name:        "cursor/says",
			Explanation: "A cut reply is marked truncated, and its text gives the cursor; the last one is not.",
			Run: func(d *documentTest) {
				d.seed("a.txt", strings.Repeat("words of a text\n\n", 20))
				r := d.ok("read", "path", "a.txt", "max_chars", 200)
				cursor := d.read("a.txt", "max_chars", 200).NextCursor
				if !r.Truncated || cursor == "" || !strings.Contains(r.Text, cursor) {
					d.Errorf("truncated is %v, the cursor %q, and the text %q", r.Truncated, cursor, r.Text)
				}
				if r := d.ok("read", "path", "a.txt"); r.Truncated {
					d.Errorf("a whole reply is marked truncated: %s", r.Text)
				}
			},
		},
		{
			Name:        "cursor/blocks",
			Explanation: "Blocks that continue keep their ids and order; a table that continues keeps its id and its counts.",
			Run: func(d *documentTest) {
				var text strings.Builder
				for i := range 60 {
					fmt.Fprintf(&text, "Paragraph %d of the text.\n\n", i)
				}
				text.WriteString("| a | b |\n|---|---|\n")
				for i := range 60 {
					fmt.Fprintf(&text, "| left %d | right %d |\n", i, i)
				}
				d.seed("r.md", text.String())
				whole := d.read("r.md", "output", "blocks")
				table := d.onlyTable(whole)
				var ids []string
				cells := 0
				d.each("r.md", func(out facade.DocumentReadOutput) {
					for _, b := range out.Blocks {
						if len(ids) == 0 || ids[len(ids)-1] != b.ID {
							ids = append(ids, b.ID)
						}
					}
					for _, t := range out.Tables {
						cells += len(t.Cells)
						if t.ID != table.ID || t.Rows != 61 || t.Cols != 2 {
							d.Errorf("a part of the table is %s with %d × %d", t.ID, t.Rows, t.Cols)
						}
					}
				}, "output", "blocks", "max_chars", 300)
				var want []string
				for _, b := range whole.Blocks {
					want = append(want, b.ID)
				}
				if !slices.Equal(ids, want) || cells != 122 {
					d.Errorf("the parts have %d blocks and %d cells, want %d and 122", len(ids), cells, len(want))
				}
			},
		},
		{
			Name:        "cursor/another-call",
			Explanation: "A cursor that came with other pages or another output is invalid_argument: the place would be another.",
			Run: func(d *documentTest) {
				d.seed("r.md", strings.Repeat("Some *words* of a text.\n\n", 30))
				cursor := d.cut("r.md")
				d.fails("invalid_argument", "read", "path", "r.md", "cursor", cursor, "output", "text")
				d.fails("invalid_argument", "read", "path", "r.md", "cursor", cursor, "output", "blocks")
				d.fails("invalid_argument", "read", "path", "r.md", "cursor", cursor, "pages", "1")
				d.ok("read", "path", "r.md", "cursor", cursor, "max_chars", 50)
			},
		},
		{
			Name:        "cursor/refusals",
			Explanation: "What is no cursor, or one of another document, is an error that names the field.",
			Run: func(d *documentTest) {
				d.seed("a.txt", strings.Repeat("some words\n\n", 30), "b.txt", strings.Repeat("other words\n\n", 30))
				cursor := d.cut("a.txt")
				for _, c := range []string{"x", "1", "-1.0.x", cursor[1:], cursor + "0", "9" + cursor, "../" + cursor, strings.Repeat("9", 5000)} {
					if e := d.fails("invalid_argument|stale", "read", "path", "a.txt", "cursor", c); e.Field != "cursor" {
						d.Errorf("the cursor %.40q: the failure names %q", c, e.Field)
					}
				}
				d.fails("stale|invalid_argument", "read", "path", "b.txt", "cursor", cursor)
			},
		},
	}
}

// each reads a document to its end and returns the number of replies.
func (d *documentTest) each(path string, reply func(out facade.DocumentReadOutput), kv ...any) int {
	d.Helper()
	cursor := ""
	for n := range 5000 {
		args := slices.Clone(kv)
		if cursor != "" {
			args = append(args, "cursor", cursor)
		}
		out := d.read(path, args...)
		reply(out)
		if cursor = out.NextCursor; cursor == "" {
			return n + 1
		}
	}
	d.Fatalf("%s%v has no end", path, kv)
	return 0
}

// squeezed is a text without its blanks and line breaks.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// cut reads the beginning of a document and returns the cursor.
func (d *documentTest) cut(path string) string {
	d.Helper()
	cursor := d.read(path, "max_chars", 100).NextCursor
	if cursor == "" {
		d.Fatal("a cut reply has no cursor")
	}
	return cursor
}
