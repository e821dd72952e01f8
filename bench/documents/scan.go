package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/toolfacade/toolfacade/docs"
)

// scanPages is how many pages are recognized at each resolution.
const scanPages = 4

// english are the words of pages.
var english = strings.Fields(`the quarterly report of harbor office says that ships arrived and departed in all weather while storage fees rose
	by twelve percent since nobody had expected such a demand for dry goods from northern ports which makes new cranes necessary before winter
	returns with storms and ice according to chief engineer whose plans were approved last month without much debate`)

// scanGoals recognizes pages as a scanner sees them: askew, with noise and dust.
func scanGoals(ctx context.Context, _ options) ([]goal, error) {
	if _, err := exec.LookPath("tesseract"); err != nil {
		fmt.Println("tesseract is not installed: the recognition of scans is not scored")
		return nil, nil //nolint:nilerr // it is said
	}
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	engine := docs.NewTesseract(nil)
	var all []goal
	for _, dpi := range []float64{150, 200} {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 11, DPI: dpi, Hinting: font.HintingNone})
		if err != nil {
			return nil, err
		}
		r := rand.New(rand.NewPCG(3, 4))
		sum := 0.0
		for range scanPages {
			page, lines := printed(r, face, dpi)
			var b bytes.Buffer
			if err := png.Encode(&b, scanned(r, page)); err != nil {
				return nil, err
			}
			text, _, err := engine.Recognize(ctx, b.Bytes())
			if err != nil {
				return nil, err
			}
			sum += f1(tokens(text), tokens(strings.Join(lines, " ")), 1)
		}
		all = append(all, atLeast(fmt.Sprintf("scans at %.0f dpi, %d pages: token F1", dpi, scanPages), sum/scanPages, 0.95))
	}
	return all, nil
}

// printed is a page of A4 with forty lines.
func printed(r *rand.Rand, face font.Face, dpi float64) (*image.Gray, []string) {
	img := image.NewGray(image.Rect(0, 0, int(8.27*dpi), int(11.69*dpi)))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	d := font.Drawer{Dst: img, Src: image.NewUniform(color.Black), Face: face}
	var lines []string
	for i := range 40 {
		var words []string
		for range 11 {
			words = append(words, english[r.IntN(len(english))])
		}
		lines = append(lines, strings.Join(words, " "))
		d.Dot = fixed.P(int(0.8*dpi), int((1+0.24*float64(i))*dpi))
		d.DrawString(lines[i])
	}
	return img, lines
}

// scanned turns a page a little, grays it, and adds noise and dust.
func scanned(r *rand.Rand, page *image.Gray) *image.Gray {
	const skew = 0.7 * math.Pi / 180
	b := page.Bounds()
	out := image.NewGray(b)
	for y := range b.Dy() {
		for x := range b.Dx() {
			from := image.Pt(x+int(math.Round(float64(y-b.Dy()/2)*skew)), y-int(math.Round(float64(x-b.Dx()/2)*skew)))
			level := 240.0
			if from.In(b) {
				level = 35 + 0.82*float64(page.GrayAt(from.X, from.Y).Y)
			}
			if level += 18 * r.NormFloat64(); r.IntN(600) == 0 {
				level = 0
			}
			out.SetGray(x, y, color.Gray{Y: uint8(min(max(level, 0), 255))})
		}
	}
	return out
}
