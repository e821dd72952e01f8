package docs

import (
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// chunkSize is the length in bytes that chunks come close to.
const chunkSize = 1500

// Chunks cuts a document into pieces for an index: along headings and pages,
// never across them; a table is cut between rows, with its header on each
// piece.
func Chunks(doc *document.Document, tables bool) []Chunk {
	c := &chunker{r: newRenderer(doc, formText), tables: tables}
	for i := range doc.Blocks {
		if b := &doc.Blocks[i]; b.Layer != document.Furniture {
			c.add(b)
		}
	}
	c.flush()
	return c.out
}

type chunker struct {
	r       *renderer
	tables  bool
	out     []Chunk
	heading string
	page    int
	text    strings.Builder
	first   *document.Block
}

func (c *chunker) add(b *document.Block) {
	page := 0
	if len(b.Prov) > 0 {
		page = max(b.Prov[0].Page, b.Prov[0].Slide)
	}
	if b.Kind == facade.BlockHeading || page != c.page {
		c.flush()
	}
	c.page = page
	if t := c.r.tables[b.Ref]; t != nil && b.Kind == facade.BlockTable {
		if c.tables {
			c.flush()
			c.table(b, t)
		}
		return
	}
	if b.Kind == facade.BlockHeading {
		c.heading = b.Text
	}
	text := c.r.block(b)
	if c.text.Len()+len(text) > chunkSize {
		c.flush()
	}
	for len(text) > 2*chunkSize {
		n := cutAt(text, chunkSize, chunkSize)
		c.append(b, text[:n])
		c.flush()
		text = text[n:]
	}
	c.append(b, text)
}

func (c *chunker) append(b *document.Block, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if c.text.Len() > 0 {
		c.text.WriteByte('\n')
	} else {
		c.first = b
	}
	c.text.WriteString(text)
}

func (c *chunker) flush() {
	if c.text.Len() == 0 {
		return
	}
	c.out = append(c.out, Chunk{
		No: len(c.out), Text: c.text.String(), Heading: c.heading, Block: c.first.ID, Kind: c.first.Kind, Page: c.page,
	})
	c.text.Reset()
}

func (c *chunker) table(b *document.Block, t *facade.DocumentTable) {
	rows := rowsOf(t)
	line := func(row int) string {
		return c.r.rows(&facade.DocumentTable{Cols: t.Cols, Rows: t.Rows, Cells: rows.covering(row)}, row, row+1)
	}
	c.append(b, t.Caption)
	header := line(0)
	for row := range t.Rows {
		text := line(row)
		if c.text.Len()+len(text) > chunkSize {
			c.flush()
			if row > 0 && len(header) < chunkSize/3 {
				c.append(b, header)
			}
		}
		c.append(b, text)
	}
	c.flush()
}
