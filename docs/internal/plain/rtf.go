package plain

import (
	"bytes"
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// RTF parses rich text.
type RTF struct{}

var _ document.Format = RTF{}

// Name implements [document.Format].
func (RTF) Name() string { return "rtf" }

// Accepts implements [document.Format].
func (RTF) Accepts(mime string) bool { return mime == "text/rtf" || mime == "application/rtf" }

// Parse implements [document.Format].
func (RTF) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{\rtf`)) {
		return nil, document.Malformed("this is no rich text: it does not begin with {\\rtf")
	}
	p := &rtf{ctx: ctx, b: b, data: data, codepage: "windows-1252", fonts: map[int]string{}}
	p.state.unicodeSkip = 1
	return b.Finish(p.parse())
}

// rtf is the work on one file. Text is collected in the code page of its font
// and decoded when the font or the group changes.
type rtf struct {
	ctx      context.Context
	b        *document.Builder
	data     []byte
	at       int
	codepage string
	fonts    map[int]string
	font     int // being defined

	state rtfState
	stack []rtfState
	bytes []byte // text not yet decoded
	high  rune   // first half of a surrogate pair
	text  document.Inline
	table *document.Table
	cells []string
	cell  strings.Builder
	notes []string
	meta  strings.Builder
	mark  strings.Builder // the marker of a list item
	skip  int             // characters to leave out after a Unicode one
	link  string
	field strings.Builder
}

// rtfState is what a group inherits and its end restores.
type rtfState struct {
	dest        string // where text goes: "" the body, "skip" nowhere
	style       document.Style
	font        int
	unicodeSkip int
	heading     int
	inTable     bool
	level       int
}

// maxGroups bounds the groups in one another.
const maxGroups = 1000

func (p *rtf) parse() error {
	for n := 0; p.at < len(p.data); n++ {
		if n%4096 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		c := p.data[p.at]
		p.at++
		var err error
		switch c {
		case '{':
			p.flush()
			if len(p.stack) >= maxGroups {
				return document.Malformed("groups are nested more than %d deep", maxGroups)
			}
			p.stack = append(p.stack, p.state)
		case '}':
			p.pop()
		case '\\':
			err = p.control()
		case '\r', '\n':
		default:
			p.char(c)
		}
		if err != nil {
			return err
		}
	}
	return p.end()
}

func (p *rtf) end() error {
	p.flush()
	if err := p.paragraph(); err != nil {
		return err
	}
	if err := p.endTable(); err != nil {
		return err
	}
	for _, n := range p.notes {
		if _, err := p.b.Plain(facade.BlockFootnote, 0, n); err != nil {
			return err
		}
	}
	if len(p.stack) > 0 {
		p.b.Warn(document.WarnTruncated, 0, "the file ends inside of %d groups", len(p.stack))
	}
	return nil
}

// pop ends a group.
func (p *rtf) pop() {
	p.flush()
	if len(p.stack) == 0 {
		return
	}
	ended := p.state
	p.state = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	p.skip = 0
	if ended.dest == p.state.dest {
		return
	}
	switch ended.dest {
	case "title":
		p.b.Meta().Title = strings.TrimSpace(p.meta.String())
	case "author":
		if a := strings.TrimSpace(p.meta.String()); a != "" {
			p.b.Meta().Authors = []string{a}
		}
	case "footnote":
		p.notes = append(p.notes, strings.TrimSpace(p.meta.String()))
	case "fldinst":
		p.link = linkOf(p.field.String())
		p.field.Reset()
	case "fldrslt":
		p.link = ""
	}
}

// linkOf is the address in a field's instruction.
func linkOf(instruction string) string {
	_, rest, ok := strings.Cut(instruction, "HYPERLINK")
	if !ok {
		return ""
	}
	parts := strings.Split(rest, `"`)
	if len(parts) < 2 || strings.Contains(parts[0], `\l`) {
		return ""
	}
	return parts[1]
}

// char adds one byte of text.
func (p *rtf) char(c byte) {
	if p.skip > 0 {
		p.skip--
		return
	}
	if p.state.dest != "skip" {
		p.bytes = append(p.bytes, c)
	}
}

// flush decodes the bytes collected so far.
func (p *rtf) flush() {
	if len(p.bytes) == 0 {
		return
	}
	name := p.codepage
	if f := p.fonts[p.state.font]; f != "" {
		name = f
	}
	text := document.DecodeCharset(p.bytes, name)
	p.bytes = p.bytes[:0]
	p.add(text)
}

// add puts text where the destination says.
func (p *rtf) add(text string) {
	switch p.state.dest {
	case "", "fldrslt":
		if p.state.inTable {
			p.cell.WriteString(text)
			return
		}
		style := p.state.style
		style.Link = p.link
		p.text.Add(text, style)
	case "fldinst":
		p.field.WriteString(text)
	case "mark":
		p.mark.WriteString(text)
	case "title", "author", "footnote":
		p.meta.WriteString(text)
	}
}

// paragraph ends a paragraph of the body.
func (p *rtf) paragraph() error {
	p.flush()
	if p.state.dest == "footnote" {
		p.meta.WriteString("\n")
		return nil
	}
	if p.state.inTable {
		p.cell.WriteString("\n")
		return nil
	}
	if p.state.dest != "" && p.state.dest != "fldrslt" {
		return nil
	}
	if p.text.Empty() {
		p.text = document.Inline{}
		return nil
	}
	if err := p.endTable(); err != nil {
		return err
	}
	text, marker := p.text, strings.TrimSpace(p.mark.String())
	p.text = document.Inline{}
	p.mark.Reset()
	switch {
	case p.state.heading > 0:
		_, err := p.b.Text(facade.BlockHeading, p.state.heading, &text)
		return err
	case marker != "":
		block, err := p.b.Text(facade.BlockListItem, p.state.level+1, &text)
		if block.Marker = marker; !strings.ContainsAny(marker, "0123456789abcdefghivxABCDEFGHIVX") {
			block.Marker = "-"
		}
		return err
	}
	_, err := p.b.Text(facade.BlockParagraph, 0, &text)
	return err
}

func (p *rtf) endCell() {
	p.flush()
	p.cells = append(p.cells, strings.TrimSpace(p.cell.String()))
	p.cell.Reset()
}

func (p *rtf) endRow() {
	p.flush()
	if len(p.cells) == 0 {
		return
	}
	header := p.table == nil
	if header {
		p.table = p.b.NewTable()
	}
	p.table.Row()
	for _, c := range p.cells {
		p.table.Cell(facade.DocumentCell{Text: c, Header: header})
	}
	p.cells = nil
}

func (p *rtf) endTable() error {
	p.endRow()
	if p.table == nil {
		return nil
	}
	t := p.table
	p.table = nil
	return p.b.Table(t, "")
}
