package pdf_test

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// scan is a document whose only page is the picture of another one's.
func scan(tb testing.TB, original *pdftest.Doc) *pdftest.Doc {
	tb.Helper()
	data := original.Bytes()
	painted, err := shared().PaintPage(tb.Context(), document.Source{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, 1, document.Request{})
	if err != nil {
		tb.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(painted))
	if err != nil {
		tb.Fatal(err)
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	gray := make([]byte, 0, w*h)
	for y := range h {
		for x := range w {
			r, _, _, _ := img.At(x, y).RGBA()
			gray = append(gray, byte(r>>8))
		}
	}
	var d pdftest.Doc
	d.Page().Gray(gray, w, h, 0, 0, pdftest.A4Width, pdftest.A4Height)
	return &d
}

func typed() *pdftest.Doc {
	var d pdftest.Doc
	d.Page().Lines(60, 120, 14, "Helvetica", prose...)
	return &d
}

// TestScan reads a scan with the program that hosts use by default.
func TestScan(t *testing.T) {
	testenv.NeedProgram(t, "tesseract")
	tools := toolsOn(t, scan(t, typed()).Bytes(), docs.Options{}, shared())
	out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf"})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	words := strings.Fields(strings.Join(prose, " "))
	for _, w := range words {
		if strings.Contains(out.Content, w) {
			found++
		}
	}
	if found*100 < 97*len(words) || !out.Pages[0].NeedsOCR || len(out.Warnings) > 0 {
		t.Errorf("%d of %d words, pages %+v, warnings %v in\n%s", found, len(words), out.Pages, out.Warnings, out.Content)
	}
	image, err := tools.ReadImage(t.Context(), facade.DocumentReadImageInput{Path: "a.pdf"})
	if err != nil || !strings.Contains(image.Text, "quick brown fox") || image.Format != "png" {
		t.Errorf("read_image: %v, %+v", err, image)
	}
}

// TestTurnedScan reads scans that were put into the scanner in all ways.
func TestTurnedScan(t *testing.T) {
	testenv.NeedProgram(t, "tesseract")
	turns := []int{180}
	if testenv.Full() {
		turns = []int{90, 180, 270}
	}
	for _, turn := range turns {
		d := scan(t, typed())
		d.Rotate(turn)
		out, err := toolsOn(t, d.Bytes(), docs.Options{}, shared()).Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Output: "blocks"})
		if err != nil || len(out.Blocks) == 0 || !strings.Contains(out.Blocks[0].Text, "quick brown fox jumps over the lazy dog") {
			t.Errorf("turned by %d: %v, %+v", turn, err, out.Blocks)
			continue
		}
		box, page := *out.Blocks[0].Prov[0].Box, out.Pages[0]
		if box[0] < 0 || box[1] < 0 || box[2] > page.Width || box[3] > page.Height || turn == 180 && box[1] < page.Height/2 {
			t.Errorf("turned by %d: the text is at %v", turn, box)
		}
	}
}

// TestSlowEngine takes longer for a page than the page itself may.
func TestSlowEngine(t *testing.T) {
	e := &engine{delay: 4200 * time.Millisecond, words: []facade.DocumentWord{{Text: "slow", Box: facade.Box{200, 300, 320, 340}, Confidence: 0.9}}}
	f := newFormat(t, &pdf.Options{PageTimeout: 4 * time.Second, Timeout: time.Minute})
	out, err := toolsOn(t, scan(t, typed()).Bytes(), docs.Options{OCR: e}, f).Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Output: "blocks"})
	if err != nil || len(out.Blocks) != 2 || out.Blocks[0].Text != "slow" || len(out.Images) != 1 {
		t.Errorf("%v, %+v with %d images, warnings %v", err, out.Blocks, len(out.Images), out.Warnings)
	}
}

// engine recognizes what it is told to.
type engine struct {
	words []facade.DocumentWord
	err   error
	delay time.Duration
	calls int
}

func (*engine) Name() string { return "test" }

func (e *engine) Recognize(_ context.Context, image []byte) (string, []facade.DocumentWord, error) {
	if _, err := document.InspectImage(image); err != nil {
		return "", nil, err
	}
	e.calls++
	time.Sleep(e.delay)
	return "", e.words, e.err
}

func TestRecognizedText(t *testing.T) {
	e := &engine{words: []facade.DocumentWord{
		{Text: "Hello", Box: facade.Box{200, 300, 320, 340}, Confidence: 0.9},
		{Text: "world", Box: facade.Box{340, 300, 460, 340}, Confidence: 0.7},
	}}
	tools := toolsOn(t, scan(t, typed()).Bytes(), docs.Options{OCR: e}, shared())
	out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Output: "blocks"})
	if err != nil || len(out.Blocks) != 2 {
		t.Fatalf("%v, %+v", err, out.Blocks)
	}
	b := out.Blocks[0]
	box := *b.Prov[0].Box
	if b.Text != "Hello world" || b.Origin != "ocr" || b.Confidence < 0.75 || b.Confidence > 0.85 || box[0] != 72 || box[1] != 108 {
		t.Errorf("the block is %+v at %v", b, box)
	}
}

func TestScanWithoutAnEngine(t *testing.T) {
	two := scan(t, typed())
	two.Page().Gray(pixels(100, 100).Pix, 100, 100, 0, 0, pdftest.A4Width, pdftest.A4Height)
	for name, tt := range map[string]struct {
		err    error
		format *pdf.Format
		calls  int
		says   string
	}{
		"missing":      {facade.Errorf(facade.CodeUnavailable, "tesseract is not installed"), shared(), 1, "not installed"},
		"failing":      {errors.New("cannot read it"), shared(), 2, "cannot read it"},
		"switched off": {nil, newFormat(t, &pdf.Options{NoOCR: true}), 0, "switched off"},
	} {
		t.Run(name, func(t *testing.T) {
			e := &engine{err: tt.err}
			out, err := toolsOn(t, two.Bytes(), docs.Options{OCR: e}, tt.format).Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf"})
			if err != nil {
				t.Fatal(err)
			}
			if e.calls != tt.calls || len(out.Warnings) == 0 || out.Warnings[0].Code != document.WarnNoText || !strings.Contains(out.Warnings[0].Message, tt.says) {
				t.Errorf("%d calls, warnings %+v", e.calls, out.Warnings)
			}
		})
	}
}
