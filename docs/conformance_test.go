package docs_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

func TestConformanceInMemory(t *testing.T) {
	facadetest.TestDocument(t, harness(func(tb testing.TB) (afero.Fs, *facadetest.DocumentFixture) {
		tb.Helper()
		fs := afero.NewMemMapFs()
		return fs, &facadetest.DocumentFixture{Store: facadetest.NewFsStore(fs)}
	}))
}

func TestConformanceOnDisk(t *testing.T) {
	facadetest.TestDocument(t, harness(func(tb testing.TB) (afero.Fs, *facadetest.DocumentFixture) {
		tb.Helper()
		dir := filepath.Join(tb.TempDir(), "root")
		store := facadetest.NewDirStore(dir)
		if err := store.MkdirAll("."); err != nil {
			tb.Fatal(err)
		}
		root, err := rootfs.Open(dir, nil)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			if err := root.Close(); err != nil {
				tb.Error(err)
			}
		})
		return root, &facadetest.DocumentFixture{Store: store, HostPath: dir, Confined: true}
	}))
}

// harness is one over the roots that newRoot makes.
func harness(newRoot func(tb testing.TB) (afero.Fs, *facadetest.DocumentFixture)) facadetest.DocumentHarness {
	open := func(tb testing.TB, opts *docs.Options) *facadetest.DocumentFixture {
		tb.Helper()
		fs, f := newRoot(tb)
		opts.HostPath = f.HostPath
		opts.Indexes = []docs.Index{docs.NewMemory(), second{docs.NewMemory()}, failing{docs.NewMemory()}}
		f.Tools, f.Backends, f.Failing, f.Samples = newTools(tb, fs, opts), []string{"memory", "second"}, "failing", documentSamples(tb)
		return f
	}
	return facadetest.DocumentHarness{
		New: func(tb testing.TB) *facadetest.DocumentFixture {
			tb.Helper()
			return open(tb, &docs.Options{OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"})})
		},
		NewSeeing: func(tb testing.TB) *facadetest.DocumentFixture {
			tb.Helper()
			f := open(tb, &docs.Options{OCR: eye{}, Vision: seer{}})
			f.Sight = &facadetest.DocumentSight{Text: "recognized words", Description: "image/png What is it?", Chart: &facade.DocumentChart{Type: "bar"}}
			return f
		},
	}
}

// second is a backend under another name.
type second struct{ *docs.Memory }

func (second) Name() string { return "second" }

// eye is an engine that recognizes the same words in every image.
type eye struct{}

func (eye) Name() string { return "eye" }

func (eye) Recognize(_ context.Context, data []byte) (string, []facade.DocumentWord, error) {
	if _, err := document.InspectImage(data); err != nil {
		return "", nil, err
	}
	return "recognized words", []facade.DocumentWord{
		{Text: "recognized", Box: facade.Box{1, 1, 30, 9}, Confidence: 0.5}, {Text: "words", Box: facade.Box{31, 1, 50, 9}, Confidence: 0.9},
	}, nil
}

// documentSamples are a presentation and a web page with images.
func documentSamples(tb testing.TB) []facadetest.DocumentSample {
	tb.Helper()
	slides, list := []string{}, ""
	words := []string{"alligator", "buffalo", "cormorant"}
	rels := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i, word := range words {
		list += fmt.Sprintf(`<p:sldId id="%d" r:id="s%d"/>`, 256+i, i+1)
		rels += fmt.Sprintf(`<Relationship Id="s%d" Type="%sslide" Target="slides/slide%d.xml"/>`, i+1, relType, i+1)
		slides = append(slides, fmt.Sprintf("ppt/slides/slide%d.xml", i+1), `<p:sld `+slideNS+`><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>The `+word+`</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`)
	}
	presentation := archive(tb, append([]string{
		"_rels/.rels", officeRel + `ppt/presentation.xml"/></Relationships>`,
		"ppt/presentation.xml", `<p:presentation ` + slideNS + `><p:sldIdLst>` + list + `</p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", rels + `</Relationships>`,
	}, slides...)...)
	picture := func(w int) string {
		return `<img alt="x" src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(pngFile(tb, image.NewGray(image.Rect(0, 0, w, 20)))) + `">`
	}
	page := bytes.NewBufferString("<html><p>Two pictures</p>" + picture(30) + "<p>between</p>" + picture(40) + "</html>")
	return []facadetest.DocumentSample{
		{Name: "slides.pptx", Data: presentation, Pages: words}, {Name: "page.html", Data: page.Bytes(), Images: strings.Count(page.String(), "<img")},
	}
}

const slideNS = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

func newTools(tb testing.TB, fs afero.Fs, opts *docs.Options) *docs.Tools {
	tb.Helper()
	tools, err := docs.New(fs, opts)
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
