// Package picture makes images fit for a reply: of a format that models are
// shown, upright, whole, and within bounds of pixels and bytes.
//
// Every image is decoded, also one that needs no change: a host that passes on
// a broken image may have its whole conversation refused.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the formats that are decoded
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"github.com/toolfacade/toolfacade/internal/exif"
)

// Limits bound an image. All must be positive.
type Limits struct {
	Edge   int   // longest side of the result, in pixels
	Bytes  int   // size of the result
	Pixels int64 // size of an image that is decoded; more is ErrTooLarge
}

// Picture is an image fit for a reply.
type Picture struct {
	Data          []byte
	MIME          string
	Width, Height int    // in pixels, as shown
	From          string // what it was, as "4032x3024 image/jpeg"; "" when nothing changed
}

// ErrTooLarge says that an image has more pixels than will be decoded.
var ErrTooLarge = errors.New("too many pixels")

// ErrFormat says that the data is not an image in a known format, or broken.
var ErrFormat = errors.New("cannot be decoded")

// shown are the formats that models are shown as they are.
var shown = map[string]string{"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}

// Fit returns the image in data, unchanged where it is within the limits. An
// animation that has to be changed loses all but its first picture. When ctx
// ends it returns at once; data may still be read for a moment then.
func Fit(ctx context.Context, data []byte, l Limits) (Picture, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Picture{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if pixels := int64(config.Width) * int64(config.Height); pixels > l.Pixels || config.Width > 1<<20 || config.Height > 1<<20 {
		return Picture{}, fmt.Errorf("%w: %dx%d, the limit is %d", ErrTooLarge, config.Width, config.Height, l.Pixels)
	}
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	type outcome struct {
		picture Picture
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		p, err := fit(ctx, data, format, l)
		done <- outcome{p, err}
	}()
	select {
	case <-ctx.Done():
		return Picture{}, ctx.Err()
	case o := <-done:
		return o.picture, o.err
	}
}

func fit(ctx context.Context, data []byte, format string, l Limits) (p Picture, err error) {
	defer func() {
		if r := recover(); r != nil { // a decoder's bug is the image's fault
			err = fmt.Errorf("%w: %v", ErrFormat, r)
		}
	}()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return Picture{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	size := img.Bounds().Size()
	orientation := 1
	switch format {
	case "jpeg":
		orientation = exif.JPEGOrientation(data)
	case "tiff":
		orientation = exif.TIFFOrientation(data)
	}
	if mime := shown[format]; mime != "" && max(size.X, size.Y) <= l.Edge && len(data) <= l.Bytes {
		if orientation > 4 {
			size.X, size.Y = size.Y, size.X
		}
		return Picture{Data: data, MIME: mime, Width: size.X, Height: size.Y}, nil
	}
	out, err := shrink(ctx, img, format == "jpeg" || format == "webp", orientation, l)
	if err == nil {
		out.From = fmt.Sprintf("%dx%d image/%s", size.X, size.Y, format)
	}
	return out, err
}
