package facadetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

const sampleDocument = "# Report\n\nRevenue *rose*.\n\n- one\n- two\n\n| year | sum |\n|---|---|\n| 2024 | 12 |\n"

// documentReadRules are about the content of one document.
func documentReadRules() []documentRule {
	return []documentRule{
		{
			Name:        "read/forms",
			Explanation: "read gives Markdown by default, text and blocks on request; blocks name their kind, level and place, and have no content beside them.",
			Run: func(d *documentTest) {
				d.seed("r.md", sampleDocument)
				md := documentData[facade.DocumentReadOutput](d, "read", "path", "r.md")
				if !strings.Contains(md.Content, "# Report") || !strings.Contains(md.Content, "| 2024 |") || len(md.Blocks) != 0 {
					d.Errorf("as Markdown it is %q with %d blocks", md.Content, len(md.Blocks))
				}
				text := documentData[facade.DocumentReadOutput](d, "read", "path", "r.md", "output", "text")
				if strings.ContainsAny(text.Content, "#*|") || !strings.Contains(text.Content, "Revenue rose.") {
					d.Errorf("as text it is %q", text.Content)
				}
				blocks := documentData[facade.DocumentReadOutput](d, "read", "path", "r.md", "output", "blocks")
				var kinds []facade.BlockKind
				ids := map[string]bool{}
				for _, b := range blocks.Blocks {
					kinds = append(kinds, b.Kind)
					if b.ID == "" || ids[b.ID] || b.Parent != "" && !ids[b.Parent] {
						d.Errorf("block %+v has no id of its own, or a parent that does not come before it", b)
					}
					ids[b.ID] = true
				}
				want := []facade.BlockKind{facade.BlockHeading, facade.BlockParagraph, facade.BlockListItem, facade.BlockListItem, facade.BlockTable}
				if !slices.Equal(kinds, want) || blocks.Content != "" {
					d.Errorf("the blocks are %v with content %q, want %v", kinds, blocks.Content, want)
				}
			},
		},
		{
			Name:        "read/source",
			Explanation: "A reply names the file, its format by content, its size and its hash.",
			Run: func(d *documentTest) {
				d.seed("d/t.csv", "a,b\n1,2\n")
				s := documentData[facade.DocumentReadOutput](d, "read", "path", "./d/../d/t.csv").Source
				if s.Path != "d/t.csv" || s.Format != "csv" || s.Size != 8 || len(s.SHA256) != 64 {
					d.Errorf("the source is %+v", s)
				}
			},
		},
		{
			Name:        "read/tables",
			Explanation: "Tables come with cells, headers and typed values, unless extract_tables is false.",
			Run: func(d *documentTest) {
				d.seed("t.csv", "name,n\nx,12\n")
				out := documentData[facade.DocumentReadOutput](d, "read", "path", "t.csv")
				if len(out.Tables) != 1 || out.Tables[0].Rows != 2 || out.Tables[0].Cols != 2 || len(out.Tables[0].Cells) != 4 {
					d.Fatalf("the tables are %+v", out.Tables)
				}
				if c := out.Tables[0].Cells; !c[0].Header || c[3].Text != "12" || c[3].Value != 12.0 {
					d.Errorf("the cells are %+v", c)
				}
				out = documentData[facade.DocumentReadOutput](d, "read", "path", "t.csv", "extract_tables", false)
				if len(out.Tables) != 0 || !strings.Contains(out.Content, "12") {
					d.Errorf("without tables it is %+v", out)
				}
			},
		},
		{
			Name:        "read/template",
			Explanation: "Fields of a template come with type, confidence and the blocks that hold them; the rest is missing, never made up.",
			Run: func(d *documentTest) {
				d.seed("bill.txt", "Invoice No: A-17\nTotal: 1,234.50 EUR\n")
				out := documentData[facade.DocumentReadOutput](d, "read", "path", "bill.txt",
					"extraction_template", map[string]any{"invoice_no": "X", "total": 1.5, "vat": 1})
				if f := out.Extracted["invoice_no"]; f.Value != "A-17" || f.Confidence <= 0 || f.Confidence > 1 || len(f.Blocks) == 0 {
					d.Errorf("invoice_no is %+v", f)
				}
				if f := out.Extracted["total"]; f.Value != 1234.5 {
					d.Errorf("total is %+v", f)
				}
				if !slices.Equal(out.Missing, []string{"vat"}) {
					d.Errorf("missing is %v", out.Missing)
				}
			},
		},
		{
			Name:        "read/refusals",
			Explanation: "What cannot be read is an error that says why: nothing there, outside of the root, a directory, no document, a bad argument.",
			Run: func(d *documentTest) {
				d.seed("report.txt", "x", "dir/a.txt", "x", "blob.docx", "\x00\x01\x02\x03\xff\x00\x00")
				if e := d.fails("not_found", "read", "path", "reprot.txt"); !strings.Contains(e.Hint, "report.txt") {
					d.Errorf("the hint is %q, want it to name report.txt", e.Hint)
				}
				d.fails("outside_root", "read", "path", "../x.txt")
				d.fails("is_directory", "read", "path", "dir")
				d.fails("unsupported_format", "read", "path", "blob.docx")
				d.fails("invalid_argument", "read", "path", "report.txt", "output", "html")
				d.fails("invalid_argument", "read", "path", "report.txt", "pages", "x")
				d.fails("invalid_argument", "read", "path", "report.txt", "cursor", "x")
			},
		},
	}
}

// documentPageRules are about long documents.
func documentPageRules() []documentRule {
	return []documentRule{
		{
			Name:        "page/text",
			Explanation: "A long document comes in replies within the budget; together they are all of it, nothing twice.",
			Run: func(d *documentTest) {
				var all strings.Builder
				for i := range 4000 {
					fmt.Fprintf(&all, "Paragraph %04d \"quoted\" text.\n\n", i)
				}
				all.WriteString(strings.Repeat("long ", 30_000))
				d.seed("long.txt", all.String())
				for _, args := range [][]any{{}, {"output", "blocks"}, {"max_chars", 9000}} {
					got := d.pages("long.txt", args...)
					if want := strings.Fields(all.String()); !slices.Equal(strings.Fields(got), want) {
						d.Errorf("%v: the pages have %d words, want %d", args, len(strings.Fields(got)), len(want))
					}
				}
			},
		},
		{
			Name:        "page/table",
			Explanation: "A long table comes in rows; together the replies have every cell once.",
			Run: func(d *documentTest) {
				var all strings.Builder
				const rows = 3000
				for i := range rows {
					fmt.Fprintf(&all, "row%d,%d\n", i, i)
				}
				d.seed("long.csv", all.String())
				seen := map[int]int{}
				cursor := ""
				for range 1000 {
					args := []any{"path", "long.csv"}
					if cursor != "" {
						args = append(args, "cursor", cursor)
					}
					out := documentData[facade.DocumentReadOutput](d, "read", args...)
					for _, t := range out.Tables {
						for _, c := range t.Cells {
							seen[c.Row*2+c.Col]++
						}
					}
					if cursor = out.NextCursor; cursor == "" {
						break
					}
				}
				for i := range 2 * rows {
					if seen[i] != 1 {
						d.Fatalf("the cell %d of row %d was sent %d times", i%2, i/2, seen[i])
					}
				}
			},
		},
		{
			Name:        "page/stale",
			Explanation: "A cursor of a document that has changed since is stale.",
			Run: func(d *documentTest) {
				d.seed("a.txt", strings.Repeat("words of text\n\n", 500))
				out := documentData[facade.DocumentReadOutput](d, "read", "path", "a.txt", "max_chars", 100)
				if out.NextCursor == "" {
					d.Fatal("a cut reply has no cursor")
				}
				d.seed("a.txt", strings.Repeat("other words\n\n", 500))
				d.fails("stale", "read", "path", "a.txt", "cursor", out.NextCursor)
			},
		},
		{
			Name:        "page/time",
			Explanation: "A text of eight megabytes is answered at once.",
			Run: func(d *documentTest) {
				d.seed("big.txt", strings.Repeat("some words of a line\n", 400_000))
				start := time.Now()
				if out := documentData[facade.DocumentReadOutput](d, "read", "path", "big.txt"); out.NextCursor == "" {
					d.Error("there is no cursor")
				}
				if took := time.Since(start); took > callLimit/2 {
					d.Errorf("it took %v", took)
				}
			},
		},
	}
}

// pages joins the content of all replies for a document.
func (d *documentTest) pages(path string, kv ...any) string {
	d.Helper()
	var all strings.Builder
	cursor := ""
	for range 1000 {
		args := append([]any{"path", path}, kv...)
		if cursor != "" {
			args = append(args, "cursor", cursor)
		}
		out := documentData[facade.DocumentReadOutput](d, "read", args...)
		all.WriteString(out.Content + "\n")
		for _, b := range out.Blocks {
			all.WriteString(b.Text + "\n")
		}
		if cursor = out.NextCursor; cursor == "" {
			return all.String()
		}
	}
	d.Fatalf("%s has no end", path)
	return ""
}
