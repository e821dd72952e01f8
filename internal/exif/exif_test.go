package exif

import (
	"slices"
	"testing"
)

// little is a TIFF header with one directory that holds an orientation.
func little(orientation byte) []byte {
	return []byte{'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0}
}

// big is the same with the other byte order.
func big(orientation byte) []byte {
	return []byte{'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0}
}

func segment(marker byte, content []byte) []byte {
	size := len(content) + 2
	return slices.Concat([]byte{0xff, marker, byte(size >> 8), byte(size)}, content)
}

func TestOrientation(t *testing.T) {
	start := []byte{0xff, 0xd8}
	exif := func(tiff []byte) []byte { return segment(0xe1, append([]byte("Exif\x00\x00"), tiff...)) }
	for _, test := range []struct {
		name string
		jpeg []byte
		want int
	}{
		{"little endian", slices.Concat(start, exif(little(6))), 6},
		{"big endian", slices.Concat(start, exif(big(8))), 8},
		{"after another segment", slices.Concat(start, segment(0xe0, []byte("JFIF\x00")), exif(little(3))), 3},
		{"no EXIF", slices.Concat(start, segment(0xe0, []byte("JFIF\x00"))), 1},
		{"other application segment", slices.Concat(start, segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/"))), 1},
		{"after the pixels", slices.Concat(start, segment(0xda, nil), exif(little(6))), 1},
		{"out of range", slices.Concat(start, exif(little(9))), 1},
		{"zero", slices.Concat(start, exif(little(0))), 1},
		{"cut", slices.Concat(start, exif(little(6))[:20]), 1},
		{"directory beyond the end", slices.Concat(start, exif([]byte{'I', 'I', '*', 0, 0xff, 0xff, 0xff, 0xff})), 1},
		{"cut directory", slices.Concat(start, exif(little(6)[:12])), 1},
		{"no byte order", slices.Concat(start, exif([]byte("XX*\x00\x08\x00\x00\x00"))), 1},
		{"short", slices.Concat(start, exif([]byte("II"))), 1},
		{"empty", nil, 1},
	} {
		if got := JPEGOrientation(test.jpeg); got != test.want {
			t.Errorf("%s: orientation %d, want %d", test.name, got, test.want)
		}
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add(append([]byte{0xff, 0xd8}, segment(0xe1, append([]byte("Exif\x00\x00"), little(6)...))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range []int{JPEGOrientation(data), TIFFOrientation(data)} {
			if o < 1 || o > 8 {
				t.Errorf("orientation %d", o)
			}
		}
	})
}
