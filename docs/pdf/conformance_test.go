package pdf_test

import (
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
	"github.com/toolfacade/toolfacade/facade/facadetest"
)

// TestConformance runs the rules of the document contract with PDF documents
// that have pages, images and a password.
func TestConformance(t *testing.T) {
	words := []string{"alligator", "buffalo", "cormorant"}
	var pages, pictures pdftest.Doc
	locked := pdftest.Doc{Password: "secret of the harbor"}
	for _, word := range words {
		pages.Page().Text(60, 300, 10, "Helvetica", "This page is about the "+word+" and nothing else")
		locked.Page().Text(60, 300, 10, "Helvetica", "This page is about the "+word+" and nothing else")
	}
	p := pictures.Page()
	p.Text(60, 80, 10, "Times-Roman", prose[0])
	p.Gray(pixels(30, 30).Pix, 30, 30, 60, 220, 50, 50)
	p.Gray(pixels(40, 40).Pix, 40, 40, 60, 320, 50, 50)
	samples := []facadetest.DocumentSample{
		{Name: "pages.pdf", Data: pages.Bytes(), Pages: words},
		{Name: "pictures.pdf", Data: pictures.Bytes(), Images: 2},
		{Name: "locked.pdf", Data: locked.Bytes(), Pages: words, Password: locked.Password},
	}
	facadetest.TestDocument(t, facadetest.DocumentHarness{New: func(tb testing.TB) *facadetest.DocumentFixture {
		tb.Helper()
		fs := afero.NewMemMapFs()
		tools, err := docs.New(fs, &docs.Options{
			Formats: []document.Format{shared()}, OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"}),
		})
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			if err := tools.Close(); err != nil {
				tb.Error(err)
			}
		})
		return &facadetest.DocumentFixture{Tools: tools, Store: facadetest.NewFsStore(fs), Backends: []string{"memory"}, Samples: samples}
	}})
}
