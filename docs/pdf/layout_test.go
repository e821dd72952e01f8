package pdf_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
)

func TestColumns(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 80, 22, "Helvetica-Bold", "A title over both columns of the page")
	p.Text(60, 130, 13, "Helvetica-Bold", "1 Left")
	p.Lines(60, 150, 9, "Times-Roman", prose...)
	p.Text(320, 130, 13, "Helvetica-Bold", "2 Right")
	p.Lines(320, 150, 9, "Times-Roman", strings.Fields("Only words here")[0]+" one column is read at a time, and that is the", "whole point of this test, which would fail with", "lines that go from one column into the other one,", "as they do when nobody looks for the gap there.")
	p.Lines(60, 300, 9, "Times-Roman", "Below both columns there is a paragraph that reaches from the left margin of the page to the right one,", "and it must come last, after everything that stands above it on the left and on the right side.")
	want := []string{
		"heading 1: A title over both columns of the page",
		"heading 2: 1 Left",
		"paragraph: " + strings.Join(prose[:4], " "),
		"paragraph: " + strings.Join(prose[4:], " "),
		"heading 2: 2 Right",
		"paragraph: Only one column is read at a time, and that is the whole point of this test, which would fail with lines that go from one column into the other one, as they do when nobody looks for the gap there.",
		"paragraph: Below both columns there is a paragraph that reaches from the left margin of the page to the right one, and it must come last, after everything that stands above it on the left and on the right side.",
	}
	got := shapes(read(t, &d))
	// Whether a full line that ends a sentence ends the paragraph is a guess.
	join := func(s []string) string {
		return strings.ReplaceAll(strings.Join(s, "\n"), "opinion on it.\nparagraph: ", "opinion on it. ")
	}
	if diff := cmp.Diff(join(want), join(got)); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

func TestFurniture(t *testing.T) {
	var d pdftest.Doc
	for i := range 4 {
		p := d.Page()
		p.Text(60, 40, 9, "Helvetica", "Annual report of nobody")
		p.Lines(60, 120, 10, "Times-Roman", prose...)
		p.Text(290, 810, 9, "Helvetica", string(rune('1'+i))+" of 4")
	}
	doc := read(t, &d)
	headers, footers := 0, 0
	for _, s := range shapes(doc) {
		switch {
		case s == "header (furniture): Annual report of nobody":
			headers++
		case strings.HasPrefix(s, "footer (furniture): ") && strings.HasSuffix(s, "of 4"):
			footers++
		case strings.Contains(s, "report"), strings.Contains(s, "of 4"):
			t.Errorf("in the body: %s", s)
		}
	}
	if headers != 4 || footers != 4 {
		t.Errorf("%d headers and %d footers, want 4 of each", headers, footers)
	}
}

func TestOnePageHasNoFurniture(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 40, 10, "Helvetica", "A letter begins at the top")
	p.Lines(60, 120, 10, "Helvetica", prose...)
	if got := shapes(read(t, &d)); got[0] != "paragraph: A letter begins at the top" {
		t.Errorf("the first block is %q", got[0])
	}
}

func TestListsAndHyphens(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Lines(60, 100, 10, "Times-Roman", "What follows is a list of things that are worth a para-", "graph of their own, well-known as they may be to us:")
	p.Text(60, 135, 10, "Times-Roman", "\x95 first thing")
	p.Text(60, 147, 10, "Times-Roman", "\x95 second thing")
	p.Text(80, 159, 10, "Times-Roman", "1. inner thing")
	p.Text(60, 171, 10, "Times-Roman", "\x95 third thing")
	want := []string{
		"paragraph: What follows is a list of things that are worth a paragraph of their own, well-known as they may be to us:",
		"list_item 1 -: first thing", "list_item 1 -: second thing", "list_item 2 1.: inner thing", "list_item 1 -: third thing",
	}
	if diff := cmp.Diff(want, shapes(read(t, &d))); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

func TestHeadingsFromTheOutline(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 100, 10, "Helvetica-Bold", "Introduction")
	p.Lines(60, 120, 10, "Helvetica", prose...)
	p.Text(60, 230, 10, "Helvetica-Bold", "Not in the outline, and it ends as a sentence.")
	p.Lines(60, 250, 10, "Helvetica", prose...)
	d.Title("Introduction", 1)
	doc := read(t, &d)
	got := shapes(doc)
	if got[0] != "heading 1: Introduction" {
		t.Errorf("the first block is %q", got[0])
	}
	for _, s := range got[1:] {
		if strings.HasPrefix(s, "heading") {
			t.Errorf("no heading: %q", s)
		}
	}
	if got := doc.Meta.Custom["outline"]; got != "Introduction (page 1)" {
		t.Errorf("the outline is %q", got)
	}
}

func TestParagraphsGoOnOverPages(t *testing.T) {
	var d pdftest.Doc
	d.Page().Lines(60, 700, 10, "Times-Roman", prose[:2]...)
	d.Page().Lines(60, 150, 10, "Times-Roman", prose[2:4]...)
	doc := read(t, &d)
	if got, want := shapes(doc), []string{"paragraph: " + strings.Join(prose[:4], " ")}; !cmp.Equal(got, want) {
		t.Errorf("blocks are %q, want %q", got, want)
	}
	if p := doc.Blocks[0].Prov; len(p) != 2 || p[0].Page != 1 || p[1].Page != 2 {
		t.Errorf("the paragraph is at %v", p)
	}
}

func TestTurnedText(t *testing.T) {
	for _, turn := range []int{0, 90, 180, 270} {
		var d pdftest.Doc
		p := d.Page()
		p.Rotate = turn
		p.Text(100, 200, 20, "Helvetica", "Upright or not")
		doc := read(t, &d)
		if got := shapes(doc); len(got) != 1 || !strings.HasSuffix(got[0], ": Upright or not") {
			t.Errorf("turned by %d: %q", turn, got)
			continue
		}
		box := *doc.Blocks[0].Prov[0].Box
		page := doc.Pages[0]
		if page.Rotation != turn || box[0] < 0 || box[1] < 0 || box[2] > page.Width || box[3] > page.Height || box[0] >= box[2] || box[1] >= box[3] {
			t.Errorf("turned by %d: the text is at %v of a page of %v × %v", turn, box, page.Width, page.Height)
		}
	}
}

func TestTextInAnotherDirectionDoesNotMix(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Lines(60, 100, 10, "Times-Roman", prose...)
	p.Turned(30, 500, 12, "Helvetica", "A stamp in the margin")
	got := shapes(read(t, &d))
	if last := got[len(got)-1]; last != "header (furniture): A stamp in the margin" {
		t.Errorf("the stamp is %q", last)
	}
}

func TestCode(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Lines(60, 100, 10, "Times-Roman", prose[:2]...)
	p.Text(60, 140, 10, "Courier", "if x {")
	p.Text(84, 152, 10, "Courier", "y()")
	p.Text(60, 164, 10, "Courier", "}")
	got := shapes(read(t, &d))
	if want := "code: if x {\n    y()\n}"; got[len(got)-1] != want {
		t.Errorf("the code is %q, want %q", got[len(got)-1], want)
	}
}
