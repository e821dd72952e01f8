package pdf_test

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// paper is a page at a resolution as a scanner sees it: askew, and with noise.
func paper(tb testing.TB, original *pdftest.Doc, dpi float64) *pdftest.Doc {
	tb.Helper()
	data := original.Bytes()
	f := newFormat(tb, &pdf.Options{DPI: dpi})
	painted, err := f.PaintPage(tb.Context(), document.Source{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, 1, document.Request{})
	if err != nil {
		tb.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(painted))
	if err != nil {
		tb.Fatal(err)
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	const skew = 0.8 * math.Pi / 180
	r := rand.New(rand.NewPCG(1, 2))
	gray := make([]byte, 0, w*h)
	for y := range h {
		for x := range w {
			level := 245.0
			from := image.Pt(x+int(math.Round(float64(y-h/2)*skew)), y-int(math.Round(float64(x-w/2)*skew)))
			if from.In(img.Bounds()) {
				c, _, _, _ := img.At(from.X, from.Y).RGBA()
				level = 30 + float64(c>>8)*0.85
			}
			if level += 18 * r.NormFloat64(); r.IntN(500) == 0 {
				level = 0 // dust
			}
			gray = append(gray, byte(min(max(level, 0), 255)))
		}
	}
	var d pdftest.Doc
	d.Page().Gray(gray, w, h, 0, 0, pdftest.A4Width, pdftest.A4Height)
	return &d
}

// tokenF1 compares the words of two texts as multisets.
func tokenF1(got, want string) float64 {
	words := func(s string) map[string]int {
		m := map[string]int{}
		for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			m[w]++
		}
		return m
	}
	a, b := words(got), words(want)
	shared, all := 0, 0
	for w, n := range a {
		shared += min(n, b[w])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return 2 * float64(shared) / float64(max(all, 1))
}

// TestNoisyScans reads what scanners make of a page of type of 11 points.
func TestNoisyScans(t *testing.T) {
	testenv.NeedProgram(t, "tesseract")
	var original pdftest.Doc
	var lines []string
	for range 3 {
		lines = append(lines, prose...)
	}
	original.Page().Lines(60, 90, 11, "Times-Roman", lines...)
	for _, dpi := range []float64{150, 200} {
		tools := toolsOn(t, paper(t, &original, dpi).Bytes(), docs.Options{}, shared())
		out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Output: "text"})
		if err != nil {
			t.Fatal(err)
		}
		f1 := tokenF1(out.Content, strings.Join(lines, " "))
		t.Logf("at %.0f dpi token F1 is %.3f", dpi, f1)
		if f1 < 0.95 {
			t.Errorf("at %.0f dpi token F1 is %.3f, want 0.95:\n%s", dpi, f1, out.Content)
		}
	}
}

// TestPageMarks tells a reader of Markdown where pages begin, and which of
// them a machine has read.
func TestPageMarks(t *testing.T) {
	d := scan(t, typed())
	p := d.Page()
	p.Text(60, 100, 10, "Helvetica", "This page has a text of its own")
	d.Page().Text(60, 100, 10, "Helvetica", "And so has this page, the last")
	e := &engine{words: []facade.DocumentWord{{Text: "Hello", Box: facade.Box{200, 300, 320, 340}, Confidence: 0.75}}}
	tools := toolsOn(t, d.Bytes(), docs.Options{OCR: e}, shared())
	const first = "<!-- page 1, text recognized in an image with confidence 0.75 -->\n\n# Hello"
	for pages, want := range map[string][]string{
		"":    {first, "\n\n<!-- page 2 -->\n\nThis page", "\n\n<!-- page 3 -->\n\nAnd so"},
		"3":   {"<!-- page 3 -->\n\nAnd so"},
		"1,3": {first, "\n\n<!-- page 3 -->\n\nAnd so"},
	} {
		out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Pages: pages})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.Content, want[0]) {
			t.Errorf("pages %q begin with %q, want %q", pages, out.Content, want[0])
		}
		for _, w := range want {
			if strings.Count(out.Content, w) != 1 {
				t.Errorf("pages %q: %q is not there once in %q", pages, w, out.Content)
			}
		}
		if strings.Count(out.Content, "<!--") != len(want) {
			t.Errorf("pages %q have other marks too: %q", pages, out.Content)
		}
	}
	text, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Output: "text"})
	if err != nil || strings.Contains(text.Content, "<!--") {
		t.Errorf("as text it is %q, %v", text.Content, err)
	}
}

// TestScanIsIndexedLater indexes a scan before and after there is an engine.
func TestScanIsIndexedLater(t *testing.T) {
	e := &engine{err: facade.Errorf(facade.CodeUnavailable, "there is no engine").WithHint("install one")}
	tools := toolsOn(t, scan(t, typed()).Bytes(), docs.Options{OCR: e}, shared())
	index := func() (facade.DocumentIndexed, string) {
		t.Helper()
		r, err := facade.Document(tools).Call(t.Context(), facade.Call{Args: []byte(`{"action":"index","path":"a.pdf"}`)})
		if err != nil || r.Error != nil {
			t.Fatal(err, r.Error)
		}
		return r.Data.(facade.DocumentIndexOutput).Backends[0], strings.Join(r.Notes, "\n")
	}
	for i := range 2 {
		got, notes := index()
		if got.Documents != 1-i || got.Unchanged != i || !strings.Contains(notes, "a.pdf is not wholly in the index") || !strings.Contains(notes, "install one") {
			t.Errorf("call %d without an engine: %+v, %q", i+1, got, notes)
		}
	}
	e.err, e.words = nil, []facade.DocumentWord{{Text: "Harbor", Box: facade.Box{200, 300, 320, 340}, Confidence: 0.9}}
	if got, notes := index(); got.Documents != 1 || got.Chunks != 1 || notes != "" {
		t.Errorf("with an engine: %+v, %q", got, notes)
	}
	if out, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: "harbor"}); err != nil || len(out.Hits) != 1 || out.Hits[0].Page != 1 {
		t.Errorf("the text is found in %+v, %v", out.Hits, err)
	}
}

// TestNoTimeToTurn says that a page may be read badly for want of time.
func TestNoTimeToTurn(t *testing.T) {
	e := &engine{delay: 1500 * time.Millisecond, words: []facade.DocumentWord{{Text: "gibberish", Box: facade.Box{200, 300, 320, 340}, Confidence: 0.2}}}
	f := newFormat(t, &pdf.Options{Timeout: time.Second})
	out, err := toolsOn(t, scan(t, typed()).Bytes(), docs.Options{OCR: e}, f).Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf"})
	if err != nil || len(out.Warnings) != 1 || out.Warnings[0].Code != document.WarnLimit || !strings.Contains(out.Warnings[0].Message, "pages='1'") {
		t.Errorf("%v, warnings %+v", err, out.Warnings)
	}
}

func TestReadImageTakesNoPassword(t *testing.T) {
	d := pdftest.Doc{Password: "secret"}
	d.Page().Text(60, 100, 10, "Helvetica", "Behind a lock")
	_, err := toolsOn(t, d.Bytes(), docs.Options{}, shared()).ReadImage(t.Context(), facade.DocumentReadImageInput{Path: "a.pdf"})
	e, ok := err.(*facade.Error) //nolint:errorlint // it is returned bare
	if !ok || e.Code != facade.CodeInvalidArgument || e.Field != "path" || !strings.Contains(e.Hint, "use read with 'password'") {
		t.Errorf("%+v", err)
	}
}
