package fsimpl

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/picture"
)

// DefaultMaxImageEdge is the longest side, in pixels, of an image that read
// attaches. Models see no more of larger ones.
const DefaultMaxImageEdge = 1568

// DefaultMaxImageBytes is the size of an image that read attaches.
const DefaultMaxImageBytes = 1 << 20

// DefaultMaxImagePixels is how many pixels an image may have to be decoded: one
// is decoded at a time, with four to eight bytes a pixel.
const DefaultMaxImagePixels = 50_000_000

// image attaches an image, scaled down where it is above the limits.
func (r *reading) image(ctx context.Context, out *facade.ReadOutput) error {
	limit := r.files.opts.MaxFileBytes
	if r.out.Size > limit {
		return r.noImage(facade.CodeTooLarge, fmt.Sprintf("has %d bytes, the limit for images is %d", r.out.Size, limit))
	}
	data := r.head
	if !r.whole {
		data = make([]byte, r.out.Size)
		n, err := r.file.ReadAt(data, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		data = data[:n]
		r.out.ETag = etagOf(data)
	}
	p, err := r.files.fitted(ctx, data)
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		return r.noImage(facade.CodeTooLarge, "cannot be shown: "+err.Error())
	case errors.Is(err, picture.ErrFormat):
		return r.noImage(facade.CodeUnsupportedFormat, "cannot be shown as "+r.out.MIME+": "+err.Error())
	case err != nil:
		return err
	}
	if p.From != "" {
		out.AddNote(fmt.Sprintf("%s is %s of %d bytes; attached is a version of %dx%d, %s",
			named(r.name), p.From, len(data), p.Width, p.Height, p.MIME))
	}
	out.AddPart(facade.Part{MIME: p.MIME, Data: p.Data, Path: r.out.Path})
	return nil
}

func (r *reading) noImage(code facade.Code, why string) error {
	return facade.Errorf(code, "'%s' %s", named(r.name), why).WithPath(shown(r.name)).
		WithHint("read its bytes with output_format=base64 in windows of offset_type=byte, or make a smaller PNG or JPEG of it")
}

// fitted decodes one image at a time: together they would need the memory of
// all.
func (f *Files) fitted(ctx context.Context, data []byte) (picture.Picture, error) {
	select {
	case f.decoding <- struct{}{}:
		defer func() { <-f.decoding }()
	case <-ctx.Done():
		return picture.Picture{}, ctx.Err()
	}
	return picture.Fit(ctx, data, picture.Limits{
		Edge: f.opts.MaxImageEdge, Bytes: f.opts.MaxImageBytes, Pixels: f.opts.MaxImagePixels,
	})
}
