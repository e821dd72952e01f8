package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
)

// quality of JPEG, out of 100: text in screenshots stays readable.
const quality = 85

// shrink makes an image within the limits: it scales it to the longest side
// allowed, and then by three quarters until the bytes suffice. Pictures that
// were lossy become JPEG, others only where PNG needs too many bytes.
func shrink(ctx context.Context, img image.Image, lossy bool, orientation int, l Limits) (Picture, error) {
	for edge := l.Edge; edge >= 16; edge = edge * 3 / 4 {
		if err := ctx.Err(); err != nil {
			return Picture{}, err
		}
		scaled := upright(scale(img, edge), orientation)
		p := Picture{Width: scaled.Rect.Dx(), Height: scaled.Rect.Dy()}
		var err error
		if !lossy {
			if p.Data, err = encodePNG(scaled); err != nil {
				return Picture{}, err
			}
			if p.MIME = "image/png"; len(p.Data) <= l.Bytes {
				return p, nil
			}
		}
		if p.Data, err = encodeJPEG(scaled); err != nil {
			return Picture{}, err
		}
		if p.MIME = "image/jpeg"; len(p.Data) <= l.Bytes {
			return p, nil
		}
	}
	return Picture{}, fmt.Errorf("%w: not even a small version has at most %d bytes", ErrTooLarge, l.Bytes)
}

// scale returns the image with sides of at most edge.
func scale(img image.Image, edge int) *image.RGBA {
	size := img.Bounds().Size()
	w, h := size.X, size.Y
	if longest := max(w, h); longest > edge {
		w, h = max(1, w*edge/longest), max(1, h*edge/longest)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == size.X && h == size.Y {
		draw.Copy(out, image.Point{}, img, img.Bounds(), draw.Src, nil)
		return out
	}
	draw.BiLinear.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// upright turns and mirrors an image as EXIF's orientation asks.
func upright(img *image.RGBA, orientation int) *image.RGBA {
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	matrices := [...]f64.Aff3{
		2: {-1, 0, w, 0, 1, 0},
		3: {-1, 0, w, 0, -1, h},
		4: {1, 0, 0, 0, -1, h},
		5: {0, 1, 0, 1, 0, 0},
		6: {0, -1, h, 1, 0, 0},
		7: {0, -1, h, -1, 0, w},
		8: {0, 1, 0, -1, 0, w},
	}
	if orientation < 2 || orientation >= len(matrices) {
		return img
	}
	if orientation > 4 {
		w, h = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
	draw.NearestNeighbor.Transform(out, matrices[orientation], img, img.Rect, draw.Src, nil)
	return out
}

func encodePNG(img *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// encodeJPEG puts the image on white, since JPEG knows no transparency.
func encodeJPEG(img *image.RGBA) ([]byte, error) {
	if !img.Opaque() {
		flat := image.NewRGBA(img.Rect)
		draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(flat, flat.Rect, img, image.Point{}, draw.Over)
		img = flat
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality})
	return b.Bytes(), err
}
