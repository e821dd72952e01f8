package docs

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// upright returns an image as it is shown: engines do not obey the orientation
// that cameras note beside the pixels. An image that lies right is returned as
// it is.
func upright(data []byte, info document.ImageInfo) ([]byte, string, error) {
	if info.Orientation <= 1 {
		return data, info.MIME, nil
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, "", facade.Errorf(facade.CodeUnsupportedFormat, "the image cannot be decoded: %w", err).
			WithHint("convert it to PNG first, or call read_image with perform_ocr=false for its size only")
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, turned{img, info.Orientation}); err != nil {
		return nil, "", err
	}
	return b.Bytes(), "image/png", nil
}

// turned shows an image in another orientation, without a copy of its pixels.
type turned struct {
	image.Image
	orientation int // EXIF's, from 2 to 8
}

// Opaque spares the encoder the search for transparent pixels: images of
// cameras have none.
func (turned) Opaque() bool { return true }

// ColorModel implements [image.Image].
func (turned) ColorModel() color.Model { return color.RGBAModel }

// Bounds implements [image.Image].
func (t turned) Bounds() image.Rectangle {
	b := t.Image.Bounds()
	if t.orientation > 4 {
		return image.Rect(0, 0, b.Dy(), b.Dx())
	}
	return image.Rect(0, 0, b.Dx(), b.Dy())
}

// At implements [image.Image].
func (t turned) At(x, y int) color.Color {
	b := t.Image.Bounds()
	right, bottom := b.Dx()-1, b.Dy()-1
	switch t.orientation {
	case 2: // mirrored
		x = right - x
	case 3: // upside down
		x, y = right-x, bottom-y
	case 4:
		y = bottom - y
	case 5:
		x, y = y, x
	case 6: // shown after a quarter turn to the right
		x, y = y, bottom-x
	case 7:
		x, y = right-y, bottom-x
	case 8:
		x, y = right-y, x
	}
	return color.RGBAModel.Convert(t.Image.At(b.Min.X+x, b.Min.Y+y))
}
