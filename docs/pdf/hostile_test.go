package pdf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// runaway has a first page that takes for ever: forms that show forms that show
// forms, each twenty times.
func runaway() *pdftest.Doc {
	var d pdftest.Doc
	n := d.Form("BT /Helvetica 10 Tf 50 50 Td (again) Tj ET")
	for range 10 {
		n = d.Form(strings.Repeat(fmt.Sprintf("/X%d Do ", n), 20), n)
	}
	p := d.Page()
	p.Raw("/" + p.XObject(n) + " Do")
	d.Page().Text(60, 100, 10, "Helvetica", "The second page is harmless")
	return &d
}

func TestRunawayPageIsInterrupted(t *testing.T) {
	f := newFormat(t, &pdf.Options{PageTimeout: time.Second, Memory: 1 << 30}) // else the memory is used up first
	start := time.Now()
	doc, err := parse(t, f, runaway().Bytes(), document.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := docs.Text(doc); got != "The second page is harmless" {
		t.Errorf("the text is %q", got)
	}
	if len(doc.Warnings) != 1 || doc.Warnings[0].Code != document.WarnLimit || doc.Warnings[0].Page != 1 {
		t.Errorf("warnings are %+v", doc.Warnings)
	}
}

func TestContextEndsTheReading(t *testing.T) {
	f := newFormat(t, &pdf.Options{PageTimeout: time.Hour, Timeout: time.Hour})
	data := runaway().Bytes()
	src := document.Source{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := f.Parse(ctx, src, document.Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if _, err := f.PaintPage(ctx, src, 1, document.Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error of painting is %v", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if doc, err := parse(t, f, typed().Bytes(), document.Request{}); err != nil || docs.Text(doc) == "" {
		t.Errorf("the next document: %v", err)
	}
}

func TestTooMuchMemory(t *testing.T) {
	f := newFormat(t, &pdf.Options{Memory: 24 << 20})
	var d pdftest.Doc
	d.Page().Text(60, 100, 10, "Helvetica", "A page before")
	p := d.Page()
	p.Raw(strings.Repeat("0 0 m 1 1 l S ", 2_000_000))
	doc, err := parse(t, f, d.Bytes(), document.Request{})
	if err == nil {
		if !strings.Contains(docs.Text(doc), "A page before") || len(doc.Warnings) == 0 {
			t.Errorf("text %q, warnings %+v", docs.Text(doc), doc.Warnings)
		}
	} else if code := facade.CodeOf(err); code == facade.CodeInternal {
		t.Errorf("the error is %v", err)
	}
	if doc, err := parse(t, f, typed().Bytes(), document.Request{}); err != nil || docs.Text(doc) == "" {
		t.Errorf("the next document: %v", err)
	}
}

func TestTimeEndsWithThePagesReadSoFar(t *testing.T) {
	f := newFormat(t, &pdf.Options{Timeout: time.Nanosecond})
	doc, err := parse(t, f, typed().Bytes(), document.Request{})
	if err != nil || len(doc.Pages) != 0 || len(doc.Warnings) != 1 || doc.Warnings[0].Code != document.WarnLimit || !strings.Contains(doc.Warnings[0].Message, "pages='1-'") {
		t.Errorf("%v, %+v", err, doc)
	}
}

func TestNotAPDF(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("no document"), "header only": []byte("%PDF-1.7\n"),
		"truncated": typed().Bytes()[:200], "zeros": make([]byte, 5000),
	} {
		_, err := parse(t, shared(), data, document.Request{})
		if facade.CodeOf(err) != facade.CodeUnsupportedFormat {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCycles(t *testing.T) {
	pages := typed().Bytes()
	for name, data := range map[string][]byte{
		"page tree":  bytes.Replace(pages, []byte("/Kids ["), []byte("/Kids [2 0 R "), 1),
		"page count": bytes.Replace(pages, []byte("/Count 1"), []byte("/Count 999999999"), 1),
	} {
		if bytes.Equal(data, pages) {
			t.Fatalf("%s: nothing has changed", name)
		}
		doc, err := parse(t, shared(), data, document.Request{})
		if err == nil && len(doc.Warnings) > 150 || facade.CodeOf(err) == facade.CodeInternal && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rich has something of everything.
func rich() *pdftest.Doc {
	d := pdftest.Doc{Info: map[string]string{"Title": "All"}}
	p := d.Page()
	p.Text(60, 60, 20, "Helvetica-Bold", "Heading")
	p.Lines(60, 100, 10, "Times-Roman", prose...)
	p.Grid([]float64{60, 160, 260}, []float64{200, 220, 240})
	p.Text(65, 214, 10, "Helvetica", "cell")
	p.Text(165, 234, 10, "Helvetica", "other")
	p.Link(60, 90, 100, 110, "https://example.org")
	p.Comment(300, 300, "note")
	p.Gray(pixels(20, 20).Pix, 20, 20, 60, 300, 40, 40)
	n := d.Form("BT /Courier 10 Tf 50 50 Td (form) Tj ET")
	p.Raw("/" + p.XObject(n) + " Do")
	d.Page().Turned(100, 400, 12, "Helvetica", "turned")
	d.Title("Heading", 1)
	return &d
}

// TestMutated reads documents with flipped, missing and doubled bytes: the
// process lives, and a failure says what it is. TOOLFACADE_FULL=1 reads more.
func TestMutated(t *testing.T) {
	rounds := 150
	if testenv.Full() {
		rounds = 10_000
	}
	f := newFormat(t, &pdf.Options{PageTimeout: 2 * time.Second, NoOCR: true})
	locked := rich()
	locked.Password = "x"
	originals := [][]byte{rich().Bytes(), locked.Bytes()}
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	for i := range rounds {
		bad := scramble(r, originals[i%2])
		start := time.Now()
		doc, err := parse(t, f, bad, document.Request{Password: "x", Images: true})
		if took := time.Since(start); took > 30*time.Second {
			t.Fatalf("round %d took %v", i, took)
		}
		switch code := facade.CodeOf(err); {
		case err == nil && doc != nil:
			read++
		case code != facade.CodeUnsupportedFormat && code != facade.CodeInvalidArgument:
			t.Errorf("round %d: %v", i, err)
		}
	}
	if read < rounds/4 {
		t.Errorf("only %d of %d could be read at least in part", read, rounds)
	}
}

func scramble(r *rand.Rand, data []byte) []byte {
	bad := slices.Clone(data)
	for range 1 + r.IntN(6) {
		if len(bad) == 0 {
			break
		}
		at := r.IntN(len(bad))
		switch r.IntN(8) {
		case 0, 1, 2:
			bad[at] ^= 1 << r.IntN(8)
		case 3, 4:
			bad[at] = byte('0' + r.IntN(10))
		case 5:
			bad = bad[:max(at, len(bad)/2)]
		case 6:
			bad = slices.Insert(bad, at, bad[at:min(len(bad), at+r.IntN(50))]...)
		default:
			bad = slices.Delete(bad, at, min(len(bad), at+r.IntN(20)))
		}
	}
	return bad
}

func TestConcurrentReading(t *testing.T) {
	f := newFormat(t, &pdf.Options{Concurrent: 2})
	data := rich().Bytes()
	want, err := parse(t, f, data, document.Request{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			doc, err := parse(t, f, data, document.Request{})
			if err != nil || docs.Markdown(doc) != docs.Markdown(want) {
				t.Errorf("%v, or another text than alone", err)
			}
		})
	}
	wg.Wait()
}

func TestClosed(t *testing.T) {
	f := pdf.New(nil)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := parse(t, f, typed().Bytes(), document.Request{}); err == nil {
		t.Error("a closed format reads")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(rich().Bytes())
	f.Add(typed().Bytes())
	f.Add([]byte("%PDF-1.4\ntrailer<</Root 1 0 R>>"))
	format := newFormat(f, &pdf.Options{PageTimeout: time.Second, Timeout: 3 * time.Second, NoOCR: true, Memory: 96 << 20})
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := parse(t, format, data, document.Request{})
		if err != nil {
			if code := facade.CodeOf(err); code != facade.CodeUnsupportedFormat && code != facade.CodeInvalidArgument {
				t.Errorf("%v", err)
			}
			return
		}
		docs.Markdown(doc)
	})
}
