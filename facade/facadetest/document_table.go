package facadetest

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// documentTableRules are about tables, and more of one document's content.
func documentTableRules() []documentRule {
	return []documentRule{
		{
			Name:        "read/hash",
			Explanation: "The hash is SHA-256 of the content, and the type that of the content, not of the name.",
			Run: func(d *documentTest) {
				const text = "Plain words, whatever the name says.\n"
				d.seed("words.docx", text)
				sum := sha256.Sum256([]byte(text))
				if s := d.read("words.docx").Source; s.SHA256 != hex.EncodeToString(sum[:]) || s.Format != "txt" || !strings.HasPrefix(s.MIME, "text/plain") {
					d.Errorf("the source is %+v", s)
				}
			},
		},
		{
			Name:        "read/empty",
			Explanation: "An empty file is read with a warning, so that nobody takes its silence for a failure.",
			Run: func(d *documentTest) {
				d.seed("empty.txt", "")
				r := d.ok("read", "path", "empty.txt")
				out := d.read("empty.txt")
				if len(out.Warnings) != 1 || out.Warnings[0].Code == "" || !strings.Contains(r.Text, out.Warnings[0].Message) {
					d.Errorf("warnings are %+v, and the text is %q", out.Warnings, r.Text)
				}
				if out.NextCursor != "" || out.Source.Size != 0 {
					d.Errorf("the reply is %+v", out)
				}
			},
		},
		{
			Name:        "table/blocks",
			Explanation: "Among blocks a table is one that refers to its cells; without tables the block stays and the cells go.",
			Run: func(d *documentTest) {
				d.seed("r.md", sampleDocument)
				table := func(out facade.DocumentReadOutput) *facade.DocumentBlock {
					d.Helper()
					i := slices.IndexFunc(out.Blocks, func(b facade.DocumentBlock) bool { return b.Kind == facade.BlockTable })
					if i < 0 {
						d.Fatalf("there is no table among %+v", out.Blocks)
					}
					return &out.Blocks[i]
				}
				out := d.read("r.md", "output", "blocks")
				if b := table(out); len(out.Tables) != 1 || b.Ref == "" || b.Ref != out.Tables[0].ID || b.Parent == "" {
					d.Errorf("the block is %+v, the tables are %+v", b, out.Tables)
				}
				out = d.read("r.md", "output", "blocks", "extract_tables", false)
				if table(out); len(out.Tables) != 0 {
					d.Errorf("without tables there are %+v", out.Tables)
				}
			},
		},
		{
			Name:        "table/escapes",
			Explanation: "In Markdown a cell with a bar or a line break stays one cell; in text cells are parted by tabs.",
			Run: func(d *documentTest) {
				d.seed("t.csv", "key,value\n\"a|b\",\"one\ntwo\"\n")
				md := d.read("t.csv")
				if lines := strings.Split(strings.TrimSpace(md.Content), "\n"); len(lines) != 3 || lines[2] != `| a\|b | one two |` {
					d.Errorf("as Markdown it is %q", md.Content)
				}
				if c := d.onlyTable(md).Cells; len(c) != 4 || c[2].Text != "a|b" || c[3].Text != "one\ntwo" {
					d.Errorf("the cells are %+v", c)
				}
				if text := d.read("t.csv", "output", "text").Content; strings.TrimSpace(text) != "key\tvalue\na|b\tone two" {
					d.Errorf("as text it is %q", text)
				}
			},
		},
		{
			Name:        "table/cells",
			Explanation: "Cells are in the order of row and column, each place once, within the table; numbers have values, words have none.",
			Run: func(d *documentTest) {
				d.seed("t.csv", "name,n\nx,12\ny,-3.5\nz,\n")
				t := d.onlyTable(d.read("t.csv"))
				last := -1
				for _, c := range t.Cells {
					at := c.Row*t.Cols + c.Col
					if at <= last || c.Row >= t.Rows || c.Col >= t.Cols || c.Col < 0 {
						d.Errorf("the cell %+v is out of order or place in %d × %d", c, t.Rows, t.Cols)
					}
					last = at
					switch c.Text {
					case "12", "-3.5":
						if _, ok := c.Value.(float64); !ok {
							d.Errorf("%s has the value %#v", c.Text, c.Value)
						}
					case "x", "name":
						if c.Value != nil {
							d.Errorf("%s has the value %#v", c.Text, c.Value)
						}
					}
				}
				if t.Rows != 4 || t.Cols != 2 {
					d.Errorf("the table has %d × %d cells", t.Rows, t.Cols)
				}
			},
		},
	}
}

// onlyTable is the one table of a reply.
func (d *documentTest) onlyTable(out facade.DocumentReadOutput) facade.DocumentTable {
	d.Helper()
	if len(out.Tables) != 1 {
		d.Fatalf("there are %d tables, want one", len(out.Tables))
	}
	return out.Tables[0]
}
