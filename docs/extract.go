package docs

import (
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// originModel marks values that a model found.
const originModel = "llm"

// Extractor finds the fields of a template in a document, as a model does. It
// must be safe for concurrent use. What it returns is checked: a value that
// does not occur in the document is dropped.
type Extractor interface {
	// Name is what a reply calls the engine.
	Name() string
	// Extract returns the fields that it found, by their names. Values have
	// the types that JSON has in Go.
	Extract(ctx context.Context, in Extraction) (map[string]ExtractedValue, error)
}

// Extraction is what an [Extractor] works on.
type Extraction struct {
	// Fields are those wanted.
	Fields []Field
	// Blocks are the document, as far as it goes into [MaxExtracted] bytes.
	Blocks []ExtractionBlock
}

// ExtractionBlock is a part of a document.
type ExtractionBlock struct {
	// ID names the block.
	ID string
	// Text is its content; of a table, its rows.
	Text string
}

// ExtractedValue is a value with where it is said to be.
type ExtractedValue struct {
	// Value is a string, float64, bool, []any or map[string]any.
	Value any
	// Blocks are the ids of the blocks that hold it.
	Blocks []string
}

// MaxExtracted is how many bytes of a document an [Extractor] gets.
const MaxExtracted = 100_000

// extract fills the fields of a template: by rules first, the rest by the
// extractor of the host.
func (t *Tools) extract(ctx context.Context, doc *document.Document, fields []Field, out *facade.DocumentReadOutput) error {
	out.Extracted = map[string]facade.DocumentField{}
	r := newRules(ctx, doc)
	var rest []Field
	for _, f := range fields {
		if field, ok := r.find(f); ok {
			out.Extracted[f.Name] = field
		} else {
			rest = append(rest, f)
		}
	}
	if err := t.askExtractor(ctx, doc, rest, out); err != nil {
		return err
	}
	for _, f := range fields {
		field, ok := out.Extracted[f.Name]
		if !ok {
			out.Missing = append(out.Missing, f.Name)
			continue
		}
		cite(doc, field.Blocks, out)
	}
	return nil
}

// The confidence in values of a model: in the block that it names, or
// elsewhere in the document.
const (
	sureModel     = 0.75
	sureElsewhere = 0.5
)

// askExtractor asks the host's extractor for the fields that rules did not
// find. Its failure is a note: what rules found is still worth having.
func (t *Tools) askExtractor(ctx context.Context, doc *document.Document, fields []Field, out *facade.DocumentReadOutput) error {
	e := t.opts.Extractor
	if e == nil || len(fields) == 0 {
		return nil
	}
	blocks, whole := extractionBlocks(doc)
	if !whole {
		out.AddNote("the model saw the beginning of the document only; name its pages with 'pages' to extract from a later part")
	}
	values, err := e.Extract(ctx, Extraction{Fields: fields, Blocks: blocks})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out.AddNote("the model " + e.Name() + " could not be asked for the missing fields: " + reason(err))
		return nil
	}
	known := newWitness(blocks)
	for _, f := range fields {
		v, ok := values[f.Name]
		if !ok || v.Value == nil {
			continue
		}
		value, fits := f.fit(v.Value)
		at, sure := known.blocks(value, v.Blocks)
		if !fits || len(at) == 0 {
			out.AddNote("the model's value for '" + f.Name + "' does not occur in the document and is left out")
			continue
		}
		out.Extracted[f.Name] = facade.DocumentField{Value: value, Confidence: sure, Blocks: at, Origin: originModel}
	}
	return nil
}

// extractionBlocks renders a document for an extractor. It reports whether
// that is all of it.
func extractionBlocks(doc *document.Document) (blocks []ExtractionBlock, whole bool) {
	r := newRenderer(doc, formText)
	room := MaxExtracted
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		text := strings.TrimSpace(r.block(b))
		if text == "" || b.Layer == document.Furniture {
			continue
		}
		if room -= len(text) + len(b.ID); room < 0 {
			return blocks, false
		}
		blocks = append(blocks, ExtractionBlock{ID: b.ID, Text: text})
	}
	return blocks, true
}

// Bounds of the blocks that a reply cites.
const (
	maxCited     = 20
	maxCitedText = 500 // bytes of each
)

// cite adds the blocks that hold a value to the reply.
func cite(doc *document.Document, ids []string, out *facade.DocumentReadOutput) {
	cited := map[string]bool{}
	for _, b := range out.Blocks {
		cited[b.ID] = true
	}
	for _, id := range ids {
		for i := range doc.Blocks {
			if doc.Blocks[i].ID != id || cited[id] || len(out.Blocks) >= maxCited {
				continue
			}
			block := doc.Blocks[i].DocumentBlock
			if len(block.Text) > maxCitedText {
				block.Text = block.Text[:cutAt(block.Text, maxCitedText, maxCitedText)]
			}
			out.Blocks = append(out.Blocks, block)
			break
		}
	}
}
