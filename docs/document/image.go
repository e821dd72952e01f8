package document

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif"  // sizes of GIF
	_ "image/jpeg" // sizes of JPEG
	_ "image/png"  // sizes of PNG

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/bmp"  // sizes of BMP
	_ "golang.org/x/image/tiff" // sizes of TIFF
	_ "golang.org/x/image/webp" // sizes of WebP
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
		info.Orientation = jpegOrientation(data)
	case "tiff":
		info.Orientation = tiffOrientation(data)
	}
	return info, nil
}

// jpegOrientation finds the EXIF segment before the pixels.
func jpegOrientation(data []byte) int {
	for i := 2; i+4 <= len(data) && data[i] == 0xff; {
		marker, size := data[i+1], int(binary.BigEndian.Uint16(data[i+2:]))
		end := i + 2 + size
		if marker == 0xda || size < 2 || end > len(data) {
			break
		}
		if marker == 0xe1 {
			if exif, ok := bytes.CutPrefix(data[i+4:end], []byte("Exif\x00\x00")); ok {
				return tiffOrientation(exif)
			}
		}
		i = end
	}
	return 1
}

const orientationTag = 0x0112

// tiffOrientation looks through the first directory.
func tiffOrientation(data []byte) int {
	order, err := byteOrder(data)
	if err != nil {
		return 1
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return 1
	}
	n := int64(order.Uint16(data[at:]))
	for i := range n {
		entry := at + 2 + 12*i
		if entry+12 > int64(len(data)) {
			break
		}
		if order.Uint16(data[entry:]) == orientationTag {
			if o := int(order.Uint16(data[entry+8:])); o >= 1 && o <= 8 {
				return o
			}
		}
	}
	return 1
}

func byteOrder(data []byte) (binary.ByteOrder, error) {
	if len(data) < 8 {
		return nil, errors.New("too short")
	}
	switch string(data[:2]) {
	case "II":
		return binary.LittleEndian, nil
	case "MM":
		return binary.BigEndian, nil
	}
	return nil, errors.New("no byte order mark")
}
