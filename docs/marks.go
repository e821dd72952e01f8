package docs

import (
	"fmt"
	"math"

	"github.com/toolfacade/toolfacade/docs/document"
)

// pageMarks are comments in Markdown that say where a page or slide begins, so
// that a reader can name it and ask for it, and whether its text is a machine's
// reading of an image. A document begins with its first page without a word.
func pageMarks(doc *document.Document) map[string]string {
	marks := map[string]string{}
	confidence := recognizedPages(doc)
	last := "page 1"
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Layer != document.Body || len(b.Prov) == 0 {
			continue
		}
		at := ""
		if p := b.Prov[0]; p.Page > 0 {
			at = fmt.Sprintf("page %d", p.Page)
			if sure, ok := confidence[p.Page]; ok {
				at += fmt.Sprintf(", text recognized in an image with confidence %.2f", sure)
			}
		} else if p.Slide > 1 {
			at = fmt.Sprintf("slide %d", p.Slide)
		}
		if at != "" && at != last {
			marks[b.ID] = "<!-- " + at + " -->"
			last = at
		}
	}
	return marks
}

// recognizedPages maps pages whose text was recognized to the mean confidence.
func recognizedPages(doc *document.Document) map[int]float64 {
	sums, counts := map[int]float64{}, map[int]float64{}
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Origin == originOCR && len(b.Prov) > 0 && b.Prov[0].Page > 0 {
			weight := math.Max(float64(len(b.Text)), 1)
			sums[b.Prov[0].Page] += b.Confidence * weight
			counts[b.Prov[0].Page] += weight
		}
	}
	for page := range sums {
		sums[page] /= counts[page]
	}
	return sums
}
