package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/png"

	"github.com/tetratelabs/wazero/api"
)

// maxPixels bounds a rendering; larger pages are rendered coarser.
const maxPixels = 16_000_000

// The formats of bitmaps.
const (
	bitmapGray = 1
	bitmapBGR  = 2
	bitmapBGRx = 3
	bitmapBGRA = 4
)

// Flags of rendering.
const (
	renderAnnotations = 0x01
	renderGray        = 0x08
)

const pointsPerInch = 72

// Render paints the page at a resolution, in gray or in color, turned by so
// many quarters clockwise, and returns it as PNG with the number of pixels per
// point.
func (p *Page) Render(dpi float64, gray bool, turn int) (data []byte, scale float64, err error) {
	v := p.d.vm
	scale = dpi / pointsPerInch
	w, h := p.Width*scale, p.Height*scale
	if turn%2 != 0 {
		w, h = h, w
	}
	for w*h > maxPixels {
		scale, w, h = scale/2, w/2, h/2
	}
	format, flags := bitmapBGRx, renderAnnotations
	if gray {
		format, flags = bitmapGray, renderAnnotations|renderGray
	}
	bitmap := v.call("FPDFBitmap_CreateEx", uint64(max(w, 1)), uint64(max(h, 1)), uint64(format), 0, 0)
	if bitmap == 0 {
		return nil, 0, cmp.Or(v.err, ErrMemory)
	}
	defer v.call("FPDFBitmap_Destroy", bitmap)
	v.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(max(w, 1)), uint64(max(h, 1)), api.EncodeU32(0xffffffff))
	v.call("FPDF_RenderPageBitmap", bitmap, p.handle, 0, 0, uint64(max(w, 1)), uint64(max(h, 1)), uint64(turn), uint64(flags))
	img, err := v.bitmap(bitmap)
	if err != nil {
		return nil, 0, err
	}
	data, err = encode(img)
	return data, scale, err
}

// bitmap copies a bitmap out of the sandbox.
func (v *vm) bitmap(handle uint64) (image.Image, error) {
	w, h := v.n("FPDFBitmap_GetWidth", handle), v.n("FPDFBitmap_GetHeight", handle)
	stride, format := v.n("FPDFBitmap_GetStride", handle), v.n("FPDFBitmap_GetFormat", handle)
	if v.err != nil {
		return nil, v.err
	}
	if w <= 0 || h <= 0 || w > 1<<16 || h > 1<<16 || w*h > 4*maxPixels {
		return nil, fmt.Errorf("an image of %d × %d pixels", w, h)
	}
	pixels := v.bytes(uint32(v.call("FPDFBitmap_GetBuffer", handle)), stride*h)
	size := map[int]int{bitmapGray: 1, bitmapBGR: 3, bitmapBGRx: 4, bitmapBGRA: 4}[format]
	if pixels == nil || size == 0 || stride < size*w {
		return nil, fmt.Errorf("a bitmap of format %d cannot be read", format)
	}
	if format == bitmapGray {
		img := image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			copy(img.Pix[y*img.Stride:y*img.Stride+w], pixels[y*stride:])
		}
		return img, nil
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		row, out := pixels[y*stride:], img.Pix[y*img.Stride:]
		for x := range w {
			p := row[size*x:]
			out[4*x], out[4*x+1], out[4*x+2], out[4*x+3] = p[2], p[1], p[0], 0xff
			if format == bitmapBGRA {
				out[4*x+3] = p[3]
			}
		}
	}
	return img, nil
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
	return b.Bytes(), err
}

// Kind is the media type that [Page.Content] will give a picture.
func (p *Page) Kind(pic Picture) string {
	if p.filter(pic) == "DCTDecode" {
		return "image/jpeg"
	}
	return "image/png"
}

// filter is the only filter of a picture's data, "" when there are others.
func (p *Page) filter(pic Picture) string {
	v := p.d.vm
	if v.n("FPDFImageObj_GetImageFilterCount", pic.object) != 1 {
		return ""
	}
	return v.ascii("FPDFImageObj_GetImageFilter", pic.object, 0)
}

// Content returns a picture of this page as a file: JPEG data as it is, all
// else as PNG. most is the largest in bytes.
func (p *Page) Content(pic Picture, most int) ([]byte, error) {
	v := p.d.vm
	if p.filter(pic) == "DCTDecode" {
		n := v.n("FPDFImageObj_GetImageDataRaw", pic.object, 0, 0)
		if n <= 0 || n > most {
			return nil, fmt.Errorf("the image has %d bytes", n)
		}
		buffer := v.alloc(n)
		defer v.free(buffer)
		v.call("FPDFImageObj_GetImageDataRaw", pic.object, uint64(buffer), uint64(n))
		return bytes.Clone(v.bytes(buffer, n)), v.err
	}
	if pic.Width*pic.Height > maxPixels {
		return nil, fmt.Errorf("the image has %d × %d pixels", pic.Width, pic.Height)
	}
	bitmap := v.call("FPDFImageObj_GetBitmap", pic.object)
	if bitmap == 0 {
		return nil, cmp.Or(v.err, errors.New("the image cannot be decoded"))
	}
	defer v.call("FPDFBitmap_Destroy", bitmap)
	img, err := v.bitmap(bitmap)
	if err != nil {
		return nil, err
	}
	return encode(img)
}
