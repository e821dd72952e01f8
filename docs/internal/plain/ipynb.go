package plain

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/web"
	"github.com/toolfacade/toolfacade/facade"
)

// Notebook parses Jupyter notebooks: cells and their outputs.
type Notebook struct{}

var _ document.Format = Notebook{}

// Name implements [document.Format].
func (Notebook) Name() string { return "ipynb" }

// Accepts implements [document.Format].
func (Notebook) Accepts(mime string) bool { return mime == "application/x-ipynb+json" }

// lines is text that is stored as one string or as several.
type lines string

// UnmarshalJSON implements [json.Unmarshaler]. What is no text is kept as
// JSON.
func (l *lines) UnmarshalJSON(data []byte) error {
	var one string
	var many []string
	switch {
	case json.Unmarshal(data, &one) == nil:
		*l = lines(one)
	case json.Unmarshal(data, &many) == nil:
		*l = lines(strings.Join(many, ""))
	default:
		*l = lines(data)
	}
	return nil
}

type notebook struct {
	Cells    []cell `json:"cells"`
	Metadata struct {
		Title    string `json:"title"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

type cell struct {
	Type    string `json:"cell_type"`
	Source  lines  `json:"source"`
	Outputs []struct {
		Text      lines            `json:"text"`
		Data      map[string]lines `json:"data"`
		Name      string           `json:"ename"`
		Value     string           `json:"evalue"`
		Traceback []string         `json:"traceback"`
	} `json:"outputs"`
}

// Parse implements [document.Format].
func (Notebook) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	var n notebook
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, document.Malformed("this is no notebook: %w", err)
	}
	b.Meta().Title = n.Metadata.Title
	for _, c := range n.Cells {
		if err := c.add(ctx, b, n.Metadata.Language.Name); err != nil {
			return b.Finish(err)
		}
	}
	return b.Finish(nil)
}

func (c cell) add(ctx context.Context, b *document.Builder, language string) error {
	switch c.Type {
	case "markdown":
		return web.AddMarkdown(ctx, b, string(c.Source))
	case "code":
	default:
		_, err := b.Plain(facade.BlockParagraph, 0, string(c.Source))
		return err
	}
	if err := b.Code(string(c.Source), language); err != nil {
		return err
	}
	for _, o := range c.Outputs {
		text := string(o.Text)
		if plain, ok := o.Data["text/plain"]; ok {
			text = string(plain)
		}
		if o.Name != "" {
			text = o.Name + ": " + o.Value
			if len(o.Traceback) > 0 {
				text = strings.Join(o.Traceback, "\n")
			}
		}
		if err := b.Code(strings.TrimRight(terminal.ReplaceAllString(text, ""), "\n"), "output"); err != nil {
			return err
		}
		if err := pictures(b, o.Data); err != nil {
			return err
		}
	}
	return nil
}

// terminal matches the color codes of terminals.
var terminal = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

func pictures(b *document.Builder, data map[string]lines) error {
	var types []string
	for mime := range data {
		if strings.HasPrefix(mime, "image/") {
			types = append(types, mime)
		}
	}
	slices.Sort(types)
	for _, mime := range types {
		content, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(data[mime])))
		if err != nil {
			content = nil
		}
		if err := b.Image(facade.DocumentImage{MIME: mime}, content); err != nil {
			return err
		}
	}
	return nil
}
