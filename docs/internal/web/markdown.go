package web

import (
	"context"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Markdown parses Markdown with the tables, task lists and footnotes of
// GitHub. HTML inside of it is read as HTML.
type Markdown struct{}

var _ document.Format = Markdown{}

// Name implements [document.Format].
func (Markdown) Name() string { return "md" }

// Accepts implements [document.Format].
func (Markdown) Accepts(mime string) bool { return mime == "text/markdown" }

// Parse implements [document.Format].
func (Markdown) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	content, _, _ := document.DecodeText(data)
	return b.Finish(AddMarkdown(ctx, b, content))
}

// maxNesting bounds the quotes and lists in one another that are handed to
// the parser, whose time grows with their number.
const maxNesting = 100

// AddMarkdown appends Markdown to a document.
func AddMarkdown(ctx context.Context, b *document.Builder, content string) error {
	whole := content
	content, meta := frontMatter(content)
	for line := range strings.Lines(meta) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			value = strings.Trim(strings.TrimSpace(value), `"'`)
			if name == "title" {
				b.Meta().Title = value
			} else {
				b.SetCustom(strings.TrimSpace(name), value)
			}
		}
	}
	if tooNested(content) {
		b.Warn(document.WarnLimit, 0, "read as plain text: quotes or lists are nested more than %d deep", maxNesting)
		_, err := b.Plain(facade.BlockParagraph, 0, content)
		return err
	}
	source := []byte(content)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	w := &markdown{ctx: ctx, b: b, src: source, above: strings.Count(whole[:len(whole)-len(content)], "\n")}
	for i, n := range content {
		if n == '\n' {
			w.lines = append(w.lines, i)
		}
	}
	return w.blocks(md.Parser().Parse(text.NewReader(source)), 0)
}

// frontMatter cuts off properties between lines of dashes at the start.
func frontMatter(s string) (content, meta string) {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return s, ""
	}
	meta, content, ok = strings.Cut(rest, "\n---\n")
	if !ok || len(meta) > 64<<10 {
		return s, ""
	}
	return content, meta
}

func tooNested(s string) bool {
	for line := range strings.Lines(s) {
		depth := 0
		for _, c := range line {
			switch c {
			case '>', '-', '*', '+', '[', '(', '!', '<', '_', '`', '~':
				depth++
			case ' ', '\t':
			default:
				if depth <= maxNesting {
					depth = 0
				}
			}
			if depth > 50*maxNesting {
				return true
			}
		}
		if lead := len(line) - len(strings.TrimLeft(line, "> \t-*+")); lead > maxNesting && strings.Count(line[:lead], ">")+strings.Count(line[:lead], "- ") > maxNesting {
			return true
		}
	}
	return false
}

type markdown struct {
	ctx   context.Context
	b     *document.Builder
	src   []byte
	lines []int
	above int // lines of the front matter
	list  int
}

func (w *markdown) blocks(parent ast.Node, depth int) error {
	if depth > w.b.Limits().Depth {
		return nil
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.block(n, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *markdown) block(n ast.Node, depth int) error {
	w.at(n)
	switch n := n.(type) {
	case *ast.Heading:
		return w.text(facade.BlockHeading, n.Level, n, "")
	case *ast.Paragraph, *ast.TextBlock:
		return w.text(facade.BlockParagraph, 0, n, "")
	case *ast.FencedCodeBlock:
		return w.b.Code(w.raw(n), string(n.Language(w.src)))
	case *ast.CodeBlock:
		return w.b.Code(w.raw(n), "")
	case *ast.HTMLBlock:
		return Add(w.ctx, w.b, w.raw(n))
	case *ast.Blockquote:
		return w.quote(n, depth)
	case *ast.List:
		return w.items(n, depth)
	case *east.Table:
		return w.table(n)
	case *east.FootnoteList:
		for f := n.FirstChild(); f != nil; f = f.NextSibling() {
			if err := w.text(facade.BlockFootnote, 0, f, ""); err != nil {
				return err
			}
		}
		return nil
	case *ast.ThematicBreak:
		return nil
	}
	return w.blocks(n, depth+1)
}

func (w *markdown) quote(n ast.Node, depth int) error {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		var err error
		w.at(c)
		if c.Kind() == ast.KindParagraph {
			err = w.text(facade.BlockQuote, 0, c, "")
		} else {
			err = w.block(c, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *markdown) items(n *ast.List, depth int) error {
	w.list++
	defer func() { w.list-- }()
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "-"
		if n.IsOrdered() {
			marker = fmt.Sprintf("%d.", number)
			number++
		}
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			var err error
			w.at(c)
			if k := c.Kind(); (k == ast.KindParagraph || k == ast.KindTextBlock) && marker != "" {
				err = w.text(facade.BlockListItem, w.list, c, marker)
				marker = ""
			} else {
				err = w.block(c, depth+1)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *markdown) text(kind facade.BlockKind, level int, n ast.Node, marker string) error {
	var in document.Inline
	var images []facade.DocumentImage
	w.inline(n, document.Style{}, &in, &images, 0)
	block, err := w.b.Text(kind, level, &in)
	if err != nil {
		return err
	}
	block.Marker = marker
	for _, img := range images {
		if err := w.b.Image(img, nil); err != nil {
			return err
		}
	}
	return nil
}

// raw is the source of a block.
func (w *markdown) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		l := n.Lines().At(i)
		b.Write(l.Value(w.src))
	}
	return strings.TrimRight(b.String(), "\n")
}
