// Package exif reads which way up an image is to be shown.
package exif

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// JPEGOrientation returns the orientation that the EXIF segment of a JPEG names,
// from 1 to 8, and 1 when it names none.
func JPEGOrientation(data []byte) int {
	for i := 2; i+4 <= len(data) && data[i] == 0xff; {
		marker, size := data[i+1], int(binary.BigEndian.Uint16(data[i+2:]))
		end := i + 2 + size
		if marker == 0xda || size < 2 || end > len(data) {
			break
		}
		if marker == 0xe1 {
			if segment, ok := bytes.CutPrefix(data[i+4:end], []byte("Exif\x00\x00")); ok {
				return TIFFOrientation(segment)
			}
		}
		i = end
	}
	return 1
}

const orientationTag = 0x0112

// TIFFOrientation returns the orientation in the first directory of a TIFF,
// from 1 to 8, and 1 when there is none.
func TIFFOrientation(data []byte) int {
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
