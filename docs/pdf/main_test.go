package pdf_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/spf13/afero"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
	"github.com/toolfacade/toolfacade/facade"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shared is a format for all tests that need no options of their own: compiling
// takes a second under the race detector.
var shared = sync.OnceValue(func() *pdf.Format { return pdf.New(&pdf.Options{CacheDir: pdftest.CacheDir()}) })

// newFormat returns a format that is closed with the test.
func newFormat(tb testing.TB, opts *pdf.Options) *pdf.Format {
	tb.Helper()
	opts.CacheDir = pdftest.CacheDir()
	f := pdf.New(opts)
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	if err := f.Ready(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return f
}

// parse reads a document as the document tool does.
func parse(tb testing.TB, f *pdf.Format, data []byte, req document.Request) (*document.Document, error) {
	tb.Helper()
	return f.Parse(tb.Context(), document.Source{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "a.pdf", MIME: "application/pdf"}, req)
}

// read reads a document that must be readable.
func read(tb testing.TB, d *pdftest.Doc) *document.Document {
	tb.Helper()
	doc, err := parse(tb, shared(), d.Bytes(), document.Request{})
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

// toolsOn is the document tool on one file.
func toolsOn(tb testing.TB, data []byte, opts docs.Options, format *pdf.Format) *docs.Tools {
	tb.Helper()
	fs := afero.NewMemMapFs()
	if err := afero.WriteFile(fs, "/a.pdf", data, 0o600); err != nil {
		tb.Fatal(err)
	}
	opts.Formats = []document.Format{format}
	tools, err := docs.New(fs, &opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := tools.Close(); err != nil {
			tb.Error(err)
		}
	})
	return tools
}

// shapes lists blocks as kind, level and text.
func shapes(doc *document.Document) []string {
	var out []string
	for _, b := range doc.Blocks {
		s := string(b.Kind)
		if b.Level > 0 {
			s += fmt.Sprint(" ", b.Level)
		}
		if b.Marker != "" {
			s += " " + b.Marker
		}
		if b.Layer == document.Furniture {
			s += " (furniture)"
		}
		out = append(out, s+": "+b.Text)
	}
	return out
}

// cells lists the cells of a table as row, column, spans and text.
func cells(t facade.DocumentTable) []string {
	var out []string
	for _, c := range t.Cells {
		s := fmt.Sprintf("%d,%d", c.Row, c.Col)
		if c.RowSpan > 1 || c.ColSpan > 1 {
			s += fmt.Sprintf(" %dx%d", max(c.RowSpan, 1), max(c.ColSpan, 1))
		}
		if c.Header {
			s += " header"
		}
		out = append(out, s+": "+c.Text)
	}
	return out
}

var prose = []string{
	"The quick brown fox jumps over the lazy dog, and", "it does so again and again until somebody makes",
	"it stop, which takes a while because nobody knows", "whose fox it is, and the dog has no opinion on it.",
	"Later the fox grows tired of jumping and lies down", "beside the dog, who moves a little to make room.",
}
