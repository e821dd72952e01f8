package docs_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

func pngOf(tb testing.TB, w, h int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// turned is a JPEG of 30 by 20 pixels that is shown upright as 20 by 30.
func turned(tb testing.TB) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20)), nil); err != nil {
		tb.Fatal(err)
	}
	exif := append([]byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"), 0, 0, 0, 0)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return append(append(append([]byte{0xff, 0xd8}, segment...), exif...), b.Bytes()[2:]...)
}

func TestOrientation(t *testing.T) {
	off := false
	out, err := toolsOn(t, map[string][]byte{"p.jpg": turned(t)}, nil).ReadImage(t.Context(), facade.DocumentReadImageInput{Path: "p.jpg", PerformOCR: &off})
	if err != nil || out.Width != 20 || out.Height != 30 || out.Format != "jpeg" {
		t.Errorf("the image is %+v, %v", out, err)
	}
}

func TestMissingEngines(t *testing.T) {
	files := map[string][]byte{"p.png": pngOf(t, 4, 4)}
	tools := toolsOn(t, files, &docs.Options{OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"})})
	for _, in := range []facade.DocumentReadImageInput{
		{Path: "p.png"}, {Path: "p.png", Instruction: "What is it?"}, {Path: "p.png", ExtractChartData: true},
	} {
		_, err := tools.ReadImage(t.Context(), in)
		if facade.CodeOf(err) != facade.CodeUnavailable {
			t.Errorf("%+v fails with %v, want unavailable", in, err)
		}
	}
}

// seer is a model that sees what it is told.
type seer struct{}

func (seer) Name() string { return "seer" }

func (seer) Describe(_ context.Context, data []byte, mime, instruction string) (string, error) {
	return mime + " " + instruction, nil
}

func (seer) Chart(context.Context, []byte, string) (*facade.DocumentChart, error) {
	return &facade.DocumentChart{Type: "bar"}, nil
}

func TestVisionWithoutOCR(t *testing.T) {
	tools := toolsOn(t, map[string][]byte{"p.png": pngOf(t, 4, 4)}, &docs.Options{
		Vision: seer{}, OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"}),
	})
	out, err := tools.ReadImage(t.Context(), facade.DocumentReadImageInput{Path: "p.png", Instruction: "look", ExtractChartData: true})
	if err != nil || out.Description != "image/png look" || out.Chart == nil || !cmp.Equal(out.Engines, []string{"seer"}) {
		t.Errorf("the image is %+v, %v", out, err)
	}
}

// TestTesseractOutput runs a stand-in for the program that prints a table of
// words as the program does, to check how it is read.
func TestTesseractOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	program := filepath.Join(t.TempDir(), "tesseract")
	script := "#!/bin/sh\ncat >/dev/null\nprintf 'level\\tpage_num\\n" +
		`5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96.5\tHello\n5\t1\t1\t1\t1\t2\t50\t20\t30\t40\t90\tworld\n5\t1\t1\t1\t2\t1\t10\t80\t5\t5\t50\tnext\n` + "'\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	text, words, err := docs.NewTesseract(&docs.TesseractOptions{Program: program}).Recognize(t.Context(), pngOf(t, 4, 4))
	if err != nil || text != "Hello world\nnext" || len(words) != 3 {
		t.Fatalf("the text is %q with %d words, %v", text, len(words), err)
	}
	want := facade.DocumentWord{Text: "Hello", Box: facade.Box{10, 20, 40, 60}, Confidence: 0.965}
	if diff := cmp.Diff(want, words[0]); diff != "" {
		t.Error(diff)
	}
}

func TestTesseract(t *testing.T) {
	testenv.NeedProgram(t, "tesseract")
	_, _, err := docs.NewTesseract(nil).Recognize(t.Context(), pngOf(t, 200, 100))
	if err != nil {
		t.Errorf("an empty page fails: %v", err)
	}
	if _, _, err = docs.NewTesseract(nil).Recognize(t.Context(), []byte("no image")); err == nil || strings.Contains(err.Error(), "/tmp") {
		t.Errorf("what is no image gives %v", err)
	}
}

// TestEmbeddedImages returns the images of a document on request.
func TestEmbeddedImages(t *testing.T) {
	page := `<p>x</p><img alt="Logo" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==">`
	tools := toolsOn(t, map[string][]byte{"a.html": []byte("<html>" + page)}, nil)
	out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.html", ExtractImages: true})
	if err != nil || len(out.Images) != 1 || len(out.Attachments()) != 1 {
		t.Fatalf("the document is %+v, %v", out, err)
	}
	if img := out.Images[0]; img.MIME != "image/png" || img.Width != 1 || img.Alt != "Logo" || img.Attached != "a.html#i1" || len(out.Attachments()[0].Data) == 0 {
		t.Errorf("the image is %+v", img)
	}
	if out, err = tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.html"}); err != nil || len(out.Images) != 1 || len(out.Attachments()) != 0 {
		t.Errorf("without extract_images it is %+v, %v", out.Images, err)
	}
}
