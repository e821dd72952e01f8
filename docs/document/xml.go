package document

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// XML reads elements one after the other, within a depth, and stops when the
// context ends. Elements are known by their local names: producers differ in
// prefixes, and versions of one format in name spaces. Entities other than
// XML's own five are not expanded.
type XML struct {
	ctx   context.Context
	d     *xml.Decoder
	depth int
	most  int
	count int
}

// ReadXML calls fn to read a whole XML document with x.Children: its only
// child is the root element. A document that breaks off, or that has a syntax
// error, is an error after fn has seen what comes before.
func ReadXML(ctx context.Context, r io.Reader, l Limits, fn func(x *XML) error) error {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset.NewReaderLabel
	err := fn(&XML{ctx: ctx, d: d, most: l.Depth})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// token returns the next token and keeps account of the depth.
func (x *XML) token() (xml.Token, error) {
	if x.count++; x.count%256 == 1 {
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
	}
	t, err := x.d.Token()
	if err != nil {
		return nil, err
	}
	switch t.(type) {
	case xml.StartElement:
		if x.depth++; x.depth > x.most {
			return nil, tooLarge("the XML is nested more than %d deep", x.most)
		}
	case xml.EndElement:
		x.depth--
	}
	return t, nil
}

// Children calls fn for each child of the current element. fn may read the
// child with Children, Content or Text; what it leaves is skipped.
func (x *XML) Children(fn func(e xml.StartElement) error) error {
	return x.Content(fn, func(string) {})
}

// Content is like [XML.Children] and calls text for the text in between.
func (x *XML) Content(fn func(e xml.StartElement) error, text func(s string)) error {
	level := x.depth
	for {
		t, err := x.token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := fn(t); err != nil {
				return err
			}
			if err := x.skipTo(level); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		case xml.CharData:
			text(string(t))
		}
	}
}

// skipTo reads until the depth is level.
func (x *XML) skipTo(level int) error {
	for x.depth > level {
		if _, err := x.token(); err != nil {
			return err
		}
	}
	return nil
}

// Text returns all text below the current element.
func (x *XML) Text() (string, error) {
	var b strings.Builder
	level := x.depth
	for x.depth >= level {
		t, err := x.token()
		if err != nil {
			return b.String(), err
		}
		if s, ok := t.(xml.CharData); ok {
			b.Write(s)
		}
	}
	return b.String(), nil
}

// Each calls fn for every element of that name at any depth; elements inside
// of it are fn's.
func (x *XML) Each(name string, fn func(e xml.StartElement) error) error {
	return x.Children(func(e xml.StartElement) error {
		if e.Name.Local == name {
			return fn(e)
		}
		return x.Each(name, fn)
	})
}

// Attr returns the value of an attribute by its local name, "" without one.
func Attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// AttrInt returns a whole number, or d when the attribute has none.
func AttrInt(e xml.StartElement, name string, d int) int {
	n := 0
	if _, err := fmt.Sscanf(Attr(e, name), "%d", &n); err != nil {
		return d
	}
	return n
}

// AttrSpace returns the value of an attribute whose name space ends with
// space, as the id of a relationship, which has other ids beside it.
func AttrSpace(e xml.StartElement, space, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && strings.HasSuffix(a.Name.Space, space) {
			return a.Value
		}
	}
	return ""
}
