package pdf_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
	"github.com/toolfacade/toolfacade/facade"
)

func TestDescription(t *testing.T) {
	d := pdftest.Doc{Info: map[string]string{
		"Title": "A report", "Author": "Ann", "Subject": "Foxes", "CreationDate": "D:20240131120000+01'00'", "ModDate": "D:2024",
	}}
	d.Page().Text(60, 100, 10, "Helvetica", "Text")
	d.Page()
	m := read(t, &d).Meta
	created := time.Date(2024, 1, 31, 11, 0, 0, 0, time.UTC)
	if m.Title != "A report" || !cmp.Equal(m.Authors, []string{"Ann"}) || m.PageCount != 2 || m.Language != "en-GB" || m.Custom["subject"] != "Foxes" ||
		m.Created == nil || !m.Created.Equal(created) || m.Modified == nil || m.Modified.Year() != 2024 {
		t.Errorf("the description is %+v", m)
	}
}

func TestLinks(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 100, 10, "Helvetica", "See example here")
	p.Link(77, 90, 122, 103, "https://example.org/a(b)")
	if got, want := docs.Markdown(read(t, &d)), "See [example](https://example.org/a(b%29) here"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

func TestNotes(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 100, 10, "Helvetica", "Text")
	p.Comment(200, 100, "Is this right?")
	p.Field(60, 200, "name", "Bob (junior)")
	p.Field(60, 240, "empty", "")
	want := []string{"paragraph: Text", "comment: Is this right?", "key_value: name: Bob (junior)"}
	if diff := cmp.Diff(want, shapes(read(t, &d))); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

func TestHiddenText(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 100, 10, "Helvetica", "Everybody can read this")
	p.Hidden(60, 200, 10, "Helvetica", "ignore me")
	d.Page().Hidden(60, 100, 10, "Helvetica", "The text behind a scan")
	want := []string{"paragraph: Everybody can read this", "paragraph: The text behind a scan"}
	if diff := cmp.Diff(want, shapes(read(t, &d))); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

// pixels is a gradient.
func pixels(w, h int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i)
	}
	return img
}

func TestImages(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, pixels(40, 30), nil); err != nil {
		t.Fatal(err)
	}
	var d pdftest.Doc
	p := d.Page()
	p.Text(60, 80, 10, "Times-Roman", prose[0])
	p.JPEG(photo.Bytes(), 40, 30, true, 60, 100, 80, 60)
	p.Text(60, 180, 10, "Times-Roman", "Figure 1: A photograph")
	p.Gray(pixels(20, 20).Pix, 20, 20, 60, 220, 50, 50)
	p.Gray(pixels(20, 20).Pix, 20, 20, 300, 220, 5, 5) // an ornament
	data := d.Bytes()

	doc, err := parse(t, shared(), data, document.Request{})
	if err != nil {
		t.Fatal(err)
	}
	want := []facade.DocumentImage{
		{ID: "i1", MIME: "image/jpeg", Width: 40, Height: 30, Caption: "Figure 1: A photograph"},
		{ID: "i2", MIME: "image/png", Width: 20, Height: 20},
	}
	for i, img := range doc.Images {
		if img.Data != nil {
			t.Error("content was not asked for")
		}
		img.Prov = nil
		if i < len(want) && !cmp.Equal(img.DocumentImage, want[i]) {
			t.Errorf("image %d is %+v, want %+v", i, img.DocumentImage, want[i])
		}
	}
	if len(doc.Images) != len(want) || *doc.Images[0].Prov[0].Box != (facade.Box{60, 100, 140, 160}) {
		t.Errorf("%d images, the first at %v", len(doc.Images), doc.Images[0].Prov[0].Box)
	}

	doc, err = parse(t, shared(), data, document.Request{Images: true})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(doc.Images[0].Data, photo.Bytes()) {
		t.Error("the photograph is not as it was stored")
	}
	sum := sha256.Sum256(photo.Bytes())
	if doc.Images[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Error("the hash is wrong")
	}
	drawn, err := png.Decode(bytes.NewReader(doc.Images[1].Data))
	if err != nil {
		t.Fatal(err)
	}
	if r, _, _, _ := drawn.At(7, 0).RGBA(); drawn.Bounds().Dx() != 20 || uint8(r>>8) != 7 {
		t.Errorf("the second image has the color %v", drawn.At(7, 0))
	}
}

func TestImagesWithinTheLimit(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	for i := range 4 {
		p.Gray(pixels(200, 200).Pix, 200, 200, 60, 60+150*float64(i), 100, 100)
	}
	doc, err := parse(t, shared(), d.Bytes(), document.Request{Images: true, Limits: document.Limits{ImageBytes: 1500}})
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, img := range doc.Images {
		kept += len(img.Data)
	}
	if len(doc.Images) != 4 || kept > 1500 || len(doc.Warnings) == 0 {
		t.Errorf("%d images with %d bytes, warnings %v", len(doc.Images), kept, doc.Warnings)
	}
}

func TestPassword(t *testing.T) {
	d := pdftest.Doc{Password: "secret", Info: map[string]string{"Title": "Hidden"}}
	d.Page().Text(60, 100, 10, "Helvetica", "Behind a lock")
	for password, want := range map[string]string{"": "needs a password", "wrong": "the password is wrong", "secret": ""} {
		doc, err := parse(t, shared(), d.Bytes(), document.Request{Password: password})
		if want != "" {
			e, ok := err.(*facade.Error) //nolint:errorlint // it is returned bare
			if !ok || e.Code != facade.CodeInvalidArgument || e.Field != "password" || !strings.Contains(e.Message, want) || e.Hint == "" {
				t.Errorf("with the password %q: %+v", password, err)
			}
			continue
		}
		if err != nil || doc.Meta.Title != "Hidden" || docs.Text(doc) != "Behind a lock" {
			t.Errorf("%v, %+v", err, doc)
		}
	}
}

func TestPages(t *testing.T) {
	var d pdftest.Doc
	for i := range 5 {
		d.Page().Text(60, 300, 10, "Helvetica", "This is page number "+string(rune('A'+i)))
	}
	tools := toolsOn(t, d.Bytes(), docs.Options{}, shared())
	for pages, want := range map[string]string{"2,4-": "B D E", "5": "E", "": "A B C D E"} {
		out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Pages: pages})
		var got []string
		for line := range strings.Lines(out.Content) {
			if _, letter, ok := strings.Cut(strings.TrimSpace(line), "number "); ok {
				got = append(got, letter)
			}
		}
		if err != nil || strings.Join(got, " ") != want || out.Meta.PageCount != 5 || len(out.Pages) != len(got) {
			t.Errorf("pages %q: %v, %v, %d of %d pages", pages, err, got, len(out.Pages), out.Meta.PageCount)
		}
	}
	if _, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "a.pdf", Pages: "9"}); facade.CodeOf(err) != facade.CodeInvalidArgument {
		t.Errorf("page 9 of 5: %v", err)
	}
}

func TestPaintPage(t *testing.T) {
	var d pdftest.Doc
	p := d.Page()
	p.Raw("1 0 0 rg 0 421 595 421 re f")
	data := d.Bytes()
	src := document.Source{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
	painted, err := shared().PaintPage(t.Context(), src, 1, document.Request{})
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(painted))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	top, bottom := color.NRGBAModel.Convert(img.At(b.Dx()/2, 10)), color.NRGBAModel.Convert(img.At(b.Dx()/2, b.Dy()-10))
	if top != (color.NRGBA{255, 0, 0, 255}) || bottom != (color.NRGBA{255, 255, 255, 255}) || b.Dx() < 1600 || b.Dx() > 1700 {
		t.Errorf("%v pixels, %v at the top and %v at the bottom", b, top, bottom)
	}
	if _, err := shared().PaintPage(t.Context(), src, 2, document.Request{}); facade.CodeOf(err) != facade.CodeInvalidArgument {
		t.Errorf("page 2 of 1: %v", err)
	}
}
