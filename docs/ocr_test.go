package docs_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// scan draws lines as a scan at 150 dots per inch has them.
func scan(tb testing.TB, lines ...string) *image.Gray {
	tb.Helper()
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		tb.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 12, DPI: 150, Hinting: font.HintingNone})
	if err != nil {
		tb.Fatal(err)
	}
	img := image.NewGray(image.Rect(0, 0, 1000, 80+40*len(lines)))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	d := font.Drawer{Dst: img, Src: image.NewUniform(color.Black), Face: face}
	for i, line := range lines {
		d.Dot = fixed.P(60, 70+40*i)
		d.DrawString(line)
	}
	return img
}

func pngFile(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// camera turns an image a quarter to the left, as a camera on its side has it,
// and notes the orientation.
func camera(tb testing.TB, img *image.Gray) []byte {
	tb.Helper()
	b := img.Bounds()
	side := image.NewGray(image.Rect(0, 0, b.Dy(), b.Dx()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			side.SetGray(y, b.Dx()-1-x, img.GrayAt(x, y))
		}
	}
	var j bytes.Buffer
	if err := jpeg.Encode(&j, side, &jpeg.Options{Quality: 95}); err != nil {
		tb.Fatal(err)
	}
	head := turned(tb)
	return append(bytes.Clone(head[:4+int(binary.BigEndian.Uint16(head[4:]))]), j.Bytes()[2:]...)
}

var pageLines = []string{
	"The quarterly report of the harbor office", "Ships arrived: 418, departed: 402.", "Storage fees rose by 12.5 percent.",
}

func TestRecognizedText(t *testing.T) {
	testenv.NeedProgram(t, "tesseract")
	img := scan(t, pageLines...)
	tools := toolsOn(t, map[string][]byte{"page.png": pngFile(t, img), "photo.jpg": camera(t, img)}, nil)
	for _, name := range []string{"page.png", "photo.jpg"} {
		out, err := tools.ReadImage(t.Context(), facade.DocumentReadImageInput{Path: name})
		if err != nil {
			t.Fatal(err)
		}
		if out.Width != 1000 || out.Height != 200 {
			t.Errorf("%s has %d × %d", name, out.Width, out.Height)
		}
		if got := strings.Join(strings.Fields(out.Text), " "); got != strings.Join(pageLines, " ") {
			t.Errorf("the text of %s is %q", name, got)
		}
		for _, w := range out.Words {
			if w.Text == "harbor" && (w.Box[0] < 300 || w.Box[2] > 600 || w.Box[1] < 40 || w.Box[3] > 90 || w.Confidence < 0.8) {
				t.Errorf("in %s the word is at %v with confidence %v", name, w.Box, w.Confidence)
			}
		}
		if len(out.Words) != len(strings.Fields(strings.Join(pageLines, " "))) {
			t.Errorf("%s has %d words", name, len(out.Words))
		}
	}
}

// reader is an engine that reads the same in every image.
type reader struct{ err error }

func (reader) Name() string { return "reader" }

func (r reader) Recognize(context.Context, []byte) (string, []facade.DocumentWord, error) {
	return "recognized words", []facade.DocumentWord{{Text: "recognized", Confidence: 0.5}}, r.err
}

func TestIndexedImages(t *testing.T) {
	picture := pngFile(t, scan(t, "x"))
	page := []byte("# Title\n\n![Logo](data:image/png;base64,AAAA)\n")
	html := []byte(`<html><p>Some text</p><img alt="Logo" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==">`)
	files := map[string][]byte{"p.png": picture, "a.html": html, "b.md": page}
	tools := toolsOn(t, files, &docs.Options{OCR: reader{}})
	if out, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: "."}); err != nil || len(out.Backends[0].Skipped) != 1 {
		t.Fatalf("without images: %+v, %v", out, err)
	}
	out, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: ".", ExtractImages: true})
	if err != nil || out.Backends[0].Documents != 3 || len(out.Backends[0].Skipped) != 0 {
		t.Fatalf("with images: %+v, %v", out, err)
	}
	found, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: "recognized"})
	if err != nil || len(found.Hits) != 2 || found.Hits[0].Path != "a.html" && found.Hits[0].Path != "p.png" {
		t.Errorf("the text of images is found in %+v, %v", found.Hits, err)
	}

	missing := toolsOn(t, files, &docs.Options{OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"})})
	result := facade.Document(missing)
	r, err := result.Call(t.Context(), facade.Call{Args: []byte(`{"action":"index","path":".","extract_images":true}`)})
	if err != nil || r.Error != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "tesseract") {
		t.Errorf("without an engine: %+v, %v", r, err)
	}
}
