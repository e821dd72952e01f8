package pdf

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/layout"
	"github.com/toolfacade/toolfacade/facade"
)

// Bounds of one document, beside those of the options.
const (
	maxPageGlyphs = 400_000
	maxGlyphs     = 4_000_000
	maxRestarts   = 3 // after pages that break the sandbox
)

// sheet is a page that was read.
type sheet struct {
	facade.DocumentPage
	layout   *layout.Page
	pictures []picture
	notes    []engine.Note
	ocr      bool
}

// picture is an image with its content, if that was asked for.
type picture struct {
	facade.DocumentImage
	data []byte
}

// reading is the work on one document.
type reading struct {
	f     *Format
	req   document.Request
	data  []byte
	b     *document.Builder
	start time.Time

	ctx        context.Context // of the whole call
	stopWatch  context.CancelFunc
	doc        *engine.Document
	restarts   int
	glyphs     int
	imageBytes int64
	noOCR      error // why recognizing failed
	sheets     []*sheet
}

// run reads the pages, then puts them in order.
func (r *reading) run(ctx context.Context) error {
	var err error
	r.ctx = ctx
	if r.doc, err = r.f.engine.Open(ctx, r.data, r.req.Password); err != nil {
		return explain(err, r.req.Password)
	}
	defer func() {
		if r.doc != nil {
			_ = r.doc.Close() // nothing is written that could be lost
		}
	}()
	r.meta()
	outline := r.outline()
	if err := r.pages(ctx); err != nil {
		return err
	}
	return r.emit(ctx, outline)
}

// pages reads those asked for.
func (r *reading) pages(ctx context.Context) error {
	total := r.doc.Pages()
	for n := 1; n <= total; n++ {
		if !r.req.Wants(n) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if why := r.full(); why != "" {
			r.b.Warn(document.WarnLimit, n, "pages from %d on are left out: %s; read them with pages='%d-'", n, why, n)
			break
		}
		if err := r.page(ctx, n); err != nil {
			return err
		}
		if r.doc == nil {
			break
		}
	}
	return nil
}

// full says why no more pages are read; "" while they are.
func (r *reading) full() string {
	switch {
	case time.Since(r.start) > r.f.opts.Timeout:
		return fmt.Sprintf("reading took %v", r.f.opts.Timeout)
	case r.glyphs >= maxGlyphs:
		return fmt.Sprintf("the pages before have %d characters", r.glyphs)
	}
	return ""
}

// page reads one page within its time. One that breaks the sandbox is left out
// and the document opened anew.
func (r *reading) page(ctx context.Context, n int) error {
	defer func() { r.stopWatch() }()
	if p := r.doc.Page(r.watch(ctx), n-1); p != nil {
		s := r.sheet(p, n)
		p.Close()
		if r.doc.Err() == nil {
			r.sheets = append(r.sheets, s)
		}
	} else if r.doc.Err() == nil {
		r.b.Warn(document.WarnTruncated, n, "page %d is damaged and cannot be read", n)
	}
	if err := r.doc.Err(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return r.restart(ctx, n, err)
	}
	return nil
}

var errPageTime = errors.New("it takes too long")

// watch starts the time of a page.
func (r *reading) watch(ctx context.Context) context.Context {
	if r.stopWatch != nil {
		r.stopWatch()
	}
	var limited context.Context
	limited, r.stopWatch = context.WithTimeoutCause(ctx, r.f.opts.PageTimeout, errPageTime)
	return limited
}

// restart opens the document again after page n broke the sandbox.
func (r *reading) restart(ctx context.Context, n int, why error) error {
	code := document.WarnTruncated
	if errors.Is(why, errPageTime) {
		code = document.WarnLimit
	}
	r.b.Warn(code, n, "page %d is left out: %v", n, why)
	err := r.doc.Close()
	r.doc = nil
	if r.restarts++; r.restarts > maxRestarts {
		r.b.Warn(document.WarnTruncated, n, "pages after %d are left out: too many before them failed", n)
		return err
	}
	doc, openErr := r.f.engine.Open(ctx, r.data, r.req.Password)
	if openErr != nil {
		return errors.Join(explain(openErr, r.req.Password), err)
	}
	r.doc = doc
	return err
}

// sheet reads all that is on a page.
func (r *reading) sheet(p *engine.Page, n int) *sheet {
	s := &sheet{DocumentPage: facade.DocumentPage{Number: n, Width: round(p.Width), Height: round(p.Height), Rotation: p.Rotation, Name: r.doc.Label(n - 1)}}
	glyphs, more := p.Glyphs(maxPageGlyphs)
	if r.glyphs += len(glyphs); more {
		r.b.Warn(document.WarnLimit, n, "page %d is cut: it has more than %d characters", n, maxPageGlyphs)
	}
	graphics := p.Graphics()
	s.layout = layout.NewPage(n, p.Width, p.Height, glyphs, graphics)
	s.layout.Link(p.Links())
	s.notes = p.Notes()
	if s.layout.Chars()+asideChars(s.layout) < scanChars && covers(p, graphics) {
		r.recognize(p, s)
	}
	r.pictures(p, s, graphics)
	return s
}

func asideChars(p *layout.Page) int {
	n := 0
	for i := range p.Aside {
		n += len(p.Aside[i].Text)
	}
	return n
}

// scanChars is how much text a page has at least that is no scan.
const scanChars = 24

// covers reports whether images or drawings take up most of a page.
func covers(p *engine.Page, g *engine.Graphics) bool {
	area := g.Drawn.W() * g.Drawn.H()
	for _, pic := range g.Pictures {
		area += max(pic.W(), 0) * max(pic.H(), 0)
	}
	return area >= 0.3*p.Width*p.Height
}

// The least size of images that are listed, in points and pixels.
const (
	minPicture = 16
	minPixels  = 12
	maxPage    = 200 // on one page
)

// pictures lists the images of a page. One that fills a page of text is its
// background or its scan.
func (r *reading) pictures(p *engine.Page, s *sheet, g *engine.Graphics) {
	for _, pic := range g.Pictures {
		small := pic.W() < minPicture || pic.H() < minPicture || pic.Width < minPixels || pic.Height < minPixels
		whole := pic.W()*pic.H() > 0.8*p.Width*p.Height && s.layout.Chars() > scanChars
		if small || whole && !s.ocr || len(s.pictures) >= maxPage {
			continue
		}
		img := picture{DocumentImage: facade.DocumentImage{MIME: p.Kind(pic), Width: pic.Width, Height: pic.Height}}
		if r.req.Images {
			img.data = r.content(p, pic, s.Number)
		}
		s.pictures = append(s.pictures, img)
		s.layout.Pictures = append(s.layout.Pictures, pic)
	}
}

func (r *reading) content(p *engine.Page, pic engine.Picture, n int) []byte {
	room := r.b.Limits().ImageBytes - r.imageBytes
	if room <= 0 {
		return nil
	}
	data, err := p.Content(pic, int(room))
	if err != nil {
		r.b.Warn(document.WarnUnsupported, n, "the content of an image is left out: %v", err)
		return nil
	}
	r.imageBytes += int64(len(data))
	return data
}
