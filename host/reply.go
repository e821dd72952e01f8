package host

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Media says which attachments a host shows its model.
type Media int

// The kinds of hosts. Images are in PNG, JPEG, GIF or WebP: what all models
// with eyes read, and a request with another kind is refused as a whole.
const (
	TextOnly Media = iota
	Images
)

// MaxImageBytes is how large an image may be, in bytes before base64: the least
// that the providers allow.
const MaxImageBytes = 3_750_000

// Reply is a result as a host gives it to its model.
type Reply struct {
	// Text says what happened, on failure too, with the notes. It names every
	// attachment that is not among Images.
	Text string
	// Images are those the host shows.
	Images []Image
	// Failed says that the call did not do what was asked.
	Failed bool
}

// Image is an attachment that a model can look at.
type Image struct{ facade.Part }

// Base64 is the content in base64.
func (i Image) Base64() string { return base64.StdEncoding.EncodeToString(i.Data) }

// URL is the image as a data URL.
func (i Image) URL() string { return "data:" + i.MIME + ";base64," + i.Base64() }

// Format is the last part of the media type: png, jpeg, gif or webp.
func (i Image) Format() string { return strings.TrimPrefix(i.MIME, "image/") }

// NewReply splits a result into what the host shows and what it says instead.
func NewReply(res *facade.Result, shows Media) Reply {
	r := Reply{Text: res.FullText(), Failed: !res.OK()}
	for _, p := range res.Parts {
		if why := hidden(p, shows); why != "" {
			r.Text += fmt.Sprintf("\nnote: %s %q of %d bytes is not shown: %s", p.MIME, p.Path, len(p.Data), why)
			continue
		}
		r.Images = append(r.Images, Image{p})
	}
	return r
}

// Output is the text under the key that says how the call went, "output" or
// "error", for hosts whose results are objects.
func (r Reply) Output() map[string]any {
	if r.Failed {
		return map[string]any{"error": r.Text}
	}
	return map[string]any{"output": r.Text}
}

// hidden says why a host does not show p, "" when it does.
func hidden(p facade.Part, shows Media) string {
	switch {
	case shows == TextOnly:
		return "results are text here"
	case !slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, p.MIME):
		return "attachments are PNG, JPEG, GIF or WebP here"
	case len(p.Data) > MaxImageBytes:
		return fmt.Sprintf("the limit is %d", MaxImageBytes)
	}
	return ""
}
