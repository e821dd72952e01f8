package facadetest

import (
	"reflect"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

const billDocument = "# Bill\n\nInvoice No: A-17\n\nTotal: 1,234.50 EUR\n\nItems: 3\n\nPaid: yes\n\nContact: Ann Lee, ann@example.org\n\n" +
	"| article | price |\n|---|---|\n| ink | 7.5 |\n| pens | 12 |\n"

// documentTemplateRules are about guided extraction.
func documentTemplateRules() []documentRule {
	return []documentRule{
		{
			Name:        "template/schema",
			Explanation: "A JSON Schema says type, aliases, pattern and allowed values of each field; rows of a table fill an array of objects.",
			Run: func(d *documentTest) {
				d.seed("bill.md", billDocument)
				field := func(kind string, more ...any) map[string]any {
					m := map[string]any{"type": kind}
					for i := 0; i < len(more); i += 2 {
						m[more[i].(string)] = more[i+1]
					}
					return m
				}
				out := d.read("bill.md", "extraction_template", map[string]any{"type": "object", "properties": map[string]any{
					"number": field("string", "aliases", []string{"Invoice No"}),
					"sum":    field("number", "title", "Total"),
					"items":  field("integer"),
					"paid":   field("boolean"),
					"email":  field("string", "pattern", `[a-z]+@[a-z.]+`),
					"tax_id": field("string"),
					"lines": field("array", "items", map[string]any{"type": "object", "properties": map[string]any{
						"article": field("string"), "price": field("number"),
					}}),
				}})
				want := map[string]any{
					"number": "A-17", "sum": 1234.5, "items": 3.0, "paid": true, "email": "ann@example.org",
					"lines": []any{map[string]any{"article": "ink", "price": 7.5}, map[string]any{"article": "pens", "price": 12.0}},
				}
				for name, value := range want {
					if got := out.Extracted[name].Value; !reflect.DeepEqual(got, value) {
						d.Errorf("%s is %#v, want %#v", name, got, value)
					}
				}
				if len(out.Extracted) != len(want) || !slices.Equal(out.Missing, []string{"tax_id"}) {
					d.Errorf("%d fields are found, missing are %q", len(out.Extracted), out.Missing)
				}
			},
		},
		{
			Name:        "template/evidence",
			Explanation: "Each value comes with a confidence above 0 and up to 1 and with the blocks that hold it, which are in the reply; none is made up.",
			Run: func(d *documentTest) {
				d.seed("bill.md", billDocument)
				out := d.read("bill.md", "extraction_template", map[string]any{"invoice_no": "X-1", "items": 1, "contact": "who"})
				if len(out.Extracted) != 3 || len(out.Missing) != 0 {
					d.Fatalf("found are %+v, missing %q", out.Extracted, out.Missing)
				}
				for name, f := range out.Extracted {
					if f.Confidence <= 0 || f.Confidence > 1 || len(f.Blocks) == 0 {
						d.Errorf("%s has no evidence: %+v", name, f)
					}
					for _, id := range f.Blocks {
						i := slices.IndexFunc(out.Blocks, func(b facade.DocumentBlock) bool { return b.ID == id })
						if i < 0 {
							d.Errorf("%s cites the block %s, which is not in the reply", name, id)
						} else if text, ok := f.Value.(string); ok && !strings.Contains(out.Blocks[i].Text, text) {
							d.Errorf("%s is %q, which is not in its block %q", name, text, out.Blocks[i].Text)
						}
					}
				}
			},
		},
		{
			Name:        "template/whole",
			Explanation: "Fields are looked for in the whole document, however little of it the reply shows; nested fields have dotted names.",
			Run: func(d *documentTest) {
				d.seed("long.txt", strings.Repeat("Some words of a long text.\n\n", 300)+"Buyer name: Bob\n")
				out := d.read("long.txt", "max_chars", 50, "extraction_template", map[string]any{"buyer": map[string]any{"name": "X"}})
				if out.Extracted["buyer.name"].Value != "Bob" || out.NextCursor == "" {
					d.Errorf("the last field is %+v, and the cursor %q", out.Extracted, out.NextCursor)
				}
			},
		},
	}
}

// documentTemplateGuardRules are about templates that cannot be used.
func documentTemplateGuardRules() []documentRule {
	return []documentRule{
		{
			Name:        "template/refusals",
			Explanation: "A template that nests without end, has too many fields or a pattern that is none is invalid_argument and says what one looks like.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "words\n")
				deep := map[string]any{"x": 1}
				for range 20 {
					deep = map[string]any{"x": deep}
				}
				wide := map[string]any{}
				for i := range 2000 {
					wide[strings.Repeat("f", 1+i/26)+string(rune('a'+i%26))] = "x"
				}
				pattern := map[string]any{"properties": map[string]any{"x": map[string]any{"type": "string", "pattern": "("}}}
				for _, template := range []map[string]any{deep, wide, pattern} {
					e := d.fails("invalid_argument", "read", "path", "a.txt", "extraction_template", template)
					if e.Field != "extraction_template" || e.Hint == "" {
						d.Errorf("the failure is %+v", e)
					}
				}
			},
		},
		{
			Name:        "template/none",
			Explanation: "Without a template nothing is extracted and nothing is missing.",
			Run: func(d *documentTest) {
				d.seed("bill.md", billDocument)
				if out := d.read("bill.md"); out.Extracted != nil || out.Missing != nil || len(out.Blocks) != 0 || !strings.Contains(out.Content, "A-17") {
					d.Errorf("the reply is %+v", out)
				}
			},
		},
	}
}
