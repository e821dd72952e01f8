package facadetest

import (
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

func hasPages(s DocumentSample) bool    { return len(s.Pages) > 2 && s.Password == "" }
func hasImages(s DocumentSample) bool   { return s.Images > 0 && s.Password == "" }
func hasPassword(s DocumentSample) bool { return s.Password != "" && len(s.Pages) > 0 }

// documentSampleRules are about pages, images and passwords.
func documentSampleRules() []documentRule {
	return []documentRule{
		{
			Name: "pages/select", Needs: sampled("three pages", hasPages),
			Explanation: "pages selects single pages and ranges; the reply has those alone, in their order, and lists them.",
			Run: func(d *documentTest) {
				s := d.sample(hasPages)
				last := len(s.Pages)
				for selection, want := range map[string][]int{
					"1": {1}, "2": {2}, "1-2": {1, 2}, "2-": numbers(2, last), " 1 , 3 ": {1, 3}, "3,1": {1, 3}, "1-2,2-3": {1, 2, 3}, "": numbers(1, last), "1-999": numbers(1, last),
				} {
					out := d.read(s.Name, "pages", selection)
					at := 0
					for n, word := range s.Pages {
						i := strings.Index(out.Content, word)
						if (i >= 0) != slices.Contains(want, n+1) || i >= 0 && i < at {
							d.Errorf("pages %q: the word of page %d is at %d in %q", selection, n+1, i, out.Content)
						}
						at = max(at, i)
					}
					var listed []int
					for _, p := range out.Pages {
						listed = append(listed, p.Number)
					}
					if !slices.Equal(listed, want) || out.Meta.PageCount != last {
						d.Errorf("pages %q: listed are %v of %d, want %v of %d", selection, listed, out.Meta.PageCount, want, last)
					}
				}
			},
		},
		{
			Name: "pages/blocks", Needs: sampled("three pages", hasPages),
			Explanation: "Each block tells its page, and search finds it there.",
			Run: func(d *documentTest) {
				s := d.sample(hasPages)
				out := d.read(s.Name, "output", "blocks")
				for n, word := range s.Pages {
					i := slices.IndexFunc(out.Blocks, func(b facade.DocumentBlock) bool { return strings.Contains(b.Text, word) })
					if i < 0 || len(out.Blocks[i].Prov) == 0 {
						d.Errorf("no block with a place has the word of page %d", n+1)
					} else if p := out.Blocks[i].Prov[0]; p.Page != n+1 && p.Slide != n+1 {
						d.Errorf("the word of page %d is at %+v", n+1, p)
					}
				}
				if indexes(d.DocumentFixture) != "" {
					return
				}
				d.index(s.Name)
				for n, word := range s.Pages {
					if hits := d.hits(word); len(hits) != 1 || hits[0].Page != n+1 {
						d.Errorf("the word of page %d is found in %+v", n+1, hits)
					}
					if hits := d.hits(word, "filter", map[string]any{"page": n + 1}); len(hits) != 1 {
						d.Errorf("with a filter for page %d there are %+v", n+1, hits)
					}
					if hits := d.hits(word, "filter", map[string]any{"page": n + 2}); len(hits) != 0 {
						d.Errorf("the word of page %d is on the next one too: %+v", n+1, hits)
					}
				}
			},
		},
		{
			Name: "pages/refusals", Needs: sampled("three pages", hasPages),
			Explanation: "Pages that the document has not, and what is no selection, are invalid_argument; a selection that is partly there is noted.",
			Run: func(d *documentTest) {
				s := d.sample(hasPages)
				for _, bad := range []string{"999", "999-1000", "0", "-1", "2-1", "x", "1;2", "1,,2", "1.5", "99999999999999999999"} {
					if e := d.fails("invalid_argument", "read", "path", s.Name, "pages", bad); e.Field != "pages" || e.Hint == "" {
						d.Errorf("pages %q: %+v", bad, e)
					}
				}
				if r := d.ok("read", "path", s.Name, "pages", "1,999"); len(r.Notes) != 1 {
					d.Errorf("pages that are partly there: notes are %q", r.Notes)
				}
			},
		},
		{
			Name: "images/list", Needs: sampled("images", hasImages),
			Explanation: "Images are listed with id and type; their content is attached with extract_images only, each as the part that its entry names.",
			Run: func(d *documentTest) {
				s := d.sample(hasImages)
				r := d.ok("read", "path", s.Name)
				out := d.read(s.Name)
				if len(out.Images) != s.Images || len(r.Parts) != 0 {
					d.Fatalf("%d images are listed, want %d; %d are attached, want none", len(out.Images), s.Images, len(r.Parts))
				}
				r = d.ok("read", "path", s.Name, "extract_images", true)
				out = d.read(s.Name, "extract_images", true)
				if len(out.Images) != s.Images || len(r.Parts) != s.Images {
					d.Fatalf("%d images are listed and %d attached, want %d", len(out.Images), len(r.Parts), s.Images)
				}
				for i, img := range out.Images {
					part := r.Parts[i]
					if img.ID == "" || !strings.HasPrefix(img.MIME, "image/") || img.Attached != part.Path || part.MIME != img.MIME || len(part.Data) == 0 {
						d.Errorf("the image %+v is attached as %s of %d bytes at %q", img, part.MIME, len(part.Data), part.Path)
					}
				}
			},
		},
		{
			Name: "password/read", Needs: sampled("a password", hasPassword),
			Explanation: "An encrypted document without the right password is invalid_argument, names the field and says what to do; with it, it is read. No reply has the password.",
			Run: func(d *documentTest) {
				s := d.sample(hasPassword)
				d.refuses("invalid_argument", "password", "read", "path", s.Name)
				d.refuses("invalid_argument", "wrong", "read", "path", s.Name, "password", "not "+s.Password)
				r := d.ok("read", "path", s.Name, "password", s.Password)
				if !strings.Contains(r.Text, s.Pages[0]) || strings.Contains(r.Text+string(r.JSON()), s.Password) {
					d.Errorf("with the password it is %s", r.Text)
				}
				if indexes(d.DocumentFixture) == "" {
					d.seed("open.txt", "open\n")
					if b := d.index("."); b.Documents != 1 || len(b.Skipped) != 1 || b.Skipped[0].Path != s.Name {
						d.Errorf("index takes %+v", b)
					}
				}
			},
		},
	}
}

func numbers(from, to int) []int {
	var all []int
	for n := from; n <= to; n++ {
		all = append(all, n)
	}
	return all
}
