package fsimpl_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	stdimage "image"
	"image/png"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// pngOf is an image of that size; noisy ones do not compress.
func pngOf(t testing.TB, w, h int, noisy bool) string {
	t.Helper()
	img := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = 255
		if noisy && i%4 != 3 {
			img.Pix[i] = byte(r.Uint32())
		}
	}
	var b bytes.Buffer
	check(t, png.Encode(&b, img))
	return b.String()
}

// TestProbeImages: an image reaches the model whole, and never so large that
// its provider refuses the conversation.
func TestProbeImages(t *testing.T) {
	p := newProbe(t, nil)
	icon := pngOf(t, 30, 20, false)
	p.put("icon.png", icon)
	p.put("disguised.txt", icon)
	p.put("wide.png", pngOf(t, 4000, 1000, false))
	p.put("photo.png", pngOf(t, 1300, 1000, true)) // 4 MB, more than is read whole otherwise
	for _, test := range []struct {
		name, mime    string
		width, height int
	}{
		{"icon.png", "image/png", 30, 20},
		{"disguised.txt", "image/png", 30, 20},
		{"wide.png", "image/png", 1568, 392},
		{"photo.png", "image/jpeg", 1300, 1000},
	} {
		r := p.ok("read", "path", test.name)
		if len(r.Parts) != 1 || r.Parts[0].MIME != test.mime || r.Parts[0].Path != test.name {
			t.Fatalf("%s: parts %v", test.name, len(r.Parts))
		}
		c, _, err := stdimage.DecodeConfig(bytes.NewReader(r.Parts[0].Data))
		check(t, err)
		if c.Width != test.width || c.Height != test.height || len(r.Parts[0].Data) > fsimpl.DefaultMaxImageBytes {
			t.Errorf("%s: %dx%d, %d bytes", test.name, c.Width, c.Height, len(r.Parts[0].Data))
		}
		if into[facade.ReadOutput](p, r).Files[0].ETag == "" {
			t.Errorf("%s: no etag", test.name)
		}
	}
	p.says(p.ok("read", "path", "wide.png").FullText(), "4000x1000 image/png", "1568x392")
	r := p.ok("read", "paths", []string{"icon.png", "missing.png", "wide.png"})
	if len(r.Parts) != 2 {
		t.Errorf("%d parts, want those of two images", len(r.Parts))
	}
}

func TestProbeBadImages(t *testing.T) {
	p := newProbe(t, nil)
	icon := pngOf(t, 30, 20, true)
	bomb := []byte(icon)
	binary.BigEndian.PutUint32(bomb[16:], 50_000)
	binary.BigEndian.PutUint32(bomb[20:], 50_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	p.put("bomb.png", string(bomb))
	p.put("cut.png", icon[:len(icon)/2])
	p.put("phone.heic", "\x00\x00\x00\x20ftypheic\x00\x00\x00\x00more")
	p.says(p.fails(facade.CodeTooLarge, "read", "path", "bomb.png"), "50000x50000", "base64")
	p.says(p.fails(facade.CodeUnsupportedFormat, "read", "path", "cut.png"), "image/png", "base64")
	p.says(p.fails(facade.CodeUnsupportedFormat, "read", "path", "phone.heic"), "image/heic")
	p.put("sparse.png", icon)
	check(t, os.Truncate(p.at("sparse.png"), 1<<40))
	p.fails(facade.CodeTooLarge, "read", "path", "sparse.png")
	p.ok("read", "path", "bomb.png", "output_format", "hex", "offset_type", "byte", "end_offset_inclusive", 7)
}

func TestImageOptions(t *testing.T) {
	p := newProbe(t, &fsimpl.Options{MaxImageEdge: 100, MaxImageBytes: 3000, MaxImagePixels: 50_000})
	p.put("a.png", pngOf(t, 200, 200, true))
	p.put("b.png", pngOf(t, 300, 300, false))
	part := p.ok("read", "path", "a.png").Parts[0]
	c, _, err := stdimage.DecodeConfig(bytes.NewReader(part.Data))
	check(t, err)
	if len(part.Data) > 3000 || c.Width > 100 {
		t.Errorf("%d bytes, %d pixels wide", len(part.Data), c.Width)
	}
	p.says(p.fails(facade.CodeTooLarge, "read", "path", "b.png"), "300x300")
}

func TestImageCanceled(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.png", pngOf(t, 2000, 2000, false))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := p.tool.Call(ctx, facade.Call{Args: args(facade.FileRead, "path", "a.png")})
	if !errors.Is(err, context.Canceled) && (res == nil || facade.CodeOf(res.Error) != facade.CodeCanceled) {
		t.Errorf("result %+v, error %v", res, err)
	}
}
