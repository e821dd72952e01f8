// Package web parses HTML, EPUB and Markdown.
package web

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// HTML parses web pages.
type HTML struct{}

var _ document.Format = HTML{}

// Name implements [document.Format].
func (HTML) Name() string { return "html" }

// Accepts implements [document.Format].
func (HTML) Accepts(mime string) bool { return mime == "text/html" || mime == "application/xhtml+xml" }

// Parse implements [document.Format].
func (HTML) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	if _, name, certain := charset.DetermineEncoding(data[:min(len(data), 1024)], ""); certain || name != "windows-1252" {
		data = []byte(document.DecodeCharset(data, name))
	} else {
		text, _, _ := document.DecodeText(data)
		data = []byte(text)
	}
	return b.Finish(Add(ctx, b, string(data)))
}

// Add appends the content of an HTML page to a document.
func Add(ctx context.Context, b *document.Builder, text string) error {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil { // elements in one another beyond what the parser takes
		b.Warn(document.WarnLimit, 0, "read as text without structure: %v", err)
		return addTokens(ctx, b, text)
	}
	w := &walker{ctx: ctx, b: b}
	if err := w.block(root); err != nil {
		return err
	}
	return w.flush()
}

// addTokens appends the text between tags, a block per piece.
func addTokens(ctx context.Context, b *document.Builder, text string) error {
	z := html.NewTokenizer(strings.NewReader(text))
	hidden := false
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch z.Next() { //nolint:exhaustive // comments and the like are no text
		case html.ErrorToken:
			return nil
		case html.StartTagToken:
			name, _ := z.TagName()
			hidden = string(name) == "script" || string(name) == "style"
		case html.EndTagToken:
			hidden = false
		case html.TextToken:
			if hidden {
				continue
			}
			if _, err := b.Plain(facade.BlockParagraph, 0, document.Squeeze(string(z.Text()))); err != nil {
				return err
			}
		}
	}
}

// walker turns a tree into blocks. Inline content is collected until a block
// element begins or ends.
type walker struct {
	ctx   context.Context
	b     *document.Builder
	depth int
	count int

	text   document.Inline
	style  document.Style
	kind   facade.BlockKind
	level  int
	marker string
	lists  []list
	pre    bool
	images []func() error
	flat   bool // inside a cell: images and tables do not become blocks
}

type list struct {
	ordered bool
	n       int
}

// flush adds what was collected as a block.
func (w *walker) flush() error {
	kind, level, marker := w.kind, w.level, w.marker
	if kind == "" {
		kind = facade.BlockParagraph
	}
	text := w.text
	images := w.images
	w.text, w.images = document.Inline{}, nil
	block, err := w.b.Text(kind, level, &text)
	if err != nil {
		return err
	}
	if block.ID != "" {
		block.Marker = marker
		if kind == facade.BlockListItem { // the rest of the item goes below it
			w.marker = " "
		}
	}
	for _, add := range images {
		if err := add(); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) block(n *html.Node) error {
	if w.count++; w.count%512 == 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
	}
	if w.depth++; w.depth > 2*w.b.Limits().Depth {
		w.depth--
		return nil
	}
	defer func() { w.depth-- }()
	switch n.Type {
	case html.TextNode:
		w.add(n.Data)
		return nil
	case html.ElementNode:
		return w.element(n)
	case html.DocumentNode:
		return w.children(n)
	default:
		return nil
	}
}

func (w *walker) children(n *html.Node) error {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := w.block(c); err != nil {
			return err
		}
	}
	return nil
}

// add appends text; outside of preformatted text white space is one blank.
func (w *walker) add(s string) {
	if !w.pre {
		s = document.Squeeze(s)
		if w.text.Empty() {
			s = strings.TrimLeft(s, " ")
		}
	}
	w.text.Add(s, w.style)
}

// as reads n as a block of a kind.
func (w *walker) as(kind facade.BlockKind, level int, n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	oldKind, oldLevel := w.kind, w.level
	w.kind, w.level = kind, level
	err := w.children(n)
	if err == nil {
		err = w.flush()
	}
	w.kind, w.level = oldKind, oldLevel
	return err
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// flatText returns all text below n, a line per block.
func flatText(ctx context.Context, n *html.Node, limits document.Limits) string {
	inner := &walker{ctx: ctx, b: document.NewBuilder(document.Request{Limits: limits}), flat: true}
	if inner.children(n) != nil || inner.flush() != nil {
		return ""
	}
	doc, err := inner.b.Finish(nil)
	if err != nil {
		return ""
	}
	var lines []string
	for _, block := range doc.Blocks {
		line := block.Text
		if m := strings.TrimSpace(block.Marker); m != "" && block.Kind == facade.BlockListItem {
			line = m + " " + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
