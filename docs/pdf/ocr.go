package pdf

import (
	"slices"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/layout"
	"github.com/toolfacade/toolfacade/facade"
)

// recognize reads the text of a page that is an image.
func (r *reading) recognize(p *engine.Page, s *sheet) {
	s.NeedsOCR = true
	switch {
	case r.f.opts.NoOCR || r.req.Recognize == nil:
		r.b.Warn(document.WarnNoText, s.Number, "page %d is an image without text, and recognizing text is switched off", s.Number)
		return
	case r.noOCR != nil:
		r.b.Warn(document.WarnNoText, s.Number, "page %d is an image without text", s.Number)
		return
	}
	png, scale, err := p.Render(r.f.opts.DPI, true)
	if err != nil {
		r.b.Warn(document.WarnNoText, s.Number, "page %d is an image and cannot be painted: %v", s.Number, err)
		return
	}
	// Recognizing is not the page's fault: it has the document's time.
	words, err := r.req.Recognize(r.ctx, png)
	if err != nil {
		if facade.CodeOf(err) == facade.CodeUnavailable {
			r.noOCR = err
		}
		r.b.Warn(document.WarnNoText, s.Number, "page %d is an image without text: %v", s.Number, err)
		return
	}
	s.ocr = true
	s.layout = layout.FromWords(s.Number, p.Width, p.Height, recognized(words, scale))
}

// recognized turns words in pixels into words in points.
func recognized(found []facade.DocumentWord, scale float64) []layout.Word {
	var heights []float64
	for _, w := range found {
		heights = append(heights, (w.Box[3]-w.Box[1])/scale)
	}
	slices.Sort(heights)
	size := 10.0
	if n := len(heights); n > 0 {
		size = 1.35 * heights[n/2]
	}
	words := make([]layout.Word, 0, len(found))
	for _, w := range found {
		box := engine.Rect{X0: w.Box[0] / scale, Y0: w.Box[1] / scale, X1: w.Box[2] / scale, Y1: w.Box[3] / scale}
		words = append(words, layout.Word{Rect: box, Base: box.Y1, Size: size, Text: w.Text, Confidence: w.Confidence})
	}
	return words
}
