package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/texmath"
	"github.com/toolfacade/toolfacade/facade"
)

func (w *walker) element(n *html.Node) error {
	if hidden(n) {
		return nil
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Svg, atom.Select, atom.Datalist:
		return nil
	case atom.Head:
		w.head(n)
		return nil
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return w.as(facade.BlockHeading, int(n.Data[1]-'0'), n)
	case atom.Blockquote:
		return w.as(facade.BlockQuote, 0, n)
	case atom.Figcaption, atom.Caption:
		return w.as(facade.BlockCaption, 0, n)
	case atom.Pre:
		return w.code(n)
	case atom.Ul, atom.Ol, atom.Menu:
		return w.list(n)
	case atom.Li:
		return w.item(n)
	case atom.Table:
		if !w.flat {
			return w.table(n)
		}
	case atom.Tr, atom.Dt, atom.Dd, atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Aside, atom.Header,
		atom.Footer, atom.Address, atom.Dl, atom.Figure, atom.Details, atom.Summary, atom.Fieldset, atom.Form, atom.Body, atom.Hr, atom.Nav, atom.Center:
		return w.division(n)
	}
	return w.inline(n)
}

func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "hidden" {
			return true
		}
		if a.Key == "style" {
			s := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			return strings.Contains(s, "display:none") || strings.Contains(s, "visibility:hidden")
		}
	}
	return false
}

// division ends the block before and after it. Navigation is furniture.
func (w *walker) division(n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	if n.DataAtom == atom.Nav {
		defer w.b.In(w.b.In(document.Furniture))
	}
	if err := w.children(n); err != nil {
		return err
	}
	return w.flush()
}

func (w *walker) inline(n *html.Node) error {
	old := w.style
	defer func() { w.style = old }()
	switch n.DataAtom {
	case atom.B, atom.Strong:
		w.style.Bold = true
	case atom.I, atom.Em, atom.Cite, atom.Var:
		w.style.Italic = true
	case atom.S, atom.Del, atom.Strike:
		w.style.Strike = true
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		w.style.Code = true
	case atom.A:
		if href := attr(n, "href"); safeLink(href) {
			w.style.Link = href
		}
	case atom.Br:
		w.text.Add("\n", w.style)
		return nil
	case atom.Td, atom.Th:
		w.text.Add(" ", w.style)
	case atom.Img:
		w.image(n)
		return nil
	case atom.Math:
		w.formula(n)
		return nil
	case atom.Input:
		w.input(n)
		return nil
	case atom.Textarea, atom.Button:
	}
	return w.children(n)
}

// safeLink drops links that run code or lead nowhere.
func safeLink(href string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(href)), ":")
	return href != "" && href[0] != '#' && (!ok || scheme != "javascript" && scheme != "data" && scheme != "vbscript")
}

func (w *walker) input(n *html.Node) {
	_, checked := func() (string, bool) {
		for _, a := range n.Attr {
			if a.Key == "checked" {
				return a.Val, true
			}
		}
		return "", false
	}()
	switch attr(n, "type") {
	case "checkbox", "radio":
		if checked {
			w.text.AddRaw("[x] ")
		} else {
			w.text.AddRaw("[ ] ")
		}
	case "text", "email", "number", "date", "":
		w.add(attr(n, "value"))
	}
}

func (w *walker) list(n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	l := list{ordered: n.DataAtom == atom.Ol, n: 1}
	if start, err := strconv.Atoi(attr(n, "start")); err == nil {
		l.n = start
	}
	w.lists = append(w.lists, l)
	err := w.children(n)
	if err == nil {
		err = w.flush()
	}
	w.lists = w.lists[:len(w.lists)-1]
	return err
}

func (w *walker) item(n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	oldMarker := w.marker
	w.marker = "-"
	if len(w.lists) > 0 {
		if l := &w.lists[len(w.lists)-1]; l.ordered {
			w.marker = fmt.Sprintf("%d.", l.n)
			l.n++
		}
	}
	err := w.as(facade.BlockListItem, max(len(w.lists), 1), n)
	w.marker = oldMarker
	return err
}

func (w *walker) code(n *html.Node) error {
	if err := w.flush(); err != nil {
		return err
	}
	var b strings.Builder
	rawText(n, &b, 0)
	language := ""
	for c := n; c != nil && language == ""; c = c.FirstChild {
		for class := range strings.FieldsSeq(attr(c, "class")) {
			if l, ok := strings.CutPrefix(class, "language-"); ok {
				language = l
			}
		}
	}
	if w.flat {
		w.text.Add(b.String(), document.Style{})
		return w.flush()
	}
	return w.b.Code(strings.Trim(b.String(), "\n"), language)
}

func rawText(n *html.Node, b *strings.Builder, depth int) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	if n.DataAtom == atom.Br {
		b.WriteByte('\n')
	}
	if depth > 500 {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		rawText(c, b, depth+1)
	}
}

func (w *walker) head(n *html.Node) {
	m := w.b.Meta()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Title:
			var b strings.Builder
			rawText(c, &b, 0)
			if m.Title == "" {
				m.Title = strings.TrimSpace(document.Squeeze(b.String()))
			}
		case atom.Meta:
			switch name := strings.ToLower(attr(c, "name")); name {
			case "author":
				m.Authors = append(m.Authors, attr(c, "content"))
			case "description", "keywords":
				w.b.SetCustom(name, attr(c, "content"))
			}
		}
	}
	if n.Parent != nil && m.Language == "" {
		m.Language = attr(n.Parent, "lang")
	}
}

// image notes an image to be added after the text around it.
func (w *walker) image(n *html.Node) {
	alt := attr(n, "alt")
	if w.flat {
		w.add(alt)
		return
	}
	src := attr(n, "src")
	if len(w.images) >= 1000 {
		return
	}
	w.images = append(w.images, func() error {
		img := facade.DocumentImage{Alt: alt, MIME: "application/octet-stream"}
		return w.b.Image(img, inlineImage(src, &img))
	})
}

// inlineImage decodes the content of a data address.
func inlineImage(src string, img *facade.DocumentImage) []byte {
	head, body, ok := strings.Cut(src, ",")
	mime, isData := strings.CutPrefix(head, "data:")
	if !ok || !isData {
		return nil
	}
	mime, encoded := strings.CutSuffix(mime, ";base64")
	img.MIME = mime
	if !encoded {
		return nil
	}
	if plain, err := url.PathUnescape(body); err == nil {
		body = plain
	}
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return nil
	}
	return data
}

// formula writes MathML as LaTeX.
func (w *walker) formula(n *html.Node) {
	var b bytes.Buffer
	if html.Render(&b, n) != nil {
		return
	}
	tex := MathML(w.ctx, b.String(), w.b.Limits())
	if tex != "" {
		w.text.AddRaw(" $" + tex + "$ ")
	}
}

// MathML writes a MathML document as LaTeX, "" when it is none.
func MathML(ctx context.Context, text string, l document.Limits) string {
	tex := ""
	err := document.ReadXML(ctx, strings.NewReader(text), l, func(x *document.XML) error {
		var err error
		tex, err = texmath.MathML(x)
		return err
	})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(tex)
}
