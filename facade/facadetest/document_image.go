package facadetest

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// grayPNG is an image in shades of gray.
func grayPNG(tb testing.TB, w, h int) []byte {
	tb.Helper()
	img := image.NewGray(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatalf("making an image: %v", err)
	}
	return b.Bytes()
}

// documentImageRules are about read_image without engines.
func documentImageRules() []documentRule {
	return []documentRule{
		{
			Name: "image/size", Needs: readsImages,
			Explanation: "Without text, question and chart, read_image tells format by content and size, and needs no engine.",
			Run: func(d *documentTest) {
				var j, g bytes.Buffer
				gray := image.NewGray(image.Rect(0, 0, 30, 20))
				if err := jpeg.Encode(&j, gray, nil); err != nil {
					d.Fatalf("making an image: %v", err)
				}
				if err := gif.Encode(&g, gray, nil); err != nil {
					d.Fatalf("making an image: %v", err)
				}
				for format, content := range map[string][]byte{"png": grayPNG(d, 30, 20), "jpeg": j.Bytes(), "gif": g.Bytes()} {
					d.seed("wrong.bmp", string(content))
					out := documentData[facade.DocumentReadImageOutput](d, "read_image", "path", "./wrong.bmp", "perform_ocr", false)
					if out.Path != "wrong.bmp" || out.Format != format || out.Width != 30 || out.Height != 20 || out.Text != "" || len(out.Engines) != 0 {
						d.Errorf("the %s is %+v", format, out)
					}
				}
			},
		},
		{
			Name: "image/refusals", Needs: readsImages,
			Explanation: "A directory, a text, an empty, a cut and an absurdly large image are errors that say so.",
			Run: func(d *documentTest) {
				whole := grayPNG(d, 30, 20)
				huge := bytes.Clone(whole)
				copy(huge[16:], "\x00\x00\xff\xff\x00\x00\xff\xff")
				d.seed("dir/a.txt", "x", "no.png", "text\n", "empty.png", "", "cut.png", string(whole[:20]), "huge.png", string(huge))
				d.fails("is_directory", "read_image", "path", "dir")
				d.fails("not_found", "read_image", "path", "none.png")
				for _, p := range []string{"no.png", "empty.png", "cut.png"} {
					if e := d.fails("unsupported_format", "read_image", "path", p, "perform_ocr", false); e.Path != p || e.Hint == "" {
						d.Errorf("%s: %+v", p, e)
					}
				}
				d.fails("unsupported_format|too_large", "read_image", "path", "huge.png", "perform_ocr", false)
			},
		},
		{
			Name: "image/unavailable", Needs: readsImages,
			Explanation: "A missing engine is unavailable and says how to get on, never an empty answer.",
			Run: func(d *documentTest) {
				d.seed("p.png", string(grayPNG(d, 30, 20)))
				for _, kv := range [][]any{
					{}, {"perform_ocr", true}, {"instruction", "What is it?"}, {"perform_ocr", false, "instruction", "What is it?"}, {"perform_ocr", false, "extract_chart_data", true},
				} {
					if e := d.fails("unavailable", "read_image", append([]any{"path", "p.png"}, kv...)...); e.Hint == "" {
						d.Errorf("%v: there is no hint: %+v", kv, e)
					}
				}
			},
		},
		{
			Name: "image/read", Needs: readsImages,
			Explanation: "read of an image is unsupported_format and names read_image.",
			Run: func(d *documentTest) {
				d.seed("p.png", string(grayPNG(d, 30, 20)))
				d.refuses("unsupported_format", "read_image", "read", "path", "p.png")
			},
		},
	}
}

// documentSightRules are about read_image with engines.
func documentSightRules() []documentRule {
	sees := func(f *DocumentFixture) string {
		if f.Sight == nil {
			return "the fixture has no engines that read images"
		}
		return readsImages(f)
	}
	return []documentRule{
		{
			Name: "sight/text", Needs: sees, Sees: true,
			Explanation: "Recognized text comes with its words, each in a box inside the image and with a confidence from 0 to 1, and names the engine.",
			Run: func(d *documentTest) {
				d.seed("p.png", string(grayPNG(d, 300, 200)))
				out := documentData[facade.DocumentReadImageOutput](d, "read_image", "path", "p.png")
				if out.Text != d.Sight.Text || len(out.Engines) != 1 || out.Engines[0] == "" || out.Description != "" || out.Chart != nil {
					d.Errorf("the image is %+v", out)
				}
				var words []string
				for _, w := range out.Words {
					words = append(words, w.Text)
					if b := w.Box; b[0] < 0 || b[1] < 0 || b[2] > 300 || b[3] > 200 || b[0] >= b[2] || b[1] >= b[3] || w.Confidence < 0 || w.Confidence > 1 {
						d.Errorf("the word %+v is outside of the image, or of all confidence", w)
					}
				}
				if !slices.Equal(words, strings.Fields(d.Sight.Text)) {
					d.Errorf("the words are %q", words)
				}
			},
		},
		{
			Name: "sight/off", Needs: sees, Sees: true,
			Explanation: "Nothing that was not asked for is done: no text without perform_ocr.",
			Run: func(d *documentTest) {
				d.seed("p.png", string(grayPNG(d, 300, 200)))
				out := documentData[facade.DocumentReadImageOutput](d, "read_image", "path", "p.png", "perform_ocr", false)
				if out.Text != "" || len(out.Words)+len(out.Engines) != 0 || out.Width != 300 {
					d.Errorf("the image is %+v", out)
				}
			},
		},
		{
			Name: "sight/model", Sees: true,
			Needs: func(f *DocumentFixture) string {
				if why := sees(f); why != "" {
					return why
				}
				if f.Sight.Description == "" || f.Sight.Chart == nil {
					return "the fixture has no model"
				}
				return ""
			},
			Explanation: "A model answers an instruction and reads a chart, each when asked for, and is named once.",
			Run: func(d *documentTest) {
				d.seed("p.png", string(grayPNG(d, 300, 200)))
				ask := func(kv ...any) facade.DocumentReadImageOutput {
					d.Helper()
					return documentData[facade.DocumentReadImageOutput](d, "read_image", append([]any{"path", "p.png"}, kv...)...)
				}
				if out := ask("instruction", "What is it?", "perform_ocr", false); out.Description != d.Sight.Description || out.Text != "" || out.Chart != nil || len(out.Engines) != 1 {
					d.Errorf("a question is answered with %+v", out)
				}
				out := ask("extract_chart_data", true, "perform_ocr", false)
				if out.Chart == nil || out.Chart.Type != d.Sight.Chart.Type || len(out.Chart.Series) != len(d.Sight.Chart.Series) || out.Description != "" || len(out.Engines) != 1 {
					d.Errorf("the chart is %+v", out)
				}
				if out := ask("instruction", "What is it?", "extract_chart_data", true); out.Text == "" || out.Description == "" || out.Chart == nil || len(out.Engines) != 2 {
					d.Errorf("all of it is %+v", out)
				}
			},
		},
		{
			Name: "sight/index", Needs: sees, Sees: true,
			Explanation: "With extract_images index finds the text of images; without, an image is skipped with the reason.",
			Run: func(d *documentTest) {
				if indexes(d.DocumentFixture) != "" {
					d.Skip("the implementation has no DocumentIndexer")
				}
				d.seed("p.png", string(grayPNG(d, 300, 200)))
				if b := d.index("."); b.Documents != 0 || len(b.Skipped) != 1 || b.Skipped[0].Path != "p.png" || b.Skipped[0].Reason == "" {
					d.Errorf("without images index says %+v", b)
				}
				if b := d.index(".", "extract_images", true); b.Documents != 1 || b.Chunks == 0 {
					d.Errorf("with images index says %+v", b)
				}
				d.finds(strings.Fields(d.Sight.Text)[0], "p.png")
			},
		},
	}
}
