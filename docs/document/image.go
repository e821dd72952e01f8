package document

import (
	"bytes"
	"image"
	_ "image/gif"  // sizes of GIF
	_ "image/jpeg" // sizes of JPEG
	_ "image/png"  // sizes of PNG

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/bmp"  // sizes of BMP
	_ "golang.org/x/image/tiff" // sizes of TIFF
	_ "golang.org/x/image/webp" // sizes of WebP

	"github.com/toolfacade/toolfacade/internal/exif"
)

// ImageInfo is what the first bytes of an image tell.
type ImageInfo struct {
	// Format is png, jpeg, gif, webp, tiff or bmp.
	Format string
	// MIME is the media type.
	MIME string
	// Width and Height are in pixels, as stored.
	Width, Height int
	// Orientation is EXIF's, from 1 to 8; 1 is upright, and above 4 width and
	// height are exchanged when the image is shown.
	Orientation int
}

// InspectImage reads the header of an image without decoding its pixels.
func InspectImage(data []byte) (ImageInfo, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return ImageInfo{}, err
	}
	info := ImageInfo{Format: format, MIME: mimetype.Detect(data).String(), Width: c.Width, Height: c.Height, Orientation: 1}
	switch format {
	case "jpeg":
		info.Orientation = exif.JPEGOrientation(data)
	case "tiff":
		info.Orientation = exif.TIFFOrientation(data)
	}
	return info, nil
}
