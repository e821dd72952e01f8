package docs_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// unpack lists the parts of a zip file as name, content; nil for other files.
func unpack(data []byte) []string {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	var parts []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil
		}
		content, err := io.ReadAll(r)
		if err != nil || r.Close() != nil {
			return nil
		}
		parts = append(parts, f.Name, string(content))
	}
	return parts
}

func repack(parts []string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			return nil
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			return nil
		}
	}
	if z.Close() != nil {
		return nil
	}
	return b.Bytes()
}

// fuzz reads data as a document of one format; of an archive data becomes the
// named part.
func fuzz(f *testing.F, name, part string) {
	f.Helper()
	sample := samples(f)[name]
	parts := unpack(sample)
	at := -1
	for i := 0; i < len(parts); i += 2 {
		if parts[i] == part {
			at = i + 1
		}
	}
	if at >= 0 { // the archive as a whole is left to TestMutated: it takes long to minimize
		f.Add([]byte(parts[at]))
	} else {
		f.Add(sample)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if at >= 0 && !bytes.HasPrefix(data, []byte("PK")) {
			changed := append([]string{}, parts...)
			changed[at] = string(data)
			data = repack(changed)
		}
		fs := afero.NewMemMapFs()
		if err := afero.WriteFile(fs, "/"+name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tools, err := docs.New(fs, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, output := range []string{"markdown", "blocks"} {
			out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: name, Output: output})
			if err != nil && facade.CodeOf(err) == facade.CodeInternal {
				t.Fatal(err)
			}
			if err == nil && out.Source.Format == "" {
				t.Fatal("no format")
			}
		}
		if err := tools.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzDocx(f *testing.F)     { fuzz(f, "a.docx", "word/document.xml") }
func FuzzPptx(f *testing.F)     { fuzz(f, "a.pptx", "ppt/slides/slide2.xml") }
func FuzzXlsx(f *testing.F)     { fuzz(f, "a.xlsx", "xl/worksheets/sheet1.xml") }
func FuzzOdt(f *testing.F)      { fuzz(f, "a.odt", "content.xml") }
func FuzzOds(f *testing.F)      { fuzz(f, "a.ods", "content.xml") }
func FuzzOdp(f *testing.F)      { fuzz(f, "a.odp", "content.xml") }
func FuzzEpub(f *testing.F)     { fuzz(f, "a.epub", "OPS/book.opf") }
func FuzzHTML(f *testing.F)     { fuzz(f, "a.html", "") }
func FuzzMarkdown(f *testing.F) { fuzz(f, "a.md", "") }
func FuzzCSV(f *testing.F)      { fuzz(f, "a.csv", "") }
func FuzzRTF(f *testing.F)      { fuzz(f, "a.rtf", "") }
func FuzzNotebook(f *testing.F) { fuzz(f, "a.ipynb", "") }
func FuzzMail(f *testing.F)     { fuzz(f, "a.eml", "") }
func FuzzText(f *testing.F)     { fuzz(f, "a.txt", "") }
