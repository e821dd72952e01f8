package docs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

const bill = `# Invoice

Invoice No: A-17
Date: 2024-03-05   Due date: 2024-04-05
Total (EUR): 1.234,50
Paid: no

| Item | Qty | Unit price |
|------|-----|-----------|
| Bolt | 3 | 1.50 |
| Nut | 12 | 0,25 |

## Vendor

Acme Ltd, 5 High Street

Contact: sales@acme.example, see https://acme.example/x

Tags: red, green

## Notes

- first
- second
`

// extracted reads fields of the bill.
func extracted(t *testing.T, opts *docs.Options, template map[string]any) facade.DocumentReadOutput {
	t.Helper()
	out, err := toolsOn(t, map[string][]byte{"bill.md": []byte(bill)}, opts).Read(t.Context(), facade.DocumentReadInput{Path: "bill.md", ExtractionTemplate: template})
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range out.Extracted {
		if f.Confidence <= 0 || f.Confidence > 1 || len(f.Blocks) == 0 {
			t.Errorf("%s has confidence %v and blocks %v", name, f.Confidence, f.Blocks)
		}
		for _, id := range f.Blocks {
			if !slices.ContainsFunc(out.Blocks, func(b facade.DocumentBlock) bool { return b.ID == id }) {
				t.Errorf("the block %s of %s is not in the reply", id, name)
			}
		}
	}
	return out
}

func values(out facade.DocumentReadOutput) map[string]any {
	all := map[string]any{}
	for name, f := range out.Extracted {
		all[name] = f.Value
	}
	return all
}

func TestExtractByExample(t *testing.T) {
	out := extracted(t, nil, map[string]any{
		"invoice_no": "X", "dueDate": "2020-01-01", "paid": true, "vendor": "X", "vat": 1.5,
		"notes": []any{"x"}, "tags": []any{"x"},
		"items":    []any{map[string]any{"item": "x", "qty": 1.0, "unit_price": 1.0}},
		"customer": map[string]any{"invoice_no": "X", "phone": "X"},
	})
	want := map[string]any{
		"invoice_no": "A-17", "dueDate": "2024-04-05", "paid": false, "vendor": "Acme Ltd, 5 High Street",
		"notes": []any{"first", "second"}, "tags": []any{"red", "green"},
		"items": []any{
			map[string]any{"item": "Bolt", "qty": 3.0, "unit_price": 1.5},
			map[string]any{"item": "Nut", "qty": 12.0, "unit_price": 0.25},
		},
		"customer.invoice_no": "A-17",
	}
	if diff := cmp.Diff(want, values(out)); diff != "" {
		t.Errorf("the values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"customer.phone", "vat"}, out.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestExtractBySchema(t *testing.T) {
	property := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	out := extracted(t, nil, map[string]any{"type": "object", "properties": map[string]any{
		"sum":     property("type", "number", "aliases", []any{"Grand total", "Total (EUR)"}),
		"email":   property("type", "string", "format", "email"),
		"website": property("type", "string", "format", "uri"),
		"issued":  property("type", []any{"null", "string"}, "title", "Date", "format", "date"),
		"number":  property("type", "integer", "pattern", `A-(\d+)`),
		"state":   property("type", "string", "title", "Paid", "enum", []any{"YES", "NO"}),
		"amounts": property("type", "array", "title", "Qty", "items", property("type", "integer")),
		"none":    property("type", "integer", "title", "Total (EUR)"),
	}})
	want := map[string]any{
		"sum": 1234.5, "email": "sales@acme.example", "website": "https://acme.example/x", "issued": "2024-03-05", "number": int64(17), "state": "NO",
		"amounts": []any{int64(3), int64(12)},
	}
	if diff := cmp.Diff(want, values(out)); diff != "" || !cmp.Equal(out.Missing, []string{"none"}) {
		t.Errorf("missing are %v, the values (-want +got):\n%s", out.Missing, diff)
	}
}

func TestBadTemplates(t *testing.T) {
	deep := map[string]any{"x": "y"}
	wide := map[string]any{}
	for range 10 {
		deep = map[string]any{"x": deep}
	}
	for i := range 200 {
		wide[strings.Repeat("x", i+1)] = ""
	}
	tools := toolsOn(t, map[string][]byte{"bill.md": []byte(bill)}, nil)
	for _, template := range []map[string]any{
		deep, wide,
		{"properties": map[string]any{"x": map[string]any{"pattern": "("}}},
		{"properties": map[string]any{"x": map[string]any{"pattern": strings.Repeat("(?:a?){1000}", 40)}}},
		{"properties": map[string]any{"x": map[string]any{"pattern": strings.Repeat("a", 501)}}},
	} {
		_, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "bill.md", ExtractionTemplate: template})
		if e, ok := errors.AsType[*facade.Error](err); !ok || e.Code != facade.CodeInvalidArgument || e.Field != "extraction_template" {
			t.Errorf("%.60v gives %v", template, err)
		}
	}
}

// oracle is a model with ready answers.
type oracle struct {
	answers map[string]docs.ExtractedValue
	err     error
	asked   *[]string
}

func (oracle) Name() string { return "oracle" }

func (o oracle) Extract(_ context.Context, in docs.Extraction) (map[string]docs.ExtractedValue, error) {
	for _, f := range in.Fields {
		*o.asked = append(*o.asked, f.Name)
	}
	return o.answers, o.err
}

// TestModelIsChecked has a model tell truth and lies: only what the document
// says is taken, with the blocks that say it.
func TestModelIsChecked(t *testing.T) {
	var asked []string
	o := oracle{asked: &asked, answers: map[string]docs.ExtractedValue{
		"street":   {Value: "5 high street", Blocks: []string{"b5"}},
		"gross":    {Value: 1234.5, Blocks: []string{"no-such-block"}},
		"invented": {Value: "Zanzibar", Blocks: []string{"b1"}},
		"part":     {Value: "cme", Blocks: []string{"b5"}},
		"wrong":    {Value: "text", Blocks: []string{"b1"}},
		"colors":   {Value: []any{"red", "green"}, Blocks: nil},
		"unasked":  {Value: "red"},
	}}
	template := map[string]any{"invoice_no": "x", "street": "x", "gross": 1.0, "invented": "x", "part": "x", "wrong": 1.0, "colors": []any{"x"}, "nothing": "x"}
	out := extracted(t, &docs.Options{Extractor: o}, template)
	want := map[string]any{"invoice_no": "A-17", "street": "5 high street", "gross": 1234.5, "colors": []any{"red", "green"}}
	if diff := cmp.Diff(want, values(out)); diff != "" {
		t.Errorf("the values (-want +got):\n%s", diff)
	}
	if slices.Contains(asked, "invoice_no") || len(asked) != 7 {
		t.Errorf("the model was asked for %v", asked)
	}
	if f := out.Extracted["gross"]; f.Origin != "llm" || f.Confidence >= out.Extracted["invoice_no"].Confidence {
		t.Errorf("a value of a model is %+v", f)
	}
	if diff := cmp.Diff([]string{"invented", "nothing", "part", "wrong"}, out.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}

	o.err = errors.New("it sleeps")
	out = extracted(t, &docs.Options{Extractor: o}, template)
	if len(out.Extracted) != 1 || len(out.Missing) != 7 {
		t.Errorf("without the model there is %+v, missing %v", values(out), out.Missing)
	}
}

func TestExtractionIsRemoteWithAModel(t *testing.T) {
	tools := toolsOn(t, nil, &docs.Options{Extractor: oracle{}})
	if !tools.Remote(facade.DocumentRead) || tools.Remote(facade.DocumentReadImage) {
		t.Error("the effects are wrong")
	}
}
