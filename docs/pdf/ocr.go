package pdf

import (
	"context"
	"errors"
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
	best, err := r.attempt(p, 0)
	for turn := 2; err == nil && best.doubtful() && turn != 0; turn = map[int]int{2: 1, 1: 3, 3: 0}[turn] {
		if r.full() != "" {
			r.b.Warn(document.WarnLimit, s.Number, "page %d may not stand upright, and no time was left to turn it; read it alone with pages='%d'", s.Number, s.Number)
			break
		}
		if other, otherErr := r.attempt(p, turn); otherErr == nil && other.weight > best.weight {
			best = other
		}
	}
	if err != nil {
		if facade.CodeOf(err) == facade.CodeUnavailable {
			r.noOCR = err
		}
		r.b.Warn(document.WarnNoText, s.Number, "page %d is an image without text: %s", s.Number, document.Reason(err))
		return
	}
	s.ocr = true
	s.layout = layout.FromWords(s.Number, p.Width, p.Height, best.turn, recognized(best.words, best.scale))
}

var errNoTime = errors.New("the time for the document is used up")

// attempt is what was recognized on a page that was turned first.
type attempt struct {
	words []facade.DocumentWord
	scale float64
	turn  int
	// weight is the confidence of all letters, chars how many there are, and tall
	// those in words that are higher than wide.
	weight      float64
	chars, tall int
}

func (r *reading) attempt(p *engine.Page, turn int) (attempt, error) {
	png, scale, err := p.Render(r.f.opts.DPI, true, turn)
	if err != nil {
		return attempt{}, err
	}
	// Recognizing is not the page's fault: it has the document's time.
	limited, cancel := context.WithDeadlineCause(r.ctx, r.start.Add(r.f.opts.Timeout), errNoTime)
	defer cancel()
	words, err := r.req.Recognize(limited, png)
	if err != nil && limited.Err() != nil {
		err = context.Cause(limited)
	}
	p.Until(r.watch(r.ctx))
	a := attempt{words: words, scale: scale, turn: turn}
	for _, w := range words {
		n := len(w.Text)
		a.chars += n
		if n > 2 && w.Box[3]-w.Box[1] > w.Box[2]-w.Box[0] {
			a.tall += n
			continue // in the wrong order, however sure
		}
		a.weight += w.Confidence * float64(n)
	}
	return a, err
}

// doubtful reports whether the page may not stand upright: engines read such
// pages badly, or as words that run up and down.
func (a *attempt) doubtful() bool {
	return a.chars > 0 && (a.tall*2 > a.chars || a.weight < 0.6*float64(a.chars))
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
