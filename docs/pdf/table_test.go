package pdf_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
)

func TestRuledTable(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Lines(60, 80, 10, "Times-Roman", prose[:2]...)
	p.Text(60, 130, 10, "Times-Roman", "Table 1: Sales by region")
	xs, ys := []float64{60, 160, 260, 360}, []float64{140, 160, 180, 220}
	for _, x := range []float64{60, 160, 360} { // no line between the last two columns of the first row
		p.Rule(x, 140, x, 160)
	}
	for _, x := range xs {
		p.Rule(x, 160, x, 220)
	}
	for _, y := range ys {
		p.Rule(60, y, 360, y)
	}
	p.Text(65, 154, 10, "Helvetica-Bold", "Region")
	p.Text(165, 154, 10, "Helvetica-Bold", "Sales of both years")
	p.Text(65, 174, 10, "Helvetica", "North")
	p.Text(165, 174, 10, "Helvetica", "12")
	p.Text(265, 174, 10, "Helvetica", "14")
	p.Lines(65, 194, 10, "Helvetica", "South and", "beyond")
	p.Text(265, 194, 10, "Helvetica", "9")
	doc := read(t, &d)
	if len(doc.Tables) != 1 {
		t.Fatalf("there are %d tables in %q", len(doc.Tables), shapes(doc))
	}
	want := []string{"0,0 header: Region", "0,1 1x2 header: Sales of both years", "1,0: North", "1,1: 12", "1,2: 14", "2,0: South and beyond", "2,2: 9"}
	if diff := cmp.Diff(want, cells(doc.Tables[0])); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if got := doc.Tables[0].Caption; got != "Table 1: Sales by region" {
		t.Errorf("the caption is %q", got)
	}
}

// rows writes a table without vertical lines.
func rows(p *pdftest.Page, y float64, xs []float64, rows ...[]string) {
	for i, r := range rows {
		for j, s := range r {
			if s != "" {
				p.Text(xs[j], y+14*float64(i), 10, "Helvetica", s)
			}
		}
	}
}

func TestPlainTable(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Lines(60, 80, 10, "Times-Roman", prose...)
	rows(p, 180, []float64{60, 200, 300, 400},
		[]string{"Product", "Place", "Expected", "Found"},
		[]string{"Nails", "A-12", "450", "440"},
		[]string{"", "B-07", "", "280"},
		[]string{"Screws", "", "780", "778"})
	p.Lines(60, 260, 10, "Times-Roman", prose...)
	doc := read(t, &d)
	if len(doc.Tables) != 1 {
		t.Fatalf("there are %d tables in %q", len(doc.Tables), shapes(doc))
	}
	want := "| Product | Place | Expected | Found |\n| --- | --- | --- | --- |\n| Nails | A-12 | 450 | 440 |\n|  | B-07 |  | 280 |\n| Screws |  | 780 | 778 |"
	if got := docs.Markdown(doc); !strings.Contains(got, want) {
		t.Errorf("the table is not in\n%s", got)
	}
}

func TestTableWithHorizontalLines(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Lines(60, 80, 10, "Times-Roman", prose...)
	for _, y := range []float64{168, 186, 230} {
		p.Rule(60, y, 460, y)
	}
	rows(p, 181, []float64{62, 250, 350}, []string{"Method", "Precision", "Recall"}, []string{""}, []string{"A rather long name", "0.91", "0.85"}, []string{"Another", "0.87", "0.90"})
	doc := read(t, &d)
	if len(doc.Tables) != 1 {
		t.Fatalf("there are %d tables in %q", len(doc.Tables), shapes(doc))
	}
	want := []string{
		"0,0 header: Method", "0,1 header: Precision", "0,2 header: Recall",
		"1,0: A rather long name", "1,1: 0.91", "1,2: 0.85", "2,0: Another", "2,1: 0.87", "2,2: 0.90",
	}
	if diff := cmp.Diff(want, cells(doc.Tables[0])); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

// TestNoTable shows things that look like tables and are none.
func TestNoTable(t *testing.T) {
	for name, draw := range map[string]func(p *pdftest.Page){
		"a frame around a paragraph": func(p *pdftest.Page) {
			p.Grid([]float64{50, 400}, []float64{80, 200})
			p.Lines(60, 100, 10, "Times-Roman", prose...)
		},
		"two columns of prose": func(p *pdftest.Page) {
			p.Lines(60, 100, 9, "Times-Roman", prose...)
			p.Lines(320, 100, 9, "Times-Roman", prose...)
		},
		"a list": func(p *pdftest.Page) {
			for i, s := range prose {
				p.Text(60, 100+12*float64(i), 10, "Times-Roman", "\x95")
				p.Text(90, 100+12*float64(i), 10, "Times-Roman", s)
			}
		},
		"lines above and below the text of a page": func(p *pdftest.Page) {
			p.Rule(60, 60, 500, 60)
			p.Lines(60, 100, 10, "Times-Roman", prose...)
			p.Rule(60, 800, 500, 800)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var d pdftest.Doc
			draw(d.Page())
			doc := read(t, &d)
			if len(doc.Tables) > 0 {
				t.Errorf("a table: %q", cells(doc.Tables[0]))
			}
			if text := docs.Text(doc); strings.Count(text, "fox grows tired of jumping") == 0 {
				t.Errorf("text is missing: %s", text)
			}
		})
	}
}
