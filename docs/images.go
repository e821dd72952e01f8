package docs

import (
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// originOCR marks blocks of recognized text.
const originOCR = "ocr"

// openIndexed opens a file for an index: an image is a document when the text
// of images is wanted.
func (t *Tools) openIndexed(ctx context.Context, name string, images bool) (*opened, error) {
	if !images {
		return t.openDocument(ctx, name, nil)
	}
	return t.openDocument(ctx, name, picture{})
}

// recognizeImages adds the text of a document's images after each, for those
// whose content was kept. The error of an engine ends it; images that no
// engine can read are left as they are.
func (t *Tools) recognizeImages(ctx context.Context, doc *document.Document) error {
	content := map[string][]byte{}
	read := map[int]bool{} // pages whose text is recognized already
	for _, b := range doc.Blocks {
		if b.Origin == originOCR && len(b.Prov) > 0 {
			read[b.Prov[0].Page] = true
		}
	}
	for _, img := range doc.Images {
		if len(img.Prov) > 0 && read[img.Prov[0].Page] {
			continue
		}
		if info, err := document.InspectImage(img.Data); err == nil && int64(info.Width)*int64(info.Height) <= maxPixels {
			if data, _, err := upright(img.Data, info); err == nil {
				content[img.ID] = data
			}
		}
	}
	if len(content) == 0 {
		return nil
	}
	blocks := make([]document.Block, 0, len(doc.Blocks)+len(content))
	for _, b := range doc.Blocks {
		blocks = append(blocks, b)
		data := content[b.Ref]
		if b.Kind != facade.BlockImage || data == nil {
			continue
		}
		text, words, err := t.opts.OCR.Recognize(ctx, data)
		switch code := facade.CodeOf(err); {
		case err == nil:
		case code == facade.CodeUnsupportedFormat:
			continue
		default:
			return err
		}
		if text = strings.TrimSpace(text); text != "" {
			blocks = append(blocks, document.Block{Layer: b.Layer, DocumentBlock: facade.DocumentBlock{
				ID: b.ID + "-ocr", Kind: facade.BlockParagraph, Text: text, Parent: b.Parent, Prov: b.Prov,
				Origin: originOCR, Confidence: meanConfidence(words),
			}})
		}
	}
	doc.Blocks = blocks
	return nil
}

func meanConfidence(words []facade.DocumentWord) float64 {
	if len(words) == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range words {
		sum += w.Confidence
	}
	return sum / float64(len(words))
}

var _ document.Format = picture{}

// picture reads an image file as a document of one image, whose text an engine
// adds afterwards.
type picture struct{}

// Name implements [document.Format].
func (picture) Name() string { return "image" }

// Accepts implements [document.Format].
func (picture) Accepts(mime string) bool { return strings.HasPrefix(mime, "image/") }

// Parse implements [document.Format].
func (picture) Parse(_ context.Context, src document.Source, req document.Request) (*document.Document, error) {
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	info, err := document.InspectImage(data)
	if err != nil {
		return nil, document.Malformed("'%s' is no readable image: %w", src.Name, err)
	}
	b := document.NewBuilder(req)
	return b.Finish(b.Image(facade.DocumentImage{MIME: info.MIME, Alt: src.Name}, data))
}
