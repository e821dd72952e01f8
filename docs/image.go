package docs

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// OCR recognizes text in images. It must be safe for concurrent use. A missing
// engine is an error of [facade.CodeUnavailable] that says how to get it.
type OCR interface {
	// Name is what a reply calls the engine.
	Name() string
	// Recognize returns text and words, whose boxes are in pixels of the image.
	// It gets images as they are shown, turned by their EXIF orientation.
	Recognize(ctx context.Context, image []byte) (text string, words []facade.DocumentWord, err error)
}

// Vision describes images, as a model does. It must be safe for concurrent
// use.
type Vision interface {
	// Name is what a reply calls the engine.
	Name() string
	// Describe answers an instruction about an image.
	Describe(ctx context.Context, image []byte, mime, instruction string) (string, error)
	// Chart reads the data of a chart; nil when the image shows none.
	Chart(ctx context.Context, image []byte, mime string) (*facade.DocumentChart, error)
}

// maxImageFile bounds the images of read_image.
const maxImageFile = 32 << 20

// maxPixels bounds the images that engines decode.
const maxPixels = 100_000_000

// ReadImage implements [facade.DocumentImageReader]. Width and height are
// those of the image as shown, turned by its EXIF orientation, and so are the
// boxes of words.
func (t *Tools) ReadImage(ctx context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
	out, err := t.readImage(ctx, facade.Defaulted(in))
	if err != nil {
		return facade.DocumentReadImageOutput{}, err // half of an answer would be taken for all of it
	}
	facade.Emit(ctx, facade.Event{Type: facade.EventFileRead, Path: out.Path})
	return out, nil
}

func (t *Tools) readImage(ctx context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
	var out facade.DocumentReadImageOutput
	if err := ctx.Err(); err != nil {
		return out, err
	}
	name, err := t.resolve(ctx, in.Path)
	if err != nil {
		return out, err
	}
	data, err := t.imageFile(ctx, name)
	if err != nil {
		return out, withoutPassword(err)
	}
	out.Path, out.Engines = pathname.Escape(name), []string{}
	info, err := document.InspectImage(data)
	if err != nil {
		return out, facade.Errorf(facade.CodeUnsupportedFormat, "'%s' is no readable image: %w", out.Path, err).WithPath(out.Path).
			WithHint("readable are png, jpeg, gif, webp, tiff and bmp; use read for documents")
	}
	if int64(info.Width)*int64(info.Height) > maxPixels {
		return out, facade.Errorf(facade.CodeTooLarge, "the image has %d × %d pixels, the limit is %d", info.Width, info.Height, maxPixels).
			WithPath(out.Path).WithHint("scale it down first")
	}
	out.Format, out.Width, out.Height = info.Format, info.Width, info.Height
	if info.Orientation > 4 {
		out.Width, out.Height = info.Height, info.Width
	}
	if !in.Reads() {
		return out, nil
	}
	data, mime, err := upright(data, info)
	if err != nil {
		return out, err
	}
	return out, t.engines(ctx, in, data, mime, &out)
}

// engines asks those that the call needs.
func (t *Tools) engines(ctx context.Context, in facade.DocumentReadImageInput, data []byte, mime string, out *facade.DocumentReadImageOutput) error {
	if in.Instruction != "" || in.ExtractChartData {
		if err := t.describe(ctx, in, data, mime, out); err != nil {
			return err
		}
	}
	if in.PerformOCR != nil && !*in.PerformOCR {
		return nil
	}
	text, words, err := t.opts.OCR.Recognize(ctx, data)
	if err != nil {
		if e, ok := errors.AsType[*facade.Error](err); ok && e.Code == facade.CodeUnavailable && len(out.Engines) > 0 {
			out.AddNote("no text was recognized: " + e.Message) // the model has answered
			return nil
		}
		return unrecognized(err, data, out)
	}
	out.Engines = append(out.Engines, t.opts.OCR.Name())
	room := facade.Budget(ctx) - jsonSize(out) - 1<<10
	if n := cutAt(text+" ", max(room/2, 64), room); n < len(text) {
		text = text[:n]
		out.AddNote("the recognized text is cut to the output budget")
	}
	out.Text = text
	room -= jsonSize(text)
	for _, w := range words {
		if room -= jsonSize(w) + 1; room < 0 {
			out.AddNote("the list of words is cut to the output budget")
			break
		}
		out.Words = append(out.Words, w)
	}
	return nil
}

// withoutPassword changes the advice for an encrypted document: read_image
// takes no password.
func withoutPassword(err error) error {
	e, ok := errors.AsType[*facade.Error](err)
	if !ok || e.Field != "password" {
		return err
	}
	c := *e
	c.Field = "path"
	return c.WithHint("read_image takes no password: use read with 'password', which recognizes the text of scanned pages too")
}

// maxDecoded bounds the images that are decoded to see whether they are whole,
// in pixels.
const maxDecoded = 25_000_000

// unrecognized says why an engine has failed, and what to do.
func unrecognized(err error, data []byte, out *facade.DocumentReadImageOutput) error {
	e, ok := errors.AsType[*facade.Error](err)
	if !ok {
		return err
	}
	c := *e
	c.Path = out.Path
	switch {
	case c.Code == facade.CodeUnavailable && c.Hint != "":
		c.Hint += ", or call read_image with perform_ocr=false for the image's size only"
	case c.Code == facade.CodeUnsupportedFormat && out.Width*out.Height <= maxDecoded:
		if _, _, broken := image.Decode(bytes.NewReader(data)); broken != nil {
			return facade.Errorf(facade.CodeUnsupportedFormat, "'%s' is a damaged image: %w", out.Path, broken).WithPath(out.Path).WithHint("get the file again")
		}
	}
	return &c
}

func (t *Tools) describe(ctx context.Context, in facade.DocumentReadImageInput, data []byte, mime string, out *facade.DocumentReadImageOutput) error {
	v := t.opts.Vision
	if v == nil {
		return facade.Errorf(facade.CodeUnavailable, "describing images and reading charts needs a vision model, and the host has set up none").
			WithHint("leave out instruction and extract_chart_data to recognize text only")
	}
	var err error
	if in.Instruction != "" {
		if out.Description, err = v.Describe(ctx, data, mime, in.Instruction); err != nil {
			return err
		}
		out.Description = strings.TrimSpace(out.Description)
	}
	if in.ExtractChartData {
		if out.Chart, err = v.Chart(ctx, data, mime); err != nil {
			return err
		}
	}
	out.Engines = append(out.Engines, v.Name())
	return nil
}

// imageFile returns an image: the content of a file, or the first page of a
// document that can be painted.
func (t *Tools) imageFile(ctx context.Context, name string) ([]byte, error) {
	file, info, err := t.fs.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if painted, ok, err := t.firstPage(ctx, name, file, info); ok {
		return painted, err
	}
	if info.Size() > maxImageFile {
		return nil, facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes, the limit for images is %d", pathname.Escape(name), info.Size(), maxImageFile).
			WithPath(pathname.Escape(name)).WithHint("scale it down first")
	}
	data, err := io.ReadAll(io.LimitReader(file, maxImageFile))
	if err != nil {
		return nil, t.fs.failure(name, err)
	}
	return data, nil
}

// firstPage paints the first page of a document; ok is false for what is no
// document, or of a format that cannot be painted.
func (t *Tools) firstPage(ctx context.Context, name string, file io.ReaderAt, info fs.FileInfo) (data []byte, ok bool, err error) {
	src := document.Source{ReaderAt: within{file, info.Size()}, Size: info.Size(), Name: path.Base(name)}
	src.MIME = detect(src)
	painter, ok := t.formatOf(src.MIME).(document.PagePainter)
	if !ok || info.Size() > t.opts.Limits.Bytes {
		return nil, false, nil
	}
	limited, cancel := context.WithTimeout(ctx, t.opts.Timeout)
	defer cancel()
	if data, err = painter.PaintPage(limited, src, 1, document.Request{Limits: t.opts.Limits}); err == nil {
		return data, true, nil
	}
	if ctx.Err() == nil && limited.Err() != nil {
		return nil, true, facade.Errorf(facade.CodeTimeout, "the first page of '%s' could not be painted within %v", pathname.Escape(name), t.opts.Timeout).
			WithPath(pathname.Escape(name))
	}
	return nil, true, t.fs.failure(name, err)
}
