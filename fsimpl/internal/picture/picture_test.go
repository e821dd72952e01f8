package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var limits = Limits{Edge: 200, Bytes: 60_000, Pixels: 1_000_000}

// corner is white with a red block of a quarter in its top left.
func corner(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{255, 255, 255, 255}
			if x < w/2 && y < h/2 {
				c = color.NRGBA{255, 0, 0, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// noise compresses badly.
func noise(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32()) | 0x80
	}
	return img
}

func encoded(t *testing.T, format string, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, nil)
	case "gif":
		err = gif.Encode(&b, img, nil)
	case "bmp":
		err = bmp.Encode(&b, img)
	case "tiff":
		err = tiff.Encode(&b, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		name   string
		data   []byte
		same   bool
		mime   string
		width  int
		height int
		from   string
	}{
		{"small png", encoded(t, "png", corner(20, 10)), true, "image/png", 20, 10, ""},
		{"small jpeg", encoded(t, "jpeg", corner(20, 10)), true, "image/jpeg", 20, 10, ""},
		{"small gif", encoded(t, "gif", corner(20, 10)), true, "image/gif", 20, 10, ""},
		{"at the limit", encoded(t, "png", corner(200, 200)), true, "image/png", 200, 200, ""},
		{"wide png", encoded(t, "png", corner(800, 100)), false, "image/png", 200, 25, "800x100 image/png"},
		{"high jpeg", encoded(t, "jpeg", corner(300, 900)), false, "image/jpeg", 66, 200, "300x900 image/jpeg"},
		{"line", encoded(t, "png", corner(900, 1)), false, "image/png", 200, 1, "900x1 image/png"},
		{"bmp", encoded(t, "bmp", corner(20, 10)), false, "image/png", 20, 10, "20x10 image/bmp"},
		{"tiff", encoded(t, "tiff", corner(20, 10)), false, "image/png", 20, 10, "20x10 image/tiff"},
		{"noisy png", encoded(t, "png", noise(200, 200)), false, "image/jpeg", 200, 200, "200x200 image/png"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := Fit(t.Context(), test.data, limits)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(p.Data, test.data) != test.same || p.MIME != test.mime || p.Width != test.width || p.Height != test.height || p.From != test.from {
				t.Errorf("got same=%v %s %dx%d from %q, want %v %s %dx%d from %q", bytes.Equal(p.Data, test.data),
					p.MIME, p.Width, p.Height, p.From, test.same, test.mime, test.width, test.height, test.from)
			}
			c, format, err := image.DecodeConfig(bytes.NewReader(p.Data))
			if err != nil || "image/"+format != p.MIME || c.Width != p.Width || c.Height != p.Height {
				t.Errorf("the result is %dx%d %s, %v", c.Width, c.Height, format, err)
			}
			if len(p.Data) > limits.Bytes {
				t.Errorf("the result has %d bytes", len(p.Data))
			}
		})
	}
}

// TestFewBytes needs smaller sides than the limit to fit.
func TestFewBytes(t *testing.T) {
	p, err := Fit(t.Context(), encoded(t, "png", noise(200, 200)), Limits{Edge: 200, Bytes: 6_000, Pixels: 1e6})
	if err != nil || len(p.Data) > 6_000 || p.Width >= 200 || p.Width < 16 {
		t.Errorf("%dx%d, %d bytes, %v", p.Width, p.Height, len(p.Data), err)
	}
	if _, err = Fit(t.Context(), encoded(t, "png", noise(200, 200)), Limits{Edge: 200, Bytes: 100, Pixels: 1e6}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, want ErrTooLarge", err)
	}
}

// TestTransparent becomes JPEG on white, not on black.
func TestTransparent(t *testing.T) {
	img := noise(200, 200)
	for i := 3; i < len(img.Pix)/2; i += 4 {
		img.Pix[i] = 0
	}
	p, err := Fit(t.Context(), encoded(t, "png", img), limits)
	if err != nil || p.MIME != "image/jpeg" {
		t.Fatal(p.MIME, err)
	}
	out, err := jpeg.Decode(bytes.NewReader(p.Data))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := out.At(100, 20).RGBA(); min(r, g, b) < 0xf000 {
		t.Errorf("a transparent pixel became %x %x %x, want white", r, g, b)
	}
}

// TestOrientation turns photographs upright: JPEG's EXIF is lost on the way.
func TestOrientation(t *testing.T) {
	type point struct{ x, y int }
	for orientation, want := range map[byte]point{ // where the red corner is shown: 0 or 1 of two
		1: {0, 0}, 2: {1, 0}, 3: {1, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 1}, 8: {0, 1},
	} {
		data := encoded(t, "jpeg", corner(400, 240))
		exif := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00?\x00\x00\x00")
		exif[bytes.IndexByte(exif, '?')] = orientation
		data = slices.Concat(data[:2], []byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif, data[2:])
		p, err := Fit(t.Context(), data, limits)
		if err != nil {
			t.Fatal(err)
		}
		w, h := 200, 120
		if orientation > 4 {
			w, h = h, w
		}
		if p.Width != w || p.Height != h {
			t.Errorf("orientation %d: %dx%d, want %dx%d", orientation, p.Width, p.Height, w, h)
			continue
		}
		img, err := jpeg.Decode(bytes.NewReader(p.Data))
		if err != nil {
			t.Fatal(err)
		}
		for y := range 2 {
			for x := range 2 {
				_, g, _, _ := img.At(w/4+x*w/2, h/4+y*h/2).RGBA()
				if red := g < 0x4000; red != (want == point{x, y}) {
					t.Errorf("orientation %d: red at %d,%d is %v", orientation, x, y, red)
				}
			}
		}
	}
	small := corner(40, 24)
	data := encoded(t, "jpeg", small)
	exif := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00")
	data = slices.Concat(data[:2], []byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif, data[2:])
	if p, err := Fit(t.Context(), data, limits); err != nil || p.Width != 24 || p.Height != 40 || p.From != "" {
		t.Errorf("unchanged it is %dx%d from %q, %v; want 24x40 as shown", p.Width, p.Height, p.From, err)
	}
}

// huge is a PNG of a hundred bytes that claims 50,000 pixels a side.
func huge(t *testing.T) []byte {
	t.Helper()
	data := encoded(t, "png", corner(1, 1))
	binary.BigEndian.PutUint32(data[16:], 50_000)
	binary.BigEndian.PutUint32(data[20:], 50_000)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestRefused(t *testing.T) {
	whole := encoded(t, "png", noise(50, 50))
	for _, test := range []struct {
		name string
		data []byte
		want error
	}{
		{"claims to be huge", huge(t), ErrTooLarge},
		{"one pixel too many", encoded(t, "png", image.NewGray(image.Rect(0, 0, 1000, 1001))), ErrTooLarge},
		{"cut", whole[:len(whole)/2], ErrFormat},
		{"head only", whole[:40], ErrFormat},
		{"no image", []byte("\x89PNG\r\n\x1a\nnothing"), ErrFormat},
		{"other format", []byte("\x00\x00\x00\x20ftypheic"), ErrFormat},
		{"empty", nil, ErrFormat},
	} {
		if _, err := Fit(t.Context(), test.data, limits); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.want)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ctx, encoded(t, "png", noise(900, 900)), limits); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
}

func FuzzFit(f *testing.F) {
	for _, format := range []string{"png", "jpeg", "gif", "bmp", "tiff"} {
		var b bytes.Buffer
		img := corner(12, 9)
		switch format {
		case "png":
			_ = png.Encode(&b, img)
		case "jpeg":
			_ = jpeg.Encode(&b, img, nil)
		case "gif":
			_ = gif.Encode(&b, img, nil)
		case "bmp":
			_ = bmp.Encode(&b, img)
		case "tiff":
			_ = tiff.Encode(&b, img, nil)
		}
		f.Add(b.Bytes())
	}
	l := Limits{Edge: 8, Bytes: 4_000, Pixels: 10_000}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Fit(t.Context(), data, l)
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("error %v", err)
			}
			return
		}
		if len(p.Data) > l.Bytes || max(p.Width, p.Height) > l.Edge {
			t.Errorf("%dx%d, %d bytes", p.Width, p.Height, len(p.Data))
		}
	})
}
