package docs_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// TestAdvice checks that a failure names the next right call.
func TestAdvice(t *testing.T) {
	docx := sampleDocx(t)
	tools := facade.Document(toolsOn(t, map[string][]byte{
		"drawing.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"><text>hi</text></svg>`),
		"photo.png":   pngOf(t, 4, 4),
		"photo.heic":  []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"),
		"cut.docx":    docx[:len(docx)*6/10],
		"some.zip":    archive(t, "a.txt", "hello"),
	}, nil))
	for _, tt := range []struct{ call, code, says, never string }{
		{`{"action":"read","path":"drawing.svg"}`, "unsupported_format", "filesystem tool", "read_image"},
		{`{"action":"read","path":"photo.png"}`, "unsupported_format", "use read_image", ""},
		{`{"action":"read","path":"photo.heic"}`, "unsupported_format", "convert it to PNG", ""},
		{`{"action":"read","path":"cut.docx"}`, "unsupported_format", "zip archive", "readable formats"},
		{`{"action":"read","path":"some.zip"}`, "unsupported_format", "readable formats", "damaged"},
		{`{"action":"read_image","path":"photo.heic"}`, "unsupported_format", "png, jpeg", ""},
	} {
		r, err := tools.Call(t.Context(), facade.Call{Args: json.RawMessage(tt.call)})
		if err != nil || r.Error == nil || string(r.Error.Code) != tt.code || !strings.Contains(r.Text, tt.says) || tt.never != "" && strings.Contains(r.Text, tt.never) {
			t.Errorf("%s: %v, %s; want %s and %q, not %q", tt.call, err, r.Text, tt.code, tt.says, tt.never)
		}
	}
}

// TestNothingToRead tells an empty document from a failure.
func TestNothingToRead(t *testing.T) {
	tools := toolsOn(t, map[string][]byte{"empty.pdf": {}, "blank.txt": []byte(" \n\n"), "full.txt": []byte("x")}, nil)
	for name, says := range map[string]string{"empty.pdf": "the file is empty", "blank.txt": "no content", "full.txt": ""} {
		out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: name})
		if err != nil {
			t.Fatal(err)
		}
		if says == "" && len(out.Warnings) > 0 || says != "" && (len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0].Message, says)) {
			t.Errorf("%s: warnings are %+v, want %q", name, out.Warnings, says)
		}
	}
}

// TestCursorOfAnotherCall continues a reply with other arguments, which would
// mean another place.
func TestCursorOfAnotherCall(t *testing.T) {
	tools := toolsOn(t, map[string][]byte{"a.pptx": samples(t)["a.pptx"]}, nil)
	first, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pptx", Pages: "1, 2", MaxChars: 20})
	if err != nil || first.NextCursor == "" {
		t.Fatalf("%+v, %v", first, err)
	}
	for _, tt := range []struct {
		in facade.DocumentReadInput
		ok bool
	}{
		{facade.DocumentReadInput{Pages: "1,2"}, true},
		{facade.DocumentReadInput{Pages: "1,2", MaxChars: 5}, true},
		{facade.DocumentReadInput{Pages: "2"}, false},
		{facade.DocumentReadInput{}, false},
		{facade.DocumentReadInput{Pages: "1,2", Output: "text"}, false},
	} {
		tt.in.Path, tt.in.Cursor = "a.pptx", first.NextCursor
		_, err := tools.Read(t.Context(), tt.in)
		if e := facade.CodeOf(err); tt.ok != (err == nil) || !tt.ok && e != facade.CodeInvalidArgument {
			t.Errorf("%+v fails with %v, want success to be %v", tt.in, err, tt.ok)
		}
	}
	forged := "9999" + first.NextCursor[strings.IndexByte(first.NextCursor, '.'):]
	if _, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pptx", Pages: "1,2", Cursor: forged}); facade.CodeOf(err) != facade.CodeInvalidArgument {
		t.Errorf("a place behind the end: %v", err)
	}
}

// TestPagesAfterTheLast tells a model that some of what it asked for is not
// there.
func TestPagesAfterTheLast(t *testing.T) {
	tool := facade.Document(toolsOn(t, map[string][]byte{"a.pptx": samples(t)["a.pptx"]}, nil))
	for pages, noted := range map[string]bool{"1,9": true, "9-,1": true, "1-9": false, "1": false} {
		r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(`{"action":"read","path":"a.pptx","pages":"` + pages + `"}`)})
		if err != nil || r.Error != nil {
			t.Fatal(err, r.Error)
		}
		if got := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "after the last") }); got != noted {
			t.Errorf("pages %q: notes are %q", pages, r.Notes)
		}
	}
}

// TestNoHalfAnswer checks that a failed read_image returns nothing of the image.
func TestNoHalfAnswer(t *testing.T) {
	tool := facade.Document(toolsOn(t, map[string][]byte{"p.png": pngOf(t, 4, 4), "no.png": []byte("text")}, &docs.Options{
		OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"}),
	}))
	for _, call := range []string{
		`{"action":"read_image","path":"p.png"}`, `{"action":"read_image","path":"p.png","instruction":"what?"}`, `{"action":"read_image","path":"no.png"}`,
	} {
		r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(call)})
		if err != nil || r.Error == nil || strings.Contains(string(r.JSON()), `"engines"`) {
			t.Errorf("%s: %v, %s", call, err, r.JSON())
		}
	}
	r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(`{"action":"read_image","path":"p.png"}`)})
	if err != nil || !strings.Contains(r.Error.Hint, "install") || !strings.Contains(r.Error.Hint, "perform_ocr=false") || r.Error.Path != "p.png" {
		t.Errorf("a missing engine: %v, %+v", err, r.Error)
	}
}

func TestDamagedImage(t *testing.T) {
	testenv.NeedProgram(t, "tesseract")
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 300)), nil); err != nil {
		t.Fatal(err)
	}
	tools := toolsOn(t, map[string][]byte{"cut.jpg": b.Bytes()[:b.Len()*6/10]}, nil)
	_, err := tools.ReadImage(t.Context(), facade.DocumentReadImageInput{Path: "cut.jpg"})
	if facade.CodeOf(err) != facade.CodeUnsupportedFormat || !strings.Contains(err.Error(), "'cut.jpg' is a damaged image") {
		t.Errorf("a cut image: %v", err)
	}
}

// TestUnreadImagesAreTriedAgain indexes an image before and after there is an
// engine.
func TestUnreadImagesAreTriedAgain(t *testing.T) {
	e := &reader{err: facade.Errorf(facade.CodeUnavailable, "there is no engine").WithHint("install one")}
	tools := toolsOn(t, map[string][]byte{"p.png": pngOf(t, 40, 40)}, &docs.Options{OCR: e})
	tool := facade.Document(tools)
	index := func() (facade.DocumentIndexed, []string) {
		t.Helper()
		r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(`{"action":"index","path":"p.png","extract_images":true}`)})
		if err != nil || r.Error != nil {
			t.Fatal(err, r.Error)
		}
		return r.Data.(facade.DocumentIndexOutput).Backends[0], r.Notes
	}
	for _, want := range []facade.DocumentIndexed{{Documents: 1}, {Unchanged: 1}} {
		got, notes := index()
		if got.Documents != want.Documents || got.Unchanged != want.Unchanged || len(notes) != 1 || !strings.Contains(notes[0], "install one") {
			t.Errorf("without an engine: %+v, %q; want %+v", got, notes, want)
		}
	}
	e.err = nil
	for _, want := range []facade.DocumentIndexed{{Documents: 1}, {Unchanged: 1}} {
		if got, notes := index(); got.Documents != want.Documents || got.Unchanged != want.Unchanged || len(notes) != 0 {
			t.Errorf("with one: %+v, %q; want %+v", got, notes, want)
		}
	}
	if out, err := tools.Search(t.Context(), facade.DocumentSearchInput{Query: "recognized"}); err != nil || len(out.Hits) != 1 {
		t.Errorf("the text is found in %+v, %v", out.Hits, err)
	}
}
